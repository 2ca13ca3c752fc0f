import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Connection } from '../../../src/connect/connect.js';
import type { EmbeddedMongod } from '../../../src/demo/embedded-mongod/embedded-mongod.js';
import { collectWorkload } from '../../../src/workload/collect-workload.js';
import { startReplicaSet } from '../../support/servers.js';

const LOG_EVERYTHING = -1;

describe('the recent log lines of a server that is used again', () => {
  let server: EmbeddedMongod;
  let client: MongoClient;
  let connection: Connection;

  beforeAll(async () => {
    server = await startReplicaSet();
    client = new MongoClient(server.uri, { appName: 'shop' });
    for (const name of ['recorded', 'logged', 'slow']) await client.db(name).collection('orders').insertOne({ a: 1 });
    const find = (name: string, field: string) =>
      client
        .db(name)
        .collection('orders')
        .find({ [field]: 1 })
        .toArray();
    await client.db('recorded').command({ profile: 0, slowms: LOG_EVERYTHING });
    for (const name of ['recorded', 'logged', 'slow']) await find(name, 'before');
    await client.db('recorded').command({ profile: 2 });
    await client.db('slow').command({ profile: 1 });
    for (const name of ['recorded', 'logged', 'slow']) await find(name, 'after');
    for (const name of ['recorded', 'slow']) await client.db(name).command({ profile: 0, slowms: 100 });
    connection = await connect({ uri: server.uri, timeout: 120_000, maxTime: 600_000, concurrency: 4 });
  });
  afterAll(async () => {
    await connection?.close();
    await client?.close();
    await server?.stop();
  });

  it('count from when the profiler began to record everything, and all of them where it did not', async () => {
    const databases = ['recorded', 'logged', 'slow'];
    const { operations } = await collectWorkload(connection.reader, { databases, collections: [], logFiles: [] });
    const found = operations
      .filter(({ shape, figures }) => shape.kind === 'find' && figures.recentLog !== undefined)
      .map(({ shape: { namespace, filter } }) => `${namespace} ${Object.keys(filter ?? {}).join()}`);
    expect(found.toSorted()).toEqual([
      'logged.orders after',
      'logged.orders before',
      'recorded.orders after',
      'slow.orders after',
      'slow.orders before',
    ]);
  });
});
