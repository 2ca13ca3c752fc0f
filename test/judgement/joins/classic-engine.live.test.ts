/** Compares where a `$lookup` is said to stay in the classic engine with where MongoDB 6.0.5 keeps it there. */
import type { Document } from 'mongodb';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddedMongod } from '../../../src/demo/embedded-mongod/embedded-mongod.js';
import { isClassicByPosition } from '../../../src/judgement/joins/equality-join.js';
import { findMongod605 } from '../../support/mongod/mongod-6.0.5.js';
import { startStandalone } from '../../support/servers.js';

const LOOKUP = { $lookup: { from: 'customers', localField: 'customer', foreignField: '_id', as: 'joined' } };
const OTHER = { from: 'customers', localField: 'customer', foreignField: '_id', as: 'other' };

const BEFORE: readonly Document[] = [
  { $match: { total: { $gt: 0 } } },
  { $match: { $expr: { $gt: ['$total', 0] } } },
  { $project: { customer: 1 } },
  { $project: { customer: { $add: ['$customer', 0] } } },
  { $sort: { total: 1 } },
  { $limit: 2 },
  { $skip: 1 },
  { $group: { _id: '$customer', customer: { $first: '$customer' } } },
  { $lookup: OTHER },
  { $lookup: { ...OTHER, pipeline: [] } },
  { $unset: 'total' },
  { $sample: { size: 2 } },
  { $addFields: { tax: 1 } },
  { $set: { tax: 1 } },
  { $unwind: '$items' },
  { $replaceRoot: { newRoot: '$$ROOT' } },
  { $replaceWith: '$$ROOT' },
  { $unionWith: 'customers' },
  {
    $graphLookup: {
      from: 'customers',
      startWith: '$customer',
      connectFromField: 'parent',
      connectToField: '_id',
      as: 'tree',
    },
  },
  { $facet: { customer: [{ $limit: 1 }] } },
  { $bucket: { groupBy: '$customer', boundaries: [0, 10], default: 'other' } },
  { $bucketAuto: { groupBy: '$customer', buckets: 2 } },
  { $sortByCount: '$customer' },
  { $setWindowFields: { sortBy: { total: 1 }, output: { sum: { $sum: '$total' } } } },
  { $redact: '$$KEEP' },
  { $count: 'customer' },
  { $densify: { field: 'total', range: { step: 1, bounds: 'full' } } },
  { $fill: { output: { tax: { value: 1 } } } },
];

const AFTER: readonly Document[][] = [
  [],
  [{ $unwind: '$joined' }],
  [{ $unwind: { path: '$joined', preserveNullAndEmptyArrays: true } }],
  [{ $match: { total: 1 } }, { $unwind: '$joined' }],
  [{ $unwind: '$items' }],
  [{ $set: { tax: 1 } }],
  [{ $project: { joined: 1 } }],
];

describe('a $lookup on MongoDB 6.0.5', () => {
  let server: EmbeddedMongod;
  let client: MongoClient;
  beforeAll(async () => {
    server = await startStandalone({ mongod: await findMongod605() });
    client = new MongoClient(server.uri);
    await client
      .db('shop')
      .collection('orders')
      .insertMany([1, 2, 3].map((customer) => ({ customer, total: customer, items: [1] })));
    await client
      .db('shop')
      .collection<{ _id: number }>('customers')
      .insertMany([{ _id: 1 }, { _id: 2 }]);
  });
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  it.each(BEFORE.map((stage) => [stage]))('is said to run in the engine that runs it, behind %j', async (stage) => {
    expect(isClassicByPosition([stage, LOOKUP], 1, { version: '6.0.5' })).toBe(await isClassic([stage, LOOKUP]));
  });

  it.each(AFTER.map((stages) => [stages]))('is said to run in the engine that runs it, before %j', async (stages) => {
    expect(isClassicByPosition([LOOKUP, ...stages], 0, { version: '6.0.5' })).toBe(
      await isClassic([LOOKUP, ...stages]),
    );
  });

  async function isClassic(pipeline: Document[]): Promise<boolean> {
    const explanation = await client.db('shop').collection('orders').aggregate(pipeline).explain();
    return !JSON.stringify(explanation).includes('"asField":"joined"');
  }
});

it.each(['5.0.26', '7.0.2', '8.0.0', undefined])('nothing is said of version %s', (version) => {
  const server = version === undefined ? {} : { version };
  expect(isClassicByPosition([LOOKUP, { $unwind: '$joined' }], 0, server)).toBe(false);
});
