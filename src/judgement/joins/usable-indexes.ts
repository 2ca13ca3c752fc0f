import { indexObstacle, undecidedUse } from '../indexes/usability/index-usability.js';
import type { IndexDescription } from '../../inventory/collection.js';
import type { JoinUse } from '../../workload/joins/workload-joins.js';
import type { EqualityJoin } from '../indexes/usability/joined-index.js';
import { asMetBy, equalityJoinOf, type IndexableKey } from './equality-join-of.js';
import type { JoinedCluster } from './joined-cluster.js';

/** An index that begins with a joined field, or holds it, and does not serve the join. */
export interface UnusableIndex {
  readonly index: IndexDescription;
  /** As a clause that follows the name of the index: "it is hidden, …". */
  readonly because: string;
}

export function usableIndexes(use: JoinUse, key: IndexableKey, cluster: JoinedCluster): IndexDescription[] {
  const equality = equalityJoinOf(use, key, cluster);
  return indexesOf(key, cluster).filter((index) => obstacleOf(index, use, key, equality, cluster) === null);
}

export function undecidedIndex(use: JoinUse, key: IndexableKey, cluster: JoinedCluster): string | null {
  const equality = equalityJoinOf(use, key, cluster);
  const foreign = cluster.collections.get(key.index.namespace)?.collection;
  if (foreign === undefined) return null;
  for (const index of indexesOf(key, cluster)) {
    const because = undecidedUse(index, asMetBy(equality, use, index), foreign, cluster.server);
    if (because !== null)
      return `whether the index ${index.name} of ${foreign.namespace} serves joins by \`${key.index.path}\`: ${because}.`;
  }
  return null;
}

export function serves(index: IndexDescription, use: JoinUse, key: IndexableKey, cluster: JoinedCluster): boolean {
  return obstacleOf(index, use, key, equalityJoinOf(use, key, cluster), cluster) === null;
}

/** The indexes that begin with the field and do not serve the key all the same. */
export function unusableIndexes(use: JoinUse, key: IndexableKey, cluster: JoinedCluster): UnusableIndex[] {
  const equality = equalityJoinOf(use, key, cluster);
  return indexesOf(key, cluster).flatMap((index) => {
    const because =
      Object.keys(index.key)[0] === key.index.path ? obstacleOf(index, use, key, equality, cluster) : null;
    return because === null ? [] : [{ index, because }];
  });
}

export function indexesOf(
  { index: { namespace } }: IndexableKey,
  { collections }: JoinedCluster,
): readonly IndexDescription[] {
  const indexes = collections.get(namespace)?.indexes;
  return indexes?.present === true ? indexes.value : [];
}

function obstacleOf(
  index: IndexDescription,
  use: JoinUse,
  key: IndexableKey,
  equality: EqualityJoin,
  cluster: JoinedCluster,
): string | null {
  const foreign = cluster.collections.get(key.index.namespace)?.collection;
  if (foreign === undefined) throw new Error(`${key.index.namespace} is not among the collections.`);
  return indexObstacle(index, asMetBy(equality, use, index), foreign, cluster.server);
}
