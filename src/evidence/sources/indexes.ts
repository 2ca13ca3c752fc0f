import { z } from 'zod';
import { indexDescriptionSchema } from '../../inventory/collection.js';
import { readIndexes } from '../indexes.js';
import { DATA } from '../privilege.js';
import type { CollectionSource } from '../source.js';

export const indexes: CollectionSource<'indexes'> = {
  name: 'indexes',
  restsOn: [],
  possibleOn: ['collection', 'timeseries'],
  privileges: [{ resource: DATA, actions: ['listIndexes'] }],
  collect: ({ reader, collection, grouped }) => readIndexes(reader, collection, grouped.statistics),
  schema: z.array(indexDescriptionSchema),
};
