import { DATA } from '../privilege.js';
import type { CollectionSource } from '../source.js';
import { readStorage, storageSchema } from '../../inventory/storage.js';

export const storage: CollectionSource<'storage'> = {
  name: 'storage',
  restsOn: [],
  possibleOn: ['collection', 'timeseries'],
  privileges: [{ resource: DATA, actions: ['collStats'] }],
  collect: ({ reader, collection, grouped }) => readStorage(reader, collection, grouped.statistics),
  schema: storageSchema,
};
