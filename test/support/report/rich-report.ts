import type { Skipped } from '../../../src/finding.js';
import { reportedRemedy } from '../../../src/findings/stamp.js';
import type { Report } from '../../../src/report/report.js';
import { CHECKS, findingOf, reportOf, sampledCollection, unsampledCollection } from './sample-report.js';

const KB = 1024;
const GB = 1024 * 1024 * KB;

const oversizedDocument = findingOf({
  check: 'oversized-document',
  path: null,
  title: 'Oversized document',
  message:
    'A document has reached 15 MB, 92 % of the 16 MB that the server stores. The next $push beyond the limit fails.',
  evidence: {
    source: 'probe',
    window: 'all 128,400 documents',
    largestBytes: 15_833_497,
    shareOfLimit: 0.944,
    documentsOverLine: 3,
    heaviestPath: 'posts',
    heaviestShare: 0.98,
    distribution: {
      unit: 'bytes',
      buckets: [
        { from: 180, to: 560, count: 412 },
        { from: 561, to: 1_730, count: 377 },
        { from: 1_731, to: 5_400, count: 190 },
        { from: 5_401, to: 16_700, count: 17 },
        { from: 16_701, to: 51_800, count: 3 },
        { from: 51_801, to: 160_000, count: 0 },
        { from: 160_001, to: 498_000, count: 0 },
        { from: 498_001, to: 1_540_000, count: 0 },
        { from: 1_540_001, to: 4_790_000, count: 0 },
        { from: 4_790_001, to: 15_833_497, count: 1 },
      ],
    },
  },
  remedy: reportedRemedy({
    steps: [
      { text: 'Move what grows, `posts` (98 % of the largest document), to a collection of its own, or bucket it.' },
      { text: 'If only a few are large, mark them and continue them in an overflow document (outlier pattern).' },
    ],
  }),
  fingerprint: 'b7730c11aa52',
});

