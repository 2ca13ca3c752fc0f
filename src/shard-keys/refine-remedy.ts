import type { Remedy } from '../findings/finding.js';
import type { Collection } from '../inventory/collection.js';
import { isBefore } from '../index-usability/server-version.js';
import { formatShardKey, keyPattern, type ShardKey, type ShardKeyField } from './shard-key.js';

/** Since this version fields can be added to a shard key. Source: MongoDB manual, "Refine a Shard Key". */
const REFINING_SINCE = '4.4.0';

/**
 * How to make a key's values divisible by a further field. Documents stay where they are; chunks can be split between them
 * from then on.
 *
 * @param leading a field that spreads and that queries ask for; `_id` is taken where there is none
 */
export function refineRemedy({ database, name, namespace, sharding }: Collection, leading: ShardKeyField | undefined): Remedy {
  const key = sharding?.key ?? [];
  const refined = refinedKey(key, leading);
  const text =
    `Refine the key to ${formatShardKey(refined)}: documents with one value of the present key can then lie in several chunks and ` +
    'on several shards. Queries that name the present key alone go to all shards that hold a part of its value.';
  if (isBefore(sharding?.cluster.version ?? REFINING_SINCE, REFINING_SINCE)) {
    return { text: `${text} That takes MongoDB 4.4; before, only a new collection can have another key.` };
  }
  const index = { key: keyPattern(refined), name: refined.map(({ path, hashed }) => `${path}_${hashed ? 'hashed' : 1}`).join('_') };
  return {
    text: `${text} The index comes first; refining itself moves no document, the balancer does so over time.`,
    commands: [
      { db: database, command: { createIndexes: name, indexes: [index] } },
      { db: 'admin', command: { refineCollectionShardKey: namespace, key: keyPattern(refined) } },
    ],
  };
}

function refinedKey(key: ShardKey, leading: ShardKeyField | undefined): ShardKey {
  if (leading !== undefined && key.every(({ path }) => path !== leading.path)) return [...key, leading];
  // A key has one hashed field at most; the hash keeps documents of one value from being in order of insertion.
  return [...key, { path: '_id', hashed: key.every(({ hashed }) => !hashed) }];
}
