import {
  BSON,
  MaxKey,
  MinKey,
  MongoClient,
  ObjectId,
  Timestamp,
  UUID,
  type CommandSucceededEvent,
  type Document,
} from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Connection } from '../../../src/connect/connect.js';
import type { EmbeddedMongod } from '../../../src/demo/embedded-mongod/embedded-mongod.js';
import { readChunks } from '../../../src/evidence/sharding/chunks.js';
import type { Collection } from '../../../src/inventory/collection.js';
import {
  readShardedCollections,
  type CollectionSharding,
  type ShardedCollections,
} from '../../../src/inventory/sharding.js';
import { present } from '../../../src/presence.js';
import { startStandalone } from '../../support/servers.js';

const MB = 1024 * 1024;
const HOUR_MS = 3_600_000;
/** Chunks of the largest collection, and its shards. */
const MANY_CHUNKS = 100_000;
const SHARDS = 20;
const BATCH = 25_000;

/** Statistics of a collection of which one shard holds 10 documents of which 4 are orphans, and another one 5. */
const storage = present({
  count: 11,
  size: 1_100,
  averageDocumentSize: 100,
  storageSize: 4_096,
  totalIndexSize: 4_096,
  indexSizes: {},
  orphans: 4,
  shards: 2,
  byShard: [
    { shard: 'shard00', count: 10, size: 1_000, orphans: 4 },
    { shard: 'shard01', count: 5, size: 500, orphans: 0 },
  ],
});

const bound = (index: number, fallback: unknown) =>
  index > 0 && index < MANY_CHUNKS ? { a: index, b: 'x' } : { a: fallback, b: fallback };
const hoursAgo = (hours: number) => new Timestamp({ t: Math.floor((Date.now() - hours * HOUR_MS) / 1_000), i: 1 });

