import { referencesSchema } from '../../references/references.js';
import { present } from '../../presence.js';
import { FIND_DOCUMENTS } from '../privilege.js';
import { collectReferences } from '../../references/collect-references.js';
import type { ClusterSource } from '../source.js';

export const references: ClusterSource<'references'> = {
  name: 'references',
  restsOn: ['fieldTypes', 'indexes', 'storage'],
  privileges: [FIND_DOCUMENTS],
  collect: async ({ reader, collections, concurrency }) =>
    present(await collectReferences(reader, collections, concurrency)),
  schema: referencesSchema,
};
