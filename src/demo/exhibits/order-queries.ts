import type { Db, Document } from 'mongodb';
import { recordOperations } from '../recorded-operations.js';
import { SeededRandom } from '../seeded-random.js';
import type { Exhibit } from '../exhibit.js';

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

const collectionScan: Exhibit = {
  check: 'collection-scan',
  story: 'orders of a customer, found by reading all orders / found in an index',
  bad: {
    name: 'orders_scanned',
    path: 'customer_1_placed_-1',
    async plant(database) {
      await plantQueriedOrders(database, this.name);
      const orders = database.collection(this.name);
      await askForOrders(database, (customer) => orders.find({ customer }).sort({ placed: -1 }).toArray());
    },
  },
  twin: {
    name: 'orders_looked_up',
    async plant(database) {
      await plantQueriedOrders(database, this.name);
      const orders = database.collection(this.name);
      await orders.createIndex({ customer: 1, placed: -1 });
      await askForOrders(database, (customer) => orders.find({ customer }).sort({ placed: -1 }).toArray());
      await askForOrders(database, () =>
        orders.aggregate([{ $group: { _id: '$status', orders: { $sum: 1 } } }]).toArray(),
      );
    },
  },
};

const poorTargeting: Exhibit = {
  check: 'poor-targeting',
  story: 'a few orders, searched among all of a status / found by an index on every field of the query',
  bad: {
    name: 'orders_by_status',
    path: 'status_1_number_1',
    async plant(database) {
      await plantQueriedOrders(database, this.name);
      const orders = database.collection(this.name);
      await orders.createIndex({ status: 1 });
      await askForOrders(database, (customer) =>
        orders.findOne({ status: 'open', number: { $gt: 11_000 + 4 * customer } }),
      );
    },
  },
  twin: {
    name: 'orders_by_status_and_number',
    async plant(database) {
      await plantQueriedOrders(database, this.name);
      const orders = database.collection(this.name);
      await orders.createIndex({ status: 1, number: 1 });
      await askForOrders(database, (customer) =>
        orders.findOne({ status: 'open', number: { $gt: 11_000 + 4 * customer } }),
      );
    },
  },
};

const inMemorySort: Exhibit = {
  check: 'in-memory-sort',
  story: 'the newest orders, sorted each time / read from an index in that order',
  bad: {
    name: 'orders_sorted_anew',
    path: 'placed_-1',
    async plant(database) {
      await plantQueriedOrders(database, this.name);
      const orders = database.collection(this.name);
      await askForOrders(database, (customer) => orders.find().sort({ placed: -1 }).limit(customer).toArray());
    },
  },
  twin: {
    name: 'orders_kept_in_order',
    async plant(database) {
      await plantQueriedOrders(database, this.name);
      const orders = database.collection(this.name);
      await orders.createIndex({ placed: -1 });
      await askForOrders(database, (customer) => orders.find().sort({ placed: -1 }).limit(customer).toArray());
    },
  },
};

const fullCount: Exhibit = {
  check: 'full-count',
  story: 'the number of all orders, counted document by document / asked from the metadata',
  bad: {
    name: 'orders_counted',
    path: null,
    async plant(database) {
      await plantQueriedOrders(database, this.name);
      await askForOrders(database, () => database.collection(this.name).countDocuments({}));
    },
  },
  twin: {
    name: 'orders_estimated',
    async plant(database) {
      await plantQueriedOrders(database, this.name);
      await askForOrders(database, () => database.collection(this.name).estimatedDocumentCount());
    },
  },
};

const WITHOUT_CASE = { locale: 'en', strength: 2 };

const caseInsensitiveRegex: Exhibit = {
  check: 'case-insensitive-regex',
  story: 'addresses matched by a regular expression that ignores case / by an index that does',
  bad: {
    name: 'orders_by_pattern',
    path: 'mail',
    async plant(database) {
      await plantQueriedOrders(database, this.name);
      const orders = database.collection(this.name);
      await orders.createIndex({ mail: 1 });
      await askForOrders(database, (customer) =>
        orders.find({ mail: new RegExp(`^customer${customer}@example\\.com$`, 'i') }).toArray(),
      );
    },
  },
  twin: {
    name: 'orders_by_collation',
    async plant(database) {
      await plantQueriedOrders(database, this.name);
      const orders = database.collection(this.name);
      await orders.createIndex({ mail: 1 }, { collation: WITHOUT_CASE });
      await askForOrders(database, (customer) =>
        orders.findOne({ mail: `customer${customer}@example.com` }, { collation: WITHOUT_CASE }),
      );
    },
  },
};

const unselectiveFilter: Exhibit = {
  check: 'unselective-filter',
  story: 'an address matched by a pattern that may begin anywhere / by its beginning',
  bad: {
    name: 'orders_by_part',
    path: 'mail',
    async plant(database) {
      await plantQueriedOrders(database, this.name);
      const orders = database.collection(this.name);
      await orders.createIndex({ mail: 1 });
      await askForOrders(database, (customer) =>
        orders.find({ mail: new RegExp(`Customer${customer}@example\\.com$`) }).toArray(),
      );
    },
  },
  twin: {
    name: 'orders_by_beginning',
    async plant(database) {
      await plantQueriedOrders(database, this.name);
      const orders = database.collection(this.name);
      await orders.createIndex({ mail: 1 });
      await askForOrders(database, (customer) =>
        orders.find({ mail: new RegExp(`^Customer${customer}@example\\.com$`) }).toArray(),
      );
    },
  },
};

/** In ms. */
const DAY = 86_400_000;

const dayOf = (day: number) => new Date(1.7e12 + day * DAY);

const expressionFilter: Exhibit = {
  check: 'expression-filter',
  story: 'the orders of a day, by an expression that cuts each date off / by the bounds of the day',
  bad: {
    name: 'orders_by_expression',
    path: 'placed',
    async plant(database) {
      await plantQueriedOrders(database, this.name);
      const orders = database.collection(this.name);
      await orders.createIndex({ placed: 1 });
      await askForOrders(database, (day) =>
        orders
          .find({ $expr: { $eq: [{ $dateTrunc: { date: '$placed', unit: 'day' } }, startOf(dayOf(day))] } })
          .toArray(),
      );
    },
  },
  twin: {
    name: 'orders_by_bounds',
    async plant(database) {
      await plantQueriedOrders(database, this.name);
      const orders = database.collection(this.name);
      await orders.createIndex({ placed: 1 });
      await askForOrders(database, (day) =>
        orders.find({ placed: { $gte: startOf(dayOf(day)), $lt: startOf(dayOf(day + 1)) } }).toArray(),
      );
    },
  },
};

function startOf(date: Date): Date {
  return new Date(Math.floor(date.getTime() / DAY) * DAY);
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
