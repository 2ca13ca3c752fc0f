import type { Exhibit } from '../exhibit.js';
import { askForOrders, plantQueriedOrders } from './queried-orders.js';

export const fullCount: Exhibit = {
  check: 'full-count',
  story: 'the number of all orders, counted document by document / asked from the metadata',
  bad: {
    name: 'orders_counted',
    path: null,
    async plant(database) {
      await plantQueriedOrders(database, this.name);
      await askForOrders(database, () => database.collection(this.name).countDocuments({}));
    },
  },
  twin: {
    name: 'orders_estimated',
    async plant(database) {
      await plantQueriedOrders(database, this.name);
      await askForOrders(database, () => database.collection(this.name).estimatedDocumentCount());
    },
  },
};
