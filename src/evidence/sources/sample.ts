import { sampleDocuments } from '../../profile/sample.js';
import { FIND_DOCUMENTS } from '../privilege.js';
import type { CollectionSource } from '../source.js';

export const sample: CollectionSource<'sample'> = {
  name: 'sample',
  restsOn: ['storage'],
  possibleOn: ['collection'],
  privileges: [FIND_DOCUMENTS],
  collect({ reader, collection, bounds, grouped, of }) {
    const storage = of('storage');
    return sampleDocuments(
      reader,
      collection,
      storage.present ? storage.value : null,
      bounds.sample,
      grouped.documents,
    );
  },
};
