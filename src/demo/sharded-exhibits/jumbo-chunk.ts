import { MinKey, type Db } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { SeededRandom } from '../seeded-random.js';
import { DOCUMENTS, grownId, insertAndShard, moveUpperPart } from './shards.js';

/** Share of the documents that the largest tenant has. */
const LARGEST_TENANT = 0.7;
const TENANTS = 300;
const FILES = 1_000_000;

function files(): object[] {
  const random = new SeededRandom(23);
  return Array.from({ length: DOCUMENTS }, (_, index) => ({
    ...grownId(index),
    tenant: random.chance(LARGEST_TENANT) ? 'a large one' : `tenant ${random.between(1, TENANTS)}`,
    file: random.between(1, FILES),
    preview: 'x'.repeat(4_000),
  }));
}

/** As the balancer does with a chunk that is too large to move and holds one value, so that no cut divides it. */
async function giveUpOnFirstChunk(database: Db, name: string): Promise<void> {
  const config = database.client.db('config');
  const sharded = await config.collection('collections').findOne({ _id: `${database.databaseName}.${name}` as never });
  await config
    .collection('chunks')
    .updateOne({ uuid: sharded?.['uuid'], min: { tenant: new MinKey() } }, { $set: { jumbo: true } });
}

export const jumboChunk: Exhibit = {
  check: 'jumbo-chunk',
  story: 'files sharded by tenant, one of whom has most of them / by tenant and file',
  bad: {
    name: 'files_by_tenant',
    path: null,
    async plant(database) {
      await database.collection(this.name).createIndex({ file: 1 });
      await insertAndShard(database, this.name, files(), { tenant: 1 });
      await moveUpperPart(database, this.name, { tenant: 'b' });
      await giveUpOnFirstChunk(database, this.name);
    },
  },
  twin: {
    name: 'files_by_tenant_and_file',
    async plant(database) {
      await insertAndShard(database, this.name, files(), { tenant: 1, file: 1 });
      await moveUpperPart(database, this.name, { tenant: 'a large one', file: FILES / 2 });
    },
  },
};
