import type { TextRemedy } from '../../finding.js';
import type { Collection, IndexDescription } from '../../inventory/collection.js';
import { isBefore } from '../../connect/server-version.js';
import { reshardRemedy } from './reshard-remedy.js';
import { formatShardKey, keyPattern, type ShardKeyField } from '../../inventory/shard-key.js';

/** Since this version fields can be added to a shard key. Source: MongoDB manual, "Refine a Shard Key". */
const REFINING_SINCE = '4.4.0';

/** A key has one hashed field at most; `_id` unhashed would put the documents of one value in order of insertion. */
const HASHED_REASON =
  'A hash of few values has few values too. Ranged, the field keeps documents of one value together, and the hash of `_id` divides them.';

/**
 * How to make a key's values divisible by a further field. Documents stay where they are; chunks can be split between them
 * from then on.
 *
 * @param leading a field that spreads and that queries ask for; the hash of `_id` is taken where there is none
 */
export function refineRemedy(
  collection: Collection,
  leading: ShardKeyField | undefined,
  indexes: readonly IndexDescription[],
  documents: number,
): TextRemedy {
  const { database, name, namespace, sharding } = collection;
  const key = sharding?.key ?? [];
  const suffix = leading ?? { path: '_id', hashed: true };
  if (suffix.hashed && key.some(({ hashed }) => hashed)) {
    const better = [...key.map(({ path }) => ({ path, hashed: false })), suffix];
    return reshardRemedy(collection, { key: better, reason: HASHED_REASON }, indexes, documents);
  }
  const refined = [...key, suffix];
  const text =
    `Refine the key to ${formatShardKey(refined)}: documents with one value of the present key can then lie in several chunks and ` +
    'on several shards. Queries that name the present key alone go to all shards that hold a part of its value.';
  if (isBefore(sharding?.cluster.version ?? REFINING_SINCE, REFINING_SINCE)) {
    return { text: `${text} That takes MongoDB 4.4; before, only a new collection can have another key.` };
  }
  if (sharding?.unique === true) {
    return {
      text: `${text} The present key is unique, and refined only the whole of it would be: see first how uniqueness is to be enforced.`,
    };
  }
  const index = {
    key: keyPattern(refined),
    name: refined.map(({ path, hashed }) => `${path}_${hashed ? 'hashed' : 1}`).join('_'),
  };
  return {
    text:
      `${text} The index comes first, and takes its time on a large collection; refining itself moves no document, the balancer does so over time. ` +
      'A field once added to the key is only taken out again by resharding (MongoDB 5.0+).',
    commands: [
      { db: database, command: { createIndexes: name, indexes: [index] } },
      { db: 'admin', command: { refineCollectionShardKey: namespace, key: keyPattern(refined) } },
    ],
  };
}
