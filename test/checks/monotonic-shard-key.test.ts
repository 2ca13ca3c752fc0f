import { describe, expect, it } from 'vitest';
import { monotonicShardKey } from '../../checks/monotonic-shard-key.js';
import type { Problem } from '../../src/check.js';
import type { FieldOrder } from '../../src/evidence/sharding/key-order.js';
import type { ShardKeyEvidence } from '../../src/evidence/sharding/shard-key-evidence.js';
import type { IndexDescription } from '../../src/inventory/collection.js';
import type { CollectionSharding } from '../../src/inventory/sharding.js';
import { shardKeyOf } from '../../src/inventory/sharding.js';
import { absent } from '../../src/presence.js';
import { reported } from '../support/checks/reported-problem.js';
import {
  analysis,
  DAY_MS,
  field,
  keyOrder,
  part,
  shardedCollection,
  sharding,
  shardKey,
  storage,
} from '../support/checks/sharded-evidence.js';

const DEFAULTS = { correlation: 0.7, busy: 86_400, idle: 30 };
const index = (name: string, key: Record<string, 1>, unique = false): IndexDescription => ({
  name,
  key,
  unique,
  sparse: false,
  hidden: false,
  clustered: false,
});

function judged(
  key: Partial<ShardKeyEvidence>,
  {
    thresholds = {},
    parts = [part('sh1'), part('sh2')],
    indexes = [] as readonly IndexDescription[],
    own = {} as Partial<CollectionSharding>,
    version = '6.0.5',
  } = {},
) {
  return reported(
    monotonicShardKey.judge(
      {
        collection: shardedCollection(own, { version }),
        sharding: sharding(parts),
        shardKey: shardKey(key),
        indexes,
        storage: storage(),
      },
      { ...DEFAULTS, ...thresholds },
    ),
  );
}

describe('what fires', () => {
  it.each<[string, FieldOrder[], object]>([
    ['a date', [field()], { path: 'at', severity: 'error' }],
    ['a correlation of exactly the limit', [field({ correlation: 0.7 })], { path: 'at' }],
    ['a falling counter', [field({ kind: 'wholeNumber', correlation: -0.99 })], { path: 'at' }],
    [
      'five regions, then a date',
      [field({ path: 'region', correlation: 0, effectiveValues: 5 }), field()],
      { path: 'at', severity: 'warning' },
    ],
    [
      'fewer regions than shards, then a date',
      [field({ path: 'region', correlation: 0, effectiveValues: 1.5 }), field()],
      { severity: 'error' },
    ],
    ['UUIDs of version 1', [field({ kind: 'uuidV1', correlation: 0.02, timeCorrelation: 1 })], { severity: 'warning' }],
  ])('%s', (_, fields, expected) => {
    expect(judged({ order: keyOrder(fields) })).toMatchObject([expected]);
  });

  it.each<[string, Partial<ShardKeyEvidence>, object]>([
    [
      'fewer inserts than one a second',
      { order: keyOrder([field()], { span: 100 * DAY_MS }) },
      { severity: 'warning' },
    ],
    [
      'an unknown number of inserts',
      { order: keyOrder([field()], { insertionOrder: 'recordId', span: null, idle: null }) },
      { severity: 'warning', confidence: 'medium' },
    ],
    ['no insert for a month', { order: keyOrder([field()], { idle: 30 * DAY_MS }) }, { severity: 'info' }],
    ['few observations', { order: keyOrder([field({ pairs: 100 })]) }, { confidence: 'medium' }],
    ['the server agreeing', { order: keyOrder([field({ pairs: 100 })]), analysis: analysis() }, { confidence: 'high' }],
    [
      'the server disagreeing',
      { analysis: analysis({ monotonicity: 'not monotonic', correlation: 0.1 }) },
      { confidence: 'medium' },
    ],
    [
      'the server disagreeing with RecordIds',
      {
        order: keyOrder([field()], { insertionOrder: 'recordIdWithinChunks' }),
        analysis: analysis({ monotonicity: 'not monotonic' }),
      },
      { confidence: 'low' },
    ],
  ])('less so, or less surely, with %s', (_, key, expected) => {
    expect(judged(key)).toMatchObject([expected]);
  });

  it('is one step less where there is a single shard', () => {
    expect(judged({}, { parts: [part('sh1')] })).toMatchObject([{ severity: 'warning' }]);
  });

  it('heeds the correlation that is set', () => {
    expect(judged({ order: keyOrder([field()]) }, { thresholds: { correlation: 0.995 } })).toEqual([]);
  });

  it('asks for as many values as there are shards to spread over', () => {
    const tenants = [field({ path: 'tenant', correlation: 0, effectiveValues: 80 }), field()];
    expect(judged({ order: keyOrder(tenants) })).toEqual([]);
    const parts = Array.from({ length: 20 }, (_, number) => part(`sh${number}`));
    expect(judged({ order: keyOrder(tenants) }, { parts })).toMatchObject([{ path: 'at' }]);
  });
});

