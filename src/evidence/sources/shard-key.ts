import { absent } from '../../presence.js';
import { DATA, FIND_DOCUMENTS } from '../privilege.js';
import { readShardKey, shardKeySchema } from '../sharding/shard-key-evidence.js';
import type { CollectionSource } from '../source.js';
import { knownSizes } from '../../inventory/storage.js';

export const shardKey: CollectionSource<'shardKey'> = {
  name: 'shardKey',
  restsOn: ['storage', 'chunks'],
  possibleOn: ['collection'],
  privileges: [FIND_DOCUMENTS, { resource: DATA, actions: ['analyzeShardKey'], newerServersOnly: true }],
  async collect({ reader, collection, bounds, of }) {
    const { sharding, namespace } = collection;
    const [storage, chunks] = [of('storage'), of('chunks')];
    if (sharding === undefined) return absent('unsupported', `${namespace} is not sharded.`);
    if (!chunks.present) return chunks;
    if (!storage.present) return storage;
    const sizes = knownSizes(storage.value);
    if (sizes === null)
      return absent('unsupported', `the sizes of ${namespace} are unknown: the server does not report them.`);
    const { key, chunkFilter, cluster } = sharding;
    const placement = { key, chunkFilter, chunks: chunks.value };
    return readShardKey(reader, collection, key, cluster.version, sizes, bounds.sample, placement);
  },
  schema: shardKeySchema,
};
