/** What the queries of the workload cost, and which indexes would serve them, for checks from plugins as well. */
export { canBeFound, everyCondition, isEmpty, type Condition, type ConditionRole, type Conditions } from './conditions.js';
export { byIndex, bySortingIndex, queryFigures, queryGroups, type JudgedQueries, type QueryGroup, type QueryPlace } from './query-groups.js';
export { queryText } from './query-text.js';
export { isScanned, queryCost, type QueryCost } from './query-cost.js';
export type { Query, SortField } from './query.js';
export { indexesBehindOthers, referenceSearches, referenceSearchRemedy, type ReferenceSearches } from './reference-searches.js';
export { keyOf, suggestedIndexes, type IndexedQuery, type SuggestedIndex } from './suggested-index.js';
