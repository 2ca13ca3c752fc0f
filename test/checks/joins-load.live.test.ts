import { type Db, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heavyLookup } from '../../checks/heavy-lookup.js';
import type { Finding } from '../../src/finding.js';
import { lint } from '../../src/lint/lint.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';
import { findMongod } from '../support/mongod/find-mongod.js';
import { findMongod6027 } from '../support/mongod/mongod-6.0.27.js';
import { startLoggingServer, type LoggingServer } from '../support/workload/logging-server.js';

/** A profiler that keeps all of a test's operations; the default keeps 1 MB. */
const PROFILER_BYTES = 32 * 1024 * 1024;
const PROFILE_ALL = 2;
/** In ms: every operation is slower than the one, none than the other. */
const LOG_EVERYTHING = -1;
const LOG_NOTHING = 100_000;

/** Fewer would be too small to tell. */
const ORDERS = 1_200;
const CUSTOMERS = 50;
/** What is planted on `orders`, and what must be told of it within 10 %. */
const JOINS = 120;
const FINDS = 180;
const PRICE_CHANGES = 6;
/** One in a hundred. */
const FEW_JOINS = 4;
const MANY_FINDS = 396;

const client = sharedClient();

const join = (from: string, localField: string, foreignField: string): Document => ({
  $lookup: { from, localField, foreignField, as: from },
});

async function plant(database: Db): Promise<void> {
  const customers = Array.from({ length: CUSTOMERS }, (_, number) => ({ _id: `c${number}`, city: `city ${number}` }));
  await database.collection<{ _id: string }>('customers').insertMany(customers);
  const orders = Array.from({ length: ORDERS }, (_, number) => ({
    _id: number,
    customer: `c${number % CUSTOMERS}`,
    products: [0, 1, 2, 3].map((each) => (number + each) % 20),
  }));
  for (const name of ['orders', 'carts']) await database.collection<{ _id: number }>(name).insertMany(orders);
  await database
    .collection<{ _id: number }>('products')
    .insertMany(Array.from({ length: 20 }, (_, _id) => ({ _id, price: _id })));
  await database
    .collection('lines')
    .insertMany(Array.from({ length: ORDERS * 3 }, (_, number) => ({ order: number % ORDERS })));
  await database.collection('lines').createIndex({ order: 1 });
}

/** Joins and finds on two collections; what a source tells of it is held against the numbers above. */
async function work(database: Db): Promise<void> {
  const pipeline = [
    join('customers', 'customer', '_id'),
    join('products', 'products', '_id'),
    join('lines', '_id', 'order'),
  ];
  const orders = database.collection<{ _id: number }>('orders');
  for (let number = 0; number < JOINS; number += 1)
    await orders.aggregate([{ $match: { _id: number } }, ...pipeline]).toArray();
  for (let number = 0; number < FINDS; number += 1) await orders.findOne({ _id: number });
  for (let number = 0; number < PRICE_CHANGES; number += 1)
    await database.collection<{ _id: number }>('products').updateOne({ _id: number }, { $inc: { price: 1 } });
  const carts = database.collection<{ _id: number }>('carts');
  for (let number = 0; number < FEW_JOINS; number += 1)
    await carts.aggregate([{ $match: { _id: number } }, ...pipeline]).toArray();
  for (let number = 0; number < MANY_FINDS; number += 1) await carts.findOne({ _id: number % ORDERS });
}

async function profileAll(database: Db): Promise<void> {
  await database.createCollection('system.profile', { capped: true, size: PROFILER_BYTES });
  await database.command({ profile: PROFILE_ALL });
}

/** What was planted, within 10 %. */
const within = (planted: number) =>
  expect.toSatisfy((told: number) => Math.abs(told - planted) <= planted / 10, `within 10 % of ${planted}`);

