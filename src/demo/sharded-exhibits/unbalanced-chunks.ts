import { UUID } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { DOCUMENTS, insertAndShard, limitChunks, moveUpperPart } from './shards.js';

function events(): object[] {
  return Array.from({ length: DOCUMENTS }, () => ({ event: new UUID(), payload: 'x'.repeat(6_000) }));
}

export const unbalancedChunks: Exhibit = {
  check: 'unbalanced-chunks',
  story: 'events all on one shard, with the balancer off / half on each shard',
  bad: {
    name: 'events_on_one_shard',
    path: null,
    async plant(database) {
      await database.client.db('admin').command({ balancerStop: 1 });
      await insertAndShard(database, this.name, events(), { event: 1 });
      await limitChunks(database, this.name);
    },
  },
  twin: {
    name: 'events_on_both_shards',
    async plant(database) {
      await insertAndShard(database, this.name, events(), { event: 1 });
      await moveUpperPart(database, this.name, { event: new UUID('80000000-0000-4000-8000-000000000000') });
    },
  },
};
