import { DAY, HOUR } from '../../designs/planting.js';
import type { Incident } from '../incident.js';
import { numbered, repeat } from '../round-2/workload.js';
import { question } from './source.js';

const STATUSES = ['pending', 'processing', 'shipped', 'delivered', 'cancelled'];
const REGIONS = ['us-east-1', 'us-west-2', 'eu-west-1', 'ap-southeast-1'];

/** Questions on queries and their indexes. */
export const QUERIES: readonly Incident[] = [
  {
    name: 'urgent-orders',
    source: question('mongodb-query-optimizer', 1),
    why: 'The newest fifty open orders with one of some tags: no index has the status, the tags or the order.',
    faults: [
      {
        what: 'Each request scans the orders and sorts them in memory.',
        collection: 'orders',
        about: 'tags',
        severity: 'warning',
        cure: 'db.orders.createIndex({ status: 1, tags: 1, createdAt: -1 })',
      },
    ],
    plant: (p) =>
      p.fill(
        'orders',
        p.times(15_000, (index) => ({
          _id: numbered(p, index),
          status: p.random.chance(0.2) ? 'open' : p.random.choose(STATUSES),
          tags: p.times(p.random.between(3, 5), () => `tag-${p.random.below(60)}`),
          createdAt: p.date((15_000 - index) * HOUR),
          total: p.random.between(5, 900),
        })),
      ),
    async use(database, p) {
      await repeat(80, () =>
        database
          .collection('orders')
          .find({ status: 'open', tags: { $in: p.times(3, () => `tag-${p.random.below(60)}`) } })
          .sort({ createdAt: -1 })
          .limit(50)
          .toArray(),
      );
    },
  },
  {
    name: 'revenue-by-category',
    source: question('mongodb-query-optimizer', 2),
    why: 'Orders since a date are joined with products by their sku, and summed by category. Neither field has an index.',
    faults: [
      {
        what: 'The join scans all products for each order.',
        collection: 'products',
        about: 'sku',
        severity: 'error',
        cure: 'db.products.createIndex({ sku: 1 })',
      },
      {
        what: 'The orders since a date are found by a scan.',
        collection: 'orders',
        about: 'date',
        severity: 'warning',
        cure: 'db.orders.createIndex({ date: 1 })',
      },
    ],
    async plant(p) {
      await p.fill(
        'products',
        p.times(2_000, (index) => ({ _id: numbered(p, index), sku: `sku-${index}`, category: `c${index % 20}` })),
      );
      await p.fill(
        'orders',
        p.times(12_000, (index) => ({
          _id: numbered(p, 5_000 + index),
          productId: `sku-${p.random.below(2_000)}`,
          date: p.date((12_000 - index) * HOUR),
          quantity: p.random.between(1, 5),
          unitPrice: p.random.between(3, 400),
        })),
      );
    },
    async use(database, p) {
      await repeat(8, () =>
        database
          .collection('orders')
          .aggregate([
            { $match: { date: { $gte: p.date(1_000 * HOUR) } } },
            { $lookup: { from: 'products', localField: 'productId', foreignField: 'sku', as: 'product' } },
            { $unwind: '$product' },
            {
              $group: {
                _id: '$product.category',
                totalRevenue: { $sum: { $multiply: ['$quantity', '$unitPrice'] } },
              },
            },
            { $sort: { totalRevenue: -1 } },
            { $limit: 10 },
          ])
          .toArray(),
      );
    },
  },
  {
    name: 'replaced-by-a-sync',
    source: question('mongodb-query-optimizer', 3),
    why: 'A job replaces each document by the state of another system, though few fields differ: the oplog gets them whole.',
    faults: [
      {
        what: 'Documents are replaced whole, and hardly any field changes.',
        collection: 'listings',
        about: 'replace',
        severity: 'warning',
        cure: 'updateOne with [{ $replaceWith: { $literal: doc } }], of which the server logs the difference',
        short: { told: 'info', why: 'documents of 6 KB; a warning begins at 32 KB' },
      },
    ],
    plant: (p) =>
      p.fill(
        'listings',
        p.times(2_000, (index) => ({
          _id: `listing-${index}`,
          title: p.words(6),
          description: p.words(500),
          facts: Object.fromEntries(p.times(40, (number) => [`fact${number}`, p.words(4)])),
          price: p.random.between(3, 400),
        })),
      ),
    async use(database, p) {
      const listings = database.collection<{ _id: string }>('listings');
      const some = await listings.find({}).limit(500).toArray();
      for (const each of some)
        await listings.replaceOne({ _id: each._id }, { ...each, price: p.random.between(3, 400) } as { _id: string });
    },
  },
  {
    name: 'nearly-covered',
    source: question('mongodb-query-optimizer', 4),
    why: 'The index has all fields of the query, which still fetches each document: `_id` is returned, and is not in it.',
    faults: [
      {
        what: 'Documents are fetched for their `_id` alone.',
        collection: 'users',
        about: '_id: 0',
        severity: 'info',
        cure: 'Leave `_id` out of the projection: { email: 1, _id: 0 }',
        short: { told: 'missed', why: 'no check is about `_id` in a projection that an index nearly covers' },
      },
    ],
    async plant(p) {
      await p.fill(
        'users',
        p.times(9_000, (index) => ({
          _id: numbered(p, index),
          status: p.random.choose(['active', 'blocked']),
          plan: p.random.choose(['free', 'standard', 'premium']),
          email: `${p.word()}${index}@example.net`,
          bio: p.words(40),
        })),
      );
      await p.database.collection('users').createIndex({ status: 1, plan: 1, email: 1 });
    },
    async use(database) {
      await repeat(60, () =>
        database
          .collection('users')
          .find({ status: 'active', plan: 'premium' }, { projection: { email: 1 } })
          .sort({ email: 1 })
          .toArray(),
      );
    },
  },
  {
    name: 'slow-cluster',
    source: question('mongodb-query-optimizer', 6),
    why: 'Orders are listed by status and region, newest first, and by their customer. The collection has no index but that on `_id`.',
    faults: [
      {
        what: 'The list by status and region scans the orders and sorts them in memory.',
        collection: 'orders',
        about: 'region',
        severity: 'warning',
        cure: 'db.orders.createIndex({ status: 1, region: 1, createdAt: -1 })',
      },
      {
        what: 'The orders of a customer are found by a scan.',
        collection: 'orders',
        about: 'customerId',
        severity: 'warning',
        cure: 'db.orders.createIndex({ customerId: 1 })',
      },
    ],
    plant: (p) =>
      p.fill(
        'orders',
        p.times(20_000, (index) => ({
          _id: numbered(p, index),
          customerId: numbered(p, 50_000 + p.random.below(2_000)),
          status: p.random.choose(STATUSES),
          region: p.random.choose(REGIONS),
          createdAt: p.date(p.random.below(700 * DAY)),
          total: p.random.between(5, 900),
        })),
      ),
    async use(database, p) {
      const orders = database.collection('orders');
      await repeat(60, async () => {
        const [status, region] = [p.random.choose(STATUSES), p.random.choose(REGIONS)];
        await orders.find({ status, region }).sort({ createdAt: -1 }).limit(20).toArray();
        await orders.find({ customerId: numbered(p, 50_000 + p.random.below(2_000)) }).toArray();
      });
    },
  },
  {
    name: 'dashboard-facet',
    source: question('mongodb-query-optimizer', 8),
    why: 'A dashboard sends the whole collection through the branches of one `$facet`, of which one wants ten orders.',
    faults: [
      {
        what: 'The branch for the newest high values reads all orders, since no index serves what is inside `$facet`.',
        collection: 'orders',
        about: '$facet',
        severity: 'warning',
        cure: 'A pipeline for each branch, united by $unionWith, and db.orders.createIndex({ createdAt: 1, total: 1 })',
      },
    ],
    plant: (p) =>
      p.fill(
        'orders',
        p.times(20_000, (index) => ({
          _id: numbered(p, index),
          status: p.random.choose(STATUSES),
          createdAt: p.date(p.random.below(700 * DAY)),
          total: p.heavyTailed(5, 2_000),
        })),
      ),
    async use(database, p) {
      await repeat(30, () =>
        database
          .collection('orders')
          .aggregate([
            {
              $facet: {
                recentHighValue: [
                  { $match: { total: { $gte: 500 }, createdAt: { $gte: p.date(60 * DAY) } } },
                  { $sort: { total: -1 } },
                  { $limit: 10 },
                ],
                statusBreakdown: [
                  { $group: { _id: '$status', count: { $sum: 1 }, average: { $avg: '$total' } } },
                  { $sort: { count: -1 } },
                ],
              },
            },
          ])
          .toArray(),
      );
    },
  },
];
