import { present } from '../../presence.js';
import { SAMPLE_ENDS } from '../../profile/document-profile.js';
import { SAMPLE_METHODS } from '../../profile/sampling/sample-plan.js';
import { distributionSchema, typeCountsSchema } from '../schemas.js';
import type { CollectionSource, Zod } from '../source.js';

export const documents: CollectionSource<'documents'> = {
  name: 'documents',
  restsOn: ['sample'],
  possibleOn: ['collection'],
  privileges: [],
  collect({ of }) {
    const sample = of('sample');
    return sample.present ? present(sample.value.evidence) : sample;
  },
  schema: (z) =>
    z.strictObject({
      sample: z.strictObject({
        method: z.enum(SAMPLE_METHODS),
        complete: z.boolean(),
        boundedBy: z.enum(SAMPLE_ENDS).nullable(),
        elapsed: z.number(),
      }),
      profile: z.strictObject({
        documents: z.number(),
        bytes: z.number(),
        sizes: distributionSchema(z),
        depth: z.strictObject({ max: z.number(), path: z.string().nullable() }),
        root: objectSchema(z),
        paths: z.array(pathSchema(z)),
        largest: z.strictObject({
          bytes: z.number(),
          heaviestPath: z.string().nullable(),
          heaviestPathBytes: z.number(),
        }),
        malformed: z.strictObject({ documents: z.number(), detail: z.string().nullable() }),
        limits: z.array(z.string()),
      }),
    }),
};

function objectSchema(z: Zod) {
  return z.strictObject({
    fields: distributionSchema(z),
    distinctFields: z.number(),
    folded: z.boolean(),
    namePattern: z.enum(['objectId', 'uuid', 'hex', 'date', 'number', 'email', 'numbered', 'mixed']).nullable(),
  });
}

function pathSchema(z: Zod) {
  const distribution = distributionSchema(z);
  return z.strictObject({
    path: z.string(),
    parent: z.string().nullable(),
    depth: z.number(),
    occurrences: z.number(),
    documents: z.number(),
    presence: z.number(),
    duplicates: z.number(),
    types: typeCountsSchema(z),
    bytes: z.number(),
    shareOfBytes: z.number(),
    array: z
      .strictObject({
        lengths: distribution,
        bytes: distribution,
        elementTypes: typeCountsSchema(z),
        shareOfDocument: z.strictObject({ mean: z.number(), max: z.number() }),
        bytesPerDocument: distribution,
        sizeCorrelation: z.number().nullable(),
        siblings: z
          .strictObject({
            documents: z.number(),
            cap: z.string().exactOptional(),
            sameLengthAs: z.string().exactOptional(),
            period: z.strictObject({ field: z.string(), milliseconds: z.number() }).exactOptional(),
          })
          .exactOptional(),
      })
      .exactOptional(),
    object: objectSchema(z).exactOptional(),
    values: valuesSchema(z).exactOptional(),
  });
}

function valuesSchema(z: Zod) {
  const range = { count: z.number(), min: z.number(), max: z.number() };
  return z.strictObject({
    dates: z.strictObject({ ...range, monthPast: z.number().exactOptional() }).exactOptional(),
    numbers: z.strictObject({ ...range, whole: z.number() }).exactOptional(),
    objectIds: z.strictObject(range).exactOptional(),
    strings: z.strictObject({ count: z.number(), sum: z.number(), max: z.number() }).exactOptional(),
  });
}
