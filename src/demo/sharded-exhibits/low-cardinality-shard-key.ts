import type { Exhibit } from '../exhibit.js';
import { seededRandom, wholeBetween } from '../seeded-random.js';
import { DOCUMENTS, grownId, insertAndShard, moveUpperPart } from './shards.js';

const STATES = ['archived', 'open', 'paid', 'shipped'];
const CUSTOMERS = 400;

function invoices(): object[] {
  const random = seededRandom(22);
  return Array.from({ length: DOCUMENTS }, (_, index) => ({
    ...grownId(index),
    state: STATES[wholeBetween(random, 0, STATES.length - 1)],
    customer: wholeBetween(random, 1, CUSTOMERS),
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
