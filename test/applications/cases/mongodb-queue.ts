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
  findings: [
    {
      check: 'poor-targeting',
      collection: 'resize-image-queue',
      path: 'deleted_1__id_1_visible_1',
      severity: 'error',
      verdict: 'useful',
      why: "`get` walks over all processed messages: the library's own index does not serve it",
    },
    {
      check: 'full-count',
      collection: 'resize-image-queue',
      path: null,
      severity: 'warning',
      verdict: 'useful',
      why: '`total` reads every message to count them, and the metadata has the number',
    },
    {
      check: 'write-contention',
      collection: 'resize-image-queue',
      path: 'tries',
      severity: 'info',
      verdict: 'useful',
      why: 'all workers take the first of the queue, and repeat it',
    },
  ],
  missed: ['`inFlight` counts by `ack` exists: 20 executions are below what is told'],
};
