import type { Application } from '../application.js';

export const WINSTON_LOG: Application = {
  name: 'winston-log',
  kind: 'log store',
  packages: { winston: '3.19.0', 'winston-mongodb': '7.0.1', mongodb: '6.22.0' },
  expectedBefore: {
    useful: [
      'looking at the last errors, or at a span of time, scans and sorts the whole log: neither `level` nor `timestamp` has an index',
    ],
    noise: ['the shape of `meta`, which differs from entry to entry', 'a validator'],
  },
  findings: [
    {
      check: 'poor-targeting',
      collection: 'log',
      path: 'level_1_timestamp_-1',
      severity: 'error',
      verdict: 'useful',
      why: 'the last errors are found by walking all levels: it is most of what is examined',
    },
  ],
  missed: [],
};
