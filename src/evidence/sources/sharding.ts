import { present } from '../../presence.js';
import type { CollectionSource } from '../source.js';

export const sharding: CollectionSource<'sharding'> = {
  name: 'sharding',
  restsOn: ['chunks'],
  possibleOn: ['collection'],
  privileges: [],
  collect({ of }) {
    const chunks = of('chunks');
    return chunks.present ? present(chunks.value.evidence) : chunks;
  },
  schema: (z) =>
    z.strictObject({
      chunks: z.number(),
      jumboChunks: z.number(),
      parts: z.array(
        z.strictObject({
          shard: z.string(),
          zones: z.array(z.string()),
          draining: z.boolean(),
          age: z.number().nullable(),
          chunks: z.number(),
          jumboChunks: z.number(),
          firstArrivalAge: z.number().nullable(),
          lastArrivalAge: z.number().nullable(),
          bytes: z.number().nullable(),
          documents: z.number().nullable(),
          orphans: z.number().nullable(),
        }),
      ),
      lowestChunkShard: z.string().nullable(),
      highestChunkShard: z.string().nullable(),
    }),
};
