import type { Db } from 'mongodb';

/** Documents of each collection. */
export const ORDERS = 400;
export const CUSTOMERS = 50;

/** Values that stand in queries and documents, and must not be found in what is kept of them. */
export const SECRET = 'Secret4711';

/** Orders, customers and a view that joins them. */
export async function plantShop(database: Db): Promise<void> {
  const orders = Array.from({ length: ORDERS }, (_, _id) => ({
    _id,
    customerId: _id % CUSTOMERS,
    total: _id,
    name: `n${_id}`,
  }));
  await database.collection<{ _id: number }>('orders').insertMany(orders);
  await database
    .collection('customers')
    .insertMany(Array.from({ length: CUSTOMERS }, (_, key) => ({ key, kind: 'b2b' })));
  await database.createCollection('boughtBy', {
    viewOn: 'orders',
    pipeline: [{ $lookup: { from: 'customers', localField: 'customerId', foreignField: 'key', as: 'customer' } }],
  });
  await database.createCollection('boughtByBusinesses', {
    viewOn: 'boughtBy',
    pipeline: [{ $match: { 'customer.kind': SECRET } }],
  });
}

/** A join in batches: one operation, eight continuations. */
export async function joinInBatches(database: Db): Promise<void> {
  const pipeline = [{ $lookup: { from: 'customers', localField: 'customerId', foreignField: 'key', as: 'customer' } }];
  await database.collection('orders').aggregate(pipeline, { batchSize: 50, comment: SECRET }).toArray();
}

/** Operations of every kind, each with values that differ from run to run. */
export async function runShop(database: Db, run: number): Promise<void> {
  const orders = database.collection<{ _id: number; customerId?: number; name?: string }>('orders');
  await orders
    .find({ total: { $gt: run }, name: new RegExp(`^${SECRET}${run}`, 'i') }, { comment: SECRET })
    .sort({ total: -1 })
    .toArray();
  await orders
    .find({ customerId: { $in: Array.from({ length: run + 2 }, (_, id) => id) } })
    .project({ total: 1 })
    .toArray();
  await orders.countDocuments({ total: run });
  await orders.distinct('customerId', { total: { $gt: run } });
  await orders.updateMany({ total: { $lt: run } }, { $set: { note: `${SECRET}${run}` } });
  await orders.deleteOne({ _id: ORDERS + run });
  await orders.findOneAndUpdate({ _id: run }, { $inc: { views: 1 } });
  await orders.insertOne({ _id: 10_000 + run, customerId: run, name: SECRET });
  await orders
    .aggregate([
      { $match: { _id: { $lt: run + 3 } } },
      {
        $lookup: {
          from: 'customers',
          let: { id: '$customerId' },
          pipeline: [{ $match: { $expr: { $eq: ['$key', '$$id'] }, kind: SECRET } }],
          as: 'customer',
        },
      },
    ])
    .toArray();
  await database.collection('boughtBy').find({ total: run }).toArray();
  await database
    .collection('boughtByBusinesses')
    .aggregate([{ $match: { total: run } }])
    .toArray();
  await orders
    .aggregate([{ $limit: 1 }, { $unionWith: { coll: 'boughtBy', pipeline: [{ $match: { total: run } }] } }])
    .toArray();
  await orders
    .aggregate([{ $group: { _id: '$customerId', n: { $sum: 1 } } }, { $merge: { into: 'report' } }])
    .toArray();
}
