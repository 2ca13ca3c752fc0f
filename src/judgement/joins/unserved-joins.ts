import { groupedBy } from '../../grouped-by.js';
import { isSameCollation } from '../../inventory/collation.js';
import { absent, type Absent } from '../../presence.js';
import type { Join, JoinKey, JoinUse } from '../../workload/joins/join.js';
import { equalityIndex, neededIndex, type NeededIndex } from '../advice/needed-index.js';
import { SCAN_SIZE } from '../queries/query-thresholds.js';
import { equalityJoinOf, type IndexableKey, isIndexable, plannedJoin } from './equality-join.js';
import { undecidedIndex, usableIndexes } from './join-indexes.js';
import { engineObstacle, hindranceOf, isStoredInOrder, joinObstacle, type JoinObstacle } from './join-obstacle.js';
import { collationOf, fieldTypesOn, type JoinedCluster, judgedScan } from './joined-cluster.js';
import { holdsArrays } from './joined-values.js';

/** A join that no index of its foreign collection serves, though one could. */
export interface UnindexedJoin {
  readonly kind: 'unindexed';
  readonly use: JoinUse;
  readonly namespace: string;
  readonly path: string;
  /** The keys that its index would hold, the one on the path first. */
  readonly keys: readonly [IndexableKey, ...IndexableKey[]];
}

/** A join that no index can serve as it is written. */
export interface UnindexableJoin {
  readonly kind: 'unindexable';
  readonly use: JoinUse;
  readonly namespace: string;
  /** Null if the foreign side is several fields, or none. */
  readonly path: string | null;
  readonly obstacle: JoinObstacle;
}

/** A join that may or may not be served by an index. */
export interface UnjudgedJoin {
  readonly kind: 'unjudged';
  readonly use: JoinUse;
  readonly namespace: string;
  /** Why the indexes, their use, or the foreign field are unknown. */
  readonly absent: Absent;
}

export type UnservedJoin = UnindexedJoin | UnindexableJoin | UnjudgedJoin;

/** The joins of linted collections that no index is known to serve; of all known joins, unless some are given. */
export function unservedJoins(cluster: JoinedCluster, uses?: readonly JoinUse[]): readonly UnservedJoin[] {
  const { workload, collections } = cluster;
  const among = (given: readonly JoinUse[]) => given.flatMap((use) => unserved(use, cluster));
  return uses === undefined
    ? workload.derived.once(collections, 'unserved joins', () => among(workload.joinUses))
    : among(uses);
}

function unserved(use: JoinUse, cluster: JoinedCluster): UnservedJoin[] {
  const { keys, foreign } = use.join;
  const collection = cluster.collections.get(foreign.base);
  if (collection === undefined || keys.length === 0) return [];
  const namespace = foreign.base;
  if (!collection.indexes.present) return [{ kind: 'unjudged', use, namespace, absent: collection.indexes }];
  const [always, branches] = partsOf(use.join);
  const isServed = (key: JoinKey) => isIndexable(key) && isServedOrNeedsNone(use, key, cluster);
  if (always.some(isServed)) return [];
  const unservedBranches = branches.filter((branch) => !branch.some(isServed));
  if (branches.length > 0 && unservedBranches.length === 0) return [];
  const undecided = [...always, ...unservedBranches.flat()]
    .filter(isIndexable)
    .flatMap((key) => undecidedIndex(use, key, cluster) ?? []);
  if (undecided[0] !== undefined)
    return [{ kind: 'unjudged', use, namespace, absent: absent('insufficient', undecided[0]) }];
  const obstacleOf = (key: JoinKey) =>
    isIndexable(key) ? joinObstacle(equalityJoinOf(use, key, cluster)) : hindranceOf(key);
  const canBeServed = (key: JoinKey): key is IndexableKey => isIndexable(key) && obstacleOf(key) === null;
  const parts = always.some(canBeServed) || branches.length === 0 ? [always] : unservedBranches;
  const found = parts.map((part) => {
    const [first, ...others] = equalitiesFirst(part.filter(canBeServed));
    if (first === undefined) return null;
    return { kind: 'unindexed', use, namespace, path: first.index.path, keys: [first, ...others] } as const;
  });
  if (found.every((each) => each !== null)) return found;
  // Alternatives are served together or not at all.
  for (const key of keys) {
    const obstacle = obstacleOf(key);
    if (obstacle !== null) return [{ kind: 'unindexable', use, namespace, path: pathOf(key, namespace), obstacle }];
  }
  const untraced = `joins of ${namespace} compare with fields that could not be traced to stored ones, or whose names look like data and are not kept.`;
  return [{ kind: 'unjudged', use, namespace, absent: absent('insufficient', untraced) }];
}

