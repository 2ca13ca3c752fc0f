import { MaxKey, MinKey, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startShardedCluster, type ShardedCluster } from './sharded-cluster.js';

const DOCUMENTS = 600;
let cluster: ShardedCluster;

beforeAll(async () => {
  cluster = await startShardedCluster();
  const orders = cluster.client.db('shop').collection('orders');
  await orders.insertMany(Array.from({ length: DOCUMENTS }, (_, index) => ({ number: index, parity: index % 2 })));
  await cluster.shardCollection('shop.orders', { number: 1 });
  await cluster.split('shop.orders', { number: 200 });
  await cluster.moveRange('shop.orders', { number: 200 }, 'sh2');
});
afterAll(() => cluster?.stop());

const orders = () => cluster.client.db('shop').collection('orders');
const onShard = (name: string) =>
  cluster.shards
    .get(name)
    ?.db('shop')
    .collection('orders')
    .aggregate([{ $match: {} }])
    .toArray();

describe('the sharded cluster of the tests', () => {
  it('answers as a router', async () => {
    expect(await cluster.client.db('admin').command({ hello: 1 })).toMatchObject({ msg: 'isdbgrid' });
  });

  it('has the metadata of a real cluster', async () => {
    const config = cluster.client.db('config');
    expect(await config.collection<Document>('collections').findOne({ _id: 'shop.orders' as never })).toMatchObject({
      key: { number: 1 },
      unique: false,
    });
    const { uuid } = (await config
      .collection<Document>('collections')
      .findOne({ _id: 'shop.orders' as never })) as Document;
    const chunks = await config.collection('chunks').find({ uuid }).sort({ min: 1 }).toArray();
    expect(chunks.map(({ min, max, shard }) => ({ min, max, shard }))).toEqual([
      { min: { number: new MinKey() }, max: { number: 200 }, shard: 'sh1' },
      { min: { number: 200 }, max: { number: new MaxKey() }, shard: 'sh2' },
    ]);
  });

  it('has the moved documents on the other shard', async () => {
    expect(await onShard('sh2')).toHaveLength(400);
  });

  it.each<[string, () => Promise<unknown>, unknown]>([
    ['a count', () => orders().countDocuments(), DOCUMENTS],
    [
      'an aggregation',
      () =>
        orders()
          .aggregate([{ $group: { _id: '$parity', n: { $sum: 1 } } }, { $sort: { _id: 1 } }])
          .toArray(),
      [
        { _id: 0, n: 300 },
        { _id: 1, n: 300 },
      ],
    ],
    ['find', async () => (await orders().find().batchSize(50).toArray()).length, DOCUMENTS],
    [
      'find with a filter and a limit',
      async () => (await orders().find({ parity: 1 }).limit(250).toArray()).length,
      250,
    ],
    [
      'find with a sort',
      async () =>
        await orders()
          .find({}, { sort: { number: -1 }, limit: 2, projection: { _id: 0, number: 1 } })
          .toArray(),
      [{ number: 599 }, { number: 598 }],
    ],
    [
      'find in natural order',
      async () =>
        (
          await orders()
            .find({}, { sort: { $natural: -1 } })
            .toArray()
        ).length,
      DOCUMENTS,
    ],
    [
      'a sample',
      async () =>
        new Set(
          (
            await orders()
              .aggregate([{ $sample: { size: 25 } }])
              .toArray()
          ).map(({ _id }) => String(_id)),
        ).size,
      25,
    ],
    [
      'the list of databases',
      async () =>
        (await cluster.client.db('admin').admin().listDatabases()).databases.some(({ name }) => name === 'shop'),
      true,
    ],
  ])('sees each document once in %s, orphans left out', async (_, read, expected) => {
    expect(await read()).toEqual(expected);
  });

  it('counts orphans where a real router does: in the count from metadata', async () => {
    expect(await orders().estimatedDocumentCount()).toBe(DOCUMENTS + 400);
  });

  it('has an answer of every shard for $collStats and $indexStats', async () => {
    const sizes = await orders()
      .aggregate([{ $collStats: { storageStats: {} } }])
      .toArray();
    expect(sizes.map(({ shard }) => shard).sort()).toEqual(['sh1', 'sh2']);
    const usage = await orders()
      .aggregate([{ $indexStats: {} }])
      .toArray();
    expect(
      usage
        .filter(({ name }) => name === 'number_1')
        .map(({ shard }) => shard)
        .sort(),
    ).toEqual(['sh1', 'sh2']);
  });

  it('joins across shards', async () => {
    const joined = await orders()
      .aggregate([
        { $match: { number: { $in: [1, 599] } } },
        {
          $lookup: {
            from: 'orders',
            let: { n: '$number' },
            pipeline: [{ $match: { $expr: { $eq: ['$number', { $subtract: [600, '$$n'] }] } } }],
            as: 'mirror',
          },
        },
        { $sort: { number: 1 } },
      ])
      .toArray();
    expect(joined.map(({ mirror }) => mirror[0]?.number)).toEqual([599, 1]);
  });

  it('continues the cursors of collections that are not sharded', async () => {
    const plain = cluster.client.db('shop').collection('plain');
    await plain.insertMany(Array.from({ length: 300 }, (_, number) => ({ number })));
    expect(await plain.find().batchSize(20).toArray()).toHaveLength(300);
    expect(await plain.aggregate([{ $match: {} }], { batchSize: 20 }).toArray()).toHaveLength(300);
  });

  it('continues the cursor of a union within others', async () => {
    const names = ['first', 'second', 'third', 'fourth', 'fifth'];
    const database = cluster.client.db('shop');
    for (const name of names)
      await database.collection(name).insertMany(Array.from({ length: 700 }, (_, number) => ({ number })));
    const stages = [{ $limit: 1_000 }, { $replaceWith: { document: '$$ROOT' } }];
    const unions = names.slice(1).map((coll) => ({ $unionWith: { coll, pipeline: stages } }));
    for (const batchSize of [0, 100, 700, 2_000]) {
      const united = database.collection('first').aggregate([...stages, ...unions], { batchSize });
      expect(await united.toArray()).toHaveLength(3_500);
    }
  });

  it('gives a server error back as it is', async () => {
    await expect(
      orders()
        .aggregate([{ $noSuchStage: {} }])
        .toArray(),
    ).rejects.toMatchObject({ code: 40324 });
  });
});
