import type { Document } from 'mongodb';
import type { TextRemedy } from '../../finding.js';
import { isSameCollation } from '../../inventory/collation.js';
import type { Collection, IndexDescription } from '../../inventory/collection.js';
import { formatIndexKey } from '../../inventory/index-key.js';
import { collationOf, fieldTypesOn, type JoinedCluster } from './joined-cluster.js';
import { holdsArrays } from './joined-values.js';
import type { UnindexedJoin } from './unserved-joins.js';
import { indexesOf, serves, unusableIndexes } from './usable-indexes.js';

/** An index to create. */
interface ProposedIndex {
  readonly key: Readonly<Record<string, 1>>;
  /** Where the joins compare by another collation than the collection's default. */
  readonly collation?: Document;
}

/** The index that serves joins on one field, as commands to run; without commands where the server would not use it. */
export function joinIndexRemedy(
  joins: readonly [UnindexedJoin, ...UnindexedJoin[]],
  cluster: JoinedCluster,
): TextRemedy {
  const hidden = hiddenIndex(joins, cluster);
  const [{ keys, namespace }] = joins;
  const foreign = foreignOf(namespace, cluster);
  if (hidden !== null) {
    return {
      text: `Show the hidden index ${hidden.name} again: it holds what these joins look up.`,
      commands: [
        { db: foreign.database, command: { collMod: foreign.name, index: { name: hidden.name, hidden: false } } },
      ],
    };
  }
  const proposed = proposedIndexes(joins, cluster);
  const [obstacle] = joins.flatMap((join) => proposed.flatMap((index) => whyNot(index, join, cluster) ?? []));
  if (obstacle !== undefined)
    return {
      text: `The server would not use an index on ${formatIndexKey(proposed[0]?.key ?? {})} here: ${obstacle}.`,
    };
  const existing: Pick<IndexDescription, 'name'>[] = [...indexesOf(keys[0], cluster)];
  const specifications = proposed.map(({ key, collation }) => {
    const name = indexName(key, existing);
    existing.push({ name });
    return { key: { ...key }, name, ...(collation !== undefined && { collation }) };
  });
  return {
    text: `${createText(proposed, namespace)} The joins then look up the few documents that they need.`,
    commands: [{ db: foreign.database, command: { createIndexes: foreign.name, indexes: specifications } }],
  };
}

function createText(proposed: readonly ProposedIndex[], namespace: string): string {
  const keys = [...new Set(proposed.map(({ key }) => formatIndexKey(key)))].join(' and ');
  const collations = proposed
    .flatMap(({ collation }) => collation ?? [])
    .map(({ locale, strength }) => `${locale}${strength === undefined ? '' : `, strength ${strength}`}`);
  const withCollation =
    collations.length === 0 ? '' : `, with the collation that the joins compare by (${collations.join('; ')})`;
  return `Create an index on ${keys} of ${namespace}${withCollation}.`;
}

/** A hidden index that would serve every one of the joins. */
function hiddenIndex(
  joins: readonly [UnindexedJoin, ...UnindexedJoin[]],
  cluster: JoinedCluster,
): IndexDescription | null {
  const hidden = indexesOf(joins[0].keys[0], cluster).filter((index) => index.hidden);
  return (
    hidden.find((index) =>
      joins.every(({ use, keys }) => serves({ ...index, hidden: false }, use, keys[0], cluster)),
    ) ?? null
  );
}

/** One index, or one for each collation that the joins compare by. */
function proposedIndexes(
  joins: readonly [UnindexedJoin, ...UnindexedJoin[]],
  cluster: JoinedCluster,
): readonly ProposedIndex[] {
  const foreign = foreignOf(joins[0].namespace, cluster);
  const key = Object.fromEntries(commonPaths(joins, cluster).map((path) => [path, 1 as const]));
  const proposed: ProposedIndex[] = [];
  for (const { use } of joins) {
    const collation = collationOf(cluster, use);
    if (proposed.some((index) => isSameCollation(index.collation ?? foreign.collation, collation))) continue;
    proposed.push(
      isSameCollation(collation, foreign.collation) ? { key } : { key, collation: collation ?? { locale: 'simple' } },
    );
  }
  return proposed;
}

/** The joined path, and further ones that all of the joins set equal to something; two arrays do not fit into one index. */
function commonPaths(joins: readonly [UnindexedJoin, ...UnindexedJoin[]], cluster: JoinedCluster): readonly string[] {
  const [{ path, namespace, keys }] = joins;
  const fieldTypes = fieldTypesOn(cluster, namespace);
  const further = keys
    .map(({ index }) => index.path)
    .filter((other) => other !== path && holdsArrays(fieldTypes, other) === false);
  const isCommon = (other: string) => joins.every((join) => join.keys.some(({ index }) => index.path === other));
  return [path, ...new Set(further.filter(isCommon))];
}

/** Why the server would not use a new index for a join; null where it would. */
function whyNot(
  { key, collation }: ProposedIndex,
  { use, keys, namespace }: UnindexedJoin,
  cluster: JoinedCluster,
): string | null {
  const foreign = foreignOf(namespace, cluster);
  if (!isSameCollation(collation ?? foreign.collation, collationOf(cluster, use))) return null;
  const [first] = keys;
  if (first.index.path === '_id')
    return unusableIndexes(use, first, cluster)[0]?.because ?? 'an index on _id is there already';
  const effective = collation ?? foreign.collation;
  const index: IndexDescription = {
    name: 'proposed',
    key,
    unique: false,
    sparse: false,
    hidden: false,
    clustered: false,
    ...(effective !== undefined && { collation: effective }),
  };
  return serves(index, use, first, cluster) ? null : 'something in how the join is written keeps it from that';
}

/** The name that mongosh would give an index with this key, with a number behind it where another index has it. */
export function indexName(
  key: Readonly<Record<string, 1 | -1>>,
  existing: readonly Pick<IndexDescription, 'name'>[],
): string {
  const taken = new Set(existing.map((index) => index.name));
  const name = Object.entries(key).flat().join('_');
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name}_${number}`)) number += 1;
  return `${name}_${number}`;
}

function foreignOf(namespace: string, { collections }: JoinedCluster): Collection {
  const known = collections.get(namespace);
  if (known === undefined) throw new Error(`${namespace} is not among the collections.`);
  return known.collection;
}
