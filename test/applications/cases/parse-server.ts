import type { Application } from '../application.js';

export const PARSE_SERVER: Application = {
  name: 'parse-server',
  kind: 'backend as a service',
  packages: { 'parse-server': '9.10.0', parse: '8.6.0', express: '5.3.0' },
  expectedBefore: {
    useful: [
      '`_p_author` and `_p_post`, its pointers, have no index: queries by pointer scan',
      '`_Session.session_token` has none: each request with a session scans the sessions',
      'a query with `matches` and /i on a name',
    ],
    noise: [
      '`_SCHEMA`, `_Join:*` and other small collections of its own',
      'pointers kept as strings `Class$id` told as type mismatches',
    ],
  },
  findings: [
    {
      check: 'collection-scan',
      collection: '_Session',
      path: '_p_user_1_installationId_1__session_token_1',
      severity: 'warning',
      verdict: 'useful',
      why: 'each log-in scans the sessions',
    },
    {
      check: 'dynamic-field-names',
      collection: '_User',
      path: '_acl',
      severity: 'info',
      verdict: 'noise',
      why: "Parse's own, with one name a document, and never searched",
    },
  ],
  missed: [],
};
