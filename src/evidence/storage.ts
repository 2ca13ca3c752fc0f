import type { Document } from 'mongodb';
import type { ClusterReader } from '../connect/cluster-reader.js';
import { absentBecause } from '../connect/server-error.js';
import type { Collection } from '../inventory/collection.js';
import { present, type Evidence } from '../presence.js';

/** Sizes and counts of a collection from `$collStats`, summed over shards. */
export interface StorageStatistics {
  /** Documents, from the collection's metadata, without orphans. */
  readonly count: number;
  /** Uncompressed BSON bytes of these documents. The server does not measure orphans: they are assumed to be of mean size. */
  readonly size: number;
  /** `size / count` in bytes; 0 if the collection is empty. */
  readonly averageDocumentSize: number;
  /** Bytes on disk, compressed. */
  readonly storageSize: number;
  /** Bytes of all indexes on disk. */
  readonly totalIndexSize: number;
  /** Bytes per index on disk, by index name. */
  readonly indexSizes: Readonly<Record<string, number>>;
  /** Buckets of a time-series collection, whose `count` is 0: the server does not report it. */
  readonly buckets?: number;
  /** Documents that other shards own, counted by the server; 0 if not sharded. */
  readonly orphans: number;
  /** Shards that answered; 0 if not sharded. */
  readonly shards: number;
  /** Absent if not sharded. */
  readonly byShard?: readonly ShardStorage[];
}

/** The part of a collection that one shard holds, orphans included. */
export interface ShardStorage {
  readonly shard: string;
  readonly count: number;
  readonly size: number;
  readonly orphans: number;
}

// Only what is used: a mongod adds some 20 KB of storage-engine details for each collection.
const COLLSTATS_PIPELINE = [
  { $collStats: { storageStats: {} } },
  {
    $project: {
      shard: 1,
      count: '$storageStats.count',
      size: '$storageStats.size',
      storageSize: '$storageStats.storageSize',
      totalIndexSize: '$storageStats.totalIndexSize',
      indexSizes: '$storageStats.indexSizes',
      orphans: '$storageStats.numOrphanDocs',
      buckets: '$storageStats.timeseries.bucketCount',
    },
  },
];

/** Through mongos every shard answers, and the answers are added up. */
export async function readStorage(
  reader: ClusterReader,
  { database, name, namespace }: Collection,
): Promise<Evidence<StorageStatistics>> {
  try {
    const answers = await reader.aggregate<Document>(database, name, COLLSTATS_PIPELINE).toArray();
    return present(summed(answers));
  } catch (error) {
    return absentBecause(error, `reading the sizes of ${namespace}`, `collStats on ${namespace}`);
  }
}

function summed(answers: readonly Document[]): StorageStatistics {
  const total = (field: string) => answers.reduce((sum, answer) => sum + Number(answer[field] ?? 0), 0);
  const indexSizes: Record<string, number> = {};
  for (const answer of answers) {
    for (const [index, bytes] of Object.entries<number>(answer['indexSizes'] ?? {})) {
      indexSizes[index] = (indexSizes[index] ?? 0) + Number(bytes);
    }
  }
  const byShard = answers
    .filter(({ shard }) => shard !== undefined)
    .map((answer) => ({
      shard: String(answer['shard']),
      count: Number(answer['count'] ?? 0),
      size: Number(answer['size'] ?? 0),
      orphans: Number(answer['orphans'] ?? 0),
    }));
  const owned = answers.map(ownedBy);
  const count = owned.reduce((sum, part) => sum + part.count, 0);
  const size = owned.reduce((sum, part) => sum + part.size, 0);
  return {
    count,
    size,
    averageDocumentSize: count === 0 ? 0 : size / count,
    storageSize: total('storageSize'),
    totalIndexSize: total('totalIndexSize'),
    indexSizes,
    orphans: total('orphans'),
    shards: byShard.length,
    ...(answers.some(({ buckets }) => buckets !== undefined) && { buckets: total('buckets') }),
    ...(byShard.length > 0 && { byShard }),
  };
}

/** Without orphans, which their owner counts too. */
function ownedBy(answer: Document): { readonly count: number; readonly size: number } {
  const count = Number(answer['count'] ?? 0);
  const size = Number(answer['size'] ?? 0);
  const orphans = Math.min(count, Number(answer['orphans'] ?? 0));
  return { count: count - orphans, size: orphans === 0 ? size : Math.round(size * (1 - orphans / count)) };
}
