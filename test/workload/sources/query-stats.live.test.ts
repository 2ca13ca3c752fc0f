import { MongoClient, ObjectId, type Db, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Connection } from '../../../src/connect/connect.js';
import type { EmbeddedMongod } from '../../../src/demo/embedded-mongod/embedded-mongod.js';
import { collectWorkload } from '../../../src/workload/collect-workload.js';
import type { Workload } from '../../../src/workload/workload.js';
import { findMongod6027 } from '../../support/mongod/mongod-6.0.27.js';
import { startStandalone } from '../../support/servers.js';

/** Written as applications write them; query stats tell each in the server's own spelling. */
const FILTERS: readonly Document[] = [
  { a: 1, b: 'x' },
  { a: { $gt: 1, $lt: 5 }, b: { $in: [1, 2] } },
  { $or: [{ a: 1 }, { a: 2 }, { b: 3 }] },
  { $and: [{ a: 1 }, { $and: [{ b: 1 }] }] },
  { a: { $ne: 1 }, b: { $nin: [1, 2] } },
  { a: null, b: new ObjectId(), c: new Date(), d: true },
  { a: { x: 1 }, b: [1, 2], c: [], d: [1, 'x'] },
  { a: /^abc/i },
  { a: { $not: /abc/ } },
  { a: { $elemMatch: { b: 1, c: { $gt: 2 } } } },
  { a: { $elemMatch: { $gt: 1, $lt: 5 } } },
  { a: { $exists: true }, b: { $size: 2 }, c: { $mod: [4, 0] } },
  { a: { $exists: false } },
  { a: { $not: { $exists: true } }, b: { $exists: 1 } },
  { $expr: { $gt: ['$a', { $add: ['$b', 1] }] } },
  { a: { $geoWithin: { $centerSphere: [[1, 2], 3] } } },
];

const JOIN = { from: 'b', localField: 'k', foreignField: 'z', as: 'x' };

const PIPELINES: readonly (readonly Document[])[] = [
  [{ $match: { a: 1, b: { $gt: 2 } } }, { $sort: { a: 1, b: -1 } }, { $limit: 5 }],
  [{ $project: { a: 1, b: '$k', d: { e: 1, f: '$q' } } }],
  [{ $project: { a: 0 } }],
  [{ $unset: ['a', 'b'] }],
  [{ $addFields: { a: 1, m: { s: 'x', t: '$k' }, n: ['$k', 1], o: [1, 2] } }],
  [{ $set: { a: '$k' } }],
  [{ $unwind: '$arr' }],
  [{ $group: { _id: { x: '$k' }, n: { $sum: 1 }, all: { $push: '$$ROOT' }, c: { $count: {} } } }],
  [{ $sortByCount: '$k' }],
  [{ $count: 'total' }],
  [{ $replaceWith: { a: '$k' } }],
  [{ $facet: { one: [{ $match: { k: 1 } }], two: [{ $count: 'n' }] } }],
  [{ $sample: { size: 5 } }],
  [{ $lookup: JOIN }, { $unwind: '$x' }, { $match: { 'x.z': 1 } }],
  [{ $lookup: { ...JOIN, let: { q: '$q' }, pipeline: [{ $match: { $expr: { $eq: ['$w', '$$q'] }, st: 'x' } }] } }],
  [
    {
      $lookup: {
        from: 'b',
        let: { q: '$q' },
        pipeline: [{ $match: { $expr: { $and: [{ $eq: ['$w', '$$q'] }, { $gt: ['$z', 5] }] } } }],
        as: 'x',
      },
    },
  ],
  [{ $lookup: { from: 'b', pipeline: [{ $match: { st: 'x' } }], as: 'x' } }],
  [
    {
      $graphLookup: {
        from: 'b',
        startWith: '$k',
        connectFromField: 'k',
        connectToField: 'z',
        as: 'g',
        maxDepth: 3,
        restrictSearchWithMatch: { a: 1 },
      },
    },
  ],
  [{ $lookup: { pipeline: [{ $documents: [{ k: 1 }, { k: 2 }] }, { $match: { k: 1 } }], as: 'x' } }],
  [{ $unionWith: 'b' }],
  [{ $unionWith: { coll: 'b', pipeline: [{ $match: { a: 1 } }] } }],
  [{ $match: { a: 1 } }, { $merge: { into: 'm' } }],
  [
    {
      $project: {
        c: { $cond: [{ $eq: ['$k', 1] }, 'yes', 'no'] },
        f: { $filter: { input: '$arr', as: 'i', cond: { $gt: ['$$i', 1] } } },
      },
    },
  ],
  [{ $redact: { $cond: [{ $eq: ['$k', 1] }, '$$KEEP', '$$PRUNE'] } }],
];

