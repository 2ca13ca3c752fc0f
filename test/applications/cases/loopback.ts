import type { Application } from '../application.js';

export const LOOPBACK: Application = {
  name: 'loopback',
  kind: 'application framework',
  packages: { 'loopback-datasource-juggler': '6.0.6', 'loopback-connector-mongodb': '8.0.2' },
  expectedBefore: {
    useful: ['`Order.customerId` has no index: relations and `include` scan', 'a filter by `regexp` /i scans'],
    noise: ['ids kept as ObjectId here and string there where it is so by configuration', 'a validator'],
  },
  findings: [
    {
      check: 'collection-scan',
      collection: 'Order',
      path: 'date_-1',
      severity: 'error',
      verdict: 'useful',
      why: 'a report scans and sorts all orders',
    },
    {
      check: 'case-insensitive-regex',
      collection: 'Customer',
      path: 'name',
      severity: 'warning',
      verdict: 'useful',
      why: 'a search compares all names',
    },
    {
      check: 'poor-targeting',
      collection: 'Order',
      path: 'customerId_1__id_1',
      severity: 'error',
      verdict: 'useful',
      why: 'the relation of the model: its default sort by id walks all orders',
    },
    {
      check: 'deep-skip',
      collection: 'Customer',
      path: null,
      severity: 'info',
      verdict: 'noise',
      why: 'pages of 2,300 customers: the last one skips a thousand keys, half a millisecond',
    },
  ],
  missed: [],
};
