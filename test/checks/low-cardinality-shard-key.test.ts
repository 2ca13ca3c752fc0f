import { describe, expect, it } from 'vitest';
import { lowCardinalityShardKey } from '../../checks/low-cardinality-shard-key.js';
import type { ValueSpread } from '../../src/evidence/sharding/key-order.js';
import type { ShardKeyEvidence } from '../../src/evidence/sharding/shard-key-evidence.js';
import { shardKeyOf } from '../../src/inventory/sharding.js';
import type { StorageStatistics } from '../../src/inventory/storage.js';
import { reported } from '../support/checks/reported-problem.js';
import {
  analysis,
  field,
  MB,
  part,
  shardedCollection,
  sharding,
  shardKey,
  storage,
} from '../support/checks/sharded-evidence.js';

const DEFAULTS = { valuesPerShard: 10, shareOfShard: 0.5 };
const values = (distinct: number, mostCommonShare = 1 / distinct, sample = 1_000): ValueSpread => ({
  sample,
  distinct,
  estimatedDistinct: distinct,
  seenOnce: 0,
  mostCommonShare,
  shares: Array.from({ length: Math.min(100, distinct) }, () => 1 / distinct),
  effectiveValues: distinct,
});

/** It fits a chunk. */
const SMALL: Partial<StorageStatistics> = { size: 10 * MB, count: 5_000, averageDocumentSize: 2_097 };

function judged(
  key: Partial<ShardKeyEvidence>,
  {
    shards = 4,
    size = {} as Partial<StorageStatistics>,
    thresholds = {},
    candidates = [] as ShardKeyEvidence['candidates'],
  } = {},
) {
  return reported(
    lowCardinalityShardKey.judge(
      {
        collection: shardedCollection({ key: shardKeyOf({ state: 1 }) }),
        sharding: sharding(Array.from({ length: shards }, (_, number) => part(`sh${number}`))),
        shardKey: shardKey({ candidates, ...key }),
        indexes: [
          { name: 'customer_1', key: { customer: 1 }, unique: false, sparse: false, hidden: false, clustered: false },
        ],
        storage: storage(size),
      },
      { ...DEFAULTS, ...thresholds },
    ),
  );
}

function refined(candidates: ShardKeyEvidence['candidates']): object[] {
  const [found] = judged({ values: values(3) }, { candidates });
  return (found as { remedy: { commands: { command: object }[] } }).remedy.commands.map(({ command }) => command);
}

describe('a shard key of few values', () => {
  it.each<[string, Partial<ShardKeyEvidence>, object, string]>([
    ['fewer values than shards', { values: values(3) }, {}, 'error'],
    ['as many values as shards', { values: values(4) }, {}, 'warning'],
    ['39 values for four shards, by all documents', { values: values(39) }, { size: { count: 1_000 } }, 'warning'],
    ['39 values for four shards, by a sample', { values: values(39) }, {}, 'info'],
    ['36 values for four shards, by a sample', { values: values(36) }, {}, 'warning'],
    ['36 values, some of them rare', { values: { ...values(36), seenOnce: 4 } }, {}, 'info'],
    [
      'next to nothing outside fewer values than shards',
      { values: { ...values(9), shares: [0.5, 0.3, 0.19, ...Array.from({ length: 6 }, () => 0.01 / 6)] } },
      {},
      'error',
    ],
    [
      'a tenth outside fewer values than shards',
      { values: { ...values(9), shares: [0.4, 0.3, 0.2, ...Array.from({ length: 6 }, () => 0.1 / 6)] } },
      {},
      'warning',
    ],
    ['few values in a collection that fits a chunk', { values: values(8) }, { size: SMALL }, 'warning'],
    ['fewer values than shards in a collection that fits a chunk', { values: values(3) }, { size: SMALL }, 'warning'],
    ['three values of sixty documents', { values: values(3, 1 / 3, 60) }, { size: { ...SMALL, count: 60 } }, 'warning'],
    ['one value with an eighth of the documents', { values: values(900, 0.125) }, {}, 'warning'],
    ['a value that fills more than a chunk', { values: values(900, 0.1) }, {}, 'warning'],
    [
      'few values by the count of the server',
      { values: { ...values(39), estimatedDistinct: 5_000 }, analysis: analysis({ distinctValues: 12 }) },
      {},
      'warning',
    ],
  ])('%s', (_, key, given, severity) => {
    expect(judged(key, given)).toMatchObject([{ severity, path: 'state' }]);
  });

  it.each<[string, Partial<ShardKeyEvidence>, object]>([
    ['40 values for four shards', { values: values(40, 0.025) }, {}],
    ['many values', { values: values(900, 0.002) }, {}],
    ['few documents, each with its own value', { values: values(30, 1 / 30, 120) }, { size: { count: 120, size: MB } }],
    ['one shard and one frequent value', { values: values(900, 0.04) }, { shards: 1 }],
    [
      'thresholds that allow it',
      { values: values(8, 0.125) },
      { thresholds: { valuesPerShard: 1, shareOfShard: 1 }, size: { size: 10 * MB } },
    ],
  ])('silent: %s', (_, key, given) => {
    expect(judged(key, given)).toEqual([]);
  });

  it('is not judged by less than 100 documents, unless each value is frequent', () => {
    expect(judged({ values: values(20, 0.05, 99) })).toMatchObject([{ notJudged: 'insufficient' }]);
  });

  it('says how many shards can be used, and how large the largest value is', () => {
    const [found] = judged({ values: values(3, 0.6), missingShare: 0.6 });
    expect(found).toMatchObject({
      message:
        "The shard key { state: 1 } has about 3 values for 4 shards and 40 chunks (1,000,000 documents). A value can't be divided between chunks. " +
        'Only 3 of the shards can ever hold documents. The most frequent value has 60 % of the documents, about 1.2 GB: more than the ' +
        '128 MB that a chunk may have.',
    });
  });

  it('is refined by a field that spreads and leads an index, or else by the hash of _id', () => {
    const customer = {
      order: field({ path: 'customer', kind: 'objectId', correlation: 0, effectiveValues: 4_000 }),
      mostCommonShare: 0.001,
    };
    expect(refined([customer])).toEqual([
      { createIndexes: 'orders', indexes: [{ key: { state: 1, customer: 1 }, name: 'state_1_customer_1' }] },
      { refineCollectionShardKey: 'shop.orders', key: { state: 1, customer: 1 } },
    ]);
    expect(refined([])).toMatchObject([{}, { key: { state: 1, _id: 'hashed' } }]);
  });
});
