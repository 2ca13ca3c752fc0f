/** `mongolint rehearse` on real servers: what it measures, what it refuses, and that it leaves nothing behind. */
import { MongoClient, type Db, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Rehearsal } from '../../src/rehearsal/rehearsal.js';
import { rehearse } from '../../src/rehearsal/rehearse.js';
import { runCaptured } from '../support/captured-io.js';
import type { EmbeddedServer } from '../support/mongod/embedded-server.js';
import { startReplicaSet, startStandalone, startWithAuth } from '../support/servers.js';

const SECRET = 'Secret4711';
const ORDERS = 12_000;
const CUSTOMERS = 400;
const DOCUMENTS = 20_000;

/** Orders whose searches no index serves, and an index that repeats another. */
async function plantShop(database: Db): Promise<void> {
  const start = Date.parse('2026-01-01T00:00:00Z');
  await database.collection('customers').insertMany(
    Array.from({ length: CUSTOMERS }, (_, number) => ({
      _id: `c${String(number).padStart(6, '0')}` as never,
      email: `${SECRET}.${number}@example.com`,
      city: ['Oslo', 'Bergen', 'Tromsø'][number % 3],
    })),
  );
  await database.collection('orders').insertMany(
    Array.from({ length: ORDERS }, (_, number) => ({
      number,
      customer: `c${String((number * 7919) % CUSTOMERS).padStart(6, '0')}`,
      status: `${SECRET}-${number % 40}`,
      at: new Date(start + number * 60_000),
      total: (number % 997) / 10,
      lines: [{ sku: `sku-${number % 300}`, pieces: number % 5 }],
    })),
  );
  await database.collection('orders').createIndex({ customer: 1 });
  await database.collection('orders').createIndex({ at: 1 }, { expireAfterSeconds: 10 ** 9 });
}

async function runShop(database: Db): Promise<void> {
  const [orders, customers] = [database.collection('orders'), database.collection('customers')];
  await database.command({ profile: 2 });
  for (let run = 0; run < 40; run += 1) {
    await orders
      .find({ status: `${SECRET}-${run}` })
      .sort({ at: -1 })
      .limit(20)
      .toArray();
    await orders.find({ customer: `c${String(run).padStart(6, '0')}` }).toArray();
    await orders.updateOne({ number: run * 31 }, { $set: { total: 1 } });
    await orders.countDocuments({ 'lines.sku': `sku-${run}` });
    await customers
      .aggregate([
        { $match: { city: 'Oslo' } },
        { $limit: 5 },
        { $lookup: { from: 'orders', localField: '_id', foreignField: 'customer', as: 'orders' } },
      ])
      .toArray();
  }
  await orders.find({ $where: 'this.total > 5 || this.number < 2' }).toArray();
  await database.command({ profile: 0 });
}

async function statesOf(database: Db): Promise<Document> {
  const collections = await database.listCollections().toArray();
  const { dataSize, objects, indexes } = await database.stats();
  return { names: collections.map(({ name }) => name).toSorted(), dataSize, objects, indexes };
}

async function userDatabases(client: MongoClient): Promise<string[]> {
  const { databases } = await client.db('admin').admin().listDatabases();
  return databases.map(({ name }) => name).filter((name) => !['admin', 'config', 'local'].includes(name));
}

