import { UUID, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { ClusterReader } from '../../src/connect/cluster-reader.js';
import { takeInventory } from '../../src/inventory/inventory.js';

// Stood in: clusters of 8.0 and 9.0. What they answer is as their documentation and tests have it; the sources are beside it.

/** Source: MongoDB manual, "listCollections"; jstests/core/timeseries of mongodb/mongo, viewless collections of 9.0. */
const LISTED: readonly Document[] = [
  { name: 'orders', type: 'collection', options: {}, info: { readOnly: false, uuid: new UUID() } },
  { name: 'moved', type: 'collection', options: {}, info: { readOnly: false, uuid: new UUID() } },
  // Viewless: with a UUID, and without a collection `system.buckets.readings` beside it.
  {
    name: 'readings',
    type: 'timeseries',
    options: { timeseries: { timeField: 'at' } },
    info: { readOnly: false, uuid: new UUID() },
  },
  {
    name: 'patients',
    type: 'collection',
    options: { encryptedFields: { fields: [] } },
    info: { readOnly: false, uuid: new UUID() },
  },
  { name: 'enxcol_.patients.esc', type: 'collection', options: {}, info: { readOnly: false, uuid: new UUID() } },
];

/** Source: MongoDB manual, "config.collections", "Config Shards": the config server is a shard named `config`. */
const CONFIG: Readonly<Record<string, readonly Document[]>> = {
  shards: [{ _id: 'config' }, { _id: 'sh1' }],
  collections: [
    { _id: 'shop.orders', key: { customer: 1 }, unique: false, uuid: new UUID() },
    { _id: 'shop.moved', key: { _id: 1 }, unique: false, unsplittable: true, uuid: new UUID() },
  ],
};

/** Applies a `$match` of equality, `$ne` and `$exists`, which is all that is sent. */
function matching(documents: readonly Document[], pipeline: readonly Document[]): readonly Document[] {
  const filter = (pipeline[0]?.['$match'] ?? {}) as Readonly<Record<string, Document>>;
  return documents.filter((document) =>
    Object.entries(filter).every(([name, { $ne, $exists }]) =>
      $exists === undefined ? $ne === undefined || document[name] !== $ne : (document[name] !== undefined) === $exists,
    ),
  );
}

const reader = {
  command: async () => ({ databases: [{ name: 'shop' }] }),
  listCollections: async () => LISTED,
  aggregate: (_: string, collection: string, pipeline: readonly Document[]) => ({
    toArray: async () => matching(CONFIG[collection] ?? [], pipeline),
  }),
} as unknown as ClusterReader;

describe('the collections of later servers', () => {
  it('are what they are for users: encrypted, viewless time-series, moved without being sharded', async () => {
    const { collections } = await takeInventory(reader, () => true, 1, { topology: 'sharded', version: '9.0.2' });
    const described = collections.map(({ name, kind, encrypted, sharding }) => ({
      name,
      kind,
      ...(encrypted && { encrypted }),
      ...(sharding !== undefined && { shards: sharding.cluster.shards.map((shard) => shard.name) }),
    }));
    expect(described).toEqual([
      { name: 'moved', kind: 'collection' },
      { name: 'orders', kind: 'collection', shards: ['config', 'sh1'] },
      { name: 'patients', kind: 'collection', encrypted: true },
      { name: 'readings', kind: 'timeseries' },
    ]);
  });
});
