import type { TextRemedy } from '../../finding.js';
import type { Collection, IndexDescription } from '../../inventory/collection.js';
import { isBefore } from '../../connect/server-version.js';
import type { BetterKey } from './better-key.js';
import { formatShardKey, keyPattern, type ShardKey } from '../../inventory/shard-key.js';

/** Since this version a collection's shard key can be changed. Source: MongoDB manual, "Reshard a Collection". */
const RESHARDING_SINCE = '5.0.0';

/**
 * Chunks that resharding begins with, and documents that it samples for each: with fewer documents it fails (error 4952606,
 * "not enough cardinality", measured on 6.0.27; 6.0.5 goes on).
 */
const INITIAL_CHUNKS = 90;
const DOCUMENTS_PER_CHUNK = 10;

/**
 * How to change to a better key: the command where it can be run, else what stands against it.
 *
 * @param documents documents of the collection
 */
export function reshardRemedy(
  { namespace, sharding }: Collection,
  { key, reason }: BetterKey,
  indexes: readonly IndexDescription[],
  documents: number,
): TextRemedy {
  const obstacle = obstacleTo(key, indexes, sharding?.cluster.version ?? RESHARDING_SINCE, sharding?.unique === true);
  if (obstacle !== null) return { text: `Reshard by a key such as ${formatShardKey(key)}. ${reason} ${obstacle}` };
  return {
    text:
      `Reshard by ${formatShardKey(key)}. ${reason} Resharding copies the collection, which takes disk space and hours on a large one, and ` +
      'holds up writes for up to two seconds at its end. Check the key against your queries first: `mongolint shard-key` judges any key.',
    commands: [
      { db: 'admin', command: { reshardCollection: namespace, key: keyPattern(key), ...initialChunks(documents) } },
    ],
  };
}

function initialChunks(documents: number): { numInitialChunks?: number } {
  // Half of what would do, since the documents are sampled at random.
  const chunks = Math.max(1, Math.floor(documents / DOCUMENTS_PER_CHUNK / 2));
  return chunks < INITIAL_CHUNKS ? { numInitialChunks: chunks } : {};
}

function obstacleTo(
  key: ShardKey,
  indexes: readonly IndexDescription[],
  version: string,
  isUnique: boolean,
): string | null {
  if (isBefore(version, RESHARDING_SINCE)) {
    return `MongoDB ${version} can't reshard: upgrade to 5.0, or copy the documents to a new collection that is sharded so.`;
  }
  if (isUnique) {
    return "The present key is unique, and resharding can't keep that up: see first how uniqueness is to be enforced.";
  }
  const unique = indexes.find((index) => index.unique && index.name !== '_id_' && !startsWith(index, key));
  if (unique === undefined) return null;
  return `The unique index \`${unique.name}\` stands against it, since a unique index of a sharded collection must begin with its shard key.`;
}

function startsWith({ key }: IndexDescription, shardKey: ShardKey): boolean {
  const fields = Object.keys(key);
  return shardKey.every(({ path, hashed }, index) => !hashed && fields[index] === path);
}
