import { DATA } from '../privilege.js';
import type { CollectionSource } from '../source.js';
import { readStorage } from '../storage.js';

export const storage: CollectionSource<'storage'> = {
  name: 'storage',
  restsOn: [],
  possibleOn: ['collection', 'timeseries'],
  privileges: [{ resource: DATA, actions: ['collStats'] }],
  collect: ({ reader, collection }) => readStorage(reader, collection),
  schema: (z) => {
    const figures = { count: z.number(), size: z.number(), orphans: z.number() };
    return z.strictObject({
      ...figures,
      averageDocumentSize: z.number(),
      storageSize: z.number(),
      totalIndexSize: z.number(),
      indexSizes: z.record(z.string(), z.number()),
      buckets: z.number().exactOptional(),
      shards: z.number(),
      byShard: z.array(z.strictObject({ shard: z.string(), ...figures })).exactOptional(),
    });
  },
};
