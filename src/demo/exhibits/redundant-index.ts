import type { Db } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { SeededRandom } from '../seeded-random.js';

const ORDERS = 1_000;

async function plantOrders(database: Db, name: string): Promise<void> {
  const random = new SeededRandom(8);
  const orders = Array.from({ length: ORDERS }, (_, index) => ({
    number: index,
    customer: random.between(1, 200),
    placed: new Date(1.7e12 + index * 60_000),
  }));
  await database.collection(name).insertMany(orders);
}

export const redundantIndex: Exhibit = {
  check: 'redundant-index',
  story: 'an index on customer beside one on customer and date / an index that enforces what its longer twin cannot',
  bad: {
    name: 'orders_by_customer_twice',
    path: 'customer_1',
    async plant(database) {
      await plantOrders(database, this.name);
      await database
        .collection(this.name)
        .createIndexes([{ key: { customer: 1 } }, { key: { customer: 1, placed: -1 } }]);
    },
  },
  twin: {
    name: 'orders_with_unique_number',
    async plant(database) {
      await plantOrders(database, this.name);
      await database
        .collection(this.name)
        .createIndexes([
          { key: { number: 1 }, unique: true },
          { key: { number: 1, placed: -1 } },
          { key: { customer: 1, placed: -1 } },
        ]);
    },
  },
};
