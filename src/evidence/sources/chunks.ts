import { absent } from '../../presence.js';
import { findOn } from '../privilege.js';
import { readChunks } from '../sharding/chunks.js';
import type { CollectionSource } from '../source.js';

export const chunks: CollectionSource<'chunks'> = {
  name: 'chunks',
  restsOn: ['storage'],
  possibleOn: ['collection'],
  privileges: ['chunks', 'collections', 'settings', 'shards', 'tags'].map((name) => findOn('config', name)),
  collect({ reader, collection, of }) {
    const { sharding, namespace } = collection;
    if (sharding === undefined) return absent('unsupported', `${namespace} is not sharded.`);
    return readChunks(reader, collection, sharding, of('storage'));
  },
};