describe('query stats and the profiler', () => {
  let server: EmbeddedMongod;
  let client: MongoClient;
  let connection: Connection;
  let database: Db;
  let workload: Workload;

  beforeAll(async () => {
    const args = ['--setParameter', 'internalQueryStatsRateLimit=-1'];
    server = await startStandalone({ mongod: await findMongod6027(), args });
    client = new MongoClient(server.uri, { appName: 'shop' });
    database = client.db('shop');
    await database.collection('a').insertMany([{ k: 1, arr: [1] }, { k: 2 }]);
    await database.collection('b').insertOne({ z: 1 });
    await database.command({ profile: 2 });
    for (const filter of FILTERS)
      await database
        .collection('a')
        .find(filter, { projection: { k: 1 } })
        .toArray();
    for (const pipeline of PIPELINES)
      await database
        .collection('a')
        .aggregate([...pipeline])
        .toArray();
    await database.command({ profile: 0 });
    connection = await connect({ uri: server.uri, timeout: 120_000, maxTime: 600_000, concurrency: 4 });
    workload = await collectWorkload(connection.reader, { databases: ['shop'], collections: [], logFiles: [] });
  });
  afterAll(async () => {
    await connection?.close();
    await client?.close();
    await server?.stop();
  });

  it('know the same operations by the same shapes', () => {
    const queries = workload.operations.filter(({ shape }) => shape.kind === 'find' || shape.kind === 'aggregate');
    const apart = queries.find(({ figures }) => figures.queryStats === undefined || figures.profiler === undefined);
    expect(JSON.stringify(apart?.shape)).toBeUndefined();
    expect(queries.length).toBeGreaterThan(FILTERS.length + PIPELINES.length - 5);
  });

  it('are read whatever their format turns into', async () => {
    expect(workload.sources.queryStats).toMatchObject({
      value: { parts: [{ unreadable: 0, coverage: { operations: 'all' } }], gaps: [] },
    });
  });

  it('give times and documents returned', () => {
    for (const { figures } of workload.operations) {
      if (figures.queryStats === undefined) continue;
      expect(figures.queryStats.milliseconds).toBeGreaterThan(0);
      expect(figures.queryStats.documentsReturned).toBeGreaterThanOrEqual(0);
      expect(figures.queryStats.window?.from).toBeGreaterThan(0);
    }
  });
});

describe('query stats behind a rate limit', () => {
  const LIMIT = 20;
  const RUN = 400;
  let server: EmbeddedMongod;
  let client: MongoClient;
  let connection: Connection;

  beforeAll(async () => {
    const args = ['--setParameter', `internalQueryStatsRateLimit=${LIMIT}`];
    server = await startStandalone({ mongod: await findMongod6027(), args });
    client = new MongoClient(server.uri, { appName: 'shop' });
    connection = await connect({ uri: server.uri, timeout: 120_000, maxTime: 600_000, concurrency: 4 });
  });
  afterAll(async () => {
    await connection?.close();
    await client?.close();
    await server?.stop();
  });

  it('are called a part, with the number that was left out', async () => {
    const orders = client.db('shop').collection('orders');
    // More at once than the limit lets through in a second.
    await Promise.all(Array.from({ length: RUN }, (_, a) => orders.find({ a }).toArray()));
    const workload = await collectWorkload(connection.reader, { databases: ['shop'], collections: [], logFiles: [] });
    const counters = workload.counters.present ? workload.counters.value.queryStats : null;
    const [find] = workload.operations.flatMap(({ figures }) => figures.queryStats ?? []);
    expect((find?.executions ?? 0) + (counters?.limited ?? 0)).toBeGreaterThanOrEqual(RUN);
    expect(counters?.limited).toBeGreaterThan(0);
    expect(workload.sources.queryStats).toMatchObject({
      value: {
        parts: [{ coverage: { operations: 'part' } }],
        gaps: [{ reason: 'insufficient', detail: expect.stringContaining('cover only part of the queries') }],
      },
    });
  });
});