/** A report as a production cluster gives it: findings of all severities, suppressed ones, gaps of several kinds. */
export function richReport(): Report {
  return reportOf({
    cluster: { topology: 'replicaSet', version: '6.0.5', name: 'rs0', tier: 'self-managed', readFrom: 'secondary' },
    findings: [
      findingOf(),
      oversizedDocument,
      findingOf({
        check: 'long-reference-array',
        severity: 'warning',
        confidence: 'medium',
        namespace: 'shop.customers',
        path: 'profile.orders',
        title: 'Long array of references',
        message:
          'profile.orders holds up to 4,810 ObjectIds per document; beyond a few thousand, each read and write of the customer carries them all.',
        evidence: {
          source: 'sample',
          window: '1,000 of 52,118 documents',
          arrays: 1_000,
          elements: 'references',
          median: 37,
          p95: 812,
          p99: 3_902,
          max: 4_810,
          shareOfDocument: 0.61,
          bounded: false,
        },
        remedy: reportedRemedy({
          steps: [
            {
              text: 'Reference the customer from each order (parent reference), and create an index on that field. The build reads all 1,904,221 orders once.',
              command: {
                db: 'shop',
                command: { createIndexes: 'orders', indexes: [{ key: { customerId: 1 }, name: 'customerId_1' }] },
              },
            },
            {
              text: 'Compare the longest arrays with the orders that refer to the customer.',
              code: 'db.getSiblingDB("shop").orders.aggregate([{ $sortByCount: "$customerId" }, { $limit: 20 }]);',
            },
            {
              text: 'Remove the array. This cannot be undone.',
              command: {
                db: 'shop',
                command: {
                  update: 'customers',
                  updates: [
                    {
                      q: { 'profile.orders': { $exists: true } },
                      u: { $unset: { 'profile.orders': '' } },
                      multi: true,
                    },
                  ],
                },
              },
            },
          ],
        }),
        docs: 'checks/long-reference-array.md',
        fingerprint: '0a41f9b8d7c3',
      }),
      findingOf({
        check: 'dynamic-field-names',
        severity: 'warning',
        confidence: 'high',
        namespace: 'analytics.daily_visitors',
        path: 'counts.*.byCountry',
        title: 'Field names that are data',
        message:
          'counts.*.byCountry has 18,220 different field names that look like UUIDs; no index can serve a query over them.',
        evidence: {
          source: 'sample',
          window: 'all 730 documents',
          objects: 730,
          distinctFields: 18_220,
          namePattern: 'uuid',
        },
        remedy: reportedRemedy({
          steps: [
            {
              text: 'Turn the keys into values: an array of `k` and `v` (attribute pattern), or one document per key. Then index both.',
            },
          ],
        }),
        docs: 'checks/dynamic-field-names.md',
        fingerprint: 'dd01e93b6a70',
      }),
      findingOf({
        check: 'deep-nesting',
        severity: 'info',
        confidence: 'low',
        namespace: 'shop.カタログ',
        path: '商品.variants[].options[].価格',
        title: 'Deep nesting',
        message:
          'Values lie up to 27 levels deep, at 商品.variants[].options[].価格; updates there need a filter for each array on the way.',
        evidence: { source: 'sample', window: '1,000 of 4,100 documents', levels: 27, limit: 100, documentsWithIt: 41 },
        remedy: reportedRemedy({
          steps: [{ text: 'Flatten what is always read alone, or give the inner level a collection of its own.' }],
        }),
        docs: 'checks/deep-nesting.md',
        fingerprint: '77b20fd4c1e8',
      }),
      findingOf({
        check: 'bloated-document',
        severity: 'warning',
        confidence: 'medium',
        namespace: 'legacy.sessions',
        path: null,
        fingerprint: 'c2e8a8e11d05',
        suppressed: { by: '.mongolintrc.yaml', reason: 'moves to the new store in March', expires: '2026-04-01' },
      }),
    ],
    skipped: [
      ...CHECKS.map((check): Skipped => ({
        check,
        namespace: 'hr.salaries',
        reason: 'privilege',
        detail: 'reading documents of hr.salaries: not authorized; grant the privilege find on hr.salaries.',
      })),
      ...['hr.reviews', 'shop.carts'].map((namespace): Skipped => ({
        check: 'oversized-document',
        namespace,
        reason: 'bound',
        detail: `searching ${namespace} for large documents: the collection holds ${namespace === 'hr.reviews' ? '7' : '2.5'} GB, more than the 512 MB that are searched without --deep.`,
      })),
      {
        check: '*',
        reason: 'privilege',
        detail:
          'listing every database (only those that the user can read were linted): not authorized; grant the privilege listDatabases on the cluster, as in the role clusterMonitor.',
      },
    ],
    collections: [
      sampledCollection('analytics.daily_visitors', {
        documents: 730,
        averageDocumentSize: 92 * KB,
        size: 67_160 * KB,
        sampled: { documents: 730, bytes: 67_160 * KB, method: 'whole-collection', complete: true, boundedBy: 'bytes' },
      }),
      unsampledCollection(
        'hr.salaries',
        'reading documents of hr.salaries: not authorized; grant the privilege find on hr.salaries.',
      ),
      sampledCollection('hr.reviews', { size: 7 * GB }),
      sampledCollection('legacy.sessions', {
        sampled: { documents: 1_000, bytes: 512_000, method: 'natural-order', complete: false, boundedBy: 'time' },
      }),
      unsampledCollection('metrics.cpu', 'a time-series collection: the server shapes its buckets', 'timeseries'),
      sampledCollection('shop.carts', { size: 2.5 * GB }),
      sampledCollection('shop.customers', { documents: 52_118, averageDocumentSize: 2_310, size: 52_118 * 2_310 }),
      sampledCollection('shop.orders', { documents: 1_904_221, averageDocumentSize: 1_204, size: 1_904_221 * 1_204 }),
      unsampledCollection('shop.recent_orders', 'a view: its collection is judged instead', 'view'),
      sampledCollection('shop.threads', { documents: 128_400, averageDocumentSize: 18_344, size: 128_400 * 18_344 }),
      sampledCollection('shop.カタログ', { documents: 4_100 }),
    ],
  });
}
