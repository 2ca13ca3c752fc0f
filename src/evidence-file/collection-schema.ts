import { objectShapeSchema } from '../evidence/schemas.js';
import type { Zod } from '../evidence/source.js';

/** What the inventory knows of a collection, as a file holds it. */
export function collectionSchema(z: Zod) {
  const shape = objectShapeSchema(z);
  const text = z.string();
  return z.strictObject({
    namespace: text,
    database: text,
    name: text,
    kind: z.enum(['collection', 'view', 'timeseries']),
    uuid: text.describe('A one-way hash of it, by which other files know the collection.').exactOptional(),
    optionsUnknown: z.literal(true).exactOptional(),
    capped: z.strictObject({ sizeBytes: z.number(), documents: z.number().exactOptional() }).exactOptional(),
    clustered: z.boolean(),
    collation: z.record(text, z.json()).exactOptional(),
    validator: shape.describe('Names of fields and types; no values.').exactOptional(),
    validation: z.strictObject({ level: text.exactOptional(), action: text.exactOptional() }).exactOptional(),
    expireAfterSeconds: z.number().exactOptional(),
    preAndPostImages: z.literal(true).exactOptional(),
    viewOn: text.exactOptional(),
    pipeline: z.array(shape).describe('The stages of a view; types in place of values.').exactOptional(),
    timeseries: z
      .strictObject({ timeField: text, metaField: text.exactOptional(), granularity: text.exactOptional() })
      .exactOptional(),
    sharding: shardingSchema(z).exactOptional(),
  });
}

function shardingSchema(z: Zod) {
  const window = z.strictObject({ start: z.string(), stop: z.string() });
  return z.strictObject({
    key: z.array(z.strictObject({ path: z.string(), hashed: z.boolean() })),
    unique: z.boolean(),
    chunkFilter: z.strictObject({}).describe('Always empty.'),
    chunkBytes: z.number(),
    balanced: z.boolean(),
    zones: z.array(z.string()),
    cluster: z.strictObject({
      version: z.string(),
      shards: z.array(
        z.strictObject({
          name: z.string(),
          zones: z.array(z.string()),
          draining: z.boolean(),
          joinedAt: z.number().nullable(),
        }),
      ),
      balancer: z.strictObject({
        enabled: z.boolean(),
        window: window.nullable(),
        evensOut: z.enum(['bytes', 'chunks']),
      }),
    }),
  });
}
