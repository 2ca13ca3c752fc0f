import type { Exhibit } from '../exhibit.js';
import { askForOrders, plantQueriedOrders } from './queried-orders.js';

export const inMemorySort: Exhibit = {
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
