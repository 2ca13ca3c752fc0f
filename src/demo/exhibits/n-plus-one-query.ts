import type { Db, Document } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { recordOperations } from '../recorded-operations.js';

const ORDERS = 1_200;
/** Orders of one export. Profilers are small, and the other exhibits share this one. */
const LISTED = 120;
const CUSTOMERS = 1_000;

async function plant(database: Db, customers: string, orders: string): Promise<void> {
  const known = Array.from({ length: CUSTOMERS }, (_, number) => ({ _id: number, name: `Customer ${number}` }));
  await database.collection<{ _id: number }>(customers).insertMany(known);
  const placed = Array.from({ length: ORDERS }, (_, number) => ({ number, customer: (number * 7) % CUSTOMERS }));
  await database.collection(orders).insertMany(placed);
}

const list = (database: Db, orders: string): Promise<Document[]> =>
  database.collection(orders).find().limit(LISTED).toArray();

export const nPlusOneQuery: Exhibit = {
  check: 'n-plus-one-query',
  story: 'the customer of each listed order, asked for one by one / with one $in',
  bad: {
    name: 'one_by_one_customers',
    path: '_id',
    beside: ['orders_one_by_one'],
    async plant(database) {
      await plant(database, this.name, 'orders_one_by_one');
      const customers = database.collection<{ _id: number }>(this.name);
      await recordOperations(database, async () => {
        for (const { customer } of await list(database, 'orders_one_by_one'))
          await customers.findOne({ _id: customer as number });
      });
    },
  },
  twin: {
    name: 'at_once_customers',
    beside: ['orders_at_once'],
    async plant(database) {
      await plant(database, this.name, 'orders_at_once');
      await recordOperations(database, async () => {
        const ids = (await list(database, 'orders_at_once')).map(({ customer }) => customer as number);
        await database
          .collection<{ _id: number }>(this.name)
          .find({ _id: { $in: ids } })
          .toArray();
      });
    },
  },
};
