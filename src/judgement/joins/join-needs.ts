import { groupedBy } from '../../grouped-by.js';
import { isSameCollation } from '../../inventory/collation.js';
import { equalityIndex, neededIndex, type NeededIndex } from '../advice/needed-index.js';
import { SCAN_SIZE } from '../queries/query-thresholds.js';
import { engineObstacle } from './engine-obstacle.js';
import { equalityJoinOf, plannedJoin } from './equality-join.js';
import { collationOf, fieldTypesOn, type JoinedCluster, judgedScan } from './joined-cluster.js';
import { holdsArrays } from './joined-values.js';
import { type UnindexedJoin, unservedJoins } from './unserved-joins.js';

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
