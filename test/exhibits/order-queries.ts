import type { Collection, CreateIndexesOptions, Db, Document } from 'mongodb';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import { SeededRandom } from '../../src/demo/seeded-random.js';
import { MS_PER_DAY } from '../../src/time-units.js';
import { type Exhibit, planted, type PlantedCollection } from './exhibit.js';

/** Enough for a warning: 10,000 documents that an execution reads for nothing. */
const ORDERS = 12_000;

const CUSTOMERS = 400;

const EXECUTIONS = 5;

/** In ms. Orders come at random times: what came every minute would be a measurement. */
const MEAN_GAP = 60_000;

const STATUSES = ['open', 'paid', 'sent', 'returned'] as const;

export async function plantQueriedOrders(database: Db, name: string): Promise<void> {
  const random = new SeededRandom(31);
  const gaps = new SeededRandom(32);
  let placed = 1.7e12;
  const orders = Array.from({ length: ORDERS }, (_, number): Document => {
    placed += gaps.exponential() * MEAN_GAP;
    return {
      number,
      customer: random.between(1, CUSTOMERS),
      status: STATUSES[number % STATUSES.length],
      total: random.between(5, 500),
      placed: new Date(placed),
      mail: `Customer${number}@example.com`,
    };
  });
  await database.collection(name).insertMany(orders);
}

/** Runs a query for some customers, with the profiler on. */
export async function askForOrders(database: Db, query: (customer: number) => Promise<unknown>): Promise<void> {
  await recordOperations(database, async () => {
    for (let customer = 1; customer <= EXECUTIONS; customer += 1) await query(customer);
  });
}

type Ask = (orders: Collection, customer: number) => Promise<unknown>;

/** Orders with an index, and what an application asks of them. */
export function askedOrders(name: string, index: Index | null, ...asks: readonly Ask[]): PlantedCollection {
  return planted(name, async (database) => {
    await plantQueriedOrders(database, name);
    const orders = database.collection(name);
    if (index !== null) await orders.createIndex(index.key, index.options);
    for (const ask of asks) await askForOrders(database, (customer) => ask(orders, customer));
  });
}

interface Index {
  readonly key: Readonly<Record<string, 1 | -1>>;
  readonly options?: CreateIndexesOptions;
}

const ofCustomer: Ask = (orders, customer) => orders.find({ customer }).sort({ placed: -1 }).toArray();

const collectionScan: Exhibit = {
  check: 'collection-scan',
  story: 'orders of a customer, found by reading all orders / found in an index',
  bad: { ...askedOrders('orders_scanned', null, ofCustomer), path: 'customer_1_placed_-1' },
  twin: askedOrders('orders_looked_up', { key: { customer: 1, placed: -1 } }, ofCustomer, (orders) =>
    orders.aggregate([{ $group: { _id: '$status', orders: { $sum: 1 } } }]).toArray(),
  ),
};

const fewOfStatus: Ask = (orders, customer) =>
  orders.findOne({ status: 'open', number: { $gt: 11_000 + 4 * customer } });

const poorTargeting: Exhibit = {
  check: 'poor-targeting',
  story: 'a few orders, searched among all of a status / found by an index on every field of the query',
  bad: { ...askedOrders('orders_by_status', { key: { status: 1 } }, fewOfStatus), path: 'status_1_number_1' },
  twin: askedOrders('orders_by_status_and_number', { key: { status: 1, number: 1 } }, fewOfStatus),
};

const newest: Ask = (orders, limit) => orders.find().sort({ placed: -1 }).limit(limit).toArray();

const inMemorySort: Exhibit = {
  check: 'in-memory-sort',
  story: 'the newest orders, sorted each time / read from an index in that order',
  bad: { ...askedOrders('orders_sorted_anew', null, newest), path: 'placed_-1' },
  twin: askedOrders('orders_kept_in_order', { key: { placed: -1 } }, newest),
};

const fullCount: Exhibit = {
  check: 'full-count',
  story: 'the number of all orders, counted document by document / asked from the metadata',
  bad: { ...askedOrders('orders_counted', null, (orders) => orders.countDocuments({})), path: null },
  twin: askedOrders('orders_estimated', null, (orders) => orders.estimatedDocumentCount()),
};

const WITHOUT_CASE = { locale: 'en', strength: 2 };
const BY_MAIL: Index = { key: { mail: 1 } };

/** By a pattern, with the number of the customer in place of `#`. */
const byMail =
  (pattern: string, flags?: string): Ask =>
  (orders, customer) =>
    orders.find({ mail: new RegExp(pattern.replace('#', String(customer)), flags) }).toArray();

const caseInsensitiveRegex: Exhibit = {
  check: 'case-insensitive-regex',
  story: 'addresses matched by a regular expression that ignores case / by an index that does',
  bad: { ...askedOrders('orders_by_pattern', BY_MAIL, byMail('^customer#@example\\.com$', 'i')), path: 'mail' },
  twin: askedOrders('orders_by_collation', { ...BY_MAIL, options: { collation: WITHOUT_CASE } }, (orders, customer) =>
    orders.findOne({ mail: `customer${customer}@example.com` }, { collation: WITHOUT_CASE }),
  ),
};

const unselectiveFilter: Exhibit = {
  check: 'unselective-filter',
  story: 'an address matched by a pattern that may begin anywhere / by its beginning',
  bad: { ...askedOrders('orders_by_part', BY_MAIL, byMail('Customer#@example\\.com$')), path: 'mail' },
  twin: askedOrders('orders_by_beginning', BY_MAIL, byMail('^Customer#@example\\.com$')),
};

const BY_TIME: Index = { key: { placed: 1 } };

const dayOf = (day: number) => new Date(1.7e12 + day * MS_PER_DAY);

const expressionFilter: Exhibit = {
  check: 'expression-filter',
  story: 'the orders of a day, by an expression that cuts each date off / by the bounds of the day',
  bad: {
    ...askedOrders('orders_by_expression', BY_TIME, (orders, day) =>
      orders
        .find({ $expr: { $eq: [{ $dateTrunc: { date: '$placed', unit: 'day' } }, startOf(dayOf(day))] } })
        .toArray(),
    ),
    path: 'placed',
  },
  twin: askedOrders('orders_by_bounds', BY_TIME, (orders, day) =>
    orders.find({ placed: { $gte: startOf(dayOf(day)), $lt: startOf(dayOf(day + 1)) } }).toArray(),
  ),
};

function startOf(date: Date): Date {
  return new Date(Math.floor(date.getTime() / MS_PER_DAY) * MS_PER_DAY);
}

export const orderQueriesExhibits: readonly Exhibit[] = [
  collectionScan,
  poorTargeting,
  inMemorySort,
  fullCount,
  caseInsensitiveRegex,
  unselectiveFilter,
  expressionFilter,
];
