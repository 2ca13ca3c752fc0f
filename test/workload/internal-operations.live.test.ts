import { setTimeout } from 'node:timers/promises';
import { MongoClient, type Timestamp } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Connection } from '../../src/connect/connect.js';
import type { EmbeddedMongod } from '../../src/demo/embedded-mongod/embedded-mongod.js';
import { REFERRED_TO } from '../../src/judgement/references/dangling-remedy.js';
import { lint } from '../../src/lint/lint.js';
import { collectWorkload } from '../../src/workload/collect-workload.js';
import type { Workload } from '../../src/workload/workload.js';
import { findMongod6027 } from '../support/mongod/mongod-6.0.27.js';
import { startReplicaSet } from '../support/servers.js';

const PARAMETERS = ['internalQueryStatsRateLimit=-1', 'ttlMonitorSleepSecs=1'].flatMap((parameter) => [
  '--setParameter',
  parameter,
]);
// What is planted before the profiler is on must not be logged, however slow the machine.
const ARGUMENTS = [...PARAMETERS, '--slowms', '60000'];
const EXPIRY_POLL_MS = 200;
const JOIN = { $lookup: { from: 'customers', localField: 'k', foreignField: 'k', as: 'found' } };

describe('what the server, its tools and monitors do, and the remedies of findings', () => {
  let server: EmbeddedMongod;
  let shop: MongoClient;
  let connection: Connection;
  let workload: Workload;

  beforeAll(async () => {
    server = await startReplicaSet({ mongod: await findMongod6027(), args: ARGUMENTS });
    shop = new MongoClient(server.uri, { appName: 'shop' });
    const database = shop.db('shop');
    const orders = database.collection('orders');
    await orders.insertOne({ k: 0 });
    await database.collection('expiring').insertMany([{ at: new Date(0) }]);
    await database.collection('customers').insertOne({ k: 1 });
    await database.command({ profile: 2, slowms: -1 });

    // From here on, since a stream may be opened only after the insert that follows.
    const from = { startAtOperationTime: (await database.command({ ping: 1 }))['operationTime'] as Timestamp };
    const inserts = [{ $match: { operationType: 'insert' } }];
    const changes = [
      orders.watch(inserts, { ...from, fullDocument: 'updateLookup' }),
      database.watch([], from),
      shop.watch([], from),
    ];
    const first = changes.map((stream) => stream.next());
    await orders.find({ k: 1 }).toArray();
    await orders.insertOne({ k: 1 });
    await Promise.all(first);
    for (const stream of changes) await stream.close();

    await orders.createIndex({ k: 1 });
    await database.collection('expiring').createIndex({ at: 1 }, { expireAfterSeconds: 1 });
    for (const stage of [{ $collStats: { storageStats: {} } }, { $indexStats: {} }, { $planCacheStats: {} }])
      await orders.aggregate([stage]).toArray();
    await database.command({ collStats: 'orders' });
    const emit = { map: 'function () { emit(this.k, 1) }', reduce: 'function (key, ones) { return ones.length }' };
    await database.command({ mapReduce: 'orders', ...emit, out: { inline: 1 } });
    for (const command of [{ listIndexes: 'orders' }, { validate: 'orders' }, { dbHash: 1 }, { dbStats: 1 }])
      await database.command(command);
    await database.command({
      explain: { aggregate: 'orders', pipeline: [JOIN], cursor: {} },
      verbosity: 'executionStats',
    });
    await shop
      .db('admin')
      .aggregate([{ $currentOp: {} }])
      .toArray();
    await shop.db('local').collection('oplog.rs').find({}).limit(5).toArray();
    await shop
      .db('config')
      .collection('transactions')
      .aggregate([{ $match: {} }])
      .toArray();
    const dump = new MongoClient(server.uri, { appName: 'mongodump' });
    await dump.db('shop').collection('orders').aggregate([JOIN]).toArray();
    await dump.close();
    await orders
      .aggregate([{ $lookup: { ...JOIN.$lookup, as: REFERRED_TO } }, { $match: { [REFERRED_TO]: [] } }])
      .toArray();
    await lint({ uri: server.uri });

    while ((await database.collection('expiring').estimatedDocumentCount()) > 0) await setTimeout(EXPIRY_POLL_MS);
    await database.command({ profile: 0, slowms: 100 });
    connection = await connect({ uri: server.uri, timeout: 120_000, maxTime: 600_000, concurrency: 4 });
    workload = await collectWorkload(connection.reader, {
      databases: ['shop', 'admin', 'local', 'config'],
      collections: [],
      logFiles: [],
    });
  });
  afterAll(async () => {
    await connection?.close();
    await shop?.close();
    await server?.stop();
  });

  it('never counts: only the operations of the application do', () => {
    const counted = workload.operations
      .map(({ shape: { namespace, kind } }) => `${namespace} ${kind}`)
      .filter((operation) => operation !== 'shop.expiring count');
    expect(counted.sort()).toEqual(['shop.orders find', 'shop.orders insert']);
  });

  it('counts what is an operation on data, and of a kind that mongolint does not know', () => {
    const { profiler } = workload.sources;
    const kinds = profiler.present
      ? profiler.value.parts.flatMap(({ notUnderstood }) => (notUnderstood === undefined ? [] : [notUnderstood]))
      : [];
    expect(kinds).toEqual([{ mapReduce: 1 }]);
  });

  it('is counted as ignored in each source that saw it', () => {
    for (const source of ['queryStats', 'recentLog'] as const) {
      const read = workload.sources[source];
      expect(read.present && read.value.parts.reduce((sum, { ignored }) => sum + ignored, 0)).toBeGreaterThan(3);
    }
  });
});
