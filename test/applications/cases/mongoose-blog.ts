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
  findings: [],
  missed: [],
};
