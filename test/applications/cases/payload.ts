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
  findings: [
    {
      check: 'case-insensitive-regex',
      collection: '_posts_versions',
      path: 'version.title',
      severity: 'warning',
      verdict: 'useful',
      why: "the admin's search compares all versions",
    },
    {
      check: 'in-memory-sort',
      collection: '_posts_versions',
      path: 'latest_1_version.createdAt_-1_createdAt_-1_version.title_1',
      severity: 'error',
      verdict: 'useful',
      why: "the admin's list sorts all latest versions",
    },
    {
      check: 'in-memory-sort',
      collection: 'posts',
      path: '_status_1_publishedAt_-1_createdAt_-1',
      severity: 'warning',
      verdict: 'useful',
      why: 'the front page sorts all published posts',
    },
    {
      check: 'collection-scan',
      collection: 'posts',
      path: 'categories_1_createdAt_-1',
      severity: 'error',
      verdict: 'useful',
      why: "a category's page scans the posts",
    },
    {
      check: 'full-count',
      collection: '_posts_versions',
      path: null,
      severity: 'warning',
      verdict: 'useful',
      why: 'all versions are counted for each page of the list',
    },
  ],
  missed: [],
};
