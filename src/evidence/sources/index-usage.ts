import { readIndexUsage, indexUsageSchema } from '../index-usage.js';
import { DATA, findOn } from '../privilege.js';
import type { CollectionSource } from '../source.js';

export const indexUsage: CollectionSource<'indexUsage'> = {
  name: 'indexUsage',
  restsOn: [],
  possibleOn: ['collection'],
  privileges: [{ resource: DATA, actions: ['indexStats'] }, findOn('config', 'shards')],
  collect: ({ reader, collection, grouped }) => readIndexUsage(reader, collection, grouped.statistics),
  schema: indexUsageSchema,
};
