import type { Exhibit } from '../exhibit.js';
import { askForOrders, plantQueriedOrders } from './queried-orders.js';

const WITHOUT_CASE = { locale: 'en', strength: 2 };

export const caseInsensitiveRegex: Exhibit = {
  check: 'case-insensitive-regex',
  story: 'addresses matched by a regular expression that ignores case / by an index that does',
  bad: {
    name: 'orders_by_pattern',
    path: 'mail',
    async plant(database) {
      await plantQueriedOrders(database, this.name);
      const orders = database.collection(this.name);
      await orders.createIndex({ mail: 1 });
      await askForOrders(database, (customer) =>
        orders.find({ mail: new RegExp(`^customer${customer}@example\\.com$`, 'i') }).toArray(),
      );
    },
  },
  twin: {
    name: 'orders_by_collation',
    async plant(database) {
      await plantQueriedOrders(database, this.name);
      const orders = database.collection(this.name);
      await orders.createIndex({ mail: 1 }, { collation: WITHOUT_CASE });
      await askForOrders(database, (customer) =>
        orders.findOne({ mail: `customer${customer}@example.com` }, { collation: WITHOUT_CASE }),
      );
    },
  },
};
