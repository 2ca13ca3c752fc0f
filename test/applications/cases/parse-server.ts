import type { Application } from '../application.js';

export const PARSE_SERVER: Application = {
  name: 'parse-server',
  kind: 'backend as a service',
  packages: { 'parse-server': '9.10.0', parse: '8.6.0', express: '5.3.0' },
  expectedBefore: {
    useful: [
      '`_p_author` and `_p_post`, its pointers, have no index: queries by pointer scan',
      '`_Session.session_token` has none: each request with a session scans the sessions',
      'a query with `matches` and /i on a name',
    ],
    noise: [
      '`_SCHEMA`, `_Join:*` and other small collections of its own',
      'pointers kept as strings `Class$id` told as type mismatches',
    ],
  },
  findings: [
    {
      check: 'collection-scan',
      collection: 'Comment',
      path: '_p_post_1__created_at_-1__rperm_1',
      severity: 'error',
      verdict: 'useful',
      why: 'the comments of a post scan all comments: pointers have no index',
    },
    {
      check: 'collection-scan',
      collection: 'Post',
      path: '_p_author_1',
      severity: 'error',
      verdict: 'useful',
      why: "an author's page scans the posts",
    },
    {
      check: 'collection-scan',
      collection: 'Post',
      path: '_created_at_-1',
      severity: 'error',
      verdict: 'useful',
      why: 'the front page scans and sorts the posts',
    },
    {
      check: 'case-insensitive-regex',
      collection: 'Post',
      path: 'title',
      severity: 'info',
      verdict: 'useful',
      why: 'the search compares all titles',
    },
    {
      check: 'upsert-without-unique-index',
      collection: '_Join:likedBy:Post',
      path: 'owningId_1_relatedId_1',
      severity: 'warning',
      verdict: 'useful',
      why: 'a relation is added by an upsert: two requests at once insert it twice',
    },
    {
      check: 'failing-operations',
      collection: '_SCHEMA',
      path: null,
      severity: 'info',
      verdict: 'noise',
      why: 'classes are created by writes that may fail, which the server expects',
    },
  ],
  missed: ['`_Session` holds 400 sessions here: too small to tell, and said so'],
};
