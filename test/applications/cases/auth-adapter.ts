import type { Application } from '../application.js';

export const AUTH_ADAPTER: Application = {
  name: 'auth-adapter',
  kind: 'authentication adapter',
  packages: { '@auth/mongodb-adapter': '3.11.3', mongodb: '6.22.0' },
  expectedBefore: {
    useful: [
      'the adapter creates no index: `users.email`, `accounts.provider, providerAccountId`, `sessions.sessionToken` and `verification_tokens` are scanned at each sign-in',
      "`accounts.userId`: a user's accounts are found by it, and deleted by it",
    ],
    noise: [
      'one fault told twice: by the scan and by the reference',
      "a validator for each of the adapter's collections",
    ],
  },
  findings: [
    {
      check: 'collection-scan',
      collection: 'users',
      path: 'email_1',
      severity: 'warning',
      verdict: 'useful',
      why: 'the look-up of each sign-in by e-mail',
    },
    {
      check: 'collection-scan',
      collection: 'accounts',
      path: 'providerAccountId_1_provider_1',
      severity: 'warning',
      verdict: 'useful',
      why: 'the look-up of each sign-in by a provider',
    },
    {
      check: 'collection-scan',
      collection: 'accounts',
      path: 'userId_1',
      severity: 'warning',
      verdict: 'useful',
      why: 'removing a user',
    },
    {
      check: 'collection-scan',
      collection: 'sessions',
      path: 'sessionToken_1',
      severity: 'error',
      verdict: 'useful',
      why: 'the look-up of each request',
    },
    {
      check: 'collection-scan',
      collection: 'sessions',
      path: 'userId_1',
      severity: 'warning',
      verdict: 'useful',
      why: 'removing a user',
    },
  ],
  missed: [],
};
