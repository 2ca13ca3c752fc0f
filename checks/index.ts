import type { AnyCheck } from '../src/check.js';
import { archiveCandidate } from './archive-candidate.js';
import { bloatedDocument } from './bloated-document.js';
import { bucketCandidate } from './bucket-candidate.js';
import { caseInsensitiveRegex } from './case-insensitive-regex.js';
import { changeStreamsBehind } from './change-streams-behind.js';
import { collectionScan } from './collection-scan.js';
import { computedValue } from './computed-value.js';
import { connectionChurn } from './connection-churn.js';
import { danglingReference } from './dangling-reference/check.js';
import { deepNesting } from './deep-nesting.js';
import { deepSkip } from './deep-skip.js';
import { denormalizedDrift } from './denormalized-drift.js';
import { dynamicFieldNames } from './dynamic-field-names.js';
import { earlyLookup } from './early-lookup/check.js';
import { emptyCollection } from './empty-collection.js';
import { endlessCollection } from './endless-collection.js';
import { expiredDocuments } from './expired-documents.js';
import { expressionFilter } from './expression-filter.js';
import { failingOperations } from './failing-operations.js';
import { fastGrowingArray } from './fast-growing-array.js';
import { fullCount } from './full-count.js';
import { heavyLookup } from './heavy-lookup.js';
import { hiddenIndex } from './hidden-index.js';
import { hotUnshardedCollection } from './hot-unsharded-collection.js';
import { inMemorySort } from './in-memory-sort/check.js';
import { inconsistentIndexes } from './inconsistent-indexes.js';
import { indexBuildsInRequests } from './index-builds-in-requests.js';
import { jumboChunk } from './jumbo-chunk.js';
import { largeMultikeyIndex } from './large-multikey-index.js';
import { longInList } from './long-in-list.js';
import { longReferenceArray } from './long-reference-array.js';
import { lookupTypeMismatch } from './lookup-type-mismatch/check.js';
import { lowCardinalityShardKey } from './low-cardinality-shard-key.js';
import { massWrite } from './mass-write.js';
import { memoryBoundAggregation } from './memory-bound-aggregation.js';
import { missingDeclaredIndex } from './missing-declared-index.js';
import { missingInProduction } from './missing-in-production.js';
import { missingLookupIndex } from './missing-lookup-index.js';
import { missingValidator } from './missing-validator.js';
import { mixedTypes } from './mixed-types/check.js';
import { monotonicShardKey } from './monotonic-shard-key.js';
import { nPlusOneQuery } from './n-plus-one-query.js';
import { neverMatchingCondition } from './never-matching-condition.js';
import { openTransactions } from './open-transactions.js';
import { outlierDocument } from './outlier-document.js';
import { overFetching } from './over-fetching.js';
import { oversizedDocument } from './oversized-document.js';
import { poorTargeting } from './poor-targeting.js';
import { queryWithoutItsIndex } from './query-without-its-index.js';
import { rebuiltArray } from './rebuilt-array.js';
import { redundantIndex } from './redundant-index.js';
import { retriedTransactions } from './retried-transactions.js';
import { reusableSpace } from './reusable-space.js';
import { scatterGather } from './scatter-gather.js';
import { schemaVersions } from './schema-versions.js';
import { shortOplog } from './short-oplog.js';
import { splitOneToFew } from './split-one-to-few/check.js';
import { timeseriesMisconfigured } from './timeseries-misconfigured.js';
import { tooManyCollections } from './too-many-collections/check.js';
import { tooManyIndexes } from './too-many-indexes/check.js';
import { ttlWithoutEffect } from './ttl-without-effect.js';
import { typedValuesAsStrings } from './typed-values-as-strings.js';
import { unbalancedChunks } from './unbalanced-chunks.js';
import { unboundedArray } from './unbounded-array.js';
import { unboundedFind } from './unbounded-find/check.js';
import { uncappedWrite } from './uncapped-write/check.js';
import { undeclaredIndex } from './undeclared-index.js';
import { unindexedQuery } from './unindexed-query.js';
import { unindexedReference } from './unindexed-reference.js';
import { uniqueIndexOnOptionalField } from './unique-index-on-optional-field.js';
import { unsafeServer } from './unsafe-server.js';
import { unsafeWriteConcern } from './unsafe-write-concern.js';
import { unselectiveFilter } from './unselective-filter.js';
import { unstablePlan } from './unstable-plan.js';
import { unusedIndex } from './unused-index.js';
import { upgradeTo8 } from './upgrade-to-8.js';
import { upgradeTo9 } from './upgrade-to-9.js';
import { upsertWithoutUniqueIndex } from './upsert-without-unique-index.js';
import { uselessIndex } from './useless-index/check.js';
import { wholeDocumentWrite } from './whole-document-write.js';
import { writeContention } from './write-contention.js';

/** The checks that mongolint has built in, in the order in which they run and are listed. */
export const builtInChecks: readonly AnyCheck[] = [
  unboundedArray,
  fastGrowingArray,
  longReferenceArray,
  oversizedDocument,
  bloatedDocument,
  outlierDocument,
  deepNesting,
  dynamicFieldNames,
  uncappedWrite,
  missingLookupIndex,
  heavyLookup,
  earlyLookup,
  lookupTypeMismatch,
  unindexedReference,
  danglingReference,
  denormalizedDrift,
  upsertWithoutUniqueIndex,
  uniqueIndexOnOptionalField,
  wholeDocumentWrite,
  writeContention,
  massWrite,
  failingOperations,
  queryWithoutItsIndex,
  collectionScan,
  poorTargeting,
  inMemorySort,
  memoryBoundAggregation,
  deepSkip,
  unboundedFind,
  overFetching,
  rebuiltArray,
  fullCount,
  computedValue,
  nPlusOneQuery,
  longInList,
  caseInsensitiveRegex,
  unselectiveFilter,
  expressionFilter,
  splitOneToFew,
  bucketCandidate,
  timeseriesMisconfigured,
  mixedTypes,
  schemaVersions,
  typedValuesAsStrings,
  missingValidator,
  neverMatchingCondition,
  redundantIndex,
  unusedIndex,
  uselessIndex,
  hiddenIndex,
  indexBuildsInRequests,
  largeMultikeyIndex,
  tooManyIndexes,
  tooManyCollections,
  emptyCollection,
  reusableSpace,
  expiredDocuments,
  archiveCandidate,
  endlessCollection,
  ttlWithoutEffect,
  shortOplog,
  changeStreamsBehind,
  openTransactions,
  retriedTransactions,
  unsafeWriteConcern,
  connectionChurn,
  unsafeServer,
  unstablePlan,
  missingInProduction,
  missingDeclaredIndex,
  undeclaredIndex,
  unindexedQuery,
  upgradeTo8,
  upgradeTo9,
  monotonicShardKey,
  lowCardinalityShardKey,
  jumboChunk,
  unbalancedChunks,
  hotUnshardedCollection,
  inconsistentIndexes,
  scatterGather,
];
