import { present } from '../../presence.js';
import { findLargestDocuments, largestDocumentsSchema } from '../../profile/largest-documents.js';
import { FIND_DOCUMENTS } from '../privilege.js';
import type { CollectionSource } from '../source.js';

export const largestDocuments: CollectionSource<'largestDocuments'> = {
  name: 'largestDocuments',
  restsOn: ['storage', 'sample', 'documents'],
  possibleOn: ['collection'],
  privileges: [FIND_DOCUMENTS],
  async collect({ reader, collection, bounds, of }) {
    const [storage, sample] = [of('storage'), of('sample')];
    if (!sample.present) return sample;
    const { evidence, sizes } = sample.value;
    return present(await findLargestDocuments(reader, collection, storage, evidence.sample, sizes, bounds));
  },
  schema: largestDocumentsSchema,
};
