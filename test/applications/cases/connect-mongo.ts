import type { Application } from '../application.js';

export const CONNECT_MONGO: Application = {
  name: 'connect-mongo',
  kind: 'login store',
  packages: { 'connect-mongo': '6.0.0', express: '5.3.0', 'express-session': '1.19.0', mongodb: '7.9.0' },
  expectedBefore: {
    useful: [],
    noise: [
      '`session` is a string that the library writes and reads whole',
      "a validator for the library's collection",
      'the TTL index as unused',
    ],
  },
  findings: [],
  missed: [],
};
