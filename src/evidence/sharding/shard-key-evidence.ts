import { type Document, MongoServerError } from 'mongodb';
import { z } from 'zod';
import { figureIn, neededFigure, numberIn } from '../../connect/answer.js';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import { absentBecause } from '../../connect/server-error.js';
import { isBefore } from '../../connect/server-version.js';
import type { Collection } from '../../inventory/collection.js';
import { formatShardKey, isKeyPrefix, keyPattern, type ShardKey } from '../../inventory/sharding.js';
import type { KnownSizes } from '../../inventory/storage.js';
import { shellCollection } from '../../namespace.js';
import type { Plain } from '../../plain.js';
import { evidenceSchema } from '../../presence-schema.js';
import { absent, type Absent, derived, type Evidence, present } from '../../presence.js';
import { bsonIdentity, compareKeys } from '../../profile/bson-order.js';
import type { SampleBounds } from '../../profile/sampling/sample-plan.js';
import type { ReadChunks } from './chunks.js';
import { keyOrderSchema, type KeyPlacement, readKeyOrder } from './insertion-order.js';
import { type FieldOrder, fieldOrders, fieldOrderSchema, valueSpread, valueSpreadSchema } from './key-order.js';
import { type SampledKey, sampleKeys } from './key-sample.js';
import { commonKind, kindAndTime } from './value-kind.js';

/** Since this version the server has the command. Source: MongoDB manual, "analyzeShardKey". */
const SINCE = '7.0.0';

/** What 7.0.28 answers for a key without a supporting index (measured). */
const ILLEGAL_OPERATION = 20;

const COMMAND = 'analyzeShardKey';

/** Its default is 10 million. */
const SAMPLE_SIZE = 10_000;

/** What `analyzeShardKey` says of a key, without the values that it quotes. */
export const shardKeyAnalysisSchema = z.strictObject({
  documentsSampled: z.number(),
  distinctValues: z.number(),
  unique: z.boolean(),
  /** The share of the sampled documents that have the most common value, 0 to 1; null if the server gave none. */
  mostCommonShare: z.number().nullable(),
  monotonicity: z.enum(['monotonic', 'not monotonic', 'unknown']),
  /** Pearson's, of the place in the index with the RecordId; null if unknown. */
  correlation: z.number().nullable(),
});

export type ShardKeyAnalysis = Plain<typeof shardKeyAnalysisSchema>;

/** In which chunks the last inserted documents are. */
export const newestDocumentsSchema = z.strictObject({
  documents: z.number(),
  /** Share in the chunk that ends at MaxKey, 0 to 1. */
  inHighestChunk: z.number(),
  /** Share in the chunk that begins at MinKey, 0 to 1. */
  inLowestChunk: z.number(),
});

export type NewestDocuments = Plain<typeof newestDocumentsSchema>;

/** A field that might lead a better shard key. */
const candidateFieldSchema = z.strictObject({
  order: fieldOrderSchema,
  /** The share of the documents that have the most frequent value, 0 to 1. */
  mostCommonShare: z.number(),
});

export type CandidateField = Plain<typeof candidateFieldSchema>;

/** The evidence `shardKey`: what the documents say of a shard key. Figures alone, no values. */
export const shardKeySchema = z.strictObject({
  order: evidenceSchema(keyOrderSchema),
  /** How many values the whole key has, and how evenly documents are spread over them. */
  values: valueSpreadSchema,
  /** Share of the documents in which the leading field is missing or null, 0 to 1. */
  missingShare: z.number(),
  /** Share of the documents with an array in a field of the key, which a shard key can't have, 0 to 1. */
  arrayShare: z.number(),
  /** Null if it is unknown which documents are the newest, or the key is hashed. */
  newest: newestDocumentsSchema.nullable(),
  /** Other fields that every sampled document has, as parts of a better key. */
  candidates: z.array(candidateFieldSchema),
  /** What the server itself says of the key, if it can. */
  analysis: evidenceSchema(shardKeyAnalysisSchema),
});

