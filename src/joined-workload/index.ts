/** What the joins of the workload cost and what serves them, for checks from plugins as well. */
export { joinCost, type JoinCost } from './join-cost.js';
export { joinIndexRemedy } from './join-index-remedy.js';
export { joinRewrite, type JoinRewrite } from './join-rewrite.js';
export { documentsOf, type JoinedCluster, type JoinedCollection } from './joined-cluster.js';
export { unservedJoins, type UnindexableJoin, type UnindexedJoin, type UnjudgedJoin, type UnservedJoin } from './unserved-joins.js';
export { unusableIndexes, type UnusableIndex } from './usable-indexes.js';
export { workloadGaps } from './workload-gaps.js';
