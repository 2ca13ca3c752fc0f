import type { Application } from '../application.js';

export const PAYLOAD: Application = {
  name: 'payload',
  kind: 'CMS',
  packages: { payload: '3.90.2', '@payloadcms/db-mongodb': '3.90.2' },
  expectedBefore: {
    useful: [
      "the admin's search by `like` on a title scans the posts and their versions",
      'a query by category, a relationship that has no index unless the field says `index: true`',
    ],
    noise: [
      'indexes that Payload makes for itself (updatedAt, createdAt) as unused or too many',
      'collections that Payload makes and that are empty: preferences, locked documents, migrations',
      'the same advice for each of `_posts_versions` and `posts`',
    ],
  },
  findings: [],
  missed: [],
};
