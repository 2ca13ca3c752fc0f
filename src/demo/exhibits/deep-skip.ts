import type { Exhibit } from '../exhibit.js';
import { askForOrders, plantQueriedOrders } from './queried-orders.js';

const PAGE = 20;

export const deepSkip: Exhibit = {
  check: 'deep-skip',
  story: 'the 550th page of a list, by skipping the pages before it / by the last number of the page before',
  bad: {
    name: 'orders_by_page',
    path: null,
    async plant(database) {
      await plantQueriedOrders(database, this.name);
      const orders = database.collection(this.name);
      await orders.createIndex({ number: 1 });
      await askForOrders(database, (page) =>
        orders
          .find()
          .sort({ number: 1 })
          .skip(11_000 + PAGE * page)
          .limit(PAGE)
          .toArray(),
      );
    },
  },
  twin: {
    name: 'orders_by_range',
    async plant(database) {
      await plantQueriedOrders(database, this.name);
      const orders = database.collection(this.name);
      await orders.createIndex({ number: 1 });
      await askForOrders(database, (page) =>
        orders
          .find({ number: { $gt: 11_000 + PAGE * page } })
          .sort({ number: 1 })
          .limit(PAGE)
          .toArray(),
      );
    },
  },
};
