import type { Exhibit } from '../exhibit.js';
import { askForOrders, plantQueriedOrders } from './queried-orders.js';

export const poorTargeting: Exhibit = {
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
