import { present } from '../../presence.js';
import { FIND_DOCUMENTS } from '../privilege.js';
import { collectReferenceIntegrity } from '../../references/collect-integrity.js';
import { gapsSchema, idConversionSchema } from '../schemas.js';
import type { ClusterSource, Zod } from '../source.js';

export const referenceIntegrity: ClusterSource<'referenceIntegrity'> = {
  name: 'referenceIntegrity',
  restsOn: ['fieldTypes', 'indexes', 'storage', 'references'],
  privileges: [FIND_DOCUMENTS],
  async collect({ reader, collections, concurrency, showValues, of }) {
    const references = await of('references');
    if (!references.present) return references;
    const options = { concurrency, showValues };
    return present(await collectReferenceIntegrity(reader, collections, references.value, options));
  },
  schema: (z) => z.strictObject({ references: z.array(comparedSchema(z)), gaps: gapsSchema(z) }),
};

function comparedSchema(z: Zod) {
  const ids = z.array(z.string()).exactOptional();
  return z.strictObject({
    namespace: z.string(),
    path: z.string(),
    isInArray: z.boolean(),
    target: z.string(),
    furtherTargets: z.array(z.string()),
    isSoughtEverywhere: z.boolean(),
    conversion: idConversionSchema(z),
    sampled: z.number(),
    complete: z.boolean(),
    byChance: z.literal(true).exactOptional(),
    documents: z.number(),
    references: z.number(),
    values: z.number(),
    dangling: z.strictObject({ references: z.number(), values: z.number(), documents: z.number(), ids }),
    copies: z.array(
      z.strictObject({
        path: z.string(),
        sourcePath: z.string(),
        family: z.enum(['string', 'date', 'objectId', 'binData']),
        isBesideId: z.boolean(),
        compared: z.number(),
        differing: z.number(),
        agreementByChance: z.number(),
        valuesAgreed: z.number(),
        valuesPerSource: z.number(),
        history: z.strictObject({ updated: z.number(), untouched: z.number() }),
        ids,
      }),
    ),
    backReferences: z.array(
      z.strictObject({
        path: z.string(),
        isInArray: z.boolean(),
        followed: z.number(),
        compared: z.number(),
        oneSided: z.number(),
        ids,
      }),
    ),
  });
}
