import type { Application } from '../application.js';

export const AGENDA: Application = {
  name: 'agenda',
  kind: 'job queue',
  packages: { agenda: '6.2.6', '@agendajs/mongo-backend': '4.0.3' },
  expectedBefore: {
    useful: [
      "cancelling and listing a user's jobs by `data.userId` scans every job: the library's only index begins with name, nextRunAt",
    ],
    noise: [
      "a validator for the library's collection",
      'the shape of `data`, which differs from job to job',
      "the library's own polling, which its index serves",
      'redundant or unused indexes: it has one',
    ],
  },
  findings: [
    {
      check: 'write-contention',
      collection: 'agendaJobs',
      path: 'lockedAt',
      severity: 'info',
      verdict: 'noise',
      why: 'workers lock the same jobs at once: true, and the library offers nothing to change',
    },
    {
      check: 'poor-targeting',
      collection: 'agendaJobs',
      path: 'data.userId_1_name_1_nextRunAt_-1_lastRunAt_-1',
      severity: 'error',
      verdict: 'useful',
      why: "reading and cancelling a customer's reminders walks all jobs of the name",
    },
    {
      check: 'upsert-without-unique-index',
      collection: 'agendaJobs',
      path: 'name_1_type_1',
      severity: 'info',
      verdict: 'useful',
      why: 'a repeated job is saved by its name: two processes that start at once may both insert it',
    },
  ],
  missed: [],
};
