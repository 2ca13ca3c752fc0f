import type { Document } from 'mongodb';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import { absentBecause } from '../../connect/server-error.js';
import type { Collection } from '../../inventory/collection.js';
import { bsonIdentity, compareKeys } from '../../profile/bson-order.js';
import { candidateFields, type CandidateField } from './candidate-fields.js';
import { isKeyPrefix, type ShardKey } from '../../inventory/shard-key.js';
import { valueSpread, type ValueSpread } from './value-spread.js';
import { commonKind, kindAndTime } from './value-kind.js';
import type { SampleBounds } from '../../profile/sampling/sample-plan.js';
import { present, type Evidence } from '../../presence.js';
import type { KnownSizes } from '../../inventory/storage.js';
import type { ReadChunks } from './chunks.js';
import { readKeyOrder, type KeyOrder } from './insertion-order.js';
import { sampleKeys, type SampledKey } from './key-sample.js';
import { readShardKeyAnalysis, type ShardKeyAnalysis } from './shard-key-analysis.js';

/** The evidence `shardKey`: what the documents say of a shard key. Figures alone, no values. */
export interface ShardKeyEvidence {
  readonly order: Evidence<KeyOrder>;
  /** How many values the whole key has, and how evenly documents are spread over them. */
  readonly values: ValueSpread;
  /** Share of the documents in which the leading field is missing or null, 0 to 1. */
  readonly missingShare: number;
  /** Share of the documents with an array in a field of the key, which a shard key can't have, 0 to 1. */
  readonly arrayShare: number;
  /** Null if it is unknown which documents are the newest, or the key is hashed. */
  readonly newest: NewestDocuments | null;
  /** Other fields that every sampled document has, as parts of a better key. */
  readonly candidates: readonly CandidateField[];
  /** What the server itself says of the key, if it can. */
  readonly analysis: Evidence<ShardKeyAnalysis>;
}

/** In which chunks the last inserted documents are. */
export interface NewestDocuments {
  readonly documents: number;
  /** Share in the chunk that ends at MaxKey, 0 to 1. */
  readonly inHighestChunk: number;
  /** Share in the chunk that begins at MinKey, 0 to 1. */
  readonly inLowestChunk: number;
}

/** The current shard key, this one or another; null if the collection is not sharded. */
export type KeyPlacement = {
  readonly key: ShardKey;
  readonly chunkFilter: Document;
  readonly chunks: ReadChunks;
} | null;

const NEWEST_DOCUMENTS = 50;

export async function readShardKey(
  reader: ClusterReader,
  collection: Collection,
  key: ShardKey,
  version: string,
  storage: KnownSizes,
  bounds: SampleBounds,
  placement: KeyPlacement,
): Promise<Evidence<ShardKeyEvidence>> {
  const sample = await sampleKeys(reader, collection, key, storage, bounds);
  if (!sample.present) return sample;
  const { documents, complete } = sample.value;
  const whereabouts = placement && {
    key: placement.key,
    chunkFilter: placement.chunkFilter,
    sharding: placement.chunks.evidence,
  };
  const isPresentKey = placement !== null && isKeyPrefix(placement.key, key) && placement.key.length === key.length;
  const order = await readKeyOrder(reader, collection, key, documents, whereabouts);
  // UUIDs of version 1 carry their time, but are not sorted by it.
  const idKind = commonKind(documents.map(({ id }) => kindAndTime(id).kind));
  const isSortedByTime = order.present && order.value.order.insertionOrder === 'idTime' && idKind !== 'uuidV1';
  try {
    return present({
      order: order.present ? present(order.value.order) : order,
      values: valueSpread(
        documents.map(({ values }) => values.map(bsonIdentity).join('\n')),
        complete,
      ),
      missingShare: documents.filter(({ values }) => (values[0] ?? null) === null).length / documents.length,
      arrayShare: documents.filter(({ values }) => values.some(Array.isArray)).length / documents.length,
      newest: isPresentKey && isSortedByTime ? await readNewest(reader, collection, key, placement.chunks) : null,
      candidates: order.present ? candidatesOf(documents, order.value.inserted) : [],
      analysis: await readShardKeyAnalysis(reader, collection, key, version),
    });
  } catch (error) {
    return absentBecause(
      error,
      `reading the newest documents of ${collection.namespace}`,
      `find on ${collection.namespace}`,
    );
  }
}

function candidatesOf(documents: readonly SampledKey[], inserted: readonly (number | null)[] | null): CandidateField[] {
  if (inserted === null) return [];
  return candidateFields(
    documents.flatMap(({ fields }, index) => {
      const time = inserted[index] ?? null;
      return time === null ? [] : [{ inserted: time, fields }];
    }),
  );
}

/** The highest `_id`s are the newest if `_id`s carry their time. */
async function readNewest(
  reader: ClusterReader,
  { database, name }: Collection,
  key: ShardKey,
  { lowestChunkMax, highestChunkMin }: ReadChunks,
): Promise<NewestDocuments | null> {
  if (lowestChunkMax === null || highestChunkMin === null || key.some(({ hashed }) => hashed)) return null;
  const newest = await reader
    .aggregate<Document>(database, name, [
      { $sort: { _id: -1 } },
      { $limit: NEWEST_DOCUMENTS },
      { $project: { _id: 0, values: key.map(({ path }) => ({ $ifNull: [`$${path}`, null] })) } },
    ])
    .toArray();
  const boundOf = (bounds: Document) => key.map(({ path }) => bounds[path]);
  const share = (lies: (values: unknown[]) => boolean) =>
    newest.length === 0 ? 0 : newest.filter(({ values }) => lies(values)).length / newest.length;
  return {
    documents: newest.length,
    inHighestChunk: share((values) => compareKeys(values, boundOf(highestChunkMin)) >= 0),
    inLowestChunk: share((values) => compareKeys(values, boundOf(lowestChunkMax)) < 0),
  };
}
