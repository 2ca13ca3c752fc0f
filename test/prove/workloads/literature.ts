import type { Document } from 'mongodb';
/** Examples of MongoDB's manual, on collections of a size at which an index matters. */
import type { ProvenWorkload } from '../proven-workload.js';
import { type Example, plantedWorkload, SIZE } from './planted-workload.js';

const MANUFACTURERS = ['Ford', 'GMC', 'Toyota', 'Volvo', 'Fiat', 'Seat', 'Saab', 'Mini'];

/** Titles of the pages, which show these queries. */
const EXAMPLES: readonly (Example & { readonly page: string })[] = [
  {
    name: 'manual-esr',
    page: 'The ESR (Equality, Sort, Range) Guideline',
    documents: {
      cars: (number) => ({
        manufacturer: MANUFACTURERS[number % 8],
        cost: 5_000 + ((number * 7_919) % 40_000),
        model: `model ${(number * 31) % 500}`,
      }),
    },
    run: async (database, round) => {
      const cars = database.collection('cars');
      const manufacturer = MANUFACTURERS[round % 8];
      await cars
        .find({ manufacturer, cost: { $gt: 40_000 } })
        .sort({ model: 1 })
        .toArray();
      const models = [round, round + 1].map((each) => `model ${each}`);
      await cars.find({ manufacturer, model: { $in: models } }).toArray();
    },
  },
  {
    name: 'manual-compound',
    page: 'Compound Indexes: prefixes',
    documents: {
      products: (number) => ({ item: `item ${number % 2_000}`, location: `store ${number % 50}`, stock: number % 300 }),
    },
    run: async (database, round) => {
      const products = database.collection('products');
      const item = `item ${round * 10}`;
      await products.find({ item }).toArray();
      await products.find({ item, stock: { $gt: 5 } }).toArray();
      await products.find({ item, location: `store ${round}` }).toArray();
      await products.updateMany({ item, location: `store ${round}` }, { $inc: { stock: 1 } });
    },
  },
  {
    name: 'manual-lookup',
    page: '$lookup: a single equality, and a correlated subquery',
    documents: {
      orders: (number) => ({ _id: number, item: `sku ${number % 4_000}`, price: number % 90, quantity: number % 5 }),
      inventory: (number) => ({ sku: `sku ${number % 4_000}`, description: 'product', instock: number % 120 }),
    },
    run: async (database, round) => {
      const orders = database.collection('orders');
      const $match = { _id: { $gte: round * 10, $lt: round * 10 + 3 } };
      const stages: readonly Document[] = [
        { $lookup: { from: 'inventory', localField: 'item', foreignField: 'sku', as: 'stock' } },
        {
          $lookup: {
            from: 'inventory',
            let: { order_item: '$item' },
            pipeline: [{ $match: { $expr: { $eq: ['$sku', '$$order_item'] } } }, { $project: { instock: 1 } }],
            as: 'stock',
          },
        },
      ];
      for (const stage of stages) await orders.aggregate([{ $match }, stage]).toArray();
    },
  },
  {
    name: 'manual-sort',
    page: 'Use Indexes to Sort Query Results',
    documents: {
      records: (number) => ({ a: number % 40, b: (number * 7_919) % SIZE, c: number % 7, text: 'x'.repeat(100) }),
    },
    run: async (database, round) => {
      const records = database.collection('records');
      await records.find().sort({ b: -1 }).limit(10).toArray();
      await records.find({ a: round }).sort({ b: 1 }).toArray();
      await records.find({ a: round }).sort({ b: -1 }).limit(20).toArray();
      await records
        .find({ a: { $gt: 35 } })
        .sort({ a: 1, b: 1 })
        .limit(20)
        .toArray();
    },
  },
  {
    name: 'manual-or',
    page: '$or: each clause with an index of its own',
    documents: {
      inventory: (number) => ({
        quantity: (number * 13) % 5_000,
        price: (number * 17) % 3_000,
        item: `item ${number}`,
      }),
    },
    run: async (database, round) => {
      const inventory = database.collection('inventory');
      await inventory.find({ $or: [{ quantity: { $lt: 20 } }, { price: round }] }).toArray();
    },
  },
  {
    name: 'manual-multikey',
    page: 'Multikey Index Bounds',
    documents: {
      survey: (number) => ({
        item: `item ${number % 3_000}`,
        ratings: [number % 11, (number * 3) % 1_000, (number * 5) % 1_000],
        results: [{ product: `p${number % 700}`, score: number % 10 }],
      }),
    },
    run: async (database, round) => {
      const survey = database.collection('survey');
      await survey.find({ ratings: { $elemMatch: { $gte: 300 + round, $lte: 303 + round } } }).toArray();
      await survey.find({ item: `item ${round}`, ratings: { $gte: 3 } }).toArray();
      await survey.find({ results: { $elemMatch: { product: `p${round}`, score: { $gte: 8 } } } }).toArray();
    },
  },
  {
    name: 'manual-covered',
    page: 'Covered Query',
    documents: {
      inventory: (number) => ({ type: `type ${number % 200}`, item: `c${number % 90} item`, size: number }),
    },
    indexes: { inventory: [{ type: 1 }] },
    run: async (database, round) => {
      const inventory = database.collection('inventory');
      await inventory.find({ type: `type ${round}`, item: /^c7/ }, { projection: { item: 1, _id: 0 } }).toArray();
      await inventory.findOne({ size: 15_000 + round });
    },
  },
  {
    name: 'manual-pipeline',
    page: 'Aggregation Pipeline Optimization',
    documents: {
      orders: (number) => ({
        cust_id: `customer ${number % 900}`,
        status: number % 400 === 0 ? 'D' : 'A',
        amount: (number * 37) % 700,
        ord_date: new Date(Date.UTC(2026, 0, 1 + (number % 300))),
      }),
    },
    run: async (database, round) => {
      const orders = database.collection('orders');
      const total = { $group: { _id: '$cust_id', total: { $sum: '$amount' } } };
      await orders.aggregate([{ $match: { status: 'D' } }, total, { $sort: { total: -1 } }]).toArray();
      await orders
        .aggregate([{ $match: { cust_id: `customer ${round}` } }, { $sort: { ord_date: -1 } }, { $limit: 5 }])
        .toArray();
      await orders.countDocuments({ cust_id: `customer ${round}`, ord_date: { $gte: new Date(Date.UTC(2026, 5, 1)) } });
      await orders.distinct('amount', { cust_id: `customer ${round}` });
    },
  },
  {
    name: 'manual-writes',
    page: 'Update Documents; Delete Documents',
    documents: {
      inventory: (number) => ({ item: `item ${number}`, qty: number % 1_000, status: number % 2 === 0 ? 'A' : 'D' }),
    },
    run: async (database, round) => {
      const inventory = database.collection('inventory');
      await inventory.updateOne({ item: `item ${15_000 + round}` }, { $set: { 'size.uom': 'cm', status: 'P' } });
      await inventory.updateMany({ qty: round, status: 'A' }, { $set: { status: 'P' } });
      await inventory.deleteMany({ qty: round + 500, status: 'D' });
      await inventory.findOneAndUpdate({ item: `item ${10_000 + round}` }, { $inc: { qty: -1 } });
    },
  },
  {
    name: 'manual-collation',
    page: 'Case-Insensitive Indexes',
    documents: {
      fruit: (number) => ({ type: number % 2 === 0 ? `Apple ${number}` : `apple ${number}`, farm: number % 150 }),
    },
    run: async (database, round) => {
      const fruit = database.collection('fruit');
      await fruit
        .find({ type: `APPLE ${round * 10}` })
        .collation({ locale: 'en', strength: 2 })
        .toArray();
      await fruit.find({ farm: round, type: { $ne: 'Apple 2' } }).toArray();
    },
  },
];

export const LITERATURE_WORKLOADS: readonly ProvenWorkload[] = EXAMPLES.map(({ page, ...example }) =>
  plantedWorkload(example, `MongoDB manual, "${page}"`),
);
