import { present } from '../../presence.js';
import { fieldTypesOf, fieldTypesSchema } from '../../profile/field-types.js';
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
  schema: fieldTypesSchema,
};