describe('a workload dominated by joins', () => {
  const database = freshDatabase(client);
  let findings: readonly Finding[];

  beforeAll(async () => {
    await plant(database);
    await profileAll(database);
    await work(database);
    await database.command({ profile: 0 });
    const report = await lintShared({ include: [`${database.databaseName}.*`], checks: [heavyLookup] });
    findings = report.findings;
  });

  it('is found where joins dominate, and not where they are one in a hundred', () => {
    expect(findings.map(({ namespace, path, severity }) => [namespace, path, severity])).toEqual([
      [`${database.databaseName}.orders`, null, 'warning'],
    ]);
  });

  it('is told with the figures of the planted workload', () => {
    expect(findings[0]?.evidence).toMatchObject({
      executions: within(JOINS + FINDS),
      joinExecutions: within(JOINS),
      shareOfOperations: within(JOINS / (JOINS + FINDS)),
      joinsPerPipeline: 3,
      documentsJoined: within(4),
    });
  });

  it('comes with what each of the joined collections is to it', () => {
    const text = findings[0]?.remedy.text ?? '';
    expect(text).toContain(`the few fields of ${database.databaseName}.customers that are read`);
    expect(text).toContain(`there are ${JOINS / PRICE_CHANGES} joins per write`);
    expect(text).toContain(
      `Embed ${database.databaseName}.lines into ${database.databaseName}.orders: each document has 3 of them`,
    );
    expect(text).toContain('$merge');
  });
});

describe.each([
  {
    source: 'query stats',
    find: findMongod6027,
    args: ['--setParameter', 'internalQueryStatsRateLimit=-1'],
    slowms: LOG_NOTHING,
  },
  { source: 'log file', find: findMongod, args: [], slowms: LOG_EVERYTHING },
])('a workload dominated by joins, recorded by the $source alone', ({ source, find, args, slowms }) => {
  let server: LoggingServer;
  let findings: readonly Finding[];

  beforeAll(async () => {
    server = await startLoggingServer(await find(), args);
    const database = server.client.db('shop');
    await database.command({ profile: 0, slowms: LOG_NOTHING });
    await plant(database);
    await database.command({ profile: 0, slowms });
    await work(database);
    await database.command({ profile: 0, slowms: LOG_NOTHING });
    const report = await lint({
      uri: server.uri,
      include: ['shop.*'],
      checks: [heavyLookup],
      logFiles: [server.logPath],
    });
    findings = report.findings;
  });
  afterAll(() => server?.stop());

  it('has the same figures', () => {
    expect(findings.map(({ namespace }) => namespace)).toEqual(['shop.orders']);
    expect(findings[0]?.evidence).toMatchObject({
      source,
      executions: within(JOINS + FINDS),
      joinExecutions: within(JOINS),
      shareOfOperations: within(JOINS / (JOINS + FINDS)),
      joinsPerPipeline: 3,
      documentsJoined: within(4),
    });
  });
});

describe('the share of time', () => {
  const database = freshDatabase(client);
  /** Ms that a document costs the server at least: slow enough to measure, for both kinds of operation. */
  const SLEEP = 20;
  const SLOW_JOINS = 30;
  const SLOW_FINDS = 10;

  /** Ms that the server says it took for an operation and its continuations. */
  async function recorded(operation: Document): Promise<number> {
    const $or = ['command', 'originatingCommand'].map((place) => ({
      [`${place}.${Object.keys(operation)[0]}`]: Object.values(operation)[0] as unknown,
    }));
    const entries = await database.collection('system.profile').find({ $or }).toArray();
    return entries.reduce((sum, { millis }) => sum + Number(millis), 0);
  }

  it('is that of the planted workload, as the server measured it', async () => {
    await plant(database);
    await profileAll(database);
    const slow = {
      $expr: { $function: { body: `function () { sleep(${SLEEP}); return true; }`, args: [], lang: 'js' } },
    };
    const orders = database.collection<{ _id: number }>('orders');
    for (let number = 0; number < SLOW_JOINS; number += 1) {
      await orders.aggregate([{ $match: { _id: number, ...slow } }, join('customers', 'customer', '_id')]).toArray();
    }
    for (let number = 0; number < SLOW_FINDS; number += 1) await orders.find({ _id: number, ...slow }).toArray();
    await database.command({ profile: 0 });
    const { findings } = await lintShared({
      include: [`${database.databaseName}.*`],
      checks: [heavyLookup],
      // So few joins are a share of nothing.
      expect: [{ glob: '*.orders', executionsPerDay: 1_000 }],
    });
    const [joins, finds] = [await recorded({ aggregate: 'orders' }), await recorded({ find: 'orders' })];
    expect(joins).toBeGreaterThanOrEqual(SLOW_JOINS * SLEEP);
    expect(finds).toBeGreaterThanOrEqual(SLOW_FINDS * SLEEP);
    expect(findings[0]?.evidence['shareOfTime']).toBeCloseTo(joins / (joins + finds), 3);
  });
});
