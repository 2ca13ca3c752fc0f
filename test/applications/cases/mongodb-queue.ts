import type { Application } from '../application.js';

export const MONGODB_QUEUE: Application = {
  name: 'mongodb-queue',
  kind: 'job queue',
  packages: { 'mongodb-queue': '4.0.0', mongodb: '3.7.4' },
  expectedBefore: {
    useful: [
      '`get` sorts by _id what `deleted, visible` finds: a sort of the whole backlog for each message; an index on deleted, _id, visible would serve it',
      'counting what is in flight reads every message: `ack` exists is not served by the sparse index, with `visible` beside it',
    ],
    noise: [
      "a validator for the library's collection",
      'processed messages are kept on purpose: they are no logs to be bucketed',
    ],
  },
  findings: [],
  missed: [],
};
