import type { IndexDescription } from '../../inventory/collection.js';
import { accessOf } from '../../planner/access-of.js';
import { isRefused } from '../../planner/access.js';
import { refusalText } from '../../planner/refusal.js';
import { isSearchedBy } from '../../planner/value-search.js';
import type { JoinUse } from '../../workload/joins/join.js';
import { type EqualityJoin, equalityJoinOf, type IndexableKey, plannedJoin } from './equality-join.js';
import { engineObstacle, joinObstacle, type JoinServer, seeksForExpr } from './join-obstacle.js';
import type { JoinedCluster } from './joined-cluster.js';

/** An index that begins with a joined field, and does not serve the join. */
export interface UnusableIndex {
  readonly index: IndexDescription;
  /** As a clause that follows the name of the index: "it is hidden, …". */
  readonly because: string;
}

export function usableIndexes(use: JoinUse, key: IndexableKey, cluster: JoinedCluster): IndexDescription[] {
  const join = equalityJoinOf(use, key, cluster);
  return indexesOf(key, cluster).filter((index) => indexObstacle(index, join, cluster.server) === null);
}

/** The indexes that begin with the field and do not serve the key all the same. */
export function unusableIndexes(use: JoinUse, key: IndexableKey, cluster: JoinedCluster): UnusableIndex[] {
  const join = equalityJoinOf(use, key, cluster);
  return indexesOf(key, cluster).flatMap((index) => {
    const isNear = Object.keys(index.key)[0] === key.index.path;
    const because = isNear ? indexObstacle(index, join, cluster.server) : null;
    return because === null ? [] : [{ index, because }];
  });
}

/** What nobody can say yet of an index, as a sentence; null if each is certain to serve the key, or not to. */
export function undecidedIndex(use: JoinUse, key: IndexableKey, cluster: JoinedCluster): string | null {
  const join = equalityJoinOf(use, key, cluster);
  for (const index of indexesOf(key, cluster)) {
    const because = undecidedUse(index, join, cluster.server);
    if (because !== null)
      return `whether the index ${index.name} of ${join.foreign.namespace} serves joins by \`${key.index.path}\`: ${because}.`;
  }
  return null;
}

function indexesOf(
  { index: { namespace } }: IndexableKey,
  { collections }: JoinedCluster,
): readonly IndexDescription[] {
  const indexes = collections.get(namespace)?.indexes;
  return indexes?.present === true ? indexes.value : [];
}

/**
 * Why the server can't use an index for a join, for every local value that the join may have: a clause that follows the name of
 * the index, such as "it is hidden, …". Null if it can. What depends on other versions, or is not known of the join, counts as
 * unfavourable; but whoever made a partial index is taken to ask for what it holds, if a condition on its filter's field may.
 *
 * @param index of the foreign collection; of a time-series collection, not of its buckets
 */
export function indexObstacle(index: IndexDescription, join: EqualityJoin, server: JoinServer = {}): string | null {
  const ofJoin = joinObstacle(join);
  if (ofJoin !== null) return `no index can serve this join: ${ofJoin.because}`;
  return plannerObstacle(index, join, server) ?? engineObstacle(index, join, server);
}

function plannerObstacle(index: IndexDescription, join: EqualityJoin, server: JoinServer): string | null {
  const { comparison, query } = plannedJoin(join);
  const access = accessOf(index, join.arrays, query, server);
  if (isRefused(access)) return refusalText(access, join.collation);
  if (isSearchedBy(access, (each) => each === comparison)) return null;
  // Other conditions find by it.
  const alone = accessOf(index, join.arrays, { ...query, filter: comparison }, server);
  return isRefused(alone) ? refusalText(alone, join.collation) : `it does not find by "${join.foreignField}"`;
}

/**
 * Why nobody can say yet whether the server uses an index for a join: it is being built, or that depends on the version
 * in a way that is not known. Null if `indexObstacle` is certain.
 */
export function undecidedUse(index: IndexDescription, join: EqualityJoin, server: JoinServer = {}): string | null {
  const { building, ...built } = index;
  if (indexObstacle(index, join, server) === null) return null;
  if (indexObstacle(built, join, { ...server, isFavourable: true }) !== null) return null;
  if (building === true) return 'it is still being built. Run again when it is done';
  if (seeksForExpr(server) !== null || server.version === undefined) return null;
  return `it is not known whether MongoDB ${server.version} finds by the order of a clustered collection for $expr. explain("executionStats") of the pipeline shows it: it examines few documents, or all`;
}
