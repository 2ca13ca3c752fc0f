import type { Db } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { recordOperations } from '../recorded-operations.js';

const BUYERS = 40;
/** Fewer would be too small to tell. */
const ORDERS = 1_200;
const READS = 40;
/** Orders on a page. */
const PAGE = 20;

async function plantBuyers(database: Db, name: string): Promise<void> {
  const buyers = Array.from({ length: BUYERS }, (_, number) => ({
    _id: `buyer-${number}`,
    name: `Buyer ${number}`,
    city: 'Springfield',
  }));
  await database.collection<{ _id: string }>(name).insertMany(buyers);
}

const buyer = (number: number) => ({ buyer: `buyer-${number % BUYERS}`, buyerName: `Buyer ${number % BUYERS}` });

const page = (number: number) => ({ number: { $gte: number * PAGE, $lt: (number + 1) * PAGE } });

const joinBuyer = (number: number, from: string) => [
  { $match: page(number) },
  { $lookup: { from, localField: 'buyer', foreignField: '_id', as: 'buyer' } },
];

export const heavyLookup: Exhibit = {
  check: 'heavy-lookup',
  story: 'every page of orders joins their buyers / orders carry the name of their buyer',
  bad: {
    name: 'orders_joined',
    path: null,
    beside: ['buyers_joined'],
    async plant(database) {
      await plantBuyers(database, 'buyers_joined');
      const orders = database.collection(this.name);
      await orders.insertMany(
        Array.from({ length: ORDERS }, (_, number) => ({ number, buyer: `buyer-${number % BUYERS}` })),
      );
      await orders.createIndex({ number: 1 });
      await recordOperations(database, async () => {
        for (let number = 0; number < READS; number += 1)
          await orders.aggregate(joinBuyer(number, 'buyers_joined')).toArray();
        await orders.findOne({ number: 1 });
      });
    },
  },
  twin: {
    name: 'orders_with_copies',
    beside: ['buyers_copied'],
    async plant(database) {
      await plantBuyers(database, 'buyers_copied');
      const orders = database.collection(this.name);
      await orders.insertMany(Array.from({ length: ORDERS }, (_, number) => ({ number, ...buyer(number) })));
      await orders.createIndex({ number: 1 });
      await recordOperations(database, async () => {
        for (let number = 0; number < READS; number += 1) await orders.find(page(number)).toArray();
        // Now and then a join is fine.
        await orders.aggregate(joinBuyer(1, 'buyers_copied')).toArray();
      });
    },
  },
};
