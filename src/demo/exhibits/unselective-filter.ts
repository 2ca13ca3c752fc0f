import type { Exhibit } from '../exhibit.js';
import { askForOrders, plantQueriedOrders } from './queried-orders.js';

export const unselectiveFilter: Exhibit = {
  check: 'unselective-filter',
  story: 'an address matched by a pattern that may begin anywhere / by its beginning',
  bad: {
    name: 'orders_by_part',
    path: 'mail',
    async plant(database) {
      await plantQueriedOrders(database, this.name);
      const orders = database.collection(this.name);
      await orders.createIndex({ mail: 1 });
      await askForOrders(database, (customer) =>
        orders.find({ mail: new RegExp(`Customer${customer}@example\\.com$`) }).toArray(),
      );
    },
  },
  twin: {
    name: 'orders_by_beginning',
    async plant(database) {
      await plantQueriedOrders(database, this.name);
      const orders = database.collection(this.name);
      await orders.createIndex({ mail: 1 });
      await askForOrders(database, (customer) =>
        orders.find({ mail: new RegExp(`^Customer${customer}@example\\.com$`) }).toArray(),
      );
    },
  },
};
