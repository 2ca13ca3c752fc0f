import type { Document } from 'mongodb';
import { z } from 'zod';
import { AnswerShapeError, documentIn, figureIfAny, figuresIn, textIn } from '../connect/answer.js';
import type { ClusterReader } from '../connect/cluster-reader.js';
import { absentBecause } from '../connect/server-error.js';
import { ofKind } from '../names.js';
import { figureSchema, type Plain } from '../plain.js';
import { present, type Evidence } from '../presence.js';
import type { Collection } from './collection.js';
import type { GroupedStatistics, StatisticsStages } from './groups/grouped-statistics.js';

/** The part of a collection that one shard holds, orphans included. */
export const shardStorageSchema = z.strictObject({
  shard: z.string(),
  count: figureSchema.nullable(),
  size: figureSchema.nullable(),
  orphans: figureSchema.nullable(),
  /** Absent if unknown. */
  storageSize: figureSchema.exactOptional(),
  freeStorageSize: figureSchema.exactOptional(),
});

export type ShardStorage = Plain<typeof shardStorageSchema>;

/** Sizes and counts of a collection from `$collStats`, summed over shards. What the server does not report is null, never 0. */
export const storageSchema = z.strictObject({
  /** Documents, from the collection's metadata, without known orphans; null for a time-series collection. */
  count: figureSchema.nullable(),
  /** Uncompressed BSON bytes of these documents; orphans are assumed to be of mean size. Null for other engines. */
  size: figureSchema.nullable(),
  /** `size / count` in bytes; 0 if the collection is empty. */
  averageDocumentSize: z.number().nonnegative().nullable(),
  storageSize: figureSchema.nullable(),
  totalIndexSize: figureSchema.nullable(),
  indexSizes: z.record(ofKind('index'), figureSchema).nullable(),
  /** Bytes of the collection's file that are free for its own new documents. Absent if unknown, as by older files of evidence. */
  freeStorageSize: figureSchema.exactOptional(),
  /** The same of the indexes' files by name, only those of 1 MB or more. Absent if unknown. */
  indexFreeStorageSizes: z.record(z.string(), figureSchema).exactOptional(),
  buckets: figureSchema.exactOptional(),
  /** Documents that other shards own, counted by the server; 0 if not sharded, null before 6.0. */
  orphans: figureSchema.nullable(),
  shards: figureSchema,
  /** Absent if not sharded. */
  byShard: z.array(shardStorageSchema).exactOptional(),
});

export type StorageStatistics = Plain<typeof storageSchema>;

const COMMAND = '$collStats';
const COLLSTATS = { $collStats: { storageStats: {} } };
const COUNT = 'storageStats.count';
const BUCKETS = 'timeseries.bucketCount';

const FIGURES = [
  'count',
  'size',
  'storageSize',
  'freeStorageSize',
  'totalIndexSize',
  'indexSizes',
  'numOrphanDocs',
  BUCKETS,
];
const SHAPES = Object.fromEntries(FIGURES.flatMap((name) => [name, `storageStats.${name}`]).map((name) => [name, 1]));

/** WiredTiger does not compact files of up to 1 MB. */
const LEAST_FREE_BYTES = 1024 * 1024;
const FREE_IN_FILE = 'block-manager.file bytes available for reuse';
/** Null if the server has no such details. */
const FREE_IN_INDEXES = {
  $arrayToObject: {
    $filter: {
      input: {
        $map: {
          input: { $objectToArray: '$storageStats.indexDetails' },
          in: { k: '$$this.k', v: { $ifNull: [`$$this.v.${FREE_IN_FILE}`, null] } },
        },
      },
      cond: { $or: [{ $eq: ['$$this.v', null] }, { $gte: ['$$this.v', LEAST_FREE_BYTES] }] },
    },
  },
};

/** Without the 20 KB of details that a mongod adds for each index. */
export const COLLECTION_SIZES: StatisticsStages = {
  piece: 'storage',
  stages: (added) => [COLLSTATS, { $project: { ...added, shard: 1, ...SHAPES, freeInIndexes: FREE_IN_INDEXES } }],
};

/**
 * Through mongos every shard answers, and the answers are added up.
 *
 * @param grouped the collection is asked about alone without it
 */
export async function readStorage(
  reader: ClusterReader,
  collection: Collection,
  grouped?: GroupedStatistics,
): Promise<Evidence<StorageStatistics>> {
  const { database, name, namespace } = collection;
  try {
    const isMongoDB = reader.capabilities.engine.name === 'MongoDB';
    // FerretDB 1.24.2 breaks the connection if a stage follows this one.
    const pipeline = isMongoDB ? COLLECTION_SIZES.stages({}) : [COLLSTATS];
    const answers =
      (await grouped?.of(reader, collection, COLLECTION_SIZES)) ??
      (await reader.aggregate<Document>(database, name, pipeline).toArray());
    return present(storageFrom(answers, isMongoDB));
  } catch (error) {
    return absentBecause(error, `reading the sizes of ${namespace}`, `collStats on ${namespace}`);
  }
}

