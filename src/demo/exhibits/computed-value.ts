import type { Db, Document } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { danglingReference } from './dangling-reference.js';
import { askForOrders } from './queried-orders.js';

const INVOICES = 3_000;
const TOTALS = { $group: { _id: '$customer', total: { $sum: '$total' } } };

async function ask(database: Db, name: string, stagesBefore: (customer: unknown) => Document[]): Promise<void> {
  const invoices = database.collection(name);
  const one = await invoices.findOne({});
  await askForOrders(database, () => invoices.aggregate([...stagesBefore(one?.['customer']), TOTALS]).toArray());
}

/** On the invoices of `dangling-reference`, which are planted before: references are looked for among a hundred collections. */
export const computedValue: Exhibit = {
  check: 'computed-value',
  needsMember: true,
  story: 'the totals of all customers, computed for each reader / the total of the one customer who asks',
  thresholds: { documents: INVOICES, executions: 5 },
  thresholdsBecause: 'the demo has few invoices and few readers',
  bad: {
    name: danglingReference.bad.name,
    path: null,
    plant(database) {
      return ask(database, this.name, () => []);
    },
  },
  twin: {
    name: danglingReference.twin.name,
    plant(database) {
      return ask(database, this.name, (customer) => [{ $match: { customer } }]);
    },
  },
};
