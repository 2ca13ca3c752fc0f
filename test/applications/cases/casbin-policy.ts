import type { Application } from '../application.js';

export const CASBIN_POLICY: Application = {
  name: 'casbin-policy',
  kind: 'authorisation policy',
  packages: { casbin: '5.51.1', 'casbin-mongodb-adapter': '1.3.0', mongodb: '4.17.2' },
  expectedBefore: {
    useful: ['removing one rule scans all of them, if the adapter makes no index'],
    noise: [
      'loading the policy reads the whole collection: by design, once at the start',
      'fields named v0 to v5',
      'a validator',
    ],
  },
  findings: [
    {
      check: 'useless-index',
      collection: 'casbin',
      path: 'v3_1',
      severity: 'info',
      verdict: 'noise',
      why: 'the adapter indexes six fields, of which this model of permissions has three: they cost little, and the adapter creates them again',
    },
  ],
  missed: [
    'the adapter makes one index for each field of a rule: nothing is scanned. Whether they are needed is told after a week of uptime',
  ],
};
