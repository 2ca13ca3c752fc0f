import { present } from '../../presence.js';
import { fieldTypesOf } from '../../profile/field-types.js';
import { typeCountsSchema } from '../schemas.js';
import type { CollectionSource } from '../source.js';

export const fieldTypes: CollectionSource<'fieldTypes'> = {
  name: 'fieldTypes',
  restsOn: ['documents'],
  possibleOn: ['collection'],
  privileges: [],
  collect({ of }) {
    const documents = of('documents');
    return documents.present ? present(fieldTypesOf(documents.value)) : documents;
  },
  schema: (z) =>
    z.strictObject({
      documents: z.number(),
      complete: z.boolean(),
      fields: z.array(
        z.strictObject({
          path: z.string(),
          types: typeCountsSchema(z),
          documents: z.number(),
          elementsPerArray: z.number().nullable(),
          longestString: z.number().nullable(),
          averageString: z.number().nullable().exactOptional(),
          shareOfBytes: z.number().exactOptional(),
        }),
      ),
    }),
};
