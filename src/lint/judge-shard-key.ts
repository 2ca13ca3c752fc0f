import { connect } from '../connect/connect.js';
import { readIndexes } from '../evidence/indexes.js';
import { readChunks } from '../evidence/sharding/chunks.js';
import type { KeyPlacement } from '../evidence/sharding/insertion-order.js';
import { readShardKey } from '../evidence/sharding/shard-key-evidence.js';
import { takeInventory, type Inventory } from '../inventory/inventory.js';
import { defaultChunkBytes } from '../inventory/sharding.js';
import type { ShardKey } from '../inventory/sharding.js';
import { knownSizes, readStorage } from '../inventory/storage.js';
import { candidateKeyVerdict, type CandidateKeyVerdict } from '../judgement/shard-keys/candidate-key.js';
import { keyTargeting } from '../judgement/shard-keys/targeting.js';
import { LintError } from '../lint-error.js';
import type { Absent } from '../presence.js';
import { collectWorkload } from '../workload/collect-workload.js';
import { collectOptions, connectOptions, type ReadingOptions } from './reading-options.js';

export interface CandidateKeyOptions extends ReadingOptions {
  readonly namespace: string;
  readonly key: ShardKey;
  /** Shards that the cluster is to have; if absent, those that it has, or else two. */
  readonly shards?: number;
}

/** Shards that are assumed if there are none yet: the fewest over which documents can be spread. */
const ASSUMED_SHARDS = 2;

/**
 * Judges a key on a collection's documents before anybody shards by it.
 *
 * @throws LintError if the collection can't be sharded, or can't be read
 */
export async function judgeCandidateKey(options: CandidateKeyOptions): Promise<CandidateKeyVerdict> {
  const { namespace, key } = options;
  const { bounds, concurrency, logFiles } = collectOptions(options);
  const { reader, cluster, close } = await connect(connectOptions(options));
  try {
    const inventory = await takeInventory(reader, (each) => each === namespace, concurrency, cluster);
    const collection = shardable(inventory, namespace);
    const storage = await readStorage(reader, collection);
    if (!storage.present) throw unreadable(storage);
    const sizes = knownSizes(storage.value);
    if (sizes === null)
      throw new LintError(`The key can't be judged: the server does not report the sizes of ${namespace}.`);
    const indexes = await readIndexes(reader, collection);
    if (!indexes.present) throw unreadable(indexes);
    const { sharding } = collection;
    const chunks = sharding === undefined ? null : await readChunks(reader, collection, sharding, storage);
    const placement: KeyPlacement =
      sharding === undefined || chunks?.present !== true
        ? null
        : { key: sharding.key, chunkFilter: sharding.chunkFilter, chunks: chunks.value };
    const evidence = await readShardKey(reader, collection, key, cluster.version, sizes, bounds.sample, placement);
    if (!evidence.present) throw unreadable(evidence);
    const workload = await collectWorkload(reader, {
      databases: [collection.database],
      collections: inventory.known,
      logFiles,
    });
    return candidateKeyVerdict(key, evidence.value, keyTargeting(workload.operations, namespace, key), {
      namespace,
      documents: sizes.count,
      bytes: sizes.size,
      shards: options.shards ?? sharding?.cluster.shards.length ?? ASSUMED_SHARDS,
      chunkBytes: sharding?.chunkBytes ?? defaultChunkBytes(cluster.version),
      indexes: indexes.value,
      ...(sharding !== undefined && { currentKey: sharding.key }),
    });
  } finally {
    await close();
  }
}

function shardable({ collections, unlisted }: Inventory, namespace: string): Inventory['collections'][number] {
  const [collection] = collections;
  if (collection === undefined) {
    const why = unlisted[0]?.absent.detail ?? 'write it as database.collection, with the database first.';
    throw new LintError(`The user can see no collection ${namespace}: ${why}`);
  }
  if (collection.kind === 'view')
    throw new LintError(`${namespace} is a view: judge the key on the collection that it reads.`);
  if (collection.kind === 'timeseries') {
    throw new LintError(
      `${namespace} is a time-series collection: the server shapes its buckets; shard it by its metaField.`,
    );
  }
  return collection;
}

function unreadable({ detail }: Absent): LintError {
  return new LintError(`The key can't be judged: ${detail}`);
}
