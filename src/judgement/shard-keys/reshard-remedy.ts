import type { Problem } from '../../check.js';
import { isBefore } from '../../connect/server-version.js';
import type { Remedy, RemedyStep } from '../../finding.js';
import type { Collection, IndexDescription } from '../../inventory/collection.js';
import { formatShardKey, keyPattern, type ShardKey, type ShardKeyField } from '../../inventory/sharding.js';
import { plainIndex, supersededIndexes } from '../indexes/index-proposal.js';
import { supersededStep } from '../indexes/index-steps.js';
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
    text: 'Once the balancer has finished, check how documents and chunks are distributed.',
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

/** Source: MongoDB manual, "Refine a Shard Key". */
const REFINING_SINCE = '4.4.0';

/** A key has at most one hashed field; `_id` unhashed would put the documents of one value in insertion order. */
const HASHED_REASON =
  'A hash of few values has few values too. As a range, the field keeps documents of one value together, and the hash of `_id` divides them.';

/** How to make a key's values divisible: by a field that spreads documents and that queries ask for, or the hash of `_id`. */
export function refineRemedy(
  collection: Collection,
  leading: ShardKeyField | undefined,
  indexes: readonly IndexDescription[],
  documents: number,
): Pick<Problem, 'remedy' | 'proposes' | 'proposesInPart'> {
  const { database, name, namespace, sharding } = collection;
  const key = sharding?.key ?? [];
  const suffix = leading ?? { path: '_id', hashed: true };
  if (suffix.hashed && key.some(({ hashed }) => hashed)) {
    const better = [...key.map(({ path }) => ({ path, hashed: false })), suffix];
    return { remedy: reshardRemedy(collection, { key: better, reason: HASHED_REASON }, indexes, documents) };
  }
  const refined = [...key, suffix];
  const obstacle = obstacleToRefining(sharding?.cluster.version ?? REFINING_SINCE, sharding?.unique === true);
  if (obstacle !== null) return { remedy: { steps: [{ text: purposeOf(refined) }, { text: obstacle }] } };
  const index = {
    key: keyPattern(refined),
    name: refined.map(({ path, hashed }) => `${path}_${hashed ? 'hashed' : 1}`).join('_'),
  };
  // A shard key's fields are no arrays.
  const supersedes = supersededIndexes(plainIndex(index.key, null, index.name), indexes, {
    isArray: () => false,
    shardKey: refined.map(({ path }) => path),
  });
  const steps = [
    {
      text: `${purposeOf(refined)} Queries that name only the current key then go to every shard that holds part of its value.`,
    },
    {
      text: 'Create the index for the new key first. The build scans the collection.',
      command: { db: database, command: { createIndexes: name, indexes: [index] } },
    },
    {
      text:
        'Refine the key. This moves no document; the balancer moves chunks over time. Only resharding (MongoDB 5.0+) can take the field ' +
        'out again.',
      command: { db: 'admin', command: { refineCollectionShardKey: namespace, key: keyPattern(refined) } },
    },
    ...supersededStep(supersedes),
    distributionStep(namespace),
  ];
  const proposal = { namespace, action: 'create', ...index, options: {}, documents, supersedes } as const;
  return { remedy: { steps }, proposes: [proposal], proposesInPart: true };
}

function purposeOf(refined: ShardKey): string {
  return `Refine the key to ${formatShardKey(refined)}. Documents with the same value of the current key can then lie in several chunks, on several shards.`;
}

function obstacleToRefining(version: string, isUnique: boolean): RemedyStep['text'] | null {
  if (isBefore(version, REFINING_SINCE)) {
    return `MongoDB ${version} can't refine a key: upgrade to 4.4, or copy the documents to a new collection with this key.`;
  }
  return isUnique
    ? 'The current key is unique; after refining, only the full new key would be. Decide first how to keep enforcing uniqueness.'
    : null;
}
