import { MinKey, type Db, UUID, MongoClient } from 'mongodb';
import { SeededRandom } from '../../../src/demo/seeded-random.js';
import { type Exhibit, inOrder, faulty, planted } from '../exhibit.js';
import { DOCUMENTS, grownId, insertAndShard, moveUpperPart, limitChunks } from './shards.js';

const DATED_CUSTOMERS = 400;

function datedOrders(): { readonly at: Date; readonly customer: number }[] {
  const random = new SeededRandom(21);
  return Array.from({ length: DOCUMENTS }, (_, index) => ({
    ...grownId(index),
    customer: random.between(1, DATED_CUSTOMERS),
    total: random.between(1, 500),
  }));
}

const monotonicShardKey: Exhibit = {
  check: 'monotonic-shard-key',
  story: 'orders sharded by their date, so that one shard takes all new ones / by customer first',
  bad: faulty('orders_by_date', 'at', async (database, name) => {
    const dated = datedOrders();
    await database.collection(name).createIndex({ customer: 1 });
    await insertAndShard(database, name, dated, { at: 1 });
    await moveUpperPart(database, name, { at: dated[DOCUMENTS / 2]?.at });
  }),
  twin: planted('orders_by_customer', async (database, name) => {
    await insertAndShard(database, name, datedOrders(), { customer: 1, at: 1 });
    await moveUpperPart(database, name, { customer: DATED_CUSTOMERS / 2, at: new Date(0) });
  }),
};

const STATES = ['archived', 'open', 'paid', 'shipped'];

const CUSTOMERS = 400;

function invoices(): object[] {
  const random = new SeededRandom(22);
  return Array.from({ length: DOCUMENTS }, (_, index) => ({
    ...grownId(index),
    state: STATES[random.between(0, STATES.length - 1)],
    customer: random.between(1, CUSTOMERS),
  }));
}

const lowCardinalityShardKey: Exhibit = {
  check: 'low-cardinality-shard-key',
  story: 'invoices sharded by one of four states / by state and customer',
  bad: faulty('invoices_by_state', 'state', async (database, name) => {
    await database.collection(name).createIndex({ customer: 1 });
    await insertAndShard(database, name, invoices(), { state: 1 });
    await moveUpperPart(database, name, { state: 'paid' });
  }),
  twin: planted('invoices_by_state_and_customer', async (database, name) => {
    await insertAndShard(database, name, invoices(), { state: 1, customer: 1 });
    await moveUpperPart(database, name, { state: 'paid', customer: 0 });
  }),
};

/** Share of the documents that the largest tenant has. */
const LARGEST_TENANT = 0.7;

const TENANTS = 300;

const FILES = 1_000_000;

function files(): object[] {
  const random = new SeededRandom(23);
  return Array.from({ length: DOCUMENTS }, (_, index) => ({
    ...grownId(index),
    tenant: random.chance(LARGEST_TENANT) ? 'a large one' : `tenant ${random.between(1, TENANTS)}`,
    file: random.between(1, FILES),
    preview: 'x'.repeat(4_000),
  }));
}

/** As the balancer does with a chunk that is too large to move and holds one value, so that no cut divides it. */
async function giveUpOnFirstChunk(database: Db, name: string): Promise<void> {
  const config = database.client.db('config');
  const sharded = await config.collection('collections').findOne({ _id: `${database.databaseName}.${name}` as never });
  await config
    .collection('chunks')
    .updateOne({ uuid: sharded?.['uuid'], min: { tenant: new MinKey() } }, { $set: { jumbo: true } });
}

const jumboChunk: Exhibit = {
  check: 'jumbo-chunk',
  story: 'files sharded by tenant, one of whom has most of them / by tenant and file',
  bad: faulty('files_by_tenant', null, async (database, name) => {
    await database.collection(name).createIndex({ file: 1 });
    await insertAndShard(database, name, files(), { tenant: 1 });
    await moveUpperPart(database, name, { tenant: 'b' });
    await giveUpOnFirstChunk(database, name);
  }),
  twin: planted('files_by_tenant_and_file', async (database, name) => {
    await insertAndShard(database, name, files(), { tenant: 1, file: 1 });
    await moveUpperPart(database, name, { tenant: 'a large one', file: FILES / 2 });
  }),
};

function events(): object[] {
  return Array.from({ length: DOCUMENTS }, () => ({ event: new UUID(), payload: 'x'.repeat(6_000) }));
}

const unbalancedChunks: Exhibit = {
  check: 'unbalanced-chunks',
  story: 'events all on one shard, with the balancer off / half on each shard',
  bad: faulty('events_on_one_shard', null, async (database, name) => {
    await database.client.db('admin').command({ balancerStop: 1 });
    await insertAndShard(database, name, events(), { event: 1 });
    await limitChunks(database, name);
  }),
  twin: planted('events_on_both_shards', async (database, name) => {
    await insertAndShard(database, name, events(), { event: 1 });
    await moveUpperPart(database, name, { event: new UUID('80000000-0000-4000-8000-000000000000') });
  }),
};

function orders(): object[] {
  return Array.from({ length: DOCUMENTS }, (_, index) => ({
    ...grownId(index),
    customer: (index * 7_919) % DOCUMENTS,
    status: ['open', 'sent', 'paid'][index % 3],
    address: 'x'.repeat(200),
  }));
}

async function plantIndexedOrders(database: Db, name: string): Promise<void> {
  await database.collection(name).createIndex({ status: 1 });
  await insertAndShard(database, name, orders(), { customer: 1 });
  await moveUpperPart(database, name, { customer: DOCUMENTS / 2 });
}

/** As somebody does by a direct connection. */
async function dropOnOneShard(database: Db, name: string, index: string): Promise<void> {
  const shard = await database.client
    .db('config')
    .collection('shards')
    .findOne({}, { sort: { _id: 1 } });
  const [, hosts = ''] = String(shard?.['host']).split('/');
  const direct = new MongoClient(`mongodb://${hosts.split(',')[0]}/?directConnection=true`);
  try {
    await direct.db(database.databaseName).collection(name).dropIndex(index);
  } finally {
    await direct.close();
  }
}

const inconsistentIndexes: Exhibit = {
  check: 'inconsistent-indexes',
  story: 'an index that was dropped on one of two shards / on both shards',
  bad: faulty('orders_indexed_on_one_shard', 'status_1', async (database, name) => {
    await plantIndexedOrders(database, name);
    await dropOnOneShard(database, name, 'status_1');
  }),
  twin: planted('orders_indexed_on_both_shards', plantIndexedOrders),
};

/** The exhibits that only a sharded cluster of two shards or more can show, in the order of the checks. */
export const shardedExhibits = inOrder([
  monotonicShardKey,
  lowCardinalityShardKey,
  jumboChunk,
  unbalancedChunks,
  inconsistentIndexes,
]);
