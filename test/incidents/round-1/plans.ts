import { DAY } from '../../designs/planting.js';
import type { Incident } from '../incident.js';

/** The indexes are there, and the query asks for too much. */
export const PLAN_INCIDENTS: readonly Incident[] = [
  {
    name: 'origins-by-date',
    source: 'https://super-unix.com/database/mongodb-why-mongo-is-choosing-the-wrong-index-execution-plan/',
    why: 'Products of one origin, newest first: the planner walks the index on the date through the whole collection, as no index has both fields.',
    faults: [
      {
        what: 'The index that provides the sort order is read as a whole to find the few products of an origin.',
        collection: 'products',
        about: 'origins_tags',
        severity: 'warning',
        cure: 'db.products.createIndex({ origins_tags: 1, last_modified_t: -1 })',
      },
    ],
    async plant(p) {
      await p.fill(
        'products',
        p.times(30_000, (index) => ({
          _id: p.id(),
          code: `code-${index}`,
          origins_tags: [`origin-${Math.floor(300 * p.random.next() ** 3)}`],
          last_modified_t: p.random.below(1_600_000_000),
          name: p.words(4),
        })),
      );
      await p.database
        .collection('products')
        .createIndexes([{ key: { last_modified_t: -1 } }, { key: { code: 1 }, unique: true }]);
    },
    async use(database, p) {
      const products = database.collection('products');
      for (let page = 0; page < 80; page += 1) {
        await products
          .find({ origins_tags: `origin-${p.random.between(100, 299)}` })
          .sort({ last_modified_t: -1 })
          .skip(20 * p.random.below(3))
          .limit(20)
          .toArray();
        for (let read = 0; read < 6; read += 1) await products.findOne({ code: `code-${p.random.below(30_000)}` });
        await products.find().sort({ last_modified_t: -1 }).limit(20).toArray();
      }
    },
  },
  {
    name: 'page-two-thousand',
    source: 'https://gadelkareem.com/2018/02/11/workaround-slow-pagination-using-skip-mongodb/',
    why: 'Page 2000 ended in a timeout: skip walks through all that is before it.',
    faults: [
      {
        what: 'Deep pages are reached with skip: tens of thousands of keys are walked for 25 documents.',
        collection: 'links',
        about: 'skip',
        severity: 'warning',
        cure: 'Continue after the last created_at that was seen instead of skipping',
      },
    ],
    async plant(p) {
      await p.fill(
        'links',
        p.times(50_000, (index) => ({
          _id: p.id(),
          created_at: p.date(index * 60_000),
          url: `https://example.net/${p.word()}/${index}`,
          text: p.words(12),
        })),
      );
      await p.database.collection('links').createIndexes([{ key: { created_at: 1 } }, { key: { url: 1 } }]);
    },
    async use(database, p) {
      const links = database.collection('links');
      const some = await links.find().limit(100).toArray();
      for (let page = 0; page < 70; page += 1) {
        await links
          .find()
          .sort({ created_at: 1 })
          .skip(25 * p.random.between(1_200, 1_950))
          .limit(25)
          .toArray();
        for (let read = 0; read < 5; read += 1) await links.findOne({ url: some[p.random.below(100)]?.['url'] });
        await links
          .find({ created_at: { $gte: p.date(20 * DAY) } })
          .sort({ created_at: 1 })
          .limit(25)
          .toArray();
      }
    },
  },
  {
    name: 'counted-by-existing-id',
    source: 'https://example-a.com/answer/75615644',
    why: 'Counting takes a second for each 100,000 documents: the filter { _id: { $exists: true } } fetches every one.',
    faults: [
      {
        what: 'All documents are fetched to count them, although the collection knows how many it has.',
        collection: 'items',
        about: '_id',
        severity: 'warning',
        cure: 'estimatedDocumentCount(), or a filter that an index covers',
      },
    ],
    async plant(p) {
      await p.fill(
        'items',
        p.times(40_000, (index) => ({
          _id: p.id(),
          sku: `sku-${index}`,
          title: p.words(8),
          price: p.random.between(1, 500),
        })),
      );
      await p.database.collection('items').createIndex({ sku: 1 }, { unique: true });
    },
    async use(database, p) {
      const items = database.collection('items');
      for (let view = 0; view < 60; view += 1) {
        await items.countDocuments({ _id: { $exists: true } });
        for (let read = 0; read < 5; read += 1) await items.findOne({ sku: `sku-${p.random.below(40_000)}` });
        await items.find().sort({ _id: -1 }).limit(25).toArray();
      }
    },
  },
  {
    name: 'region-in-dashboard',
    source: 'https://dev.to/mongodb/detective-mode-fixing-the-mongodb-aggregation-pipeline-1bbo',
    why: 'A dashboard took 17 s instead of 0.6 s after a region was added: each order is joined with its customer before the orders are grouped.',
    faults: [
      {
        what: '$lookup runs for each of the completed orders, instead of once for each of the hundred customers that remain.',
        collection: 'orders',
        about: '$lookup',
        severity: 'warning',
        cure: 'Group by customer_id, sort and limit first, then look up the region of those that remain',
      },
    ],
    async plant(p) {
      await p.fill(
        'customers',
        p.times(4_000, (index) => ({
          _id: index,
          name: p.words(2),
          region: p.random.choose(['north', 'south', 'east', 'west']),
        })),
      );
      await p.fill(
        'orders',
        p.times(24_000, () => ({
          _id: p.id(),
          customer_id: p.random.below(4_000),
          status: p.random.chance(0.8) ? 'completed' : 'open',
          amount: p.random.between(5, 900),
          created_at: p.date(),
        })),
      );
      await p.database
        .collection('orders')
        .createIndexes([{ key: { status: 1, created_at: 1 } }, { key: { customer_id: 1, created_at: -1 } }]);
    },
    async use(database, p) {
      const orders = database.collection('orders');
      for (let view = 0; view < 12; view += 1) {
        await orders
          .aggregate([
            { $match: { status: 'completed', created_at: { $gte: p.date((180 + view) * DAY) } } },
            { $lookup: { from: 'customers', localField: 'customer_id', foreignField: '_id', as: 'customer' } },
            { $unwind: '$customer' },
            {
              $group: {
                _id: { customer_id: '$customer_id', region: '$customer.region' },
                total_orders: { $sum: 1 },
                total_revenue: { $sum: '$amount' },
              },
            },
            { $sort: { total_revenue: -1 } },
            { $limit: 100 },
          ])
          .toArray();
        for (let read = 0; read < 25; read += 1)
          await orders
            .find({ customer_id: p.random.below(4_000) })
            .sort({ created_at: -1 })
            .limit(10)
            .toArray();
        for (let read = 0; read < 10; read += 1)
          await database.collection<{ _id: number }>('customers').findOne({ _id: p.random.below(4_000) });
      }
    },
  },
  {
    name: 'facet-for-a-page',
    source: 'https://www.mongodb.com/community/forums/t/why-is-facet-so-slow/298075',
    why: 'A page and its count in one $facet take longer than two queries: the sort within $facet cannot use the index, so every order of the month is fetched.',
    faults: [
      {
        what: '$facet fetches all orders of the period to return ten; as a query of its own, the page reads ten.',
        collection: 'orders',
        about: '$facet',
        severity: 'info',
        cure: 'Two queries: a count that the index covers, and a find with sort and limit',
        short: {
          told: 'warning',
          why: 'it is the sort of all that is found in memory, which a page reaches by itself',
        },
      },
    ],
    async plant(p) {
      await p.fill(
        'orders',
        p.times(40_000, (index) => ({
          _id: p.id(),
          tenant: `tenant-${p.random.below(8)}`,
          number: index,
          orderDate: p.date(),
          status: p.random.choose(['new', 'paid', 'sent']),
          lines: p.words(20),
        })),
      );
      await p.database
        .collection('orders')
        .createIndexes([{ key: { tenant: 1, orderDate: -1 } }, { key: { number: 1 }, unique: true }]);
    },
    async use(database, p) {
      const orders = database.collection('orders');
      for (let view = 0; view < 60; view += 1) {
        const from = p.random.between(60, 390);
        await orders
          .aggregate([
            {
              $match: {
                tenant: `tenant-${p.random.below(8)}`,
                orderDate: { $gte: p.date(from * DAY), $lte: p.date((from - 60) * DAY) },
              },
            },
            {
              $facet: {
                total: [{ $count: 'total' }],
                pages: [
                  { $sort: { orderDate: -1 } },
                  { $skip: 0 },
                  { $limit: 10 },
                  { $project: { number: 1, orderDate: 1, status: 1 } },
                ],
              },
            },
          ])
          .toArray();
        for (let read = 0; read < 8; read += 1) await orders.findOne({ number: p.random.below(40_000) });
        await orders.updateOne({ number: p.random.below(40_000) }, { $set: { status: 'sent' } });
      }
    },
  },
  {
    name: 'orders-of-each-customer',
    source: 'https://henryihenacho.com/writing/optimising_n_plus_1_query',
    why: 'A list of customers took 11 s: two further queries are sent for each customer, one that counts its orders and one that fetches them.',
    faults: [
      {
        what: 'Each list sends two queries per customer to orders, hundreds in a row.',
        collection: 'orders',
        about: 'customerId',
        severity: 'warning',
        cure: 'One aggregation with $lookup, or one find with customerId: { $in: [...] }',
      },
    ],
    async plant(p) {
      const customers = p.times(2_000, (index) => ({
        _id: p.id(),
        name: p.words(2),
        agent: index % 20,
        createdAt: p.date(),
      }));
      await p.fill('customers', customers);
      await p.fill(
        'orders',
        p.times(16_000, () => ({
          _id: p.id(),
          customerId: customers[p.random.below(2_000)]?._id,
          total: p.random.between(5, 900),
          status: p.random.choose(['paid', 'open']),
        })),
      );
      await p.database.collection('customers').createIndex({ agent: 1, createdAt: -1 });
      await p.database.collection('orders').createIndex({ customerId: 1 });
    },
    async use(database) {
      const orders = database.collection('orders');
      for (let list = 0; list < 12; list += 1) {
        const customers = await database
          .collection('customers')
          .find({ agent: list })
          .sort({ createdAt: -1 })
          .toArray();
        for (const { _id } of customers) {
          await orders.countDocuments({ customerId: _id });
          await orders.find({ customerId: _id }).toArray();
        }
        for (const { _id } of customers.slice(0, 10))
          await database.collection('customers').updateOne({ _id }, { $set: { seen: true } });
      }
    },
  },
];
