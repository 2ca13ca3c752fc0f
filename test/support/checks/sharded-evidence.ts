import type { ShardingEvidence, ShardPart } from '../../../src/evidence/sharding/chunks.js';
import type { KeyOrder } from '../../../src/evidence/sharding/insertion-order.js';
import type { FieldOrder } from '../../../src/evidence/sharding/key-order.js';
import type { ShardKeyAnalysis } from '../../../src/evidence/sharding/shard-key-evidence.js';
import type { ShardKeyEvidence } from '../../../src/evidence/sharding/shard-key-evidence.js';
import type { Collection } from '../../../src/inventory/collection.js';
import type { CollectionSharding, ShardedCluster } from '../../../src/inventory/sharding.js';
import { shardKeyOf } from '../../../src/inventory/sharding.js';
import type { StorageStatistics } from '../../../src/inventory/storage.js';
import { absent, present, type Evidence } from '../../../src/presence.js';

export const MB = 1024 * 1024;
export const DAY_MS = 24 * 60 * 60 * 1_000;

const CLUSTER: ShardedCluster = {
  version: '6.0.5',
  shards: [],
  balancer: { enabled: true, window: null, evensOut: 'bytes' },
};

/** A collection that is sharded by `{ at: 1 }` unless told otherwise. */
export function shardedCollection(
  changes: Partial<CollectionSharding> = {},
  cluster: Partial<ShardedCluster> = {},
): Collection & { readonly sharding: CollectionSharding } {
  return {
    namespace: 'shop.orders',
    database: 'shop',
    name: 'orders',
    kind: 'collection',
    clustered: false,
    sharding: {
      key: shardKeyOf({ at: 1 }),
      unique: false,
      chunkFilter: {},
      chunkBytes: 128 * MB,
      balanced: true,
      zones: [],
      cluster: { ...CLUSTER, ...cluster },
      ...changes,
    },
  };
}

/** One shard's part: 10 chunks and 1 GB that have been there for months. */
export function part(shard: string, changes: Partial<ShardPart> = {}): ShardPart {
  return {
    shard,
    zones: [],
    draining: false,
    age: 900 * DAY_MS,
    chunks: 10,
    jumboChunks: 0,
    firstArrivalAge: 300 * DAY_MS,
    lastArrivalAge: 90 * DAY_MS,
    bytes: 1_024 * MB,
    documents: 1_000_000,
    orphans: 0,
    ...changes,
  };
}

export function sharding(parts: readonly ShardPart[] = [part('sh1'), part('sh2')]): ShardingEvidence {
  const total = (of: (each: ShardPart) => number) => parts.reduce((sum, each) => sum + of(each), 0);
  return {
    chunks: total(({ chunks }) => chunks),
    jumboChunks: total(({ jumboChunks }) => jumboChunks),
    parts,
    lowestChunkShard: parts[0]?.shard ?? null,
    highestChunkShard: parts.at(-1)?.shard ?? null,
  };
}

/** A field that grows with insertion, of many values. */
export function field(changes: Partial<FieldOrder> = {}): FieldOrder {
  return {
    path: 'at',
    hashed: false,
    kind: 'date',
    correlation: 0.99,
    timeCorrelation: 0.99,
    pairs: 999,
    effectiveValues: 400_000,
    ...changes,
  };
}

/** A key of which 1,000 documents were compared by the time in `_id`, a million inserted within ten days, until now. */
export function keyOrder(
  fields: readonly FieldOrder[] = [field()],
  changes: Partial<KeyOrder> = {},
): Evidence<KeyOrder> {
  return present({
    insertionOrder: 'idTime',
    orderField: '_id',
    documents: 1_000,
    fields,
    span: 10 * DAY_MS,
    idle: 0,
    ...changes,
  });
}

export function analysis(changes: Partial<ShardKeyAnalysis> = {}): Evidence<ShardKeyAnalysis> {
  return present({
    documentsSampled: 10_000,
    distinctValues: 10_000,
    unique: false,
    mostCommonShare: 0.0001,
    monotonicity: 'monotonic',
    correlation: 0.98,
    ...changes,
  });
}

export function shardKey(changes: Partial<ShardKeyEvidence> = {}): ShardKeyEvidence {
  return {
    order: keyOrder(),
    values: {
      sample: 1_000,
      distinct: 1_000,
      seenOnce: 1_000,
      estimatedDistinct: 500_500,
      mostCommonShare: 0.001,
      shares: Array.from({ length: 100 }, () => 0.001),
      effectiveValues: 499_500,
    },
    missingShare: 0,
    arrayShare: 0,
    newest: null,
    candidates: [],
    analysis: absent('unsupported', 'analyzeShardKey: MongoDB 6.0.5 does not have it.'),
    ...changes,
  };
}

export function storage(changes: Partial<StorageStatistics> = {}): StorageStatistics {
  return {
    count: 1_000_000,
    size: 2_048 * MB,
    averageDocumentSize: 2_147,
    storageSize: 1_024 * MB,
    totalIndexSize: 10 * MB,
    indexSizes: {},
    orphans: 0,
    shards: 2,
    ...changes,
  };
}
