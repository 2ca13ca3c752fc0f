import { type Db, ObjectId, type Document } from 'mongodb';
import pLimit from 'p-limit';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import { SeededRandom } from '../../src/demo/seeded-random.js';
import { type Exhibit, faulty, planted } from './exhibit.js';
import { askedOrders, askForOrders } from './order-queries.js';

const SKIPPED_PAGE = 20;
const BY_NUMBER = { key: { number: 1 } } as const;

const deepSkip: Exhibit = {
  check: 'deep-skip',
  story: 'the 550th page of a list, by skipping the pages before it / by the last number of the page before',
  bad: {
    ...askedOrders('orders_by_page', BY_NUMBER, (orders, page) =>
      orders
        .find()
        .sort({ number: 1 })
        .skip(11_000 + SKIPPED_PAGE * page)
        .limit(SKIPPED_PAGE)
        .toArray(),
    ),
    path: null,
  },
  twin: askedOrders('orders_by_range', BY_NUMBER, (orders, page) =>
    orders
      .find({ number: { $gt: 11_000 + SKIPPED_PAGE * page } })
      .sort({ number: 1 })
      .limit(SKIPPED_PAGE)
      .toArray(),
  ),
};

const ARTICLES = 1_500;

const PAGE = 20;

const WORDS = ['river', 'harbor', 'council', 'market', 'bridge', 'winter', 'season', 'record'];

async function plantArticles(database: Db, name: string): Promise<void> {
  const random = new SeededRandom(43);
  const word = () => WORDS[random.below(WORDS.length)];
  const articles = Array.from({ length: ARTICLES }, (_, number) => ({
    title: `${word()} and ${word()} ${number}`,
    section: random.below(12),
    body: Array.from({ length: random.between(150, 300) }, word).join(' '),
  }));
  await database.collection(name).insertMany(articles);
}

const unboundedFind: Exhibit = {
  check: 'unbounded-find',
  needsMember: true,
  story: 'a list of titles that reads all articles with their texts / one page of them, without the texts',
  bad: faulty('articles_read_whole', null, async (database, name) => {
    await plantArticles(database, name);
    await askForOrders(database, () => database.collection(name).find().toArray());
  }),
  twin: planted('articles_read_by_page', async (database, name) => {
    await plantArticles(database, name);
    await askForOrders(database, () =>
      database
        .collection(name)
        .find({}, { projection: { title: 1, section: 1 } })
        .sort({ _id: -1 })
        .limit(PAGE)
        .toArray(),
    );
  }),
};

const ORDERS = 1_200;

/** Orders of one export. Profilers are small, and the other exhibits share this one. */
const LISTED = 120;

/** Finds of the loop that run at once, so that all are within ten seconds on a busy machine, too. */
const AT_ONCE = 10;

const CUSTOMERS = 1_000;

async function plantCustomers(database: Db, customers: string, orders: string): Promise<void> {
  const known = Array.from({ length: CUSTOMERS }, (_, number) => ({ _id: new ObjectId(), name: `Customer ${number}` }));
  await database.collection(customers).insertMany(known);
  const placed = Array.from({ length: ORDERS }, (_, number) => ({
    number,
    customer: known[(number * 7) % CUSTOMERS]!._id,
  }));
  await database.collection(orders).insertMany(placed);
  await database.collection(orders).createIndex({ customer: 1 });
}

const list = (database: Db, orders: string): Promise<Document[]> =>
  database.collection(orders).find().limit(LISTED).toArray();

const nPlusOneQuery: Exhibit = {
  check: 'n-plus-one-query',
  story: 'the customer of each listed order, asked for one by one / with one $in',
  bad: faulty('customers_one_by_one', '_id', async (database, name) => {
    await plantCustomers(database, name, 'orders_one_by_one');
    const customers = database.collection(name);
    await recordOperations(database, async () => {
      await pLimit(AT_ONCE).map(await list(database, 'orders_one_by_one'), ({ customer }) =>
        customers.findOne({ _id: customer as ObjectId }),
      );
    });
  }),
  twin: planted('customers_at_once', async (database, name) => {
    await plantCustomers(database, name, 'orders_at_once');
    await recordOperations(database, async () => {
      const ids = (await list(database, 'orders_at_once')).map(({ customer }) => customer as ObjectId);
      await database
        .collection(name)
        .find({ _id: { $in: ids } })
        .toArray();
    });
  }),
};

const LISTED_CUSTOMERS = 1_200;

const REGIONS = 4;

const LISTED_ORDERS = 3_600;

/** A fourth of the customers lives in each region. */
const regionOf = (number: number) => `region ${number % REGIONS}`;

async function plantListedOrders(database: Db, name: string, fieldsOf: (number: number) => Document): Promise<void> {
  const orders = Array.from({ length: LISTED_ORDERS }, (_, number) => ({ number, ...fieldsOf(number) }));
  await database.collection(name).insertMany(orders);
}

const longInList: Exhibit = {
  check: 'long-in-list',
  needsMember: true,
  story: 'the orders of a region, by a list of its customers / by the region that each order copies',
  bad: faulty('orders_by_customers', 'customer', async (database, name) => {
    const customers = database.collection('customers_of_regions');
    const known = Array.from({ length: LISTED_CUSTOMERS }, (_, number) => ({
      _id: new ObjectId(),
      region: regionOf(number),
    }));
    await customers.insertMany(known);
    await customers.createIndex({ region: 1 });
    await plantListedOrders(database, name, (number) => ({
      customer: known[(number * 7) % LISTED_CUSTOMERS]!._id,
    }));
    const orders = database.collection(name);
    await orders.createIndex({ customer: 1 });
    await askForOrders(database, async (number) => {
      const listed = await customers.find({ region: regionOf(number) }, { projection: { _id: 1 } }).toArray();
      await orders.find({ customer: { $in: listed.map(({ _id }) => _id) } }, { projection: { number: 1 } }).toArray();
    });
  }),
  twin: planted('orders_by_region', async (database, name) => {
    await plantListedOrders(database, name, (number) => ({ region: regionOf(number * 7) }));
    const orders = database.collection(name);
    await orders.createIndex({ region: 1 });
    await askForOrders(database, (number) =>
      orders.find({ region: regionOf(number) }, { projection: { number: 1 } }).toArray(),
    );
  }),
};

export const pagesExhibits: readonly Exhibit[] = [deepSkip, unboundedFind, nPlusOneQuery, longInList];
