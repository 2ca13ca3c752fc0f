import { MongoClient, type Db, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../../src/connect/connect.js';
import { takeInventory } from '../../../src/inventory/inventory.js';
import { collectWorkload } from '../../../src/workload/collect-workload.js';
import { nodesToAsk } from '../../../src/workload/collect-workload.js';
import { traceWorkload } from '../../../src/workload/traced-workload.js';
import type { Coverage, Operation, Workload } from '../../../src/workload/workload.js';
import { useConnection } from '../../support/connection.js';
import { freshDatabase, sharedReplicaSetUri } from '../../support/database.js';
import { findMongod } from '../../support/mongod/find-mongod.js';
import { startStandalone } from '../../support/servers.js';
import { startLoggingServer, type LoggingServer } from '../../support/workload/logging-server.js';

describe('the profiler', () => {
  const client = new MongoClient(sharedReplicaSetUri(), { appName: 'shop' });
  afterAll(() => client.close());
  const database = freshDatabase(client);
  const connection = useConnection(sharedReplicaSetUri);
  const namespace = (collection: string) => `${database.databaseName}.${collection}`;

  beforeAll(async () => {
    await database.collection('orders').insertMany(Array.from({ length: 100 }, (_, total) => ({ total })));
    await database.createCollection('readings', { timeseries: { timeField: 'at', metaField: 'sensor' } });
    await database.collection('readings').insertOne({ at: new Date(), sensor: 1, value: 5 });
    const join = { $lookup: { from: 'customers', localField: 'total', foreignField: 'key', as: 'customer' } };
    await database.createCollection('joined', { viewOn: 'orders', pipeline: [join] });
    await database.createCollection('hot', { viewOn: 'readings', pipeline: [{ $match: { value: { $gt: 3 } } }] });
  });

  async function profiled(work: () => Promise<unknown>): Promise<Workload> {
    await database.command({ profile: 0 });
    await database.dropCollection('system.profile').catch(() => false);
    await database.command({ profile: 2 });
    await work();
    await database.command({ profile: 0 });
    return collectWorkload(connection().reader, { databases: [database.databaseName], collections: [], logFiles: [] });
  }

  /** Other tests on the shared server leave their traces in its log. */
  function ofProfiler({ operations }: Workload): Operation[] {
    return operations.filter(
      ({ figures, shape }) => figures.profiler !== undefined && shape.namespace.startsWith(`${database.databaseName}.`),
    );
  }

  it('tells of views that the inventory does not list', async () => {
    const workload = await profiled(() => database.collection('joined').find({ total: 5 }).toArray());
    expect(workload.views).toMatchObject([
      { namespace: namespace('joined'), base: namespace('orders'), source: 'profiler' },
    ]);
    const { tracedOperations } = traceWorkload({ ...workload, operations: ofProfiler(workload) });
    expect(tracedOperations.find(({ joins }) => joins.length > 0)?.joins).toMatchObject([
      {
        source: { base: namespace('orders') },
        keys: [{ index: { possible: true, namespace: namespace('customers'), path: 'key' } }],
      },
    ]);
  });

  it.each<[Document, Coverage]>([
    [
      { profile: 1, slowms: -1, sampleRate: 1 },
      { operations: 'all', slowMilliseconds: null, sampleRate: 1 },
    ],
    [
      { profile: 1, slowms: 20, sampleRate: 0.5 },
      { operations: 'part', slowMilliseconds: 20, sampleRate: 0.5 },
    ],
    [
      { profile: 1, slowms: 20, sampleRate: 1 },
      { operations: 'slow', slowMilliseconds: 20, sampleRate: 1 },
    ],
    [
      { profile: 1, slowms: 20, filter: { millis: { $gt: 5 } } },
      { operations: 'unknown', slowMilliseconds: null, sampleRate: null },
    ],
  ])('with %j records what it says', async (settings, coverage) => {
    // Of its own: threshold and sample rate are those of the whole server.
    const server = await startStandalone();
    const own = new MongoClient(server.uri);
    try {
      await own.db('shop').command(settings);
      await own.db('shop').collection('orders').findOne({ total: 5 });
      const { reader, close } = await connect({ uri: server.uri, timeout: 120_000, maxTime: 600_000, concurrency: 4 });
      const { sources } = await collectWorkload(reader, { databases: ['shop'], collections: [], logFiles: [] });
      await close();
      expect(sources.profiler).toMatchObject({ value: { parts: [{ coverage }] } });
    } finally {
      await own.close();
      await server.stop();
    }
  });

  it('names time-series collections as people do', async () => {
    const workload = await profiled(async () => {
      await database.collection('readings').find({ sensor: 1 }).toArray();
      await database
        .collection('readings')
        .aggregate([{ $match: { value: 5 } }])
        .toArray();
      await database.collection('hot').find({ sensor: 1 }).toArray();
    });
    expect(
      ofProfiler(workload)
        .map(({ shape }) => shape.namespace)
        .sort(),
    ).toEqual([namespace('hot'), namespace('readings'), namespace('readings')]);
    expect(workload.views).toMatchObject([
      {
        namespace: namespace('hot'),
        base: namespace('readings'),
        pipeline: [{ $match: { value: { $gt: '?number' } } }],
      },
    ]);
  });

  it('that cut a command is understood as far as it goes', async () => {
    const workload = await profiled(() =>
      database
        .collection('orders')
        .find({ total: { $in: Array.from({ length: 9_000 }, (_, number) => `Secret4711 ${number}`) } })
        .toArray(),
    );
    expect(ofProfiler(workload)).toMatchObject([
      { shape: { kind: 'find', truncated: true }, figures: { profiler: { documentsExamined: 100 } } },
    ]);
    expect(JSON.stringify(workload.operations)).not.toContain('Secret4711');
  });

  it('that is off says so, and what is left of earlier still counts', async () => {
    const workload = await profiled(() => database.collection('orders').countDocuments({ total: 5 }));
    expect(workload.sources.profiler).toMatchObject({
      value: { parts: [{ coverage: { operations: 'none' }, entries: 1 }], gaps: [] },
    });
    const { sources } = await profiled(() => Promise.resolve());
    expect(sources.profiler).toMatchObject({ value: { parts: [{ entries: 0 }], gaps: [{ reason: 'insufficient' }] } });
  });
});

describe('of a replica set', () => {
  let members: LoggingServer[];
  let client: MongoClient;
  let database: Db;
  let uri: string;

  beforeAll(async () => {
    const mongod = await findMongod();
    members = await Promise.all(
      [1, 2].map(() =>
        startLoggingServer(mongod, ['--replSet', 'rs', '--oplogSize', '64'], { directConnection: true }),
      ),
    );
    const hosts = members.map(({ uri: member }) => new URL(member).host);
    const settings = { heartbeatIntervalMillis: 200, electionTimeoutMillis: 1_000 };
    const configuration = {
      _id: 'rs',
      settings,
      members: hosts.map((host, _id) => ({ _id, host, priority: _id === 0 ? 1 : 0, votes: _id === 0 ? 1 : 0 })),
    };
    await members[0]?.client.db('admin').command({ replSetInitiate: configuration });
    uri = `mongodb://${hosts.join()}/?replicaSet=rs`;
    client = await new MongoClient(uri, { appName: 'shop' }).connect();
    database = client.db('shop');
    await database.collection('orders').insertOne({ total: 5 }, { writeConcern: { w: 2 } });
  });
  afterAll(async () => {
    await client?.close();
    await Promise.all((members ?? []).map((member) => member.stop()));
  });

  it('the primary and a secondary are asked, each for its own profiler', async () => {
    for (const member of members) await member.client.db('shop').command({ profile: 2 });
    await database.collection('orders').find({ total: 5 }, { readPreference: 'primary' }).toArray();
    for (const total of [6, 7])
      await database.collection('orders').find({ total }, { readPreference: 'secondary' }).toArray();
    const connection = await connect({ uri, timeout: 120_000, maxTime: 600_000, concurrency: 4 });
    try {
      const { databases, collections } = await takeInventory(connection.reader, () => true, 4);
      const { operations, sources, nodeReads } = await collectWorkload(connection.reader, {
        databases,
        collections,
        logFiles: [],
      });
      expect(nodeReads?.map(({ node }) => node)).toEqual(['the primary', 'secondary 1']);
      expect(nodeReads?.[1]?.finds).toBeGreaterThanOrEqual(2);
      expect(sources.profiler).toMatchObject({
        value: {
          parts: [
            { database: 'shop', member: 'the primary' },
            { database: 'shop', member: 'secondary 1' },
          ],
          gaps: [],
        },
      });
      const find = operations.find(({ shape }) => shape.kind === 'find');
      expect(find?.figures.profiler).toMatchObject({ executions: 3 });
    } finally {
      await connection.close();
    }
  });

  it.each([
    ['its name', () => uri, ['the primary', 'secondary 1']],
    ['a direct connection to its primary', () => `${members[0]?.uri}?directConnection=true`, ['the primary']],
    ['a direct connection to a secondary', () => `${members[1]?.uri}?directConnection=true`, ['a secondary']],
  ])('each node is asked once, by %s', async (_how, address, nodes) => {
    const connection = await connect({ uri: address(), timeout: 120_000, maxTime: 600_000, concurrency: 4 });
    try {
      const { asked, gap } = await nodesToAsk(connection.reader);
      expect(asked.map(({ name }) => name)).toEqual(nodes);
      expect(gap === null).toBe(nodes.length === 2);
    } finally {
      await connection.close();
    }
  });
});
