import { referenceIntegritySchema } from '../../references/reference-integrity.js';
import { present } from '../../presence.js';
import { FIND_DOCUMENTS } from '../privilege.js';
import { collectReferenceIntegrity } from '../../references/collect-integrity.js';
import type { ClusterSource } from '../source.js';

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
  schema: referenceIntegritySchema,
};
