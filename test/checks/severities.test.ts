/** The rule of each check for its severities: written in its page, and here as a table. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtInChecks } from '../../checks/index.js';
import { isClusterCheck, type AnyCheck, type AnyCollectionCheck, type Severity } from '../../src/check.js';
import { packageRoot } from '../../src/package-root.js';
import { arrays, objects, pathProfile, problems, type Given } from '../support/checks/evidence-builders.js';
import { COPY, dangling, shopFollowing } from '../support/checks/followed-references.js';
import { growingArray, growthOf } from '../support/checks/growth-builders.js';
import { ID_INDEX, index, usage } from '../support/checks/index-builders.js';
import { aggregate, problemsIn, type GivenCluster, type GivenCollection } from '../support/checks/joined-evidence.js';

const KB = 1024;
const MB = 1024 * KB;
const NEVER = Infinity;

type Graded = Severity | null;

function checkNamed(id: string): AnyCheck {
  const check = builtInChecks.find((each) => each.id === id);
  if (check === undefined) throw new Error(`There is no check ${id}.`);
  return check;
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
const depth = (levels: number): Given => ({
  profile: {
    depth: { max: levels, path: 'a.b' },
    paths: [pathProfile({ path: 'a.b', documents: 7 })],
  },
});
const largest = (bytes: number): Given => ({ largest: { maximumBytes: bytes } });
const heavy = (bytes: number): Given => ({
  paths: ['title', 'author', 'status', 'at'].map((path) => pathProfile({ path, presence: 1, shareOfBytes: 0.001 })),
  sizes: times(100, bytes),
  storage: { count: 1_000, size: 1_000 * bytes, averageDocumentSize: bytes },
});
const twins = (bytes: number): Given => ({
  indexes: [ID_INDEX, index({ a: 1 }), index({ a: 1, b: 1 })],
  storage: { indexSizes: { a_1: bytes } },
});
const unused = (bytes: number): Given => ({
  indexes: [ID_INDEX, index({ a: 1 })],
  indexUsage: usage([{ a_1: [0, 40] }]),
  storage: { indexSizes: { a_1: bytes } },
});
const multikey = (elements: number): Given => ({
  sizes: times(100, 5_000),
  indexes: [ID_INDEX, index({ tags: 1 })],
  paths: arrays({
    path: 'tags',
    lengths: Array.from({ length: 100 }, (_, each) => (each < 10 ? (30 + 3 * each) * elements : elements - 59 + each)),
    elements: 'objectId',
  }),
});
const many = (count: number): Given => ({ indexes: times(count, index({ a: 1 })) });
const names = (distinct: number, namePattern: 'objectId' | 'hex' | 'date'): Given => ({
  paths: [pathProfile({ path: 'byId', object: objects(times(100, 5), distinct, { folded: true, namePattern }) })],
});
const growing = (days: readonly [number, number, number]): Given => ({
  paths: arrays({ path: 'posts', lengths: times(100, 50) }),
  growth: growthOf([growingArray('posts', days)]),
});

/** A collection's evidence, and the severity of the only finding on it. */
const OF_COLLECTIONS: Readonly<Record<string, readonly (readonly [string, Given, Graded])[]>> = {
  'fast-growing-array': [
    ['16 MB within 60 days', growing([5, 30, 60]), 'error'],
    ['1,000 elements within 100 days', growing([20, 100, 900]), 'warning'],
    ['200 elements within a year', growing([365, 900, NEVER]), 'info'],
    ['in ten years', growing([3_650, NEVER, NEVER]), null],
  ],
  'long-reference-array': [
    [
      '2,500 references',
      { paths: arrays({ path: 'members', lengths: times(100, 2_500), elements: 'objectId' }) },
      'warning',
    ],
    ['a thousand', { paths: arrays({ path: 'members', lengths: times(100, 1_000), elements: 'objectId' }) }, null],
  ],
  'oversized-document': [
    ['15 MB', largest(15 * MB), 'error'],
    ['9 MB', largest(9 * MB), 'warning'],
    ['7 MB', largest(7 * MB), null],
  ],
  'bloated-document': [
    ['2 MB on average', heavy(2 * MB), 'warning'],
    ['300 KB', heavy(300 * KB), 'info'],
    ['30 KB', heavy(30 * KB), null],
  ],
  'deep-nesting': [
    ['90 levels', depth(90), 'error'],
    ['40 levels', depth(40), 'warning'],
    ['20 levels', depth(20), 'info'],
    ['10 levels', depth(10), null],
  ],
  'dynamic-field-names': [
    ['60 ids', names(60, 'objectId'), 'warning'],
    ['60 hashes', names(60, 'hex'), 'warning'],
    ['60 dates', names(60, 'date'), 'warning'],
    ['40 ids', names(40, 'objectId'), null],
  ],
  'redundant-index': [
    ['30 MB', twins(30 * MB), 'warning'],
    ['3 MB', twins(3 * MB), 'info'],
  ],
  'unused-index': [
    ['30 MB', unused(30 * MB), 'warning'],
    ['20 KB', unused(20 * KB), 'info'],
  ],
  'large-multikey-index': [
    ['a thousand elements', multikey(1_000), 'warning'],
    ['150', multikey(150), 'info'],
    ['80', multikey(80), null],
  ],
  'too-many-indexes': [
    ['62', many(62), 'error'],
    ['52', many(52), 'warning'],
    ['25', many(25), 'info'],
    ['ten', many(10), null],
  ],
};

