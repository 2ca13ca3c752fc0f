import type { IndexDescription } from '../../inventory/collection.js';
import type { JoinUse } from '../../workload/joins/workload-joins.js';
import { indexObstacle, undecidedUse } from '../indexes/usability/index-usability.js';
import { asMetBy, equalityJoinOf, type IndexableKey } from './equality-join-of.js';
import type { JoinedCluster } from './joined-cluster.js';

/** An index that begins with a joined field, or holds it, and does not serve the join. */
export interface UnusableIndex {
  readonly index: IndexDescription;
  /** As a clause that follows the name of the index: "it is hidden, …". */
  readonly because: string;
}

export function usableIndexes(use: JoinUse, key: IndexableKey, cluster: JoinedCluster): IndexDescription[] {
  const obstacleTo = obstaclesTo(use, key, cluster);
  return indexesOf(key, cluster).filter((index) => obstacleTo(index) === null);
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
  return obstaclesTo(use, key, cluster)(index) === null;
}

/** The indexes that begin with the field and do not serve the key all the same. */
export function unusableIndexes(use: JoinUse, key: IndexableKey, cluster: JoinedCluster): UnusableIndex[] {
  const obstacleTo = obstaclesTo(use, key, cluster);
  return indexesOf(key, cluster).flatMap((index) => {
    const because = Object.keys(index.key)[0] === key.index.path ? obstacleTo(index) : null;
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

/** Gives why an index does not serve the key; null if it does. */
function obstaclesTo(
  use: JoinUse,
  key: IndexableKey,
  cluster: JoinedCluster,
): (index: IndexDescription) => string | null {
  const equality = equalityJoinOf(use, key, cluster);
  const foreign = cluster.collections.get(key.index.namespace)?.collection;
  return (index) => {
    if (foreign === undefined) throw new Error(`${key.index.namespace} is not among the collections.`);
    return indexObstacle(index, asMetBy(equality, use, index), foreign, cluster.server);
  };
}
