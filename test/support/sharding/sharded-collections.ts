import type { Document, ObjectId } from 'mongodb';
import { inconsistentIndexes } from '../../../checks/inconsistent-indexes.js';
import { jumboChunk } from '../../../checks/jumbo-chunk.js';
import { lowCardinalityShardKey } from '../../../checks/low-cardinality-shard-key.js';
import { monotonicShardKey } from '../../../checks/monotonic-shard-key.js';
import { unbalancedChunks } from '../../../checks/unbalanced-chunks.js';
import { SeededRandom } from '../../../src/demo/seeded-random.js';
import type { Finding } from '../../../src/finding.js';
import { lint, type LintOptions } from '../../../src/lint/lint.js';
import { databaseOf, nameOf } from '../../../src/namespace.js';
import type { Report } from '../../../src/report/report.js';
import { DAY_MS, objectId, type Birth } from './key-kinds.js';
import type { ShardedCluster } from './sharded-cluster.js';

/** The checks of sharded collections. */
export const SHARDING_CHECKS = [
  monotonicShardKey,
  lowCardinalityShardKey,
  jumboChunk,
  unbalancedChunks,
  inconsistentIndexes,
];

/** Documents of a collection unless a test says otherwise. */
export const DOCUMENTS = 600;
const SPAN_MS = 90 * DAY_MS;

/** What `grown` makes. */
export interface Growth {
  readonly documents?: number;
  readonly idOf?: (birth: Birth) => unknown;
}

/** Documents that were inserted evenly over the last 90 days, in their order; as their `_id`s say, unless told otherwise. */
export function grown(
  make: (birth: Birth) => Document,
  { documents = DOCUMENTS, idOf = objectId }: Growth = {},
): Document[] {
  const random = new SeededRandom(7);
  const start = Date.now() - SPAN_MS;
  return Array.from({ length: documents }, (_, index) => {
    const birth = { time: start + (index / documents) * SPAN_MS, index, random };
    return { _id: idOf(birth), ...make(birth) };
  });
}

/** Inserts, shards, and by a real migration moves the upper half of a ranged key space to the other shard. */
export async function plantSharded(
  { client, shardCollection, split, moveRange }: ShardedCluster,
  namespace: string,
  documents: readonly Document[],
  key: Document,
): Promise<void> {
  const collection = client.db(databaseOf(namespace)).collection(nameOf(namespace));
  await collection.insertMany([...documents] as { _id: ObjectId }[]);
  await shardCollection(namespace, key);
  if (Object.values(key).includes('hashed')) return;
  const fields = Object.keys(key);
  const order = Object.fromEntries(fields.map((field) => [field, 1 as const]));
  const [middle] = await collection
    .aggregate([{ $sort: order }, { $skip: documents.length / 2 }, { $limit: 1 }])
    .toArray();
  const bound = Object.fromEntries(fields.map((field) => [field, middle?.[field]]));
  await split(namespace, bound);
  await moveRange(namespace, bound, 'sh2');
}

/** Lints namespaces for what concerns their shards. */
export function lintSharding(
  { uri }: ShardedCluster,
  include: string,
  options: Partial<LintOptions> = {},
): Promise<Report> {
  return lint({ uri, include: [include], checks: SHARDING_CHECKS, ...options });
}

/** The findings on one collection. */
export function findingsOn({ findings }: Report, namespace: string): Finding[] {
  return findings.filter((finding) => finding.namespace === namespace);
}
