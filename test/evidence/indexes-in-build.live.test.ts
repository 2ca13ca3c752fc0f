import { MongoClient, type Db, type Document } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { collectionScan } from '../../checks/collection-scan.js';
import { missingLookupIndex } from '../../checks/missing-lookup-index.js';
import { redundantIndex } from '../../checks/redundant-index.js';
import { unindexedReference } from '../../checks/unindexed-reference.js';
import { unusedIndex } from '../../checks/unused-index.js';
import { lint } from '../../src/lint/lint.js';
import type { EmbeddedServer } from '../support/mongod/embedded-server.js';
import { startReplicaSet } from '../support/servers.js';

// The build is real: a fail point of the server holds it.
const CHECKS = [collectionScan, missingLookupIndex, redundantIndex, unindexedReference, unusedIndex];
const FAIL_POINT = 'hangAfterStartingIndexBuild';
const DOCUMENTS = 12_000;
const CUSTOMERS = 1_000;
const POLL_MS = 100;

let server: EmbeddedServer;
let client: MongoClient;
let database: Db;

beforeAll(async () => {
  server = await startReplicaSet({ args: ['--setParameter', 'enableTestCommands=1'] });
  client = new MongoClient(server.uri, { appName: 'shop' });
  database = client.db('shop');
  const customers = Array.from({ length: CUSTOMERS }, (_, number) => ({ number, name: `customer ${number}` }));
  await database.collection('customers').insertMany(customers);
  const orders = Array.from({ length: DOCUMENTS }, (_, number) => ({ number, customer: number % CUSTOMERS }));
  await database.collection('orders').insertMany(orders);
  await database.collection('orders').createIndex({ customer: 1, number: 1 }, { name: 'longer' });
  await database.command({ profile: 2 });
  const join = { $lookup: { from: 'orders', localField: 'number', foreignField: 'number', as: 'orders' } };
  await database
    .collection('customers')
    .aggregate([{ $limit: 5 }, join])
    .toArray();
  for (let number = 0; number < 40; number += 1) await database.collection('orders').findOne({ number: -number });
  await database.command({ profile: 0 });
});
afterAll(async () => {
  await client?.close();
  await server?.stop();
});

async function judged() {
  const { findings, skipped } = await lint({ uri: server.uri, include: ['shop'], checks: CHECKS });
  const details = skipped.filter(({ detail }) => detail.includes('still being built')).map(({ check }) => check);
  // Of several checks that ask for one index, the others are further reasons of the worst.
  const reasons = findings.flatMap((finding) => [finding, ...(finding.furtherReasons ?? [])]);
  return { findings: reasons.map(({ check, path }) => `${check} ${path}`).sort(), inBuild: details.sort() };
}

async function areBuilding(): Promise<boolean> {
  const { cursor } = await database.command({ listIndexes: 'orders', includeBuildUUIDs: true });
  return (cursor.firstBatch as Document[]).filter(({ buildUUID }) => buildUUID !== undefined).length === 2;
}

it('takes an index for built only when it is', async () => {
  const wanted = ['collection-scan number_1', 'missing-lookup-index number'];
  expect(await judged()).toEqual({ findings: wanted, inBuild: [] });
  await client.db('admin').command({ configureFailPoint: FAIL_POINT, mode: 'alwaysOn' });
  // The second one would make itself redundant, and both are unused.
  const built = database.command({
    createIndexes: 'orders',
    indexes: [
      { key: { number: 1 }, name: 'number_1' },
      { key: { customer: 1 }, name: 'customer_1' },
    ],
  });
  try {
    while (!(await areBuilding())) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    expect(await judged()).toEqual({ findings: [], inBuild: ['collection-scan', 'missing-lookup-index'] });
  } finally {
    await client.db('admin').command({ configureFailPoint: FAIL_POINT, mode: 'off' });
    await built;
  }
  expect(await judged()).toEqual({ findings: ['redundant-index customer_1'], inBuild: [] });
});
