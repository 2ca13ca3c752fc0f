import type { Problem } from '../../check.js';
import { isBefore } from '../../connect/server-version.js';
import type { RemedyStep } from '../../finding.js';
import type { Collection, IndexDescription } from '../../inventory/collection.js';
import { formatShardKey, keyPattern, type ShardKey, type ShardKeyField } from '../../inventory/sharding.js';
import { plainIndex, supersededIndexes } from '../indexes/index-proposal.js';
import { supersededStep } from '../indexes/index-steps.js';
import { distributionStep, reshardRemedy } from './reshard-remedy.js';

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
  const obstacle = obstacleTo(sharding?.cluster.version ?? REFINING_SINCE, sharding?.unique === true);
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

function obstacleTo(version: string, isUnique: boolean): RemedyStep['text'] | null {
  if (isBefore(version, REFINING_SINCE)) {
    return `MongoDB ${version} can't refine a key: upgrade to 4.4, or copy the documents to a new collection with this key.`;
  }
  return isUnique
    ? 'The current key is unique; after refining, only the full new key would be. Decide first how to keep enforcing uniqueness.'
    : null;
}
