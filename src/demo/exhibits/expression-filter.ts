import type { Exhibit } from '../exhibit.js';
import { askForOrders, plantQueriedOrders } from './queried-orders.js';

/** In ms. */
const DAY = 86_400_000;
const dayOf = (day: number) => new Date(1.7e12 + day * DAY);

export const expressionFilter: Exhibit = {
  check: 'expression-filter',
  story: 'the orders of a day, by an expression that cuts each date off / by the bounds of the day',
  bad: {
    name: 'orders_by_expression',
    path: 'placed',
    async plant(database) {
      await plantQueriedOrders(database, this.name);
      const orders = database.collection(this.name);
      await orders.createIndex({ placed: 1 });
      await askForOrders(database, (day) =>
        orders
          .find({ $expr: { $eq: [{ $dateTrunc: { date: '$placed', unit: 'day' } }, startOf(dayOf(day))] } })
          .toArray(),
      );
    },
  },
  twin: {
    name: 'orders_by_bounds',
    async plant(database) {
      await plantQueriedOrders(database, this.name);
      const orders = database.collection(this.name);
      await orders.createIndex({ placed: 1 });
      await askForOrders(database, (day) =>
        orders.find({ placed: { $gte: startOf(dayOf(day)), $lt: startOf(dayOf(day + 1)) } }).toArray(),
      );
    },
  },
};

function startOf(date: Date): Date {
  return new Date(Math.floor(date.getTime() / DAY) * DAY);
}
