/** Written by `npm run docs`. */
import type { Exhibit } from '../exhibit.js';
import { archiveCandidate } from './archive-candidate.js';
import { bloatedDocument } from './bloated-document.js';
import { bucketCandidate } from './bucket-candidate.js';
import { caseInsensitiveRegex } from './case-insensitive-regex.js';
import { collectionScan } from './collection-scan.js';
import { computedValue } from './computed-value.js';
import { danglingReference } from './dangling-reference.js';
import { deepNesting } from './deep-nesting.js';
import { deepSkip } from './deep-skip.js';
import { denormalizedDrift } from './denormalized-drift.js';
import { dynamicFieldNames } from './dynamic-field-names.js';
import { earlyLookup } from './early-lookup.js';
import { emptyCollection } from './empty-collection.js';
import { expiredDocuments } from './expired-documents.js';
import { expressionFilter } from './expression-filter.js';
import { fastGrowingArray } from './fast-growing-array.js';
import { fullCount } from './full-count.js';
import { heavyLookup } from './heavy-lookup.js';
import { hiddenIndex } from './hidden-index.js';
import { inMemorySort } from './in-memory-sort.js';
import { largeMultikeyIndex } from './large-multikey-index.js';
import { longInList } from './long-in-list.js';
import { longReferenceArray } from './long-reference-array.js';
import { lookupTypeMismatch } from './lookup-type-mismatch.js';
import { missingLookupIndex } from './missing-lookup-index.js';
import { missingValidator } from './missing-validator.js';
import { mixedTypes } from './mixed-types.js';
import { nPlusOneQuery } from './n-plus-one-query.js';
import { openTransactions } from './open-transactions.js';
import { outlierDocument } from './outlier-document.js';
import { oversizedDocument } from './oversized-document.js';
import { poorTargeting } from './poor-targeting.js';
import { rebuiltArray } from './rebuilt-array.js';
import { redundantIndex } from './redundant-index.js';
import { reusableSpace } from './reusable-space.js';
import { schemaVersions } from './schema-versions.js';
import { shortOplog } from './short-oplog.js';
import { splitOneToFew } from './split-one-to-few.js';
import { timeseriesMisconfigured } from './timeseries-misconfigured.js';
import { tooManyCollections } from './too-many-collections.js';
import { tooManyIndexes } from './too-many-indexes.js';
import { ttlWithoutEffect } from './ttl-without-effect.js';
import { typedValuesAsStrings } from './typed-values-as-strings.js';
import { unboundedArray } from './unbounded-array.js';
import { unboundedFind } from './unbounded-find.js';
import { uncappedWrite } from './uncapped-write.js';
import { unindexedReference } from './unindexed-reference.js';
import { unselectiveFilter } from './unselective-filter.js';
import { unstablePlan } from './unstable-plan.js';
import { unusedIndex } from './unused-index.js';
import { upsertWithoutUniqueIndex } from './upsert-without-unique-index.js';
import { uselessIndex } from './useless-index.js';

/** Every exhibit of the demo, in the order of the checks. */
export const exhibits: readonly Exhibit[] = [
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
  collectionScan,
  poorTargeting,
  inMemorySort,
  deepSkip,
  unboundedFind,
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
  redundantIndex,
  unusedIndex,
  uselessIndex,
  hiddenIndex,
  largeMultikeyIndex,
  tooManyIndexes,
  tooManyCollections,
  emptyCollection,
  reusableSpace,
  expiredDocuments,
  archiveCandidate,
  ttlWithoutEffect,
  shortOplog,
  openTransactions,
  unstablePlan,
];
