import { describe, expect, it } from 'vitest';
import { redundantIndex } from '../../checks/redundant-index.js';
import type { CollectionSharding, IndexDescription } from '../../src/check.js';
import { arrays, problem, problems, type Given } from '../support/checks/evidence-builders.js';
import { ID_INDEX, index } from '../support/checks/index-builders.js';

const german = { locale: 'de', strength: 3 };
/** "index < the one that serves its queries" of each finding. */
const found = (indexes: readonly IndexDescription[], given: Given = {}) =>
  problems(redundantIndex, { ...given, indexes: [ID_INDEX, ...indexes] }).map(
    ({ path, evidence }) => `${path} < ${evidence['servedBy']}`,
  );
const sharded = (...paths: string[]) => ({
  sharding: { key: paths.map((path) => ({ path, hashed: false })) } as unknown as CollectionSharding,
});

describe('redundant indexes', () => {
  it.each<[string, IndexDescription[], string[]]>([
    ['a prefix', [index({ a: 1 }), index({ a: 1, b: 1 })], ['a_1 < a_1_b_1']],
    ['a prefix, but a shard lacks the longer one', [index({ a: 1 }), index({ a: 1, b: 1 }, { onShards: ['sh1'] })], []],
    ['a prefix that a shard lacks', [index({ a: 1 }, { onShards: ['sh1'] }), index({ a: 1, b: 1 })], []],
    ['a prefix of several fields', [index({ a: 1, b: -1 }), index({ a: 1, b: -1, c: 1 })], ['a_1_b_-1 < a_1_b_-1_c_1']],
    ['a prefix read backwards', [index({ a: 1, b: -1 }), index({ a: -1, b: 1, c: 1 })], ['a_1_b_-1 < a_-1_b_1_c_1']],
    ['a single field in the other direction', [index({ a: 1 }), index({ a: -1, b: 1 })], ['a_1 < a_-1_b_1']],
    ['one field in both directions: the descending one', [index({ a: -1 }), index({ a: 1 })], ['a_-1 < a_1']],
    [
      'a plain one beside a unique one',
      [index({ a: 1 }), index({ a: 1 }, { name: 'unique', unique: true })],
      ['a_1 < unique'],
    ],
    [
      'a plain one beside a TTL one',
      [index({ a: 1 }), index({ a: -1 }, { name: 'ttl', expireAfterSeconds: 60 })],
      ['a_1 < ttl'],
    ],
    ['a prefix of a unique one', [index({ a: 1 }), index({ a: 1, b: 1 }, { unique: true })], ['a_1 < a_1_b_1']],
    [
      'a chain: each names the one that stays',
      [index({ a: 1 }), index({ a: 1, b: 1 }), index({ a: 1, b: 1, c: 1 })],
      ['a_1 < a_1_b_1_c_1', 'a_1_b_1 < a_1_b_1_c_1'],
    ],
    [
      'of several the shortest that stays',
      [index({ a: 1 }), index({ a: 1, b: 1, c: 1 }), index({ a: 1, d: 1 })],
      ['a_1 < a_1_d_1'],
    ],
    [
      'the same collation',
      [index({ a: 1 }, { collation: german }), index({ a: 1, b: 1 }, { collation: { locale: 'de' } })],
      ['a_1 < a_1_b_1'],
    ],
    [
      'the same partial filter',
      [
        index({ a: 1 }, { partialFilterExpression: { b: 1 } }),
        index({ a: 1, c: 1 }, { partialFilterExpression: { b: 1 } }),
      ],
      ['a_1 < a_1_c_1'],
    ],
    ['both sparse', [index({ a: 1 }, { sparse: true }), index({ a: 1, b: 1 }, { sparse: true })], ['a_1 < a_1_b_1']],
    ['a hashed prefix', [index({ a: 'hashed' }), index({ a: 'hashed', b: 1 })], ['a_hashed < a_hashed_b_1']],
    ['dotted paths', [index({ 'a.b': 1 }), index({ 'a.b': 1, c: 1 })], ['a.b_1 < a.b_1_c_1']],
  ])('%s', (_, indexes, expected) => {
    expect(found(indexes)).toEqual(expected);
    expect(found(indexes.toReversed()).sort()).toEqual(expected);
  });
});

