import type { Application } from '../application.js';

export const RATE_LIMITER: Application = {
  name: 'rate-limiter',
  kind: 'rate limiter',
  packages: { 'rate-limiter-flexible': '11.4.0', mongodb: '7.9.0' },
  expectedBefore: {
    useful: [],
    noise: [
      'the TTL index as unused',
      'small documents with a time as measurements to be bucketed: they are counters, updated in place',
    ],
  },
  findings: [],
  missed: [],
};
