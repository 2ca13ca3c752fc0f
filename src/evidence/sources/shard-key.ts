import { absent } from '../../presence.js';
import { DATA, FIND_DOCUMENTS } from '../privilege.js';
import { evidenceSchema, fieldOrderSchema } from '../schemas.js';
import { readShardKey } from '../sharding/shard-key-evidence.js';
import type { CollectionSource, Zod } from '../source.js';
import { knownSizes } from '../../inventory/storage.js';

export const shardKey: CollectionSource<'shardKey'> = {
  name: 'shardKey',
  restsOn: ['storage', 'chunks'],
  possibleOn: ['collection'],
  privileges: [FIND_DOCUMENTS, { resource: DATA, actions: ['analyzeShardKey'], newerServersOnly: true }],
  async collect({ reader, collection, bounds, of }) {
    const { sharding, namespace } = collection;
    const [storage, chunks] = [of('storage'), of('chunks')];
    if (sharding === undefined) return absent('unsupported', `${namespace} is not sharded.`);
    if (!chunks.present) return chunks;
    if (!storage.present) return storage;
    const sizes = knownSizes(storage.value);
    if (sizes === null)
      return absent('unsupported', `the sizes of ${namespace} are unknown: the server does not tell them.`);
    const { key, chunkFilter, cluster } = sharding;
    const placement = { key, chunkFilter, chunks: chunks.value };
    return readShardKey(reader, collection, key, cluster.version, sizes, bounds.sample, placement);
  },
  schema: (z) =>
    z.strictObject({
      order: evidenceSchema(z, orderSchema(z)),
      values: z.strictObject({
        sample: z.number(),
        distinct: z.number(),
        seenOnce: z.number(),
        estimatedDistinct: z.number(),
        mostCommonShare: z.number(),
        shares: z.array(z.number()),
        effectiveValues: z.number(),
      }),
      missingShare: z.number(),
      arrayShare: z.number(),
      newest: z
        .strictObject({ documents: z.number(), inHighestChunk: z.number(), inLowestChunk: z.number() })
        .nullable(),
      candidates: z.array(z.strictObject({ order: fieldOrderSchema(z), mostCommonShare: z.number() })),
      analysis: evidenceSchema(z, analysisSchema(z)),
    }),
};

function orderSchema(z: Zod) {
  return z.strictObject({
    insertionOrder: z.enum(['idTime', 'creationDate', 'recordId', 'recordIdWithinChunks']),
    orderField: z.string().nullable(),
    documents: z.number(),
    fields: z.array(fieldOrderSchema(z)),
    span: z.number().nullable(),
    idle: z.number().nullable(),
  });
}

function analysisSchema(z: Zod) {
  return z.strictObject({
    documentsSampled: z.number(),
    distinctValues: z.number(),
    unique: z.boolean(),
    mostCommonShare: z.number().nullable(),
    monotonicity: z.enum(['monotonic', 'not monotonic', 'unknown']),
    correlation: z.number().nullable(),
  });
}
