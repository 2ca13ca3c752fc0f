import { type Document, Timestamp } from 'mongodb';
import { figureIn, neededDocument } from '../connect/answer.js';
import type { ClusterReader } from '../connect/cluster-reader.js';
import { absentBecause } from '../connect/server-error.js';
import { isBefore } from '../connect/server-version.js';
import { type Evidence, present } from '../presence.js';
import { compareTexts } from '../text/compare-texts.js';

export interface Shard {
  readonly name: string;
  /** Zones whose ranges it may hold. */
  readonly zones: readonly string[];
  readonly draining: boolean;
  /** When it joined the cluster, in ms since 1970; null before 5.0, which does not record it. */
  readonly joinedAt: number | null;
}

export interface Balancer {
  readonly enabled: boolean;
  /** The only time of day when it works, as "23:00"; null for always. */
  readonly window: { readonly start: string; readonly stop: string } | null;
  /** What it balances: bytes since 6.0.3, chunks before. Source: MongoDB manual, "Sharded Cluster Balancer". */
  readonly evensOut: 'bytes' | 'chunks';
}

export interface ShardedCluster {
  readonly version: string;
  readonly shards: readonly Shard[];
  readonly balancer: Balancer;
}

export interface CollectionSharding {
  readonly key: ShardKey;
  readonly unique: boolean;
  /** Selects its documents in config.chunks: by `uuid`, or before 5.0 by `ns`. */
  readonly chunkFilter: Document;
  /** Above them the server splits or moves a chunk. */
  readonly chunkBytes: number;
  readonly balanced: boolean;
  /** Zones that ranges of this collection are bound to. */
  readonly zones: readonly string[];
  readonly cluster: ShardedCluster;
}

export type ShardedCollections = ReadonlyMap<string, CollectionSharding>;

const MB = 1024 * 1024;

/** Default sizes of a chunk. Source: MongoDB manual, "Modify Range Size in a Sharded Cluster". */
const CHUNK_BYTES = 128 * MB;
const CHUNK_BYTES_BEFORE_5_2 = 64 * MB;

/** Four commands for the whole cluster, however many chunks: the server aggregates the zones' ranges. */
export async function readShardedCollections(
  reader: ClusterReader,
  version: string,
): Promise<Evidence<{ readonly shards: readonly Shard[]; readonly collections: ShardedCollections }>> {
  const read = (collection: string, pipeline: Document[]) =>
    reader.aggregate<Document>('config', collection, pipeline).toArray();
  try {
    const [shards, settings, zoned, collections] = await Promise.all([
      read('shards', [{ $project: { tags: 1, draining: 1, topologyTime: 1 } }]),
      read('settings', [{ $match: { _id: { $in: ['balancer', 'chunksize'] } } }]),
      read('tags', [{ $group: { _id: '$ns', zones: { $addToSet: '$tag' } } }]),
      // Before 5.0 a dropped collection stays on record. From 8.0 on, so does an unsharded one, with the key { _id: 1 }.
      read('collections', [
        { $match: { dropped: { $ne: true }, unsplittable: { $ne: true }, key: { $exists: true } } },
      ]),
    ]);
    const setting = (id: string) => settings.find(({ _id }) => _id === id) ?? {};
    const cluster: ShardedCluster = {
      version,
      shards: shards.map(shardOf).sort((a, b) => compareTexts(a.name, b.name)),
      balancer: balancerOf(setting('balancer'), version),
    };
    const chunkBytes = chunkBytesOf(setting('chunksize'), version);
    const zonesOf = (namespace: string): string[] => zoned.find(({ _id }) => _id === namespace)?.['zones'] ?? [];
    return present({
      shards: cluster.shards,
      collections: new Map(
        collections.map((description) => {
          const namespace = String(description['_id']);
          return [namespace, shardingOf(description, cluster, chunkBytes, zonesOf(namespace))];
        }),
      ),
    });
  } catch (error) {
    return absentBecause(
      error,
      'reading how collections are sharded',
      'find on the config database, as in the role clusterMonitor',
    );
  }
}

function shardOf(description: Document): Shard {
  return {
    name: String(description['_id']),
    zones: [...(description['tags'] ?? [])].map(String).sort(),
    draining: description['draining'] === true,
    joinedAt: description['topologyTime'] instanceof Timestamp ? timestampTime(description['topologyTime']) : null,
  };
}

/** In ms since 1970. */
export function timestampTime(timestamp: Timestamp): number {
  return timestamp.getHighBitsUnsigned() * 1_000;
}

function balancerOf({ stopped, mode, activeWindow }: Document, version: string): Balancer {
  return {
    enabled: stopped !== true && mode !== 'off',
    window: activeWindow === undefined ? null : { start: String(activeWindow.start), stop: String(activeWindow.stop) },
    evensOut: isBefore(version, '6.0.3') ? 'chunks' : 'bytes',
  };
}

function chunkBytesOf({ value }: Document, version: string): number {
  const size = figureIn({ value }, 'value');
  return size === null ? defaultChunkBytes(version) : size * MB;
}

export function defaultChunkBytes(version: string): number {
  return isBefore(version, '5.2.0') ? CHUNK_BYTES_BEFORE_5_2 : CHUNK_BYTES;
}

function shardingOf(
  description: Document,
  cluster: ShardedCluster,
  chunkBytes: number,
  zones: readonly string[],
): CollectionSharding {
  // From 5.0 on, collections carry the timestamp of their sharding, and chunks the collection's UUID.
  const byUuid = description['timestamp'] !== undefined;
  return {
    key: shardKeyOf(neededDocument('config.collections', description, 'key')),
    unique: description['unique'] === true,
    chunkFilter: byUuid ? { uuid: description['uuid'] } : { ns: description['_id'] },
    chunkBytes: figureIn(description, 'maxChunkSizeBytes') ?? chunkBytes,
    balanced: description['noBalance'] !== true,
    zones: [...zones].map(String).sort(),
    cluster,
  };
}

export interface ShardKeyField {
  /** Dotted path. */
  readonly path: string;
  /** False if documents are placed by the order of the field. */
  readonly hashed: boolean;
}

export type ShardKey = readonly ShardKeyField[];

/** From a pattern as the server writes it: `{ tenant: 1, _id: "hashed" }`. */
export function shardKeyOf(pattern: Document): ShardKey {
  return Object.entries(pattern).map(([path, order]) => ({ path, hashed: order === 'hashed' }));
}

export function keyPattern(key: ShardKey): Record<string, 1 | 'hashed'> {
  return Object.fromEntries(key.map(({ path, hashed }) => [path, hashed ? 'hashed' : 1]));
}

/** For people: `{ tenant: 1, _id: "hashed" }`. */
export function formatShardKey(key: ShardKey): string {
  const fields = key.map(({ path, hashed }) => {
    const name = /^[A-Za-z_$][\w$]*$/.test(path) ? path : JSON.stringify(path);
    return `${name}: ${hashed ? '"hashed"' : 1}`;
  });
  return `{ ${fields.join(', ')} }`;
}

export function isKeyPrefix(prefix: ShardKey, key: ShardKey): boolean {
  return prefix.every(({ path, hashed }, index) => key[index]?.path === path && key[index]?.hashed === hashed);
}
