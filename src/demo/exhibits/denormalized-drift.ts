import { ObjectId, type Db } from 'mongodb';
import type { Exhibit } from '../exhibit.js';

const PRODUCTS = 150;
const ORDERS = 3_000;
const FIRST_SECOND = Date.UTC(2026, 0, 1) / 1_000;
const SECONDS_PER_ORDER = 600;
/** One product in so many was renamed, and of its orders one in so many was missed. */
const RENAMED = 2;
const MISSED = 4;

const isRenamed = (product: number) => product % RENAMED === 0;

/** Orders copy name and price of their product. Prices have changed since, and are meant to stay as they were. */
async function plantOrders(
  database: Db,
  orders: string,
  products: string,
  isMissed: (order: number) => boolean,
): Promise<void> {
  const ids = Array.from({ length: PRODUCTS }, () => new ObjectId());
  await database.collection(products).insertMany(
    ids.map((_id, number) => ({
      _id,
      name: isRenamed(number) ? `New name ${number}` : `Product ${number}`,
      price: number + 1,
    })),
  );
  await database.collection(orders).createIndex({ 'product._id': 1 });
  const documents = Array.from({ length: ORDERS }, (_, index) => {
    const product = index % PRODUCTS;
    const name = isRenamed(product) && !isMissed(index) ? `New name ${product}` : `Product ${product}`;
    return {
      _id: ObjectId.createFromTime(FIRST_SECOND + index * SECONDS_PER_ORDER),
      product: { _id: ids[product], name, price: index < ORDERS / 2 ? product : product + 1 },
    };
  });
  await database.collection(orders).insertMany(documents);
}

export const denormalizedDrift: Exhibit = {
  check: 'denormalized-drift',
  story:
    "orders with a copy of their product's name, some missed when it was renamed / all updated, with prices as they were",
  bad: {
    name: 'orders_missed_by_renaming',
    path: 'product.name',
    beside: ['products_renamed'],
    plant(database) {
      return plantOrders(
        database,
        this.name,
        'products_renamed',
        (order) => Math.floor(order / PRODUCTS) % MISSED === 1,
      );
    },
  },
  twin: {
    name: 'orders_renamed',
    beside: ['products_renamed_everywhere'],
    plant(database) {
      return plantOrders(database, this.name, 'products_renamed_everywhere', () => false);
    },
  },
};
