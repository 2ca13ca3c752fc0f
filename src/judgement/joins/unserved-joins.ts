import { absent, type Absent } from '../../presence.js';
import type { Join, JoinKey } from '../../workload/joins/join.js';
import type { JoinUse } from '../../workload/joins/workload-joins.js';
import { equalityJoinOf, isIndexable, type IndexableKey } from './equality-join.js';
import { undecidedIndex, usableIndexes } from './join-indexes.js';
import { hindranceOf, isStoredInOrder, type JoinObstacle, joinObstacle } from './join-obstacle.js';
import type { JoinedCluster } from './joined-cluster.js';

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
