import type { Db, MongoClient } from 'mongodb';
import { SeededRandom } from '../../src/demo/seeded-random.js';
import { lint, type LintOptions } from '../../src/lint/lint.js';
import { orderDocument } from '../bench-data.js';
import type { Dimension } from './measured-phases.js';

/** Indexes of one key take fewer files open than a collection each of the other dimensions. */
const COLLECTIONS_OF_INDEXES = 20;
const BATCH = 5_000;
const HOUR = 3_600_000;

/** A whole run on a real server: the time of this process, and not of the server. */
export function serverDimensions(
  client: MongoClient,
  uri: string,
  sizes: Readonly<Record<'collections' | 'documents' | 'indexes' | 'targets', readonly number[]>>,
): Dimension[] {
  const random = new SeededRandom(sizes.collections.length);
  const lintOf =
    (database: Db, options: Partial<LintOptions> = {}) =>
    async () => {
      const report = await lint({ uri, include: [`${database.databaseName}.*`], maxTime: HOUR, ...options });
      if ((report.failures ?? []).length > 0) throw new Error(JSON.stringify(report.failures));
    };
  let planted = 0;
  const collections: Dimension = {
    name: 'collections, on a server',
    sizes: sizes.collections,
    async begin(size) {
      const database = client.db('collections');
      for (; planted < size; planted += 1)
        await database.collection(`collection_${planted}`).insertMany([orderDocument(random), orderDocument(random)]);
      const isWanted = Array.from({ length: size }, (_, index) => `collections.collection_${index}`);
      return { lint: size === planted ? lintOf(database) : lintOf(database, { include: isWanted }) };
    },
    end: async () => void (await client.db('collections').dropDatabase()),
  };
  const documents: Dimension = {
    name: 'documents sampled, on a server',
    sizes: sizes.documents,
    async begin(size) {
      const database = client.db('documents');
      await database.dropDatabase();
      for (let from = 0; from < size; from += BATCH)
        await database
          .collection('orders')
          .insertMany(Array.from({ length: Math.min(BATCH, size - from) }, (_, at) => ({ at, total: random.next() })));
      return { lint: lintOf(database, { sampleSize: size }) };
    },
    end: async () => void (await client.db('documents').dropDatabase()),
  };
  const indexes: Dimension = {
    name: `indexes of each of ${COLLECTIONS_OF_INDEXES} collections, on a server`,
    sizes: sizes.indexes,
    async begin(size) {
      const database = client.db('indexes');
      for (let index = 0; index < COLLECTIONS_OF_INDEXES; index += 1) {
        const collection = database.collection(`collection_${index}`);
        if ((await collection.estimatedDocumentCount()) === 0) await collection.insertOne(orderDocument(random));
        await collection.createIndexes(
          Array.from({ length: size - 1 }, (_, own) => ({ key: { [`field_${own}`]: 1 } })),
        );
      }
      return { lint: lintOf(database) };
    },
    end: async () => void (await client.db('indexes').dropDatabase()),
  };
  const targets: Dimension = {
    name: 'targets, on a server',
    sizes: sizes.targets,
    async begin(size) {
      const database = client.db('target');
      await database.collection('orders').insertOne(orderDocument(random));
      const one = lintOf(database);
      return { 'lint all at once': () => Promise.all(Array.from({ length: size }, one)) };
    },
    end: async () => void (await client.db('target').dropDatabase()),
  };
  return [collections, documents, indexes, targets];
}