/** A config database made by hand, on a server that is part of no cluster: what of it is read does not ask who wrote it. */
describe('chunks, from a config database made by hand', () => {
  let server: EmbeddedMongod;
  let client: MongoClient;
  let connection: Connection;
  let sharded: ShardedCollections;
  const uuids = { many: new UUID(), few: new UUID() };
  const succeeded: CommandSucceededEvent[] = [];

  const chunksOf = async (namespace: string, cluster = sharded) => {
    const collection = { namespace } as Collection;
    const chunks = await readChunks(
      connection.reader,
      collection,
      cluster.get(namespace) as CollectionSharding,
      storage,
    );
    if (!chunks.present) throw new Error(chunks.detail);
    return chunks.value;
  };
  const shardingOf = async (version: string) => {
    const answer = await readShardedCollections(connection.reader, version);
    if (!answer.present) throw new Error(answer.detail);
    return answer.value.collections;
  };

  beforeAll(async () => {
    server = await startStandalone();
    client = new MongoClient(server.uri);
    const config = client.db('config');
    await config.collection<Document>('shards').insertMany(
      Array.from({ length: SHARDS }, (_, index): Document => ({
        _id: `shard${String(index).padStart(2, '0')}`,
        host: `shard${index}/host:27018`,
        topologyTime: hoursAgo(100),
        ...(index === 1 && { tags: ['EU', 'archive'] }),
        ...(index === 2 && { draining: true }),
      })),
    );
    await config
      .collection<Document>('settings')
      .insertMany([
        { _id: 'chunksize', value: 32 } as Document,
        { _id: 'balancer', mode: 'full', stopped: false, activeWindow: { start: '23:00', stop: '06:00' } } as Document,
      ]);
    await config
      .collection<Document>('tags')
      .insertMany(
        ['EU', 'US', 'EU'].map((tag, index) => ({ ns: 'shop.few', tag, min: { a: index }, max: { a: index + 1 } })),
      );
    await config.collection<Document>('collections').insertMany([
      { _id: 'shop.many', uuid: uuids.many, timestamp: hoursAgo(50), key: { a: 1, b: 1 }, unique: false },
      {
        _id: 'shop.few',
        uuid: uuids.few,
        timestamp: hoursAgo(50),
        key: { a: 'hashed' },
        unique: false,
        maxChunkSizeBytes: 5 * MB,
        noBalance: true,
      },
      { _id: 'shop.old', uuid: new UUID(), key: { a: 1 }, unique: true, dropped: false, lastmodEpoch: new ObjectId() },
      { _id: 'shop.gone', dropped: true, lastmodEpoch: new ObjectId() },
    ] as Document[]);
    const chunks = config.collection<Document>('chunks');
    await chunks.createIndex({ uuid: 1, min: 1 });
    await chunks.createIndex({ ns: 1, min: 1 });
    for (let first = 0; first < MANY_CHUNKS; first += BATCH) {
      await chunks.insertMany(
        Array.from({ length: BATCH }, (_, offset): Document => {
          const index = first + offset;
          return {
            uuid: uuids.many,
            min: bound(index, new MinKey()),
            max: bound(index + 1, new MaxKey()),
            shard: `shard${String(index % SHARDS).padStart(2, '0')}`,
            lastmod: new Timestamp({ t: 1, i: index }),
            history: [
              { validAfter: hoursAgo(1 + (index % 40)), shard: 'any' },
              { validAfter: hoursAgo(50), shard: 'any' },
            ],
            ...(index % 10_000 === 0 && { jumbo: true }),
          };
        }),
        { ordered: false },
      );
    }
    const ends = [new MinKey(), 5, new MaxKey()];
    await chunks.insertMany(
      [0, 1].map((index) => ({
        ns: 'shop.old',
        min: { a: ends[index] },
        max: { a: ends[index + 1] },
        shard: `shard0${index}`,
        jumbo: index === 1,
      })),
    );
    connection = await connect({ uri: server.uri, timeout: 60_000, maxTime: 600_000, concurrency: 2 }, (linting) =>
      linting.on('commandSucceeded', (event) => succeeded.push(event)),
    );
    succeeded.length = 0;
    sharded = await shardingOf('6.0.5');
  });
  afterAll(async () => {
    await connection?.close();
    await client?.close();
    await server?.stop();
  });

  it('sums up a hundred thousand chunks in five commands with small replies', async () => {
    const { evidence, lowestChunkMax, highestChunkMin } = await chunksOf('shop.many');
    expect(evidence).toMatchObject({
      chunks: MANY_CHUNKS,
      jumboChunks: 10,
      lowestChunkShard: 'shard00',
      highestChunkShard: 'shard19',
    });
    expect(evidence.parts).toHaveLength(SHARDS);
    for (const part of evidence.parts) expect(part.chunks).toBe(MANY_CHUNKS / SHARDS);
    expect(lowestChunkMax).toEqual({ a: 1, b: 'x' });
    expect(highestChunkMin).toEqual({ a: MANY_CHUNKS - 1, b: 'x' });
    // Beside them, the load control asks how the server is.
    const names = succeeded.map(({ commandName }) => commandName).filter((name) => name !== 'serverStatus');
    expect(names).toEqual(['aggregate', 'aggregate', 'aggregate', 'aggregate', 'aggregate']);
    const replies = succeeded.map(({ reply }) => BSON.calculateObjectSize(reply as Document));
    expect(Math.max(...replies)).toBeLessThan(10_000);
  });

  it('tells who joined when, what each shard owns, and what the orphans are', async () => {
    const { evidence } = await chunksOf('shop.many');
    const [first, second, third] = evidence.parts;
    expect(first).toMatchObject({
      shard: 'shard00',
      zones: [],
      draining: false,
      documents: 6,
      bytes: 600,
      orphans: 4,
      jumboChunks: 10,
    });
    expect(second).toMatchObject({ shard: 'shard01', zones: ['EU', 'archive'], documents: 5, bytes: 500, orphans: 0 });
    expect(third).toMatchObject({ shard: 'shard02', draining: true, documents: 0, bytes: 0 });
    expect(Math.round((first?.age ?? 0) / HOUR_MS)).toBe(100);
    expect([first?.lastArrivalAge, first?.firstArrivalAge].map((age) => Math.round((age ?? 0) / HOUR_MS))).toEqual([
      1, 21,
    ]);
  });

  it('finds chunks by namespace where they are of a time before 5.0', async () => {
    expect(sharded.get('shop.old')).toMatchObject({ chunkFilter: { ns: 'shop.old' }, unique: true });
    const { evidence } = await chunksOf('shop.old');
    expect(evidence).toMatchObject({
      chunks: 2,
      jumboChunks: 1,
      lowestChunkShard: 'shard00',
      highestChunkShard: 'shard01',
    });
    expect(evidence.parts[0]).toMatchObject({ chunks: 1, firstArrivalAge: null, lastArrivalAge: null });
  });

  it('reads keys, zones, chunk sizes and the balancer', () => {
    expect([...sharded.keys()].sort()).toEqual(['shop.few', 'shop.many', 'shop.old']);
    expect(sharded.get('shop.few')).toMatchObject({
      key: [{ path: 'a', hashed: true }],
      chunkBytes: 5 * MB,
      balanced: false,
      zones: ['EU', 'US'],
      cluster: { balancer: { enabled: true, window: { start: '23:00', stop: '06:00' }, evensOut: 'bytes' } },
    });
    expect(sharded.get('shop.many')).toMatchObject({ chunkBytes: 32 * MB, balanced: true, zones: [], unique: false });
  });

  it.each([
    ['4.4.29', 'chunks', 64],
    ['5.0.20', 'chunks', 64],
    ['6.0.2', 'chunks', 128],
    ['6.0.3', 'bytes', 128],
    ['8.0.4', 'bytes', 128],
  ])('knows what the balancer of %s evens out, and its chunk size', async (version, evensOut, megabytes) => {
    await client
      .db('config')
      .collection('settings')
      .updateOne({ _id: 'chunksize' as never }, { $rename: { value: 'former' } });
    const read = await shardingOf(version);
    await client
      .db('config')
      .collection('settings')
      .updateOne({ _id: 'chunksize' as never }, { $rename: { former: 'value' } });
    const collection = read.get('shop.many');
    expect(collection?.cluster.balancer.evensOut).toBe(evensOut);
    expect(collection?.chunkBytes).toBe(megabytes * MB);
  });
});
