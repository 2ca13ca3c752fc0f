import type { Finding, Skipped } from '../../../src/finding.js';
import { reportedRemedy } from '../../../src/findings/stamp.js';
import { databaseOf } from '../../../src/namespace.js';
import type { Report } from '../../../src/report/report.js';
import type { ReportedCollection } from '../../../src/report/reported-collection.js';

const MB = 1024 * 1024;

/** Ids of the enabled checks. */
export const CHECKS = [
  'bloated-document',
  'deep-nesting',
  'dynamic-field-names',
  'long-reference-array',
  'outlier-document',
  'oversized-document',
  'unbounded-array',
];

/** "deep-nesting" → "Deep nesting". */
function titleOf(check: string): string {
  const words = check.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Parts of a report; what is not given is empty. Totals are counted from the parts. */
export interface ReportParts {
  readonly cluster?: Report['cluster'];
  readonly findings?: readonly Finding[];
  readonly skipped?: readonly Skipped[];
  readonly collections?: readonly ReportedCollection[];
  readonly checks?: Report['summary']['checks'];
}

/** A report made of these parts, with its totals right. */
export function reportOf({ cluster, findings = [], skipped = [], collections = [], checks }: ReportParts): Report {
  const active = findings.filter(({ suppressed }) => suppressed === undefined);
  const count = (wanted: Finding['severity']) => active.filter(({ severity }) => severity === wanted).length;
  return {
    schemaVersion: 1,
    tool: { name: 'mongolint', version: '0.1.0' },
    startedAt: '2026-02-03T03:07:11.120Z',
    finishedAt: '2026-02-03T03:07:19.340Z',
    cluster: cluster ?? { topology: 'replicaSet', version: '6.0.5', name: 'rs0', tier: null, readFrom: 'secondary' },
    summary: {
      databases: new Set(collections.map(({ namespace }) => databaseOf(namespace))).size,
      collections: collections.length,
      documentsSampled: collections.reduce((sum, { sampled }) => sum + (sampled?.documents ?? 0), 0),
      bytesSampled: collections.reduce((sum, { sampled }) => sum + (sampled?.bytes ?? 0), 0),
      findings: { error: count('error'), warning: count('warning'), info: count('info') },
      suppressed: findings.length - active.length,
      checks: checks ?? {
        ran: CHECKS.length,
        skipped: CHECKS.filter((id) => skipped.some(({ check }) => check === id || check === '*')).length,
      },
    },
    checks: CHECKS.map((check) => ({
      check,
      title: titleOf(check),
      judged: collections.filter(({ sampled }) => sampled !== null).length,
    })),
    findings: [...findings],
    skipped: [...skipped],
    collections: [...collections],
  };
}

/** A plain collection that was sampled; figures in bytes. */
export function sampledCollection(namespace: string, figures: Partial<ReportedCollection> = {}): ReportedCollection {
  return {
    namespace,
    kind: 'collection',
    documents: 12_400,
    averageDocumentSize: 812,
    size: 12_400 * 812,
    storageSize: 4 * MB,
    indexes: 3,
    sampled: { documents: 1_000, bytes: 812_000, method: 'random-cursor', complete: false, boundedBy: null },
    notSampled: null,
    ...figures,
  };
}

/** A collection of which nothing was read. */
export function unsampledCollection(
  namespace: string,
  notSampled: string,
  kind: ReportedCollection['kind'] = 'collection',
): ReportedCollection {
  return {
    namespace,
    kind,
    documents: null,
    averageDocumentSize: null,
    size: null,
    storageSize: null,
    indexes: null,
    sampled: null,
    notSampled,
  };
}

/** A finding with every part that a report knows; the given parts replace those. */
export function findingOf(parts: Partial<Finding> = {}): Finding {
  return {
    check: 'unbounded-array',
    severity: 'error',
    confidence: 'high',
    namespace: 'shop.threads',
    path: 'posts',
    title: 'Unbounded array',
    message:
      'posts has no visible bound: half of the arrays hold up to 12 elements, the longest 41,210, and the longer the array, the larger the document (92 % of its bytes).',
    evidence: {
      source: 'sample',
      window: '1,000 of 128,400 documents',
      arrays: 1_000,
      elements: 'documents',
      median: 12,
      p95: 402,
      p99: 8_204,
      max: 41_210,
      countAtMax: 1,
      shareOfDocument: 0.92,
      sizeCorrelation: 0.987,
      largestBytes: 11_953_766,
      distribution: {
        unit: 'elements',
        buckets: [
          { from: 0, to: 2, count: 212 },
          { from: 3, to: 8, count: 268 },
          { from: 9, to: 25, count: 301 },
          { from: 26, to: 76, count: 130 },
          { from: 77, to: 229, count: 51 },
          { from: 230, to: 687, count: 22 },
          { from: 688, to: 2_061, count: 9 },
          { from: 2_062, to: 6_184, count: 4 },
          { from: 6_185, to: 18_552, count: 2 },
          { from: 18_553, to: 41_210, count: 1 },
        ],
      },
    },
    remedy: reportedRemedy({
      steps: [
        {
          text: "Move the elements of `posts` to a collection `threads_posts`: one document each, with the parent's `_id` in `parentId`. Create its index first. It is built on an empty collection and costs nothing.",
          command: {
            db: 'shop',
            command: {
              createIndexes: 'threads_posts',
              indexes: [{ key: { parentId: 1, createdAt: -1 }, name: 'parentId_1_createdAt_-1' }],
            },
          },
        },
        {
          text: 'Keep the newest 20 in the parent (subset pattern): cap the array with every write.',
          code: '{ $push: { posts: { $each: [element], $sort: { createdAt: 1 }, $slice: -20 } } }',
        },
        { text: 'Run mongolint again: the finding is gone if no array holds more than 20 elements.' },
      ],
    }),
    docs: 'checks/unbounded-array.md',
    fingerprint: '6f1c0d9be2a4',
    ...parts,
  };
}
