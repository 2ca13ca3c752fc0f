import { present } from '../../presence.js';
import { FIND_DOCUMENTS } from '../privilege.js';
import { collectReferences } from '../../references/collect-references.js';
import { gapsSchema, idConversionSchema } from '../schemas.js';
import type { ClusterSource } from '../source.js';

export const references: ClusterSource<'references'> = {
  name: 'references',
  restsOn: ['fieldTypes', 'indexes', 'storage'],
  privileges: [FIND_DOCUMENTS],
  collect: async ({ reader, collections, concurrency }) =>
    present(await collectReferences(reader, collections, concurrency)),
  schema: (z) =>
    z.strictObject({
      references: z.array(
        z.strictObject({
          namespace: z.string(),
          path: z.string(),
          isInArray: z.boolean(),
          target: z.string(),
          values: z.number(),
          found: z.number(),
          conversion: idConversionSchema(z),
          isRepeated: z.boolean(),
          isByChance: z.literal(true).exactOptional(),
        }),
      ),
      gaps: gapsSchema(z),
    }),
};
