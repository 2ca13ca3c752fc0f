import { present } from '../../presence.js';
import { documentEvidenceSchema } from '../../profile/document-profile.js';
import type { CollectionSource } from '../source.js';

export const documents: CollectionSource<'documents'> = {
  name: 'documents',
  restsOn: ['sample'],
  possibleOn: ['collection'],
  privileges: [],
  collect({ of }) {
    const sample = of('sample');
    return sample.present ? present(sample.value.evidence) : sample;
  },
  schema: documentEvidenceSchema,
};
