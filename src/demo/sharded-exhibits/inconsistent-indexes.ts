import { MongoClient, type Db } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { DOCUMENTS, grownId, insertAndShard, moveUpperPart } from './shards.js';

function orders(): object[] {
  return Array.from({ length: DOCUMENTS }, (_, index) => ({
    ...grownId(index),
    customer: (index * 7_919) % DOCUMENTS,
    status: ['open', 'sent', 'paid'][index % 3],
    address: 'x'.repeat(200),
  }));
}

async function plant(database: Db, name: string): Promise<void> {
  await database.collection(name).createIndex({ status: 1 });
  await insertAndShard(database, name, orders(), { customer: 1 });
  await moveUpperPart(database, name, { customer: DOCUMENTS / 2 });
}

/** As somebody does by a direct connection. */
async function dropOnOneShard(database: Db, name: string, index: string): Promise<void> {
  const shard = await database.client
    .db('config')
    .collection('shards')
    .findOne({}, { sort: { _id: 1 } });
  const [, hosts = ''] = String(shard?.['host']).split('/');
  const direct = new MongoClient(`mongodb://${hosts.split(',')[0]}/?directConnection=true`);
  try {
    await direct.db(database.databaseName).collection(name).dropIndex(index);
  } finally {
    await direct.close();
  }
}

export const inconsistentIndexes: Exhibit = {
  check: 'inconsistent-indexes',
  story: 'an index that was dropped on one of two shards / on both shards',
  bad: {
    name: 'orders_indexed_on_one_shard',
    path: 'status_1',
    async plant(database) {
      await plant(database, this.name);
      await dropOnOneShard(database, this.name, 'status_1');
    },
  },
  twin: {
    name: 'orders_indexed_on_both_shards',
    plant: (database) => plant(database, 'orders_indexed_on_both_shards'),
  },
};
