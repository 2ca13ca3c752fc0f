import { isBefore } from '../../connect/server-version.js';
import type { Remedy, RemedyStep } from '../../finding.js';
import type { Collection, IndexDescription } from '../../inventory/collection.js';
import { formatShardKey, keyPattern, type ShardKey } from '../../inventory/sharding.js';
import { shellStatement } from '../shell-statement.js';
import type { BetterKey } from './better-key.js';

/** Source: MongoDB manual, "Reshard a Collection". */
const RESHARDING_SINCE = '5.0.0';

/**
 * Resharding begins with this many chunks, and samples this many documents for each: with fewer documents it fails (error
 * 4952606, "not enough cardinality", measured on 6.0.27; 6.0.5 goes on).
 */
const INITIAL_CHUNKS = 90;
const DOCUMENTS_PER_CHUNK = 10;

/** How to change to a better key: the command if it can be run, else what prevents it. */
export function reshardRemedy(
  { namespace, sharding }: Collection,
  { key, reason }: BetterKey,
  indexes: readonly IndexDescription[],
  documents: number,
): Remedy {
  const obstacle = obstacleTo(key, indexes, sharding?.cluster.version ?? RESHARDING_SINCE, sharding?.unique === true);
  if (obstacle !== null) {
    return { steps: [{ text: `Reshard by a key such as ${formatShardKey(key)}. ${reason}` }, { text: obstacle }] };
  }
  return {
    steps: [
      { text: `A better key is ${formatShardKey(key)}. ${reason}` },
      {
        text: 'Check that key against your queries first. This only reads.',
        code: shardKeyCommand(namespace, key),
      },
      {
        text:
          'Reshard. This copies the collection: it takes disk space, and hours on a large collection. Writes stop for up to two seconds at ' +
          'the end. Only resharding again can undo it.',
        command: {
          db: 'admin',
          command: { reshardCollection: namespace, key: keyPattern(key), ...initialChunks(documents) },
        },
      },
      distributionStep(namespace),
    ],
  };
}

/** Source: MongoDB manual, "moveCollection". */
export function movesCollections(version: string): boolean {
  return !isBefore(version, '8.0.0');
}

/** Source: MongoDB manual, "enableSharding": since 6.0, no database needs it. */
export function shardsAnyDatabase(version: string): boolean {
  return !isBefore(version, '6.0.0');
}

/** For a shell: the command that judges a key before it is used. */
export function shardKeyCommand(namespace: string, key: ShardKey): string {
  return `mongolint shard-key ${shellWord(namespace)} ${shellWord(formatShardKey(key))}`;
}

function shellWord(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

export function distributionStep(namespace: string): RemedyStep {
  return {
    text: 'Check how documents and chunks are distributed, once the balancer has come to rest.',
    code: shellStatement(namespace, 'getShardDistribution'),
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
    return `MongoDB ${version} can't reshard: upgrade to 5.0, or copy the documents to a new collection with this shard key.`;
  }
  if (isUnique) {
    return "The current key is unique, and resharding can't keep it so. Decide first how to keep enforcing uniqueness.";
  }
  const unique = indexes.find((index) => index.unique && index.name !== '_id_' && !startsWith(index, key));
  if (unique === undefined) return null;
  return `The unique index \`${unique.name}\` prevents this: a unique index of a sharded collection must begin with the shard key.`;
}

function startsWith({ key }: IndexDescription, shardKey: ShardKey): boolean {
  const fields = Object.keys(key);
  return shardKey.every(({ path, hashed }, index) => !hashed && fields[index] === path);
}
