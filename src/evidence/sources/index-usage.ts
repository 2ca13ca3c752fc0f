import { readIndexUsage } from '../index-usage.js';
import { DATA, findOn } from '../privilege.js';
import type { CollectionSource } from '../source.js';

export const indexUsage: CollectionSource<'indexUsage'> = {
  name: 'indexUsage',
  restsOn: [],
  possibleOn: ['collection'],
  privileges: [{ resource: DATA, actions: ['indexStats'] }, findOn('config', 'shards')],
  collect: ({ reader, collection, grouped }) => readIndexUsage(reader, collection, grouped.statistics),
  schema: (z) =>
    z.strictObject({
      readAt: z.number(),
      nodes: z.array(
        z.strictObject({
          node: z.string(),
          shard: z.string().exactOptional(),
          indexes: z.record(z.string(), z.strictObject({ accesses: z.number(), since: z.number() })),
          building: z.array(z.string()).exactOptional(),
        }),
      ),
      nodesNotAsked: z.number().nullable(),
    }),
};
