import type { GrowthEvidence } from '../growth/growth.js';
import type { IndexDescription } from '../inventory/collection.js';
import type { StorageStatistics } from '../inventory/storage.js';
import type { DocumentEvidence } from '../profile/document-profile.js';
import type { FieldTypes } from '../profile/field-types.js';
import type { LargestDocuments } from '../profile/largest-documents.js';
import type { CollectionReads } from '../workload/reads/collection-reads.js';
import type { Buckets } from './buckets.js';
import type { IndexUsage } from './index-usage.js';
import type { MeasurementSeries } from './measurements/measurement-series.js';
import type { ShardingEvidence } from './sharding/chunks.js';
import type { Load } from './sharding/load.js';
import type { ShardKeyEvidence } from './sharding/shard-key-evidence.js';

/** What can be known of one collection, by the names that checks list in `needs`. */
export interface CollectionEvidence {
  /** Sizes and counts from `$collStats`, summed over shards. */
  readonly storage: StorageStatistics;
  /** How well the buckets of a time-series collection are filled. Of time-series collections only. */
  readonly buckets: Buckets;
  /** Indexes with all their options, the one on `_id` among them. */
  readonly indexes: readonly IndexDescription[];
  /** How often each node has used the indexes, and since when it counts. */
  readonly indexUsage: IndexUsage;
  readonly documents: DocumentEvidence;
  /** The types of the sampled documents' fields: the small part of the profile that is kept for checks of the cluster. */
  readonly fieldTypes: FieldTypes;
  /** The series that the documents form, if each is one measurement; null if they are something else. */
  readonly measurements: MeasurementSeries | null;
  /** The largest documents known: from the sample, or from a bounded probe. */
  readonly largestDocuments: LargestDocuments;
  /** How its documents are read, by the recorded operations. */
  readonly reads: CollectionReads;
  /** Which arrays and documents grow, how fast, and when they will be too large. */
  readonly growth: GrowthEvidence;
  /** How the chunks are spread over the shards. Of sharded collections only. */
  readonly sharding: ShardingEvidence;
  /** What the shards' primaries serve on it. Of sharded clusters only. */
  readonly load: Load;
  /** The values of the shard key in the documents. Of sharded collections only. */
  readonly shardKey: ShardKeyEvidence;
}

export type EvidenceName = keyof CollectionEvidence;
