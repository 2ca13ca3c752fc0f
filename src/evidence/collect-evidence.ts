import type { CollectionReads } from '../workload/reads/collection-reads.js';
import type { ClusterReader } from '../connect/cluster-reader.js';
import type { Collection } from '../inventory/collection.js';
import { fieldTypesOf } from './documents/field-types.js';
import { findLargestDocuments } from './documents/largest-documents.js';
import { sampleDocuments, type SampledDocuments } from './documents/sample.js';
import type { SampleBounds } from './documents/sample-plan.js';
import { absent, present, type Evidence } from '../presence.js';
import type { CollectionEvidence, EvidenceName } from './evidence.js';
import type { GrowthRun } from './growth/growth-run.js';
import { readIndexUsage } from './index-usage.js';
import { readIndexes } from './indexes.js';
import { readMeasurements } from './measurements/measurement-series.js';
import { readChunks } from './sharding/chunks.js';
import { readShardKey } from './sharding/shard-key-evidence.js';
import { readStorage, type StorageStatistics } from './storage.js';

/** The evidence of one collection that was asked for: each piece present, or absent with a reason. */
export type CollectedEvidence = { readonly [Name in EvidenceName]?: Evidence<CollectionEvidence[Name]> };

/** What collecting may cost, and how far it goes. */
export interface EvidenceBounds {
  readonly sample: SampleBounds;
  /** Search for large documents in collections of any size. */
  readonly deep: boolean;
  /** Keep `_id`s of the documents that findings are about. */
  readonly showValues: boolean;
}

/** Evidence that comes from the sampled documents. */
const FROM_SAMPLE: readonly EvidenceName[] = ['documents', 'fieldTypes', 'largestDocuments', 'measurements', 'growth'];

/** What the collections of a run share, begun once and waited for where it is needed. */
export interface SharedEvidence {
  readonly growth: GrowthRun;
  /** The reads of every collection, by namespace; null where no enabled check judges by them. */
  readonly reads: (() => Promise<Evidence<ReadonlyMap<string, CollectionReads>>>) | null;
}

/** What was read of a collection itself. */
export interface ReadCollection {
  readonly evidence: CollectedEvidence & { readonly storage?: Evidence<StorageStatistics> };
  /** The sample, which growth is measured by; absent where no document was wanted. */
  readonly sample?: Evidence<SampledDocuments>;
}

/** Reads, once, the evidence of a collection that the enabled checks need, and no other. */
export async function readCollection(
  reader: ClusterReader,
  collection: Collection,
  needs: ReadonlySet<EvidenceName>,
  bounds: EvidenceBounds,
): Promise<ReadCollection> {
  if (needs.size === 0) return { evidence: {} };
  const storage = await readStorage(reader, collection);
  const [indexes, indexUsage, sample] = await Promise.all([
    needs.has('indexes') ? readIndexes(reader, collection) : undefined,
    needs.has('indexUsage') ? readIndexUsage(reader, collection) : undefined,
    FROM_SAMPLE.some((name) => needs.has(name))
      ? sampleDocuments(reader, collection, storage.present ? storage.value : null, bounds.sample)
      : undefined,
  ]);
  const evidence = {
    storage,
    ...(indexes !== undefined && { indexes }),
    ...(indexUsage !== undefined && { indexUsage }),
    ...(sample !== undefined && { documents: sample.present ? present(sample.value.evidence) : sample }),
    ...(sample !== undefined &&
      needs.has('fieldTypes') && {
        fieldTypes: sample.present ? present(fieldTypesOf(sample.value.evidence)) : sample,
      }),
    ...(sample !== undefined &&
      needs.has('largestDocuments') && {
        largestDocuments: await largestDocuments(reader, collection, storage, sample, bounds),
      }),
    ...(sample !== undefined &&
      needs.has('measurements') && { measurements: await measurements(reader, collection, sample) }),
    ...(await shardingEvidence(reader, collection, storage, needs, bounds)),
  };
  return sample === undefined ? { evidence } : { evidence, sample };
}

/** The evidence of a collection that was read, with that which the collections share; it is waited for. */
export async function withSharedEvidence(
  { evidence, sample }: ReadCollection,
  collection: Collection,
  needs: ReadonlySet<EvidenceName>,
  { growth, reads }: SharedEvidence,
): Promise<CollectedEvidence> {
  const { storage } = evidence;
  if (storage === undefined) return evidence;
  return {
    ...evidence,
    ...(sample !== undefined &&
      (needs.has('growth') || growth.isRecorded) && { growth: await growthOf(collection, storage, sample, growth) }),
    ...(reads !== null && { reads: readsOf(await reads(), collection) }),
  };
}

function readsOf(
  reads: Evidence<ReadonlyMap<string, CollectionReads>>,
  { namespace }: Collection,
): Evidence<CollectionReads> {
  if (!reads.present) return reads;
  const ofCollection = reads.value.get(namespace);
  return ofCollection === undefined
    ? absent('insufficient', `no source of operations tells of any read of ${namespace}.`)
    : present(ofCollection);
}

async function shardingEvidence(
  reader: ClusterReader,
  collection: Collection,
  storage: Evidence<CollectionEvidence['storage']>,
  needs: ReadonlySet<EvidenceName>,
  { sample }: EvidenceBounds,
): Promise<Pick<CollectedEvidence, 'sharding' | 'shardKey'>> {
  const { sharding } = collection;
  if (sharding === undefined || (!needs.has('sharding') && !needs.has('shardKey'))) return {};
  const { key, chunkFilter, cluster } = sharding;
  const chunks = await readChunks(reader, collection, sharding, storage);
  if (!chunks.present) return { sharding: chunks, shardKey: chunks };
  const read = { sharding: present(chunks.value.evidence) };
  if (!needs.has('shardKey')) return read;
  if (!storage.present) return { ...read, shardKey: storage };
  const placement = { key, chunkFilter, chunks: chunks.value };
  return {
    ...read,
    shardKey: await readShardKey(reader, collection, key, cluster.version, storage.value, sample, placement),
  };
}

async function measurements(
  reader: ClusterReader,
  collection: Collection,
  sample: Evidence<SampledDocuments>,
): Promise<Evidence<CollectionEvidence['measurements']>> {
  return sample.present ? readMeasurements(reader, collection, sample.value.evidence.profile) : sample;
}

async function largestDocuments(
  reader: ClusterReader,
  collection: Collection,
  storage: Evidence<CollectionEvidence['storage']>,
  sample: Evidence<SampledDocuments>,
  bounds: EvidenceBounds,
): Promise<Evidence<CollectionEvidence['largestDocuments']>> {
  if (!storage.present) return storage;
  if (!sample.present) return sample;
  const { evidence, sizes } = sample.value;
  return present(await findLargestDocuments(reader, collection, storage.value, evidence.sample, sizes, bounds));
}

async function growthOf(
  collection: Collection,
  storage: Evidence<CollectionEvidence['storage']>,
  sample: Evidence<SampledDocuments>,
  growth: GrowthRun,
): Promise<Evidence<CollectionEvidence['growth']>> {
  if (!sample.present) return sample;
  const count = storage.present ? storage.value.count : sample.value.evidence.profile.documents;
  return present(await growth.measure(collection, count, sample.value));
}
