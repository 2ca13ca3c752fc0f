import type { Application } from '../application.js';

export const LOOPBACK: Application = {
  name: 'loopback',
  kind: 'application framework',
  packages: { 'loopback-datasource-juggler': '6.0.6', 'loopback-connector-mongodb': '8.0.2' },
  expectedBefore: {
    useful: ['`Order.customerId` has no index: relations and `include` scan', 'a filter by `regexp` /i scans'],
    noise: ['ids kept as ObjectId here and string there where it is so by configuration', 'a validator'],
  },
  findings: [],
  missed: [],
};
