import { ObjectId, type ClientSession, type Collection, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fastGrowingArray } from '../../checks/fast-growing-array.js';
import { connect, type Connection } from '../../src/connect/connect.js';
import type { SampledWrite } from '../../src/growth/oplog-writes.js';
import { type OplogSample, readOplog, sampleOplog } from '../../src/growth/oplog.js';
import { PresentLengths } from '../../src/growth/present-lengths.js';
import type { Collection as KnownCollection } from '../../src/inventory/collection.js';
import { lint } from '../../src/lint/lint.js';
import { nameOf } from '../../src/namespace.js';
import type { Report } from '../../src/report/report.js';
import { startWithOplog, type Planted, type ServerWithOplog } from '../support/growth/hand-made-oplog.js';
import { elements, lintGrowth, times } from '../support/growth/planted-growth.js';
import { startEmbeddedServer } from '../support/mongod/embedded-server.js';
import { useServer } from '../support/server-with-client.js';
import { ROOT_USER, startReplicaSet } from '../support/servers.js';

const LIMITS = { timeout: 15_000, maxTime: 60_000, concurrency: 2 };
/** More than are read. */
const ENTRIES = 160_000;
const GROWING = ['steady appends', 'one document of a thousand', 'nightly batches', 'saved whole, four more each time'];
const OTHERS = ['slots set at random', 'queues', 'buckets of 200', 'two backfills'];

describe('an oplog of a week, of which a part is read', () => {
  let server: ServerWithOplog;
  let report: Report;
  /** Once more if a busy machine took longer than a run spends on the oplog. */
  const draw = async (): Promise<Report> => {
    const drawn = await lint({ uri: server.uri, include: ['shop.*'], checks: [fastGrowingArray] });
    return drawn.skipped.some(({ reason }) => reason === 'timeout') ? draw() : drawn;
  };
  beforeAll(async () => {
    server = await startWithOplog([...GROWING, ...OTHERS], ENTRIES);
    report = await draw();
  });
  afterAll(() => server.stop());

  const planted = (name: string) => server.planted.find((one) => one.name === name) as Planted;
  const growthOf = (name: string) =>
    report.collections
      .find(({ namespace }) => nameOf(namespace) === planted(name).collection)
      ?.growth?.find(({ path }) => path === 'log');

  it.each(GROWING)('shows growth and its rate: %s', (name) => {
    const growth = growthOf(name);
    expect(growth?.sources).toContain('oplog');
    const ratio = (growth?.perDay ?? NaN) / (planted(name).truth ?? NaN);
    expect(Math.abs(Math.log(ratio))).toBeLessThan(Math.log(1.5));
  });

  it.each(OTHERS)('shows none: %s', (name) => {
    expect(growthOf(name)).toBeUndefined();
  });

  it('is read over all of its time, and the same again', async () => {
    const connection = await connect({ uri: server.uri, ...LIMITS }, () => undefined);
    const sample = () => sampleOplog(connection.reader, 60_000);
    const [drawn, again] = [await sample(), await sample()];
    await connection.close();
    if (drawn === null) throw new Error('no entry');
    expect(again).toEqual(drawn);
    const { from, to, share } = drawn.window;
    expect(share).toBeGreaterThan(0.08);
    expect(share).toBeLessThan(0.2);
    const at = [...drawn.writes.values()].flat().map((write) => (write.at - from) / (to - from));
    for (const third of [0, 1, 2]) {
      const there = at.filter((part) => Math.min(2, Math.floor(3 * part)) === third).length;
      expect(there).toBeGreaterThan(at.length / 6);
    }
  });
});

type Write = (collection: Collection<Document>, session: ClientSession) => Promise<unknown>;
const all =
  (update: Document | Document[]): Write =>
  (collection) =>
    collection.updateMany({}, update as Document);

/** Ways to write to arrays of 30 elements: the path, and how many elements there are afterwards. */
const WAYS: Readonly<Record<string, readonly [path: string, elements: number, Write]>> = {
  pushed: ['log', 31, all({ $push: { log: 1 } })],
  pushed_in_threes: ['log', 33, all({ $push: { log: { $each: [1, 2, 3] } } })],
  pushed_in_front: ['log', 31, all({ $push: { log: { $each: [1], $position: 0 } } })],
  added_to_sets: ['log', 31, all({ $addToSet: { log: 'new' } })],
  pushed_at_a_cap: ['log', 30, all({ $push: { log: { $each: [1], $slice: -30 } } })],
  popped: ['log', 29, all({ $pop: { log: 1 } })],
  written_whole: ['log', 40, all({ $set: { log: elements(40) } })],
  concatenated: ['log', 31, all([{ $set: { log: { $concatArrays: ['$log', [1]] } } }])],
  in_transactions: [
    'log',
    31,
    (collection, session) =>
      session.withTransaction(() => collection.updateMany({}, { $push: { log: 1 } } as never, { session })),
  ],
  within_an_object: ['deep.posts', 31, all({ $push: { 'deep.posts': 1 } })],
};

