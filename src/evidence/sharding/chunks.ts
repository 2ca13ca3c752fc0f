import { Timestamp, type Document } from 'mongodb';
import { z } from 'zod';
import { neededFigure } from '../../connect/answer.js';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import { absentBecause } from '../../connect/server-error.js';
import type { Collection } from '../../inventory/collection.js';
import { timestampTime, type CollectionSharding, type Shard } from '../../inventory/sharding.js';
import type { StorageStatistics } from '../../inventory/storage.js';
import type { Plain } from '../../plain.js';
import { present, type Evidence } from '../../presence.js';

/** What one shard has of a collection. Ages in ms. */
export const shardPartSchema = z.strictObject({
  shard: z.string(),
  /** Zones whose ranges it may hold. */
  zones: z.array(z.string()),
  draining: z.boolean(),
  /** Since it joined the cluster; null before 5.0, which does not record it. */
  age: z.number().nullable(),
  chunks: z.number(),
  /** Chunks that the balancer could not move and has given up on. */
  jumboChunks: z.number(),
  /** Since the first and the last of its chunks came here by sharding or migration; null if it has none. */
  firstArrivalAge: z.number().nullable(),
  lastArrivalAge: z.number().nullable(),
  /** BSON bytes of the documents that it owns, from `$collStats`; null if the sizes could not be read. */
  bytes: z.number().nullable(),
  documents: z.number().nullable(),
  /** Documents that it holds although another shard owns them. */
  orphans: z.number().nullable(),
});

export type ShardPart = Plain<typeof shardPartSchema>;

/** The evidence `sharding`: how a sharded collection is spread over the cluster. */
export const shardingSchema = z.strictObject({
  chunks: z.number(),
  jumboChunks: z.number(),
  /** Every shard of the cluster by name, even without a part of the collection. */
  parts: z.array(shardPartSchema),
  /** The shard of the chunk that begins at MinKey. */
  lowestChunkShard: z.string().nullable(),
  /** The shard of the chunk that ends at MaxKey. */
  highestChunkShard: z.string().nullable(),
});

export type ShardingEvidence = Plain<typeof shardingSchema>;

export interface ReadChunks {
  readonly evidence: ShardingEvidence;
  /** In the key's field order; null if there is no chunk. */
  readonly lowestChunkMax: Document | null;
  readonly highestChunkMin: Document | null;
}

// One command on the config server: it returns one document for each shard, and one for each end of the key space.
export async function readChunks(
  reader: ClusterReader,
  { namespace }: Collection,
  { chunkFilter, cluster }: CollectionSharding,
  storage: Evidence<StorageStatistics>,
): Promise<Evidence<ReadChunks>> {
  try {
    const answers = await reader.aggregate<Document>('config', 'chunks', chunksPipeline(chunkFilter)).toArray();
    const [lowest, highest] = ['lowest', 'highest'].map((end) => answers.find((answer) => answer['end'] === end));
    const byShard = new Map(
      answers.filter(({ end }) => end === undefined).map((answer) => [String(answer['_id']), answer]),
    );
    const parts = cluster.shards.map((shard) => partOf(shard, byShard.get(shard.name), storage));
    const total = (of: (part: ShardPart) => number) => parts.reduce((sum, part) => sum + of(part), 0);
    return present({
      evidence: {
        chunks: total(({ chunks }) => chunks),
        jumboChunks: total(({ jumboChunks }) => jumboChunks),
        parts,
        lowestChunkShard: lowest === undefined ? null : String(lowest['shard']),
        highestChunkShard: highest === undefined ? null : String(highest['shard']),
      },
      lowestChunkMax: lowest?.['max'] ?? null,
      highestChunkMin: highest?.['min'] ?? null,
    });
  } catch (error) {
    return absentBecause(
      error,
      `reading the chunks of ${namespace}`,
      'find on config.chunks, as in the role clusterMonitor',
    );
  }
}

function chunksPipeline(chunkFilter: Document): Document[] {
  const end = (name: string, order: 1 | -1): Document => ({
    $unionWith: {
      coll: 'chunks',
      pipeline: [
        { $match: chunkFilter },
        { $sort: { min: order } },
        { $limit: 1 },
        { $project: { _id: 0, end: { $literal: name }, shard: 1, min: 1, max: 1 } },
      ],
    },
  });
  return [
    { $match: chunkFilter },
    {
      $group: {
        _id: '$shard',
        chunks: { $sum: 1 },
        jumbo: { $sum: { $cond: [{ $eq: ['$jumbo', true] }, 1, 0] } },
        // The newest entry of a chunk's history comes first.
        firstArrival: { $min: { $arrayElemAt: ['$history.validAfter', 0] } },
        lastArrival: { $max: { $arrayElemAt: ['$history.validAfter', 0] } },
      },
    },
    end('lowest', 1),
    end('highest', -1),
  ];
}

const NO_PART = { count: 0, size: 0, orphans: 0 };
const UNKNOWN_PART = { count: null, size: null, orphans: null };

function partOf(shard: Shard, chunks: Document | undefined, storage: Evidence<StorageStatistics>): ShardPart {
  const sizes = storage.present ? storage.value.byShard?.find((each) => each.shard === shard.name) : undefined;
  const isKnown = storage.present && storage.value.byShard !== undefined;
  const { count, size, orphans } = isKnown ? (sizes ?? NO_PART) : UNKNOWN_PART;
  const documents = count === null ? null : Math.max(0, count - (orphans ?? 0));
  return {
    shard: shard.name,
    zones: shard.zones,
    draining: shard.draining,
    age: shard.joinedAt === null ? null : ageOf(shard.joinedAt),
    // Grouped by shard: one without chunks is not among the groups.
    chunks: chunks === undefined ? 0 : neededFigure('config.chunks', chunks, 'chunks'),
    jumboChunks: chunks === undefined ? 0 : neededFigure('config.chunks', chunks, 'jumbo'),
    firstArrivalAge: arrivalAge(chunks?.['firstArrival']),
    lastArrivalAge: arrivalAge(chunks?.['lastArrival']),
    // The server counts orphans but does not measure them: they are taken to be of mean size.
    bytes: documents === null || size === null ? null : count === 0 ? 0 : Math.round((size * documents) / (count ?? 1)),
    documents,
    orphans,
  };
}

function arrivalAge(validAfter: unknown): number | null {
  return validAfter instanceof Timestamp ? ageOf(timestampTime(validAfter)) : null;
}

/** The servers' clocks may be ahead of this machine's. */
function ageOf(time: number): number {
  return Math.max(0, Date.now() - time);
}