const LOOKUP = { $lookup: { from: 'payments', localField: 'number', foreignField: 'order', as: 'payments' } };
const joined = (payments: GivenCollection, examined: number, executions = 100): GivenCluster => ({
  collections: { orders: { fields: { number: { int: 100 } } }, payments },
  operations: [aggregate([LOOKUP], { figures: { executions, documentsExamined: executions * examined } })],
});
const queried = (documents: number): GivenCluster => ({
  collections: { orders: { documents } },
  operations: [
    {
      command: { filter: { status: 1 } },
      figures: { planSummaries: { COLLSCAN: 100 }, documentsExamined: 100 * documents, documentsReturned: 100 },
    },
  ],
});
const joinedOften = (executions: number): GivenCluster => ({
  ...joined({ indexes: [index({ order: 1 })] }, 3, executions),
});
const referring = (documents: number): GivenCluster => ({
  collections: { reviews: { documents }, products: { documents: 500 } },
  references: {
    references: [
      {
        namespace: 'shop.reviews',
        path: 'product',
        isInArray: false,
        target: 'shop.products',
        values: 20,
        found: 20,
        conversion: null,
        isRepeated: true,
      },
    ],
    gaps: [],
  },
  operations: [{ on: 'reviews', command: { filter: { product: 5 } }, figures: { executions: 5 } }],
});
const drifted = (differing: number) =>
  shopFollowing({ copies: [{ ...COPY, differing: (differing / 100) * COPY.compared }] });

/** The evidence of a cluster, and the severity of the only finding on it. */
const OF_CLUSTERS: Readonly<Record<string, readonly (readonly [string, GivenCluster, Graded])[]>> = {
  'missing-lookup-index': [
    ['1,000 foreign documents', joined({ documents: 1_000 }, 1_000), 'warning'],
    ['a million examined by an execution', joined({ documents: 20_000 }, 1_000_000), 'error'],
    ['a million examined a day', joined({ documents: 2_000 }, 20_000), 'error'],
    ['900 foreign documents', joined({ documents: 900 }, 900), null],
    [
      '900, of which five million are expected',
      joined({ documents: 900, options: { expected: { documents: 5_000_000, from: 'expect' } } }, 900),
      'error',
    ],
  ],
  'heavy-lookup': [
    ['all of much', joinedOften(1_000), 'warning'],
    ['all of little', joinedOften(100), null],
  ],
  'collection-scan': [
    ['two million documents', queried(2_000_000), 'error'],
    ['20,000 a hundred times: two million a day', queried(20_000), 'error'],
    ['2,000 a hundred times', queried(2_000), 'warning'],
    ['900', queried(900), null],
  ],
  'unindexed-reference': [
    ['20,000 documents', referring(20_000), 'warning'],
    ['2,000', referring(2_000), 'info'],
    ['900', referring(900), null],
  ],
  'dangling-reference': [
    ['a tenth', shopFollowing(dangling(50)), 'warning'],
    ['none', shopFollowing(dangling(0)), null],
  ],
  'denormalized-drift': [
    ['a tenth', drifted(10), 'warning'],
    ['2 %', drifted(2), 'info'],
    ['none', drifted(0), null],
  ],
};

