import { type Document, ObjectId } from 'mongodb';
import { z } from 'zod';
import { figureIfAny, figureIn, neededDocument, neededFigure, neededTime } from '../connect/answer.js';
import type { ClusterReader } from '../connect/cluster-reader.js';
import { absentBecause } from '../connect/server-error.js';
import type { GrowthEvidence } from '../growth/growth.js';
import type { Collection, IndexDescription } from '../inventory/collection.js';
import type { StorageStatistics } from '../inventory/storage.js';
import { figureSchema, type Plain } from '../plain.js';
import { absent, type Evidence, present } from '../presence.js';
import type { DocumentEvidence } from '../profile/document-profile.js';
import type { FieldTypes } from '../profile/field-types.js';
import type { LargestDocuments } from '../profile/largest-documents.js';
import type { CollectionReads } from '../workload/reads/collection-reads.js';
import type { IndexUsage } from './index-usage.js';
import type { MeasurementSeries } from './measurements/measurement-series.js';
import type { ShardingEvidence } from './sharding/chunks.js';
import type { Load } from './sharding/load.js';
import type { ShardKeyEvidence } from './sharding/shard-key-evidence.js';

/** Why the server stopped adding to a bucket, by its counters: `numBucketsClosedDueTo…`, `numBucketsArchivedDueTo…`. */
const REASONS = [
  'Count',
  'Size',
  'TimeForward',
  'TimeBackward',
  'SchemaChange',
  'MemoryThreshold',
  'CachePressure',
] as const;

/** What the primaries of a time-series collection have done with its buckets since they started; a restart sets all to 0. */
export const bucketsSchema = z.strictObject({
  /** Buckets that are stored, whenever they were made. */
  stored: figureSchema,
  measurements: figureSchema,
  opened: figureSchema,
  /** The buckets among these that were opened because no open bucket had the value of the meta field. */
  openedForMetadata: figureSchema,
  /** Buckets that are no longer added to, by the reason. */
  finished: z.partialRecord(z.enum(REASONS), figureSchema),
  /** In ms, since the start of the primary; null through mongos, as each shard has its own. */
  countedFor: z.number().nonnegative().nullable(),
});

export type Buckets = Plain<typeof bucketsSchema>;

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

const COMMAND = '$collStats';

const STAGES = [{ $collStats: { storageStats: {} } }, { $project: { shard: 1, 'storageStats.timeseries': 1 } }];

/** Only a primary keeps buckets open, and counts them. */
export async function readBuckets(reader: ClusterReader, collection: Collection): Promise<Evidence<Buckets>> {
  const { database, name, namespace } = collection;
  const what = `reading how the buckets of ${namespace} are filled`;
  try {
    const primary = await reader.ofPrimary();
    if (primary === null)
      return absent('insufficient', `${what}: only a primary counts that, and none can be read here.`);
    const hello = reader.capabilities.isRouter ? null : await primary.command('admin', { hello: 1 });
    const answers = await primary.aggregate<Document>(database, name, STAGES).toArray();
    const parts = answers.map((answer) => neededDocument(COMMAND, answer, 'storageStats.timeseries'));
    const sum = (figure: (part: Document) => number) => parts.reduce((total, part) => total + figure(part), 0);
    const finished = REASONS.map((reason) => [reason, sum((part) => finishedBy(part, reason))] as const);
    return present({
      stored: sum((part) => neededFigure(COMMAND, part, 'bucketCount')),
      measurements: sum((part) => neededFigure(COMMAND, part, 'numMeasurementsCommitted')),
      opened: sum((part) => neededFigure(COMMAND, part, 'numBucketInserts')),
      openedForMetadata: sum((part) => neededFigure(COMMAND, part, 'numBucketsOpenedDueToMetadata')),
      finished: Object.fromEntries(finished.filter(([, buckets]) => buckets > 0)),
      countedFor: hello === null ? null : sinceStart(hello),
    });
  } catch (error) {
    return absentBecause(error, what, `collStats on ${namespace}`);
  }
}

/** An archived bucket may be opened again (since 6.3); the server does not count these by reason. */
function finishedBy(part: Document, reason: (typeof REASONS)[number]): number {
  const closed = figureIfAny(COMMAND, part, `numBucketsClosedDueTo${reason}`) ?? 0;
  return closed + (figureIn(part, `numBucketsArchivedDueTo${reason}`) ?? 0);
}

/** The server makes the id of its process as it starts. Null if it does not say it. */
function sinceStart(hello: Document): number | null {
  const id: unknown = hello['topologyVersion']?.['processId'];
  if (!(id instanceof ObjectId)) return null;
  return Math.max(0, neededTime('hello', hello, 'localTime') - id.getTimestamp().getTime());
}
