import { DATA } from '../privilege.js';
import type { CollectionSource } from '../source.js';
import { readStorage } from '../../inventory/storage.js';

export const storage: CollectionSource<'storage'> = {
  name: 'storage',
  restsOn: [],
  possibleOn: ['collection', 'timeseries'],
  privileges: [{ resource: DATA, actions: ['collStats'] }],
  collect: ({ reader, collection, grouped }) => readStorage(reader, collection, grouped.statistics),
  schema: (z) => {
    const figure = z.number().nullable();
    const figures = { count: figure, size: figure, orphans: figure };
    return z.strictObject({
      ...figures,
      averageDocumentSize: figure,
      storageSize: figure,
      totalIndexSize: figure,
      indexSizes: z.record(z.string(), z.number()).nullable(),
      freeStorageSize: z.number().exactOptional(),
      indexFreeStorageSizes: z.record(z.string(), z.number()).exactOptional(),
      buckets: z.number().exactOptional(),
      shards: z.number(),
      byShard: z
        .array(
          z.strictObject({
            shard: z.string(),
            ...figures,
            storageSize: z.number().exactOptional(),
            freeStorageSize: z.number().exactOptional(),
          }),
        )
        .exactOptional(),
    });
  },
};
