import type { Exhibit } from '../exhibit.js';
import { SeededRandom } from '../seeded-random.js';
import { DOCUMENTS, grownId, insertAndShard, moveUpperPart } from './shards.js';

const STATES = ['archived', 'open', 'paid', 'shipped'];
const CUSTOMERS = 400;

function invoices(): object[] {
  const random = new SeededRandom(22);
  return Array.from({ length: DOCUMENTS }, (_, index) => ({
    ...grownId(index),
    state: STATES[random.between(0, STATES.length - 1)],
    customer: random.between(1, CUSTOMERS),
  }));
}

export const lowCardinalityShardKey: Exhibit = {
  check: 'low-cardinality-shard-key',
  story: 'invoices sharded by one of four states / by state and customer',
  bad: {
    name: 'invoices_by_state',
    path: 'state',
    async plant(database) {
      await database.collection(this.name).createIndex({ customer: 1 });
      await insertAndShard(database, this.name, invoices(), { state: 1 });
      await moveUpperPart(database, this.name, { state: 'paid' });
    },
  },
  twin: {
    name: 'invoices_by_state_and_customer',
    async plant(database) {
      await insertAndShard(database, this.name, invoices(), { state: 1, customer: 1 });
      await moveUpperPart(database, this.name, { state: 'paid', customer: 0 });
    },
  },
};
