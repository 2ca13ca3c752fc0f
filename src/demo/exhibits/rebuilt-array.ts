import type { Db, Document } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { SeededRandom } from '../seeded-random.js';
import { askForOrders } from './queried-orders.js';

const CARTS = 1_600;

async function plantCarts(database: Db, name: string): Promise<void> {
  const random = new SeededRandom(47);
  const carts = Array.from({ length: CARTS }, (_, number) => ({
    number,
    items: Array.from({ length: random.between(4, 14) }, () => ({
      sku: `A${random.below(900)}`,
      price: random.between(2, 90),
    })),
  }));
  await database.collection(name).insertMany(carts);
}

const exhibit = (name: string, pipeline: Document[]) => ({
  name,
  async plant(database: Db) {
    await plantCarts(database, name);
    await askForOrders(database, () => database.collection(name).aggregate(pipeline).toArray());
  },
});

export const rebuiltArray: Exhibit = {
  check: 'rebuilt-array',
  needsMember: true,
  story: 'the total of each cart, by taking its items apart and grouping them again / by a sum over the array',
  bad: {
    ...exhibit('carts_taken_apart', [
      { $unwind: '$items' },
      { $group: { _id: '$_id', total: { $sum: '$items.price' } } },
    ]),
    path: 'items',
  },
  twin: exhibit('carts_added_up', [{ $project: { total: { $sum: '$items.price' } } }]),
};
