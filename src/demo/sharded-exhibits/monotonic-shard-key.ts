import type { Exhibit } from '../exhibit.js';
import { SeededRandom } from '../seeded-random.js';
import { DOCUMENTS, grownId, insertAndShard, moveUpperPart } from './shards.js';

const CUSTOMERS = 400;

function orders(): { readonly at: Date; readonly customer: number }[] {
  const random = new SeededRandom(21);
  return Array.from({ length: DOCUMENTS }, (_, index) => ({
    ...grownId(index),
    customer: random.between(1, CUSTOMERS),
    total: random.between(1, 500),
  }));
}

export const monotonicShardKey: Exhibit = {
  check: 'monotonic-shard-key',
  story: 'orders sharded by their date, so that one shard takes all new ones / by customer first',
  bad: {
    name: 'orders_by_date',
    path: 'at',
    async plant(database) {
      const planted = orders();
      await database.collection(this.name).createIndex({ customer: 1 });
      await insertAndShard(database, this.name, planted, { at: 1 });
      await moveUpperPart(database, this.name, { at: planted[DOCUMENTS / 2]?.at });
    },
  },
  twin: {
    name: 'orders_by_customer',
    async plant(database) {
      await insertAndShard(database, this.name, orders(), { customer: 1, at: 1 });
      await moveUpperPart(database, this.name, { customer: CUSTOMERS / 2, at: new Date(0) });
    },
  },
};