describe('what stays silent', () => {
  it.each<[string, FieldOrder[]]>([
    ['random values', [field({ kind: 'uuid', correlation: 0.03, timeCorrelation: null })]],
    ['the hash of a date', [field({ hashed: true })]],
    ['a tenant of many, then a date', [field({ path: 'tenant', correlation: 0.01, effectiveValues: 3_000 }), field()]],
    ['a region, then a hash', [field({ path: 'region', correlation: 0, effectiveValues: 5 }), field({ hashed: true })]],
    ['few values in no order', [field({ correlation: 0.1, effectiveValues: 4 })]],
  ])('%s', (_, fields) => {
    expect(judged({ order: keyOrder(fields) })).toEqual([]);
  });
});

describe('what is not judged', () => {
  it.each<[string, Partial<ShardKeyEvidence>, string]>([
    ['a sample that is too small', { order: keyOrder([field({ pairs: 10 })], { documents: 11 }) }, 'insufficient'],
    ['an order of insertion that can not be had', { order: absent('insufficient', 'no RecordIds') }, 'insufficient'],
    ['a read that took too long', { order: absent('timeout', 'too slow') }, 'timeout'],
  ])('%s', (_, key, notJudged) => {
    expect(judged(key)).toMatchObject([{ notJudged, detail: expect.any(String) }]);
  });
});

describe('what it says', () => {
  it('names the chunk that takes the inserts, and the newest documents in it', () => {
    const [grows] = judged({ newest: { documents: 50, inHighestChunk: 0.98, inLowestChunk: 0 } });
    expect(grows).toMatchObject({
      message:
        'The shard key { at: 1 } follows the insertion order: `at` (dates) grows with it (correlation 0.99). All inserts go to the chunk ' +
        'that ends at MaxKey, now on shard sh2: 98 % of the 50 newest documents are in it. The other shards take none.',
    });
    const [falls] = judged({ order: keyOrder([field({ correlation: -0.99 })]) });
    expect(falls).toMatchObject({ message: expect.stringContaining('begins at MinKey, now on shard sh1. The other') });
  });
});

function commandFor(count: number): unknown {
  const given = {
    collection: shardedCollection(),
    sharding: sharding(),
    shardKey: shardKey(),
    indexes: [],
    storage: storage({ count }),
  };
  const [found] = monotonicShardKey.judge(given, DEFAULTS);
  const [problem] = reported<Problem, never>([found as Problem]);
  return problem?.remedy.commands?.[0]?.command;
}

describe('the remedy', () => {
  const candidates = [
    {
      order: field({ path: 'customer', kind: 'objectId', correlation: 0.02, effectiveValues: 4_000 }),
      mostCommonShare: 0.002,
    },
    {
      order: field({ path: 'price', kind: 'wholeNumber', correlation: 0.02, effectiveValues: 9_000 }),
      mostCommonShare: 0.002,
    },
  ];
  const own = { key: shardKeyOf({ at: 1 }) };

  it.each<[string, readonly IndexDescription[], object]>([
    ['a field that spreads and leads an index', [index('customer_1', { customer: 1 })], { customer: 1, at: 1 }],
    ['the hash of _id where no field leads an index', [], { _id: 'hashed' }],
    ['no field of a hidden index', [{ ...index('customer_1', { customer: 1 }), hidden: true }], { _id: 'hashed' }],
  ])('is %s', (_, indexes, key) => {
    const [found] = judged({ candidates }, { indexes, own });
    expect(found).toMatchObject({
      remedy: { commands: [{ db: 'admin', command: { reshardCollection: 'shop.orders', key } }] },
    });
  });

  it('asks for fewer chunks than by default where there are few documents', () => {
    expect(commandFor(1_799)).toMatchObject({ numInitialChunks: 89 });
    expect(commandFor(15)).toMatchObject({ numInitialChunks: 1 });
    expect(commandFor(1_800)).toEqual({ reshardCollection: 'shop.orders', key: { _id: 'hashed' } });
  });

  it.each<[string, object, string]>([
    ['before 5.0', { version: '4.4.29' }, "MongoDB 4.4.29 can't reshard"],
    ['with a unique shard key', { own: { ...own, unique: true } }, 'The current key is unique'],
    [
      'with a unique index that begins otherwise',
      { indexes: [index('at_1_number_1', { at: 1, number: 1 } as never, true)] },
      'The unique index `at_1_number_1`',
    ],
  ])('is no command %s', (_, given, text) => {
    const [found] = judged({ candidates }, given);
    expect(found).toMatchObject({ remedy: { text: expect.stringContaining(text) } });
    expect(found).not.toHaveProperty('remedy.commands');
  });
});