export type ShardKeyEvidence = Plain<typeof shardKeySchema>;

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
  const isPresentKey = placement !== null && isKeyPrefix(placement.key, key) && placement.key.length === key.length;
  const order = await readKeyOrder(reader, collection, key, documents, placement);
  // UUIDs of version 1 carry their time, but are not sorted by it.
  const idKind = commonKind(documents.map(({ id }) => kindAndTime(id).kind));
  const isSortedByTime = order.present && order.value.order.insertionOrder === 'idTime' && idKind !== 'uuidV1';
  try {
    return present({
      order: derived(order, (read) => read.order),
      values: valueSpread(
        documents.map(({ values }) => values.map(bsonIdentity).join('\n')),
        complete,
      ),
      missingShare: documents.filter(({ values }) => (values[0] ?? null) === null).length / documents.length,
      arrayShare: documents.filter(({ values }) => values.some(Array.isArray)).length / documents.length,
      newest: isPresentKey && isSortedByTime ? await readNewest(reader, collection, key, placement.chunks) : null,
      candidates: order.present ? candidateFields(documents, order.value.inserted) : [],
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

// To analyze reads and writes, the server would write split points into its config database.
export async function readShardKeyAnalysis(
  reader: ClusterReader,
  { namespace }: Collection,
  key: ShardKey,
  version: string,
): Promise<Evidence<ShardKeyAnalysis>> {
  if (isBefore(version, SINCE))
    return absent('unsupported', `analyzeShardKey on ${namespace}: MongoDB ${version} does not have it.`);
  try {
    const answer = await reader.command('admin', {
      analyzeShardKey: namespace,
      key: keyPattern(key),
      keyCharacteristics: true,
      readWriteDistribution: false,
      sampleSize: SAMPLE_SIZE,
    });
    return shardKeyAnalysis(answer) ?? withoutIndex(namespace, key);
  } catch (error) {
    if (error instanceof MongoServerError && error.code === ILLEGAL_OPERATION) return withoutIndex(namespace, key);
    return absentBecause(error, `analyzeShardKey on ${namespace}`, `analyzeShardKey on ${namespace}`);
  }
}

function withoutIndex(namespace: string, key: ShardKey): Absent {
  const index = formatShardKey(key);
  return absent(
    'insufficient',
    `analyzeShardKey on ${namespace}: no index supports the key. To have it analyzed, run ${shellCollection(namespace)}.createIndex(${index}) and then mongolint again; the build reads every document.`,
  );
}

// Null without characteristics, as for a key that no index supports. Shape: MongoDB manual, for 7.0 and 8.0.
export function shardKeyAnalysis(answer: Document): Evidence<ShardKeyAnalysis> | null {
  const characteristics: Document | undefined = answer['keyCharacteristics'];
  if (characteristics === undefined || characteristics['numDistinctValues'] === undefined) return null;
  const documentsSampled =
    figureIn(characteristics, 'numDocsSampled') ?? neededFigure(COMMAND, characteristics, 'numDocsTotal');
  // Without an index to read them from, it gives none.
  const frequencies = ((characteristics['mostCommonValues'] ?? []) as Document[]).map((common) =>
    neededFigure(COMMAND, common, 'frequency'),
  );
  const { type, recordIdCorrelationCoefficient }: Document = characteristics['monotonicity'] ?? {};
  return present({
    documentsSampled,
    distinctValues: neededFigure(COMMAND, characteristics, 'numDistinctValues'),
    unique: characteristics['isUnique'] === true,
    mostCommonShare:
      frequencies.length === 0 || documentsSampled === 0 ? null : Math.max(...frequencies) / documentsSampled,
    monotonicity: type === 'monotonic' || type === 'not monotonic' ? type : 'unknown',
    correlation: numberIn({ recordIdCorrelationCoefficient }, 'recordIdCorrelationCoefficient'),
  });
}

/** @param inserted time or position of each document's insertion; null if it is unknown */
function candidateFields(
  documents: readonly Pick<SampledKey, 'fields'>[],
  inserted: readonly (number | null)[] | null,
): CandidateField[] {
  const rows = documents.flatMap(({ fields }, index) => {
    const at = inserted?.[index] ?? null;
    return at === null ? [] : [{ inserted: at, fields }];
  });
  const [first] = rows;
  if (first === undefined) return [];
  const names = Object.keys(first.fields).filter((name) => rows.every(({ fields }) => (fields[name] ?? null) !== null));
  return names.map((path) => {
    const values = rows.map((row) => ({ inserted: row.inserted, values: [row.fields[path]], group: '' }));
    const [order] = fieldOrders([{ path, hashed: false }], values);
    const { mostCommonShare } = valueSpread(
      rows.map(({ fields }) => bsonIdentity(fields[path])),
      false,
    );
    return { order: order as FieldOrder, mostCommonShare };
  });
}