describe('indexes that are not redundant', () => {
  it.each<[string, IndexDescription[], Given?]>([
    ['different fields', [index({ a: 1 }), index({ b: 1, a: 1 })]],
    ['a field whose name begins alike', [index({ a: 1 }), index({ ab: 1, c: 1 })]],
    ['directions that no scan has both', [index({ a: 1, b: 1 }), index({ a: 1, b: -1, c: 1 })]],
    ['a unique one', [index({ a: 1 }, { unique: true }), index({ a: 1, b: 1 })]],
    ['a TTL one', [index({ a: 1 }, { expireAfterSeconds: 60 }), index({ a: 1, b: 1 })]],
    ['another collation', [index({ a: 1 }, { collation: german }), index({ a: 1, b: 1 })]],
    [
      'another strength of the collation',
      [index({ a: 1 }, { collation: german }), index({ a: 1, b: 1 }, { collation: { ...german, strength: 1 } })],
    ],
    [
      'a partial one beside a full one',
      [index({ a: 1 }, { partialFilterExpression: { b: 1 } }), index({ a: 1, b: 1 })],
    ],
    [
      'a full one beside a partial one',
      [index({ a: 1 }), index({ a: 1, b: 1 }, { partialFilterExpression: { b: 1 } })],
    ],
    [
      'two partial filters',
      [
        index({ a: 1 }, { partialFilterExpression: { b: 1 } }),
        index({ a: 1, c: 1 }, { partialFilterExpression: { b: 2 } }),
      ],
    ],
    ['a sparse one beside a full one', [index({ a: 1 }, { sparse: true }), index({ a: 1, b: 1 })]],
    ['a full one beside a sparse one', [index({ a: 1 }), index({ a: 1, b: 1 }, { sparse: true })]],
    ['a hidden one', [index({ a: 1 }, { hidden: true }), index({ a: 1, b: 1 })]],
    ['one beside a hidden one', [index({ a: 1 }), index({ a: 1, b: 1 }, { hidden: true })]],
    ['the index on _id', [index({ _id: 1, a: 1 })]],
    [
      'the order of a clustered collection',
      [index({ _id: 1 }, { name: 'clustered', clustered: true, unique: true }), index({ _id: 1, a: 1 })],
    ],
    ['a hashed one beside an ordered one', [index({ a: 'hashed' }), index({ a: 1, b: 1 })]],
    ['text indexes', [index({ a: 1 }), index({ a: 'text' }, { weights: { a: 1 } })]],
    ['geo indexes', [index({ a: '2dsphere' }), index({ a: '2dsphere', b: 1 })]],
    ['wildcard indexes', [index({ '$**': 1 }), index({ 'a.$**': 1 }), index({ a: 1 })]],
    [
      'a further field that is an array',
      [index({ a: 1 }), index({ a: 1, tags: 1 })],
      { paths: arrays({ path: 'tags', lengths: [3, 4] }) },
    ],
    [
      'a further field inside an array',
      [index({ a: 1 }), index({ a: 1, 'items.sku': 1 })],
      { paths: arrays({ path: 'items', lengths: [3, 4], fields: { sku: 'string' } }) },
    ],
    ['the index of the shard key', [index({ a: 1 }), index({ a: 1, b: 1 })], { collection: sharded('a') }],
  ])('%s', (_, indexes, given) => {
    expect(found(indexes, given)).toEqual([]);
    expect(found(indexes.toReversed(), given)).toEqual([]);
  });

  it('takes an array that both hold as no difference', () => {
    const paths = arrays({ path: 'tags', lengths: [3, 4] });
    expect(found([index({ tags: 1 }), index({ tags: 1, a: 1 })], { paths })).toEqual(['tags_1 < tags_1_a_1']);
  });

  it('takes an index that begins with the shard key for one like any other', () => {
    expect(found([index({ a: 1, b: 1 }), index({ a: 1, b: 1, c: 1 })], { collection: sharded('a') })).toEqual([
      'a_1_b_1 < a_1_b_1_c_1',
    ]);
  });
});

describe('a finding', () => {
  const indexes = [ID_INDEX, index({ customer: 1 }), index({ customer: 1, placed: -1 })];
  const storage = {
    indexSizes: { _id_: 1_000, customer_1: 30 * 1024 * 1024, 'customer_1_placed_-1': 50 * 1024 * 1024 },
  };

  it('shows both sizes, and hides first', () => {
    const { message, evidence, remedy, severity } = problem(redundantIndex, { indexes, storage });
    expect(severity).toBe('warning');
    expect(message).toContain('`customer_1` on { customer: 1 }');
    expect(message).toContain('`customer_1` takes 30 MB');
    expect(evidence).toMatchObject({
      indexBytes: 30 * 1024 * 1024,
      servedByBytes: 50 * 1024 * 1024,
      relation: 'prefix',
    });
    expect(remedy.commands).toEqual([
      { db: 'shop', command: { collMod: 'products', index: { name: 'customer_1', hidden: true } } },
    ]);
    expect(remedy.text).toContain('dropIndex("customer_1")');
  });

  it('is an info if it is small, unless the collection is expected to be large', () => {
    const small = { count: 60, indexSizes: { _id_: 20_480, customer_1: 20_480, 'customer_1_placed_-1': 20_480 } };
    expect(problem(redundantIndex, { indexes, storage: small }).severity).toBe('info');
    const collection = { expected: { documents: 5_000_000, from: 'expect' as const } };
    expect(problem(redundantIndex, { indexes, storage: small, collection })).toMatchObject({
      severity: 'warning',
      judgedAt: { documents: 5_000_000, from: 'expect' },
    });
  });

  it('is an info below the bytes that are set', () => {
    expect(problem(redundantIndex, { indexes, storage, thresholds: { warning: 40 * 1024 * 1024 } }).severity).toBe(
      'info',
    );
  });
});

it('is less sure of a longer index whose further fields nobody read', () => {
  const indexes = [ID_INDEX, index({ a: 1 }), index({ a: 1, b: 1 })];
  const { confidence, message, remedy } = problem(redundantIndex, { indexes, unread: true });
  expect(confidence).toBe('medium');
  expect(message).toContain('No documents were read: `b` may hold arrays.');
  expect(remedy.steps[0]?.text).toContain('Check that `b` holds no arrays');
  const same = [ID_INDEX, index({ a: 1 }), index({ a: -1 })];
  expect(problems(redundantIndex, { indexes: same, unread: true })).toMatchObject([{ confidence: 'high' }]);
});
