import { shardingSchema } from '../sharding/chunks.js';
import { present } from '../../presence.js';
import type { CollectionSource } from '../source.js';

export const sharding: CollectionSource<'sharding'> = {
  name: 'sharding',
  restsOn: ['chunks'],
  possibleOn: ['collection'],
  privileges: [],
  collect({ of }) {
    const chunks = of('chunks');
    return chunks.present ? present(chunks.value.evidence) : chunks;
  },
  schema: shardingSchema,
};
