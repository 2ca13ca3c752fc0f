import { ObjectId, type Db, type Document } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { recordOperations } from '../recorded-operations.js';

const ORDERS = 1_200;
/** Orders of one export. Profilers are small, and the other exhibits share this one. */
const LISTED = 120;
const CUSTOMERS = 1_000;

async function plant(database: Db, customers: string, orders: string): Promise<void> {
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

export const nPlusOneQuery: Exhibit = {
  check: 'n-plus-one-query',
  story: 'the customer of each listed order, asked for one by one / with one $in',
  bad: {
    name: 'customers_one_by_one',
    path: '_id',
    beside: ['orders_one_by_one'],
    async plant(database) {
      await plant(database, this.name, 'orders_one_by_one');
      const customers = database.collection(this.name);
      await recordOperations(database, async () => {
        for (const { customer } of await list(database, 'orders_one_by_one'))
          await customers.findOne({ _id: customer as ObjectId });
      });
    },
  },
  twin: {
    name: 'customers_at_once',
    beside: ['orders_at_once'],
    async plant(database) {
      await plant(database, this.name, 'orders_at_once');
      await recordOperations(database, async () => {
        const ids = (await list(database, 'orders_at_once')).map(({ customer }) => customer as ObjectId);
        await database
          .collection(this.name)
          .find({ _id: { $in: ids } })
          .toArray();
      });
    },
  },
};
