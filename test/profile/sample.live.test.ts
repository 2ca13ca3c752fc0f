import { type Collection as DriverCollection, MongoServerError } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ClusterReader } from '../../src/connect/cluster-reader.js';
import type { Collection } from '../../src/inventory/collection.js';
import { readStorage, type StorageStatistics } from '../../src/inventory/storage.js';
import { sampleDocuments } from '../../src/profile/sample.js';
import { useConnection } from '../support/connection.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';

const MB = 1024 * 1024;
const bounds = { documents: 1_000, bytes: 64 * MB };

describe('sampling on a real server', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  const connection = useConnection(sharedReplicaSetUri);

  const described = (name: string, clustered = false): Collection => ({
    namespace: `${database.databaseName}.${name}`,
    database: database.databaseName,
    name,
    kind: 'collection',
    clustered,
  });
  const fill = async (name: string, count: number, bytes: number): Promise<DriverCollection> => {
    const collection = database.collection(name);
    const filler = 'x'.repeat(bytes);
    for (let from = 0; from < count; from += 1_000) {
      const length = Math.min(1_000, count - from);
      await collection.insertMany(Array.from({ length }, (_, index) => ({ number: from + index, filler })));
    }
    return collection;
  };
  const storageOf = async (collection: Collection): Promise<StorageStatistics> => {
    const storage = await readStorage(connection().reader, collection);
    if (!storage.present) throw new Error(storage.detail);
    return storage.value;
  };
  const sampleOf = async (name: string, sampleBounds = bounds) => {
    const collection = described(name);
    const sampled = await sampleDocuments(connection().reader, collection, await storageOf(collection), sampleBounds);
    if (!sampled.present) throw new Error(sampled.detail);
    return sampled.value;
  };

  beforeAll(async () => {
    await Promise.all([
      fill('few', 300, 50),
      fill('some', 3_000, 50),
      fill('many', 25_000, 50),
      fill('heavy', 150, 1 * MB),
    ]);
  });

  it.each([
    ['few', bounds, 'whole-collection', 300, true],
    ['some', bounds, 'id-hash', 1_000, false],
    ['many', bounds, 'random-cursor', 1_000, false],
    ['heavy', { documents: 1_000, bytes: 20 * MB }, 'id-index', 19, false],
  ])('%s', async (name, sampleBounds, method, documents, complete) => {
    const { evidence, sizes } = await sampleOf(name, sampleBounds);
    expect(evidence.sample).toMatchObject({ method, complete });
    expect(evidence.profile.documents).toBe(documents);
    expect(sizes).toHaveLength(documents);
    expect(evidence.profile.bytes).toBe(sizes.reduce((sum, size) => sum + size, 0));
  });

  it('has the extremes of documents that are larger than all that were sampled', async () => {
    const collection = await fill('hubs', 2_000, 50);
    await collection.updateMany({}, { $set: { tags: tags(3) } });
    const before = await sampleOf('hubs');
    expect(before.evidence.sample.larger).toBe(0);
    // Of each hash: whichever were sampled, some were not.
    await collection.updateMany({ number: { $lt: 40 } }, { $set: { tags: tags(500) } });
    await collection.updateOne({ number: 7 }, { $set: { tags: tags(9_000) } });
    const { evidence, sizes } = await sampleOf('hubs');
    const { documents, paths, sizes: distribution, largest } = evidence.profile;
    expect(documents).toBe(1_000);
    expect(Math.max(...sizes)).toBe(distribution.max);
    expect(largest).toMatchObject({ bytes: distribution.max, heaviestPath: 'tags' });
    const lengths = paths.find(({ path }) => path === 'tags')?.array?.lengths;
    expect(lengths).toMatchObject({ count: 1_000, median: 3, max: 9_000, countAtMax: 1 });
    expect(lengths?.buckets.at(-1)?.to).toBe(9_000);
  });

  it('keeps the sample if the search for larger documents takes too long', async () => {
    const collection = described('some');
    const reader = new Proxy(connection().reader, {
      get(target, property) {
        const value = Reflect.get(target, property) as unknown;
        if (property === 'aggregateRaw')
          return (...parameters: Parameters<ClusterReader['aggregateRaw']>) => {
            if (JSON.stringify(parameters).includes('$bsonSize'))
              throw new MongoServerError({ message: 'operation exceeded time limit', code: 50 });
            return target.aggregateRaw(...parameters);
          };
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const sampled = await sampleDocuments(reader, collection, await storageOf(collection), bounds);
    expect(sampled).toMatchObject({ present: true, value: { evidence: { profile: { documents: 1_000 } } } });
    expect(sampled.present && sampled.value.evidence.sample.larger).toBeUndefined();
  });

  it('says that the bound on bytes decided', async () => {
    const { evidence } = await sampleOf('heavy', { documents: 1_000, bytes: 20 * MB });
    expect(evidence.sample.boundedBy).toBe('bytes');
    expect(evidence.profile.bytes).toBeLessThanOrEqual(21 * MB);
  });

  it('stops at the bound on bytes where the sizes were not known', async () => {
    const sampled = await sampleDocuments(connection().reader, described('heavy'), null, {
      documents: 1_000,
      bytes: 10 * MB,
    });
    expect(sampled).toMatchObject({
      present: true,
      value: { evidence: { sample: { boundedBy: 'bytes', complete: false } } },
    });
    expect(sampled.present && sampled.value.evidence.profile.documents).toBe(10);
  });

  it('lists the _ids where the server cannot sort the documents (error 292)', async () => {
    const collection = described('heavy');
    // As if collStats had said that the documents are small, so that the plan is to sort them; a sort of 150 MB fails.
    const storage = { ...(await storageOf(collection)), size: 1 * MB, averageDocumentSize: 10_000, count: 149 };
    const sampled = await sampleDocuments(connection().reader, collection, storage, { documents: 148, bytes: 40 * MB });
    expect(sampled).toMatchObject({
      present: true,
      value: { evidence: { sample: { method: 'id-index', complete: false } } },
    });
  });

  it('is absent where the collection is gone before the sample', async () => {
    const collection = described('few');
    const storage = await storageOf(collection);
    const sampled = await sampleDocuments(connection().reader, described('gone'), storage, bounds);
    expect(sampled).toMatchObject({ present: false, reason: 'vanished' });
  });

  it('is what was read where the collection is dropped midway', async () => {
    const collection = await fill('dropped', 40, 1 * MB);
    const storage = await storageOf(described('dropped'));
    const reader = dropping(connection().reader, collection);
    const sampled = await sampleDocuments(reader, described('dropped'), storage, bounds);
    expect(sampled).toMatchObject({
      present: true,
      value: { evidence: { sample: { complete: false, boundedBy: 'vanished' } } },
    });
  });

  it('keeps to the _id index of a collection with _ids of every kind', async () => {
    const filler = 'x'.repeat(300_000);
    const ids = Array.from({ length: 60 }, (_, index) =>
      index % 3 === 0 ? `text-${index}` : index % 3 === 1 ? index + 0.5 : { nested: index },
    );
    await database.collection<{ _id: unknown }>('ids').insertMany(ids.map((_id) => ({ _id, filler })));
    const { evidence } = await sampleOf('ids', { documents: 1_000, bytes: 6 * MB });
    expect(evidence.sample.method).toBe('id-index');
    expect(evidence.profile.documents).toBe(20);
  });
});

const tags = (length: number) => Array.from({ length }, (_, number) => number);

/** A reader that drops the collection when the first batch has been read. */
function dropping(reader: ClusterReader, collection: DriverCollection): ClusterReader {
  return new Proxy(reader, {
    get(target, property) {
      if (property !== 'findRaw') {
        const value = Reflect.get(target, property) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      }
      return (...parameters: Parameters<ClusterReader['findRaw']>) => {
        const cursor = target.findRaw(...parameters);
        let batches = 0;
        return {
          hasNext: async () => {
            batches += 1;
            if (batches === 2) await collection.drop();
            return cursor.hasNext();
          },
          readBufferedDocuments: () => cursor.readBufferedDocuments(),
          close: () => cursor.close(),
        };
      };
    },
  });
}