describe('mongolint rehearse', () => {
  let linted: EmbeddedServer;
  let scratch: EmbeddedServer;
  let client: MongoClient;
  let scratchClient: MongoClient;

  beforeAll(async () => {
    [linted, scratch] = await Promise.all([startReplicaSet(), startStandalone()]);
    client = new MongoClient(linted.uri);
    scratchClient = new MongoClient(scratch.uri);
    await plantShop(client.db('shop'));
    await runShop(client.db('shop'));
  });
  afterAll(async () => {
    await Promise.all([client?.close(), scratchClient?.close()]);
    await Promise.all([linted?.stop(), scratch?.stop()]);
  });

  const run = (more: readonly string[], on = scratch.uri) =>
    runCaptured(['rehearse', '--on', on, ...more], { MONGODB_URI: linted.uri });

  const refusal = async (on: string) => {
    const { exitCode, stdout, stderr } = await run([], on);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr.split('\n')).toHaveLength(2);
    return stderr;
  };

  it('shows less examined with the advised indexes, and leaves both servers as they were', async () => {
    const before = await statesOf(client.db('shop'));
    const { exitCode, stdout, stderr } = await run(['--documents', String(DOCUMENTS), '--format', 'json']);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(
      /^Builds 40,000 documents \(.+\) in 2 collections and runs \d+ operations before and after: about .+\.\n$/,
    );
    const { shapes, notRun, collections } = JSON.parse(stdout) as Rehearsal;
    expect(collections.map(({ namespace }) => namespace).toSorted()).toEqual(['shop.customers', 'shop.orders']);
    // A fresh `_id` may be that of another document, and is left out.
    for (const { documents } of collections) expect(Math.abs(documents - DOCUMENTS)).toBeLessThan(DOCUMENTS / 1_000);
    const count = shapes.find(({ shape }) => shape.startsWith('aggregate by `lines.sku`'));
    expect(count?.before).toMatchObject({ documentsExamined: DOCUMENTS, scans: true, indexes: [] });
    expect(count?.after).toMatchObject({ scans: false, indexes: ['lines.sku_1'] });
    expect(count?.after?.keysExamined).toBeLessThan(DOCUMENTS / 100);
    const update = shapes.find(({ kind }) => kind === 'update');
    expect(update).toMatchObject({
      part: 'its query, as a find',
      before: { scans: true },
      after: { documentsExamined: 1 },
    });
    const join = shapes.find(({ shape }) => shape.includes('$lookup of shop.orders'));
    expect(join?.before).toMatchObject({ indexes: ['customer_1'], returned: 5 });
    // Inserts that a slow machine's log holds are not run either.
    expect(notRun.filter(({ kind }) => kind !== 'insert').map(({ kind, reason }) => [kind, reason])).toEqual([
      ['find', 'what $where asks for is not recorded'],
    ]);
    expect(stdout).not.toContain(SECRET);
    expect(await userDatabases(scratchClient)).toEqual([]);
    expect(await statesOf(client.db('shop'))).toEqual(before);
  });

  it('prints a row for each operation within 80 columns', async () => {
    const { exitCode, stdout } = await run(['--documents', '2000']);
    expect(exitCode).toBe(0);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).toMatch(/2,000 → 0 +0 → [\d.]+ +1 {2}shop\.orders: aggregate by/);
    expect(stdout).toMatch(/scan → lines\.sku_1/);
    expect(stdout).not.toContain(SECRET);
  });

  it('builds documents of 405 KB, more of them than one message holds', async () => {
    const photos = client.db('album').collection('photos');
    const data = 'x'.repeat(405 * 1024);
    await photos.insertMany(Array.from({ length: 20 }, (_, number) => ({ number, data })));
    await client.db('album').command({ profile: 2 });
    await photos.findOne({ number: 7 });
    await client.db('album').command({ profile: 0 });
    const { exitCode, stdout } = await run(['--include', 'album.*', '--documents', '150', '--format', 'json']);
    await client.db('album').dropDatabase();
    expect(exitCode).toBe(0);
    const { collections, shapes } = JSON.parse(stdout) as Rehearsal;
    expect(collections).toMatchObject([{ namespace: 'album.photos', documents: 150 }]);
    expect(shapes).toMatchObject([{ recorded: 1, before: { returned: 1 } }]);
  });

  it('builds as many documents as a collection is judged at', async () => {
    const { stdout } = await run(['--format', 'json']);
    const { collections } = JSON.parse(stdout) as Rehearsal;
    const built = collections.map(({ namespace, documents, judged }) => [namespace, documents, judged]);
    expect(new Set(built)).toEqual(
      new Set([
        ['shop.customers', CUSTOMERS, CUSTOMERS],
        ['shop.orders', ORDERS, ORDERS],
      ]),
    );
  });

  it('drops what it built when it is interrupted', async () => {
    const interruption = new AbortController();
    const steps: string[] = [];
    const onStep = (step: string) => {
      steps.push(step);
      if (step.includes('running what was recorded')) interruption.abort();
    };
    const interrupted = rehearse({ uri: linted.uri, on: scratch.uri, interruption: interruption.signal, onStep });
    await expect(interrupted).rejects.toThrow('Interrupted: the rehearsal was not finished.');
    expect(steps.at(-1)).toBe('shop: running what was recorded, with the indexes of today');
    expect(await userDatabases(scratchClient)).toEqual([]);
  });

  describe('refuses', () => {
    it('a scratch server that holds data, and touches nothing there', async () => {
      await scratchClient.db('precious').collection('things').insertOne({ a: 1 });
      const before = await statesOf(scratchClient.db('precious'));
      expect(await refusal(scratch.uri)).toContain('holds data (the database precious). Name an empty server.');
      expect(await statesOf(scratchClient.db('precious'))).toEqual(before);
      expect(await userDatabases(scratchClient)).toEqual(['precious']);
      await scratchClient.db('precious').dropDatabase();
    });

    it('what a killed rehearsal left behind, and says so', async () => {
      const left = scratchClient.db('mongolint_rehearsal_0');
      await left.collection('orders').insertOne({ a: 1 });
      expect(await refusal(scratch.uri)).toContain('holds the database mongolint_rehearsal_0');
      await left.dropDatabase();
    });

    it('the linted server, by whatever name it is called', async () => {
      const { port } = new URL(linted.uri.replace('mongodb:', 'http:'));
      expect(await refusal(`mongodb://localhost:${port}/?directConnection=true`)).toContain('is the linted server');
    });

    it('a server that nobody answers for', async () => {
      const { exitCode, stderr } = await run(['--timeout', '1s'], 'mongodb://127.0.0.1:1/');
      expect(exitCode).toBe(2);
      expect(stderr).toMatch(/^The scratch server of --on can't be used: No usable server at 127\.0\.0\.1:1.*\n$/);
    });

    it('what is no connection string, without repeating it', async () => {
      expect(await refusal(SECRET)).not.toContain(SECRET);
    });
  });

  it('refuses a user who may not write, or not list databases', async () => {
    const guarded = await startWithAuth();
    const root = new MongoClient(guarded.uri);
    try {
      const { port } = new URL(guarded.uri.replace('mongodb:', 'http:'));
      const uriOf = async (name: string, roles: string[]) => {
        await root.db('admin').command({ createUser: name, pwd: SECRET, roles });
        return `mongodb://${name}:${SECRET}@127.0.0.1:${port}/?authSource=admin`;
      };
      for (const [name, roles, why] of [
        ['reader', ['readAnyDatabase'], 'may not write to'],
        ['stranger', [], 'may not list its databases'],
      ] as const) {
        const { exitCode, stderr } = await run([], await uriOf(name, [...roles]));
        expect(exitCode).toBe(2);
        expect(stderr).toContain(why);
        expect(stderr).toContain('grant the roles readWriteAnyDatabase and dbAdminAnyDatabase');
        expect(stderr).not.toContain(SECRET);
      }
      const writer = await uriOf('writer', ['readWriteAnyDatabase', 'dbAdminAnyDatabase']);
      expect(await run(['--documents', '500', '--quiet'], writer)).toMatchObject({ exitCode: 0, stderr: '' });
      expect(await userDatabases(root)).toEqual([]);
    } finally {
      await root.close();
      await guarded.stop();
    }
  });

  it('says that nothing was recorded', async () => {
    await client.db('silent').collection('orders').insertOne({ a: 1 });
    const { exitCode, stderr } = await run(['--include', 'silent.*']);
    await client.db('silent').dropDatabase();
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^Nothing to rehearse: /);
  });
});
