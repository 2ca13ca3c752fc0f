import { bucketsSchema, readBuckets } from '../buckets.js';
import { DATA } from '../privilege.js';
import type { CollectionSource } from '../source.js';

export const buckets: CollectionSource<'buckets'> = {
  name: 'buckets',
  restsOn: [],
  possibleOn: ['timeseries'],
  privileges: [{ resource: DATA, actions: ['collStats'] }],
  collect: ({ reader, collection }) => readBuckets(reader, collection),
  schema: bucketsSchema,
};
