import { readIndexes } from '../indexes.js';
import { DATA } from '../privilege.js';
import type { CollectionSource } from '../source.js';

export const indexes: CollectionSource<'indexes'> = {
  name: 'indexes',
  restsOn: [],
  possibleOn: ['collection', 'timeseries'],
  privileges: [{ resource: DATA, actions: ['listIndexes'] }],
  collect: ({ reader, collection, grouped }) => readIndexes(reader, collection, grouped.statistics),
  schema: (z) => {
    const document = z.record(z.string(), z.unknown());
    return z.array(
      z.strictObject({
        name: z.string(),
        key: z.record(z.string(), z.union([z.number(), z.string()])),
        unique: z.boolean(),
        sparse: z.boolean(),
        hidden: z.boolean(),
        building: z.literal(true).exactOptional(),
        onShards: z.array(z.string()).exactOptional(),
        clustered: z.boolean(),
        partialFilterExpression: document.exactOptional(),
        collation: document.exactOptional(),
        wildcardProjection: document.exactOptional(),
        weights: z.record(z.string(), z.number()).exactOptional(),
        furtherOptions: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).exactOptional(),
        expireAfterSeconds: z.number().exactOptional(),
      }),
    );
  },
};
