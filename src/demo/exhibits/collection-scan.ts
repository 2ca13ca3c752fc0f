import type { Exhibit } from '../exhibit.js';
import { askForOrders, plantQueriedOrders } from './queried-orders.js';

export const collectionScan: Exhibit = {
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