describe('writes of a real server', () => {
  const server = useServer(() => startReplicaSet({ args: ['--setParameter=enableTestCommands=1'] }));
  const uuids = new Map<string, string>();
  let connection: Connection;
  let drawn: OplogSample;
  beforeAll(async () => {
    const database = server.client.db('writes');
    for (const [name, [, , write]] of Object.entries(WAYS)) {
      const collection = database.collection<Document>(name);
      await collection.insertMany(
        times(8, () => ({
          _id: new ObjectId(),
          log: elements(30),
          deep: { posts: elements(30) },
        })),
      );
      await server.client.withSession((session) => write(collection, session));
    }
    const known = (await database.listCollections().toArray()) as unknown as {
      name: string;
      info: { uuid: { buffer: Uint8Array } };
    }[];
    for (const { name, info } of known) uuids.set(name, Buffer.from(info.uuid.buffer).toString('hex'));
    connection = await connect({ uri: server.uri, ...LIMITS }, () => undefined);
    const reading = await readOplog(connection.reader, connection.cluster);
    if (!reading.present) throw new Error(reading.detail);
    drawn = reading.value;
  });
  afterAll(() => connection.close());

  const resolved = async (name: string): Promise<readonly SampledWrite[]> => {
    const collection = {
      namespace: `writes.${name}`,
      database: 'writes',
      name,
      uuid: uuids.get(name),
    } as KnownCollection;
    const found = await new PresentLengths(connection.reader).of(collection, null, drawn);
    if (!found.present) throw new Error(found.detail);
    return found.value.writes;
  };

  it.each(Object.entries(WAYS))('are read with the lengths they left: %s', async (name, [path, left]) => {
    expect(drawn.unread).toBe(0);
    const resolvedWrites = await resolved(name);
    const writes = resolvedWrites.filter((write) => write.path === path);
    const documents = new Set(writes.map(({ document }) => document));
    expect(documents.size).toBe(8);
    // The server may write an array whole in which others grow.
    expect(resolvedWrites.filter((write) => write.path !== path && write.now !== write.elements)).toEqual([]);
    expect(new Set(writes.map(({ elements: after }) => after))).toEqual(new Set([left]));
    expect(new Set(writes.map(({ now }) => now))).toEqual(new Set([left]));
  });

  it('to documents that are gone have no length', async () => {
    await server.client.db('writes').collection('popped').deleteMany({});
    expect((await resolved('popped')).map(({ now }) => now)).toEqual(times(8, () => null));
  });

  const failPoint = (mode: unknown, data: object = {}) =>
    server.client.db('admin').command({ configureFailPoint: 'failCommand', mode, data });

  /** Lets reads of the oplog fail with an error of the server's own. */
  const failing = async <T>(errorCode: number, run: () => Promise<T>): Promise<T> => {
    await failPoint({ times: 1 }, { failCommands: ['find'], namespace: 'local.oplog.rs', errorCode });
    try {
      return await run();
    } finally {
      await failPoint('off');
    }
  };

  it('are said not to have been read where the server refuses to show all of the oplog, as Atlas does on some tiers', async () => {
    const { skipped } = await failing(8000, () => lintGrowth(server.uri, server.client.db('writes')));
    expect(skipped.filter(({ detail }) => detail.includes('oplog')).map(({ reason }) => reason)).toEqual([
      'unsupported',
    ]);
  });

  it('are said not to have been read where it took too long', async () => {
    const reading = await failing(50, () => readOplog(connection.reader, connection.cluster));
    expect(reading).toMatchObject({
      present: false,
      reason: 'timeout',
      detail: expect.stringContaining('longer than the limit of 3 s.'),
    });
  });
});

describe('with authentication', () => {
  const server = useServer(() => startEmbeddedServer({ replicaSet: true, rootUser: ROOT_USER }));
  beforeAll(async () => {
    await server.client
      .db('shop')
      .collection('products')
      .insertOne({ reviews: [1] });
  });

  it.each<[string, Document[], boolean]>([
    [
      'who may not read the oplog is told which privilege is missing',
      [{ role: 'readAnyDatabase', db: 'admin' }],
      false,
    ],
    [
      'who may read it by the role clusterMonitor is not',
      [
        { role: 'readAnyDatabase', db: 'admin' },
        { role: 'clusterMonitor', db: 'admin' },
      ],
      true,
    ],
  ])('a user %s', async (_, roles, mayRead) => {
    const name = `user${roles.length}`;
    await server.client.db('admin').command({ createUser: name, pwd: 'x', roles });
    const uri = server.uri.replace(/\/\/[^@]*@/, `//${name}:x@`);
    const { skipped } = await lintGrowth(uri, server.client.db('shop'));
    const missing = skipped.filter(({ detail }) => detail.includes('grant the privilege find on local.oplog.rs'));
    expect(missing.map(({ check, reason, namespace }) => ({ check, reason, namespace }))).toEqual(
      mayRead ? [] : [{ check: 'fast-growing-array', reason: 'privilege', namespace: undefined }],
    );
  });
});
