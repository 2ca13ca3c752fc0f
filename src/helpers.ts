/**
 * The toolbox of the built-in checks: judgements that several of them share, and how figures are written. It is not part of
 * the public contract, which is `check.ts`.
 */
export type { CollectionReads, DocumentRead } from './workload/reads/collection-reads.js';
export { fieldUse, type FieldUse } from './workload/reads/field-use.js';
export { reusableFiles, type ReusableFile } from './judgement/documents/reusable-files.js';
export { spaceReuse, type SpaceReuse } from './judgement/documents/space-reuse.js';
export { partReads, partReadsAdvice, partReadsFigures, type PartReads } from './judgement/documents/part-reads.js';
export { danglingRemedy, oneSidedRemedy, type WrittenCollection } from './judgement/references/dangling-remedy.js';
export {
  atJudgedSize,
  documentsHere,
  judgedAt,
  judgedAtText,
  judgedSize,
  recordedHere,
  tooSmallToTell,
  type JudgedSize,
} from './judgement/judged-size.js';
export {
  referencesWithin,
  seenReferences,
  surelySevere,
  type SeenReferences,
  type SureSeverity,
} from './judgement/references/seen-references.js';
export { referenceGaps } from './judgement/references/reference-gaps.js';
export { resyncRemedy, type ResyncOptions } from './judgement/references/resync-remedy.js';
export { formatBytes, formatCount, formatDuration, formatShare, inWords, plural } from './format.js';
export { childReads, type ChildReads } from './judgement/joins/child-reads.js';
export { cutAggregates } from './judgement/joins/cut-aggregates.js';
export { embedRemedy } from './judgement/joins/embed-remedy.js';
export { fullRecord, type FullRecord } from './judgement/joins/full-record.js';
export { joinChain, type ChainedJoin } from './judgement/joins/join-chain.js';
export { joinCosts, type JoinCost } from './judgement/joins/join-cost.js';
export { joinIndexRemedy } from './judgement/joins/join-index-remedy.js';
export { indexBytesAt } from './judgement/indexes/index-bytes.js';
export { indexInBuild } from './judgement/indexes/index-in-build.js';
export { newIndexes, shellIndex } from './judgement/indexes/new-indexes.js';
export { lostIndexRemedy } from './judgement/indexes/lost-index-remedy.js';
export { lostIndexes, type LostIndex } from './judgement/queries/lost-indexes.js';
export { fieldGoneHere, type RenamedField } from './judgement/queries/renamed-field.js';
export { recordedQueries, type RecordedQueries } from './judgement/queries/recorded-queries.js';
export { accompanyingIndex } from './judgement/indexes/accompanying-index.js';
export { dropHiddenStep, indexSteps, type IndexRemedy } from './judgement/indexes/index-steps.js';
export { reliefSteps, type Relief } from './judgement/joins/join-relief.js';
export { joinRewrite, type JoinRewrite } from './judgement/joins/join-rewrite.js';
export { filtersAfterJoining, joinShapes, type JoinRelation, type JoinShape } from './judgement/joins/join-shape.js';
export { joinSource, joinTelling, type JoinTelling } from './workload/coverage/join-telling.js';
export {
  documentsOf,
  judgedScan,
  scanOf,
  type JoinedCluster,
  type JoinedCollection,
  type Scan,
} from './judgement/joins/joined-cluster.js';
export {
  joinedTypes,
  sideToChange,
  unsampledSides,
  type JoinedTypes,
  type JoinSide,
} from './judgement/joins/joined-types.js';
export { chainText, lookupSharesText } from './judgement/joins/lookup-text.js';
export { lookupLoads, readsPerWrite, type JoiningOperation, type LookupLoad } from './judgement/joins/lookup-load.js';
export {
  isNeverSearched,
  isNowhereSearched,
  isReferenceIndexed,
  joinedPlaces,
  placeOf,
  referenceIndexInBuild,
  referenceIndexRemedy,
} from './judgement/references/reference-index.js';
export { SOURCE_NAMES, windowText, type SourceCoverage } from './workload/coverage/source-window.js';
export {
  unservedJoins,
  type UnindexableJoin,
  type UnindexedJoin,
  type UnjudgedJoin,
  type UnservedJoin,
} from './judgement/joins/unserved-joins.js';
export { unusableIndexes, type UnusableIndex } from './judgement/joins/usable-indexes.js';
export type { EarlyBecause } from './judgement/pipelines/early-joins.js';
export { earlyLookups, type EarlyLookup } from './judgement/pipelines/early-lookups.js';
export { rebuiltArrays, type RebuildingQuery } from './judgement/pipelines/rebuilding-queries.js';
export { queryWithoutSort } from './judgement/pipelines/needless-sort.js';
export { pipelineText, valueText } from './judgement/pipelines/pipeline-text.js';
export { workloadGaps } from './judgement/joins/workload-gaps.js';
export type { ChildRelation } from './workload/joins/child-relation.js';
export type { Join, JoinKey } from './workload/joins/join.js';
export type { JoinUse } from './workload/joins/workload-joins.js';
export {
  canBeFound,
  equalPaths,
  everyCondition,
  isEmpty,
  type Condition,
  type ConditionRole,
  type Conditions,
} from './judgement/queries/conditions.js';
export { examinedAtJudgedSize, isBelow, sizeFor, tooSmallGroups } from './judgement/queries/judged-query.js';
export { examinedInDatabase, isScanned, queryCost, type QueryCost } from './judgement/queries/query-cost.js';
export { queryFigures, queryGroups, type JudgedQueries, type QueryGroup } from './judgement/queries/query-groups.js';
export { byIndex, bySortingIndex } from './judgement/queries/query-suggestions.js';
export type { QueryPlace } from './judgement/queries/query-places.js';
export { isRecurringSearch, RECURRING } from './judgement/queries/recurring-search.js';
export { averageOf, searchVerdicts } from './judgement/queries/search-verdicts.js';
export { comparedBy, SEARCH_THRESHOLDS, searchSeverity } from './judgement/queries/search-severity.js';
export { repeatedFinds, type ListRead, type RepeatedFind } from './judgement/queries/repeated-finds.js';
export { pageOrder, rangePageSteps, sortText } from './judgement/queries/range-page.js';
export { BATCH, breaksOrder, longLists, type BrokenOrder, type LongList } from './judgement/queries/long-lists.js';
export { longListSteps } from './judgement/queries/long-list-remedy.js';
export { unboundedFinds, type UnboundedFind } from './judgement/queries/unbounded-finds.js';
export { heavyFields, pagedQuery } from './judgement/queries/paged-query.js';
export { hasScatteredKeys } from './judgement/queries/scattered-keys.js';
export { recordedSkips, type RecordedSkips } from './judgement/queries/recorded-skips.js';
export { queryText } from './judgement/queries/query-text.js';
export { explainSteps } from './judgement/queries/query-remedy.js';
export { averageText, withSimilar } from './judgement/queries/group-text.js';
export { expressionText, filterText, valueName } from './judgement/queries/filter-text.js';
export { obstacleOf, type Obstacle } from './judgement/queries/obstacle.js';
export { isMostlyUnwanted, OBSTACLE_THRESHOLDS, searchObstacle } from './judgement/queries/obstructed-searches.js';
export { plainFilters, storedAnswer, type StoredAnswer } from './judgement/queries/plain-expression.js';
export { indexKeysFor } from './judgement/queries/index-keys-for.js';
export { plainNegation } from './judgement/queries/plain-negation.js';
export { isObjectShape, type Shape } from './workload/shapes/shape.js';
export { isFullCount } from './judgement/queries/full-count.js';
export { queriesOf, type Query, type SortField } from './judgement/queries/query.js';
export {
  indexesBehindOthers,
  referenceSearches,
  referenceSearchRemedy,
  type ReferenceSearches,
} from './judgement/references/reference-searches.js';
export {
  keyOf,
  suggestedIndexes,
  type IndexedQuery,
  type SuggestedIndex,
} from './judgement/indexes/suggested-index.js';
export {
  arrayElements,
  NUMERIC_TYPES,
  type ArrayElements,
  type ElementKind,
} from './judgement/arrays/array-elements.js';
export { arrayFigures } from './judgement/arrays/array-figures.js';
export { ARRAY_LENGTH_THRESHOLDS, arrayLengthLines } from './judgement/arrays/length-lines.js';
export { faultyArrayShape, type FaultyArrayShape } from './judgement/arrays/faulty-array-shape.js';
export { arrayRemedy } from './judgement/arrays/array-remedy.js';
export type { ArrayToBound } from './judgement/arrays/array-to-bound.js';
export {
  ARRAY_SHAPE_LIMITS,
  ARRAY_SHAPE_THRESHOLDS,
  arrayShape,
  elementsPerDocument,
  type ArrayBound,
  type ArrayShape,
  type ArrayShapeLimits,
  type LongArray,
  type UnboundedShape,
} from './judgement/arrays/array-shape.js';
export { boundText } from './judgement/arrays/bound-text.js';
export { collectionFamilies, type CollectionFamily } from './judgement/documents/collection-families.js';
export { namedFamilies } from './judgement/documents/named-families.js';
export { convertingUpdate, isConvertible } from './judgement/documents/converting-update.js';
export { documentSchema, type DocumentSchema, type SchemaLimits } from './judgement/documents/document-schema.js';
export { growthFigures, growthMessage, isBriefGrowth, type GrowingArray } from './judgement/arrays/growth-figures.js';
export { growthSourceNames, rangeText } from './judgement/arrays/growth-text.js';
export {
  arrayTowardsLimit,
  GROWTH_THRESHOLDS,
  growthTowardsLimit,
  towardsLimitText,
  withGrowthTowardsLimit,
  type GrowthTowardsLimit,
} from './judgement/arrays/growth-towards-limit.js';
export { heaviestPaths, type HeavyPath } from './judgement/documents/heaviest-paths.js';
export { formatIndexKey, hideIndexCommand, isIdIndex, isVisible } from './inventory/index-key.js';
export {
  redundantIndexes,
  type IndexedCollection,
  type RedundantIndex,
} from './judgement/indexes/redundant-indexes.js';
export { multikeyElements, type MultikeyElements } from './judgement/indexes/multikey-elements.js';
export type { LengthBound } from './judgement/arrays/length-bound.js';
export { fieldName, isQueryable, queryPath, withoutElements } from './profile/path-steps.js';
export { SCAN_COST, shellAggregation, shellScan, shellStatement } from './judgement/shell-statement.js';
export { spacedJson } from './judgement/spaced-json.js';
export { estimatedDocuments, estimatedRange, estimateText } from './judgement/references/estimated-documents.js';
export { LINE_RISK } from './profile/sampling/confidence.js';
export {
  correlationWithin,
  countAtLeast,
  countAtMost,
  isSeenAgain,
  largestAtLeast,
  quantileAtLeast,
  quantileAtMost,
  seenPart,
  shareWithin,
  STATED_RISK,
  WHOLE,
  type SeenPart,
} from './judgement/margins.js';
export { sampleWindow } from './judgement/sample-window.js';
export { sizesUnknown } from './judgement/unknown-sizes.js';
export { knownSizes, type KnownSizes } from './inventory/storage.js';
export { DOCUMENT_LIMIT_BYTES, NESTING_LIMIT_LEVELS } from './server-limits.js';
export {
  distributionSeverity,
  lowered,
  loweredIfRare,
  worst,
  severityOf,
  type DistributionSeverity,
  type SeverityLines,
} from './judgement/severity-lines.js';
export { timeSeriesPlan, type TimeSeriesPlan } from './judgement/documents/time-series-plan.js';
export { expiryFields, expiryReads, type ExpiryField, type ExpiryReads } from './judgement/documents/expiry-field.js';
export { familyCounts, type TypeFamily } from './profile/type-families.js';
export { lookForTypes } from './judgement/documents/look-for-types.js';
export { typeMixture, type TypeMixture } from './judgement/documents/type-mixture.js';
export { balancerState, worstImbalance, type BalancerState, type Imbalance } from './judgement/shard-keys/balance.js';
export { betterKey, spreadingFields, type BetterKey } from './judgement/shard-keys/better-key.js';
export { candidateFields, type CandidateField, type CandidateRow } from './evidence/sharding/candidate-fields.js';
export { candidateKeyVerdict, type CandidateKeyVerdict, type KeyAspect } from './judgement/shard-keys/candidate-key.js';
export { fieldOrders, type FieldOrder, type KeyRow } from './evidence/sharding/key-order.js';
export {
  LEAST_PAIRS,
  orderVerdict,
  type OrderLimits,
  type OrderVerdict,
} from './judgement/shard-keys/order-verdict.js';
export { refineRemedy } from './judgement/shard-keys/refine-remedy.js';
export { distributionStep, reshardRemedy, shardKeyCommand } from './judgement/shard-keys/reshard-remedy.js';
export {
  formatShardKey,
  isKeyPrefix,
  keyPattern,
  shardKeyOf,
  type ShardKey,
  type ShardKeyField,
} from './inventory/shard-key.js';
export {
  scatteredQueries,
  type ScatteredQueries,
  type ScatteredQuery,
} from './judgement/shard-keys/scattered-queries.js';
export { filterTarget, keyTargeting, type KeyTargeting, type Target } from './judgement/shard-keys/targeting.js';
export { VALUE_KIND_NAMES, type ValueKind } from './evidence/sharding/value-kind.js';
export { valueSpread, type ValueSpread } from './evidence/sharding/value-spread.js';
export { shellCollection } from './shell-collection.js';
export { groupedBy } from './grouped-by.js';
export { MS_PER_DAY, MS_PER_HOUR, SECONDS_PER_DAY } from './time-units.js';
