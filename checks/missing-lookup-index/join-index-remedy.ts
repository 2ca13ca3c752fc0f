import { isSameCollation } from '../../src/inventory/collation.js';
import { formatIndexKey } from '../../src/inventory/index-key.js';
import { indexName, plainIndex, proposeIndexes, type WantedIndex } from '../../src/judgement/indexes/index-proposal.js';
import { type IndexRemedy, indexSteps } from '../../src/judgement/indexes/index-steps.js';
import {
  collationOf,
  fieldTypesOn,
  type JoinedCluster,
  type JoinedCollection,
} from '../../src/judgement/joins/joined-cluster.js';
import { holdsArrays } from '../../src/judgement/joins/joined-values.js';
import type { UnindexedJoin } from '../../src/judgement/joins/unserved-joins.js';
import { serves, unusableIndexes } from '../../src/judgement/joins/usable-indexes.js';

type Joins = readonly [UnindexedJoin, ...UnindexedJoin[]];

const REASON = 'The joins then look up the few documents that they need.';

/** The index that serves joins on one field; nothing is proposed if the server would not use it. */
export function joinIndexRemedy(joins: Joins, cluster: JoinedCluster): IndexRemedy {
  const [{ namespace }] = joins;
  const known = cluster.collections.get(namespace);
  if (known === undefined) throw new Error(`${namespace} is not among the collections.`);
  const wanted = wantedIndexes(joins, known, cluster);
  const proposes = proposeIndexes(wanted, known);
  const isUnhidden = proposes.some(({ action }) => action === 'unhide');
  const [obstacle] = isUnhidden
    ? []
    : joins.flatMap((join) => wanted.flatMap((index) => whyNot(index, join, cluster) ?? []));
  if (obstacle === undefined) return { remedy: { steps: indexSteps(proposes, REASON) }, proposes };
  const key = formatIndexKey(wanted[0]?.key ?? {});
  return {
    remedy: { steps: [{ text: `The server would not use an index on ${key} here: ${obstacle}.` }] },
    proposes: [],
  };
}

/** One index, or one for each collation that the joins compare by. A hidden one must do for all of the joins. */
function wantedIndexes(joins: Joins, { collection }: JoinedCollection, cluster: JoinedCluster): WantedIndex[] {
  const key = Object.fromEntries(commonPaths(joins, cluster).map((path) => [path, 1 as const]));
  const wanted: WantedIndex[] = [];
  for (const { use } of joins) {
    const collation = collationOf(cluster, use);
    if (wanted.some((index) => isSameCollation(index.collation, collation))) continue;
    wanted.push({
      key,
      collation: isSameCollation(collation, collection.collation) ? (collection.collation ?? null) : collation,
      isServedBy: (index) => joins.every((join) => serves(index, join.use, join.keys[0], cluster)),
    });
  }
  return wanted;
}

/** The joined path, and further ones that all of the joins set equal to something; two arrays do not fit into one index. */
function commonPaths(joins: Joins, cluster: JoinedCluster): readonly string[] {
  const [{ path, namespace, keys }] = joins;
  const fieldTypes = fieldTypesOn(cluster, namespace);
  const further = keys
    .map(({ index }) => index.path)
    .filter((other) => other !== path && holdsArrays(fieldTypes, other) === false);
  const isCommon = (other: string) => joins.every((join) => join.keys.some(({ index }) => index.path === other));
  return [path, ...new Set(further.filter(isCommon))];
}

/** Why the server would not use a new index for a join; null if it would. */
function whyNot(
  { key, collation }: WantedIndex,
  { use, keys: [first] }: UnindexedJoin,
  cluster: JoinedCluster,
): string | null {
  if (!isSameCollation(collation, collationOf(cluster, use))) return null;
  if (first.index.path === '_id')
    return unusableIndexes(use, first, cluster)[0]?.because ?? 'an index on _id is there already';
  const index = plainIndex(key, collation, indexName(key));
  return serves(index, use, first, cluster) ? null : 'the way in which the join is written prevents it';
}