/** Tables of their own, beside the evidence that they are about. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'unbounded-array': 'unbounded-array',
  'uncapped-write': 'uncapped-write',
  'upsert-without-unique-index': 'upsert-without-unique-index',
  'query-without-its-index': 'query-without-its-index',
  'missing-in-production': 'missing-in-production',
  'upgrade-to-8': 'upgrades',
  'upgrade-to-9': 'upgrades',
  'missing-declared-index': 'source-evidence',
  'unindexed-query': 'source-evidence',
  'undeclared-index': 'source-evidence',
  'short-oplog': 'short-oplog',
  'open-transactions': 'open-transactions',
  'empty-collection': 'empty-collection',
  'reusable-space': 'reusable-space',
  'hidden-index': 'hidden-index',
  'useless-index': 'useless-index',
  'expired-documents': 'expired-documents',
  'archive-candidate': 'archive-candidate',
  'ttl-without-effect': 'ttl-without-effect',
  'outlier-document': 'outlier-document',
  'bucket-candidate': 'bucket-candidate',
  'timeseries-misconfigured': 'timeseries-misconfigured',
  'missing-validator': 'missing-validator',
  'mixed-types': 'mixed-types',
  'schema-versions': 'schema-versions',
  'typed-values-as-strings': 'typed-values-as-strings',
  'lookup-type-mismatch': 'lookup-type-mismatch',
  'split-one-to-few': 'split-one-to-few',
  'too-many-collections': 'too-many-collections',
  'monotonic-shard-key': 'monotonic-shard-key',
  'low-cardinality-shard-key': 'low-cardinality-shard-key',
  'jumbo-chunk': 'jumbo-chunk',
  'unbalanced-chunks': 'unbalanced-chunks',
  'inconsistent-indexes': 'inconsistent-indexes',
  'scatter-gather': 'scatter-gather',
  'hot-unsharded-collection': 'hot-unsharded-collection',
  'poor-targeting': 'workload-queries',
  'in-memory-sort': 'workload-queries',
  'deep-skip': 'deep-skip',
  'unstable-plan': 'unstable-plan',
  'unbounded-find': 'unbounded-find',
  'rebuilt-array': 'rebuilt-array',
  'n-plus-one-query': 'n-plus-one-query',
  'long-in-list': 'long-in-list',
  'full-count': 'full-count',
  'computed-value': 'computed-value',
  'early-lookup': 'early-lookup',
  'case-insensitive-regex': 'workload-queries',
  'unselective-filter': 'unselective-filter',
  'expression-filter': 'expression-filter',
};

const severities = (found: readonly { readonly severity: Severity }[]): readonly Graded[] => {
  return found.length === 0 ? [null] : found.map(({ severity }) => severity);
};

describe.each(Object.entries(OF_COLLECTIONS))('%s', (id, rows) => {
  it.each(rows)('%s', (_, given, expected) => {
    expect(severities(problems(checkNamed(id) as AnyCollectionCheck, given))).toEqual([expected]);
  });
});

describe.each(Object.entries(OF_CLUSTERS))('%s', (id, rows) => {
  const check = checkNamed(id);
  if (!isClusterCheck(check)) throw new TypeError(`${id} is a check of single collections.`);
  it.each(rows)('%s', (_, given, expected) => {
    expect(severities(problemsIn(check, given))).toEqual([expected]);
  });

  it('is the same on a machine that takes a thousand times as long', () => {
    for (const [, given] of rows) {
      const slow = (given.operations ?? []).map((each) => ({
        ...each,
        figures: { ...each.figures, milliseconds: 1e7 },
      }));
      expect(severities(problemsIn(check, { ...given, operations: slow }))).toEqual(
        severities(problemsIn(check, given)),
      );
    }
  });
});

describe.each(builtInChecks)('$id', ({ id }) => {
  it('says in a line of its page what sets its severity', () => {
    const page = readFileSync(join(packageRoot(), 'checks', `${id}.md`), 'utf8');
    expect(page.match(/^\*\*Severity:\*\* \S/gm)).toHaveLength(1);
  });

  it('has a table of severities', () => {
    const file = join(packageRoot(), 'test/checks', `${ELSEWHERE[id]}.test.ts`);
    const hasOne = id in OF_COLLECTIONS || id in OF_CLUSTERS;
    expect(
      hasOne || (existsSync(file) && /'(?:error|warning|info)/.test(readFileSync(file, 'utf8'))),
      'a table in this file, or in the test that ELSEWHERE names',
    ).toBe(true);
  });
});
