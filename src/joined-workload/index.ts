/** What the joins of the workload cost and what serves them, for checks from plugins as well. */
export { cutAggregates } from './cut-aggregates.js';
export { childReads, type ChildReads } from './child-reads.js';
export { embedRemedy } from './embed-remedy.js';
export { fullRecord, type FullRecord } from './full-record.js';
export { joinCosts, type JoinCost } from './join-cost.js';
export { joinSource, joinTelling, type JoinTelling } from './join-telling.js';
export { indexName, joinIndexRemedy } from './join-index-remedy.js';
export { joinRewrite, type JoinRewrite } from './join-rewrite.js';
export { documentsOf, scanOf, type JoinedCluster, type JoinedCollection, type Scan } from './joined-cluster.js';
export { unservedJoins, type UnindexableJoin, type UnindexedJoin, type UnjudgedJoin, type UnservedJoin } from './unserved-joins.js';
export { unusableIndexes, type UnusableIndex } from './usable-indexes.js';
export { workloadGaps } from './workload-gaps.js';
export { relief, type Relief } from './join-relief.js';
export { filtersAfterJoining, joinShapes, type JoinRelation, type JoinShape } from './join-shape.js';
export { lookupLoads, readsPerWrite, type JoiningOperation, type LookupLoad } from './lookup-load.js';
export { SOURCE_NAMES, windowText, type SourceCoverage } from './source-window.js';
export { joinedTypes, unsampledSides, type JoinedTypes, type JoinSide } from './joined-types.js';
export { isNeverSearched, isReferenceIndexed, joinedPlaces, placeOf, referenceIndexRemedy } from './reference-index.js';
