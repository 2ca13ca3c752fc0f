import type { Db, Document } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { askForOrders, plantQueriedOrders } from './queried-orders.js';

const BUYERS = 400;
/** Orders on a page. */
const PAGE = 10;

async function plant(database: Db, orders: string, buyers: string): Promise<void> {
  await plantQueriedOrders(database, orders);
  await database.collection(orders).createIndex({ placed: -1 });
  const documents = Array.from({ length: BUYERS }, (_, number) => ({ _id: number + 1, name: `Buyer ${number + 1}` }));
  await database.collection<{ _id: number }>(buyers).insertMany(documents);
}

const joined = (from: string): Document[] => [
  { $lookup: { from, localField: 'customer', foreignField: '_id', as: 'buyer' } },
  { $addFields: { buyer: { $first: '$buyer' } } },
];

const NEWEST: readonly Document[] = [{ $sort: { placed: -1 } }, { $limit: PAGE }];

export const earlyLookup: Exhibit = {
  check: 'early-lookup',
  story: 'the newest orders with their buyers, joined before the page is cut / joined for the page alone',
  bad: {
    name: 'orders_joined_first',
    path: null,
    beside: ['buyers_joined_first'],
    async plant(database) {
      await plant(database, this.name, 'buyers_joined_first');
      await askForOrders(database, () =>
        database
          .collection(this.name)
          .aggregate([...joined('buyers_joined_first'), ...NEWEST])
          .toArray(),
      );
    },
  },
  twin: {
    name: 'orders_joined_last',
    beside: ['buyers_joined_last'],
    async plant(database) {
      await plant(database, this.name, 'buyers_joined_last');
      await askForOrders(database, () =>
        database
          .collection(this.name)
          .aggregate([...NEWEST, ...joined('buyers_joined_last')])
          .toArray(),
      );
    },
  },
};