function partsOf({ keys }: Join): [always: readonly JoinKey[], branches: readonly (readonly JoinKey[])[]] {
  const branches = new Map<number, JoinKey[]>();
  for (const key of keys) if (key.branch !== null) branches.set(key.branch, [...(branches.get(key.branch) ?? []), key]);
  return [keys.filter(({ branch }) => branch === null), [...branches.values()]];
}

function isServedOrNeedsNone(use: JoinUse, key: IndexableKey, cluster: JoinedCluster): boolean {
  if (usableIndexes(use, key, cluster).length > 0) return true;
  const join = equalityJoinOf(use, key, cluster);
  return joinObstacle(join) === null && isStoredInOrder(join);
}

/** A range is served by an index as well, but narrows it less than an equality. */
function equalitiesFirst(keys: readonly IndexableKey[]): readonly IndexableKey[] {
  const equalities = keys.filter(({ operator }) => operator === '$eq');
  return equalities.length > 0 ? equalities : keys.slice(0, 1);
}

function pathOf({ index, foreign }: JoinKey, namespace: string): string | null {
  if (index.possible === true) return index.path;
  const { origin, written } = foreign;
  return origin.traced && origin.namespace === namespace ? origin.path : written;
}

/** The joins that scan for want of an index, of collections that are not too small to tell. */
export function scanningJoins(cluster: JoinedCluster): UnindexedJoin[] {
  return unservedJoins(cluster)
    .filter((join) => join.kind === 'unindexed')
    .filter(({ namespace }) => (judgedScan(cluster, namespace)?.documents ?? 0) >= SCAN_SIZE.default);
}

/** The indexes that the joins of a collection lack. */
export function joinNeeds(namespace: string, cluster: JoinedCluster): NeededIndex[] {
  const lacking = scanningJoins(cluster).filter((join) => join.namespace === namespace && join.path !== '_id');
  return [...groupedBy(lacking, ({ path }) => path).values()].flatMap((joins) => needsOfJoins(joins, cluster));
}

/** What joins by one field need: one index for each collation that they compare by. */
export function needsOfJoins(joins: readonly UnindexedJoin[], cluster: JoinedCluster): NeededIndex[] {
  const byCollation = groupedBy(joins, ({ use }) => {
    const collation = collationOf(cluster, use);
    return isSameCollation(collation, null) ? '' : JSON.stringify(collation);
  });
  return [...byCollation.values()].map((alike) => needOf(alike, joins, cluster));
}

function needOf(alike: readonly UnindexedJoin[], all: readonly UnindexedJoin[], cluster: JoinedCluster): NeededIndex {
  const collation = collationOf(cluster, alike[0]!.use);
  const looked = alike.map(({ use, keys: [key] }) => equalityJoinOf(use, key, cluster));
  return neededIndex(
    {
      ...equalityIndex(commonPaths(all, cluster), collation),
      isUsable: (index) => looked.every((join) => engineObstacle(index, join, cluster.server) === null),
    },
    looked.map((join) => ({ query: plannedJoin(join).query, collection: join.arrays, server: cluster.server })),
  );
}

/** The joined path, and further ones that all of the joins set equal to something; two arrays do not fit into one index. */
function commonPaths(joins: readonly UnindexedJoin[], cluster: JoinedCluster): readonly string[] {
  const [{ path, namespace, keys }, ...others] = joins as [UnindexedJoin, ...UnindexedJoin[]];
  const fieldTypes = fieldTypesOn(cluster, namespace);
  const further = keys
    .map(({ index }) => index.path)
    .filter((other) => other !== path && holdsArrays(fieldTypes, other) === false)
    .filter((other) => others.every((join) => join.keys.some(({ index }) => index.path === other)));
  return [path, ...new Set(further)];
}
