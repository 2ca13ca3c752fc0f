import type { Application } from '../application.js';

export const GRIDFS_UPLOADS: Application = {
  name: 'gridfs-uploads',
  kind: 'file storage',
  packages: { 'multer-gridfs-storage': '6.2.1', multer: '2.2.0', express: '5.3.0', mongodb: '7.9.0' },
  expectedBefore: {
    useful: ["listing a user's files by `metadata.owner` scans `fs.files`"],
    noise: [
      'chunks as large documents or as measurements: 255 KB each by design',
      '`fs.chunks.files_id` as a reference without an index: its index begins with it',
      "anything about GridFS's own indexes",
    ],
  },
  findings: [
    {
      check: 'collection-scan',
      collection: 'fs.files',
      path: 'metadata.owner_1_uploadDate_-1',
      severity: 'error',
      verdict: 'useful',
      why: "a user's page of files scans all files",
    },
  ],
  missed: [],
};
