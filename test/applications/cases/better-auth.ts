import type { Application } from '../application.js';

export const BETTER_AUTH: Application = {
  name: 'better-auth',
  kind: 'authentication adapter',
  packages: { 'better-auth': '1.7.24', mongodb: '7.9.0' },
  expectedBefore: {
    useful: [
      'its MongoDB adapter creates no index: `user.email`, `session.token`, `account.userId`, `verification.identifier` are scanned at each request',
    ],
    noise: ["a validator for each of the adapter's collections", 'one fault told twice'],
  },
  findings: [],
  missed: ['its MongoDB adapter creates indexes since 1.7: what was expected is no longer so'],
};
