import type { Application } from '../application.js';

export const MONGOOSE_BLOG: Application = {
  name: 'mongoose-blog',
  kind: 'ODM tutorial',
  packages: { mongoose: '9.12.1' },
  expectedBefore: {
    useful: [
      "`comments.post` and `posts.author` have no index: populate of a virtual and the author's page scan",
      'comments kept as an array in a popular post, if they grow without a bound',
      '`users.followers`: an array of references that grows with fame',
      'the search for a title by /i scans',
    ],
    noise: [
      "the discriminator's collection as mixed: events of different kinds have different fields by design",
      '`__v`',
      'a field that Mongoose indexes as unique',
    ],
  },
  findings: [
    {
      check: 'collection-scan',
      collection: 'reviews',
      path: 'post_1',
      severity: 'error',
      verdict: 'useful',
      why: 'populate of the virtual scans the reviews',
    },
    {
      check: 'collection-scan',
      collection: 'posts',
      path: 'author_1_date_-1',
      severity: 'error',
      verdict: 'useful',
      why: "an author's page scans the posts",
    },
    {
      check: 'collection-scan',
      collection: 'posts',
      path: 'date_-1',
      severity: 'error',
      verdict: 'useful',
      why: 'the front page scans and sorts the posts',
    },
    {
      check: 'case-insensitive-regex',
      collection: 'posts',
      path: 'title',
      severity: 'warning',
      verdict: 'useful',
      why: 'the search compares all titles',
    },
    {
      check: 'unbounded-array',
      collection: 'posts',
      path: 'comments',
      severity: 'warning',
      verdict: 'useful',
      why: 'comments of a popular post grow without a bound',
    },
    {
      check: 'long-reference-array',
      collection: 'users',
      path: 'followers',
      severity: 'info',
      verdict: 'useful',
      why: 'followers of a celebrity',
    },
  ],
  missed: [],
};