/** @throws AnswerShapeError if MongoDB would answer something else */
export function storageFrom(answers: readonly Document[], isMongoDB: boolean): StorageStatistics {
  return summed(answers.map((answer) => partOf(answer, isMongoDB)));
}

interface Part extends Omit<ShardStorage, 'shard' | 'storageSize' | 'freeStorageSize'> {
  readonly shard: string | null;
  readonly storageSize: number | null;
  readonly freeStorageSize: number | null;
  readonly indexFreeStorageSizes: Readonly<Record<string, number>> | null;
  readonly totalIndexSize: number | null;
  readonly indexSizes: Readonly<Record<string, number>> | null;
  readonly buckets: number | null;
}

function partOf(answer: Document, isMongoDB: boolean): Part {
  const nested = documentIn(answer, 'storageStats');
  const stats = nested ?? answer;
  const figure = (name: string) => figureIfAny(COMMAND, { storageStats: stats }, `storageStats.${name}`);
  const [count, buckets] = [figure('count'), figure(BUCKETS)];
  if (count === null && buckets === null) throw new AnswerShapeError(COMMAND, COUNT);
  const shard = textIn(answer, 'shard');
  return {
    shard,
    count: buckets === null ? count : null,
    buckets,
    size: isMongoDB && nested !== null ? figure('size') : null,
    storageSize: figure('storageSize'),
    freeStorageSize: figure('freeStorageSize'),
    indexFreeStorageSizes: wholeFigures(answer, 'freeInIndexes'),
    totalIndexSize: figure('totalIndexSize'),
    indexSizes: wholeFigures(stats, 'indexSizes'),
    orphans: shard === null ? 0 : figure('numOrphanDocs'),
  };
}

function summed(parts: readonly Part[]): StorageStatistics {
  if (parts.length === 0) throw new AnswerShapeError(COMMAND, COUNT);
  const owned = parts.map(ownedBy);
  const [count, size] = [sum(owned.map((part) => part.count)), sum(owned.map((part) => part.size))];
  const buckets = sum(parts.map((part) => part.buckets));
  const byShard = parts.flatMap(({ shard, ...part }) => (shard === null ? [] : [shardStorage(shard, part)]));
  const free = sum(parts.map((part) => part.freeStorageSize));
  const freeInIndexes = summedByName(parts.map((part) => part.indexFreeStorageSizes));
  return {
    count,
    size,
    averageDocumentSize: count === null || size === null ? null : count === 0 ? 0 : size / count,
    storageSize: sum(parts.map((part) => part.storageSize)),
    totalIndexSize: sum(parts.map((part) => part.totalIndexSize)),
    indexSizes: summedByName(parts.map((part) => part.indexSizes)),
    orphans: sum(parts.map((part) => part.orphans)),
    shards: byShard.length,
    ...(free !== null && { freeStorageSize: free }),
    ...(freeInIndexes !== null && { indexFreeStorageSizes: freeInIndexes }),
    ...(buckets !== null && { buckets }),
    ...(byShard.length > 0 && { byShard }),
  };
}

function shardStorage(shard: string, part: Omit<Part, 'shard'>): ShardStorage {
  const { count, size, orphans, storageSize, freeStorageSize } = part;
  return {
    shard,
    count,
    size,
    orphans,
    ...(storageSize !== null && { storageSize }),
    ...(freeStorageSize !== null && { freeStorageSize }),
  };
}

function wholeFigures(answer: Document, path: string): Readonly<Record<string, number>> | null {
  const figures = figuresIn(answer, path);
  const all = Object.keys(documentIn(answer, path) ?? {}).length;
  return figures === null || Object.keys(figures).length < all ? null : figures;
}

function sum(figures: readonly (number | null)[]): number | null {
  return figures.reduce((total, figure) => (total === null || figure === null ? null : total + figure), 0);
}

function summedByName(all: readonly (Readonly<Record<string, number>> | null)[]): Record<string, number> | null {
  const total = new Map<string, number>();
  for (const figures of all) {
    if (figures === null) return null;
    for (const [name, bytes] of Object.entries(figures)) total.set(name, (total.get(name) ?? 0) + bytes);
  }
  return Object.fromEntries(total);
}

function ownedBy({ count, size, orphans: known }: Part): Pick<Part, 'count' | 'size'> {
  if (count === null || known === null || known === 0) return { count, size };
  const orphans = Math.min(count, known);
  return { count: count - orphans, size: size === null ? null : Math.round(size * (1 - orphans / count)) };
}

export interface KnownSizes {
  readonly count: number;
  readonly size: number;
  readonly averageDocumentSize: number;
}

/** Null if one is unknown: of a time-series collection, and on other engines than MongoDB. */
export function knownSizes({ count, size, averageDocumentSize }: StorageStatistics): KnownSizes | null {
  if (count === null || size === null || averageDocumentSize === null) return null;
  return { count, size, averageDocumentSize };
}
