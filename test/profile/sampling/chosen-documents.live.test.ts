/** Which documents are chosen on a real server; the server without `$toHashedIndexKey` is stood in for by its refusal. */
import {
  BSON,
  Binary,
  Decimal128,
  Double,
  Long,
  MaxKey,
  MinKey,
  MongoServerError,
  ObjectId,
  Timestamp,
  UUID,
  type Document,
} from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ClusterReader } from '../../../src/connect/cluster-reader.js';
import type { RawCursor } from '../../../src/connect/raw-cursor.js';
import { SeededRandom } from '../../../src/demo/seeded-random.js';
import type { Collection } from '../../../src/inventory/collection.js';
import { readChosen, readHashed, valuesByHash, idHash } from '../../../src/profile/sampling/chosen-documents.js';
import { planSample, type SampleBounds, type SampleMethod } from '../../../src/profile/sampling/sample-plan.js';
import { useConnection } from '../../support/connection.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../../support/database.js';

const MB = 1024 * 1024;

/** One `_id` of each kind, and numbers of which some are equal to others of another type. */
const IDS: readonly unknown[] = [
  5,
  5.5,
  -5.5,
  1e300,
  -1e300,
  Number.NEGATIVE_INFINITY,
  Number.POSITIVE_INFINITY,
  new Double(7),
  Long.fromString('-9223372036854775808'),
  Long.fromString('5000000000000000001'),
  Decimal128.fromString('9.75'),
  Decimal128.fromString('2.5'),
  Decimal128.fromString('3.5'),
  Decimal128.fromString('-4.51'),
  Decimal128.fromString('NaN'),
  Decimal128.fromString('1E+3'),
  Decimal128.fromString('-123456789012345678.5'),
  '',
  'text',
  'größer',
  new ObjectId(),
  new UUID(),
  new Binary(Buffer.from('abc')),
  new Timestamp({ t: 5, i: 1 }),
  new Date(5),
  new Date(-5),
  true,
  false,
  null,
  new MinKey(),
  new MaxKey(),
  {},
  { a: 1, b: { c: 'x', d: null } },
  { a: new Double(1), list: [1, 'two', { three: 3 }] },
  { q: new MinKey(), e: new MaxKey(), n: Number.NaN },
];

describe('the hash of an _id', () => {
  const client = sharedClient();
  const database = freshDatabase(client);

  it('is that of the server, whatever its type', async () => {
    const ids = database.collection<{ _id: unknown }>('ids');
    await ids.insertMany(IDS.map((_id) => ({ _id })));
    const hashed = { $project: { hash: { $toHashedIndexKey: '$_id' } } };
    const expected = await ids.aggregate([hashed, { $sort: { _id: 1 } }], { promoteValues: false }).toArray();
    const raw = (await ids
      .find({}, { projection: { _id: 1 }, sort: { _id: 1 }, raw: true })
      .toArray()) as unknown as Uint8Array[];
    expect(raw.map((each) => [named(BSON.deserialize(each, { promoteValues: false })['_id']), idHash(each)])).toEqual(
      expected.map((each) => [named(each['_id']), (each['hash'] as Long).toBigInt()]),
    );
  });

  it('is the same for numbers that are equal', () => {
    const hashes = [5, new Double(5), Long.fromNumber(5), Decimal128.fromString('5.0')].map((_id) =>
      idHash(BSON.serialize({ _id })),
    );
    expect(new Set(hashes).size).toBe(1);
  });
});

describe('chosen documents', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  const connection = useConnection(sharedReplicaSetUri);
  const random = new SeededRandom(14);

  const described = (name: string, clustered = false): Collection => ({
    namespace: `${database.databaseName}.${name}`,
    database: database.databaseName,
    name,
    kind: 'collection',
    clustered,
  });
  const chosen = (name: string, wanted: number, reader = connection().reader, method?: SampleMethod) => {
    const plan = planSample({ count: 3_000, size: 300_000, averageDocumentSize: 100 }, 3_000, boundsOf(wanted), false);
    return readChosen(
      reader,
      described(name),
      method === undefined ? plan : { ...plan, method },
      async ({ method: used, stages }) => {
        const bounds = { batchSize: wanted };
        return { used, ids: await idsOf(reader.aggregateRaw(database.databaseName, name, stages, bounds)) };
      },
    );
  };

  beforeAll(async () => {
    const documents = Array.from({ length: 3_000 }, (_, number) => ({ _id: new ObjectId(), number, text: 'x' }));
    await database.collection('stored').insertMany(documents);
    // The same documents in another natural order, as on another member.
    await database.collection('stored-otherwise').insertMany(documents.toSorted(() => random.next() - 0.5));
  });

  it('are the same in ten runs, in whatever order they are stored', async () => {
    const runs = await Promise.all(
      Array.from({ length: 10 }, (_, run) => chosen(run % 2 === 0 ? 'stored' : 'stored-otherwise', 400)),
    );
    expect(runs[0]).toMatchObject({ used: 'id-hash' });
    expect(runs[0]?.ids).toHaveLength(400);
    expect(new Set(runs.map(({ ids }) => ids.join())).size).toBe(1);
  });

  it('are the same if the _ids are hashed here', async () => {
    const byServer = await chosen('stored', 400);
    const byIndex = await chosen('stored', 400, connection().reader, 'id-index');
    expect(byIndex.used).toBe('id-index');
    expect(byIndex.ids.toSorted()).toEqual(byServer.ids.toSorted());
  });

  it('of a smaller sample are the first of a larger one', async () => {
    const [few, more] = [await chosen('stored', 100), await chosen('stored', 400)];
    expect(more.ids.slice(0, 100)).toEqual(few.ids);
  });

  it('hardly change by an insert', async () => {
    const before = await chosen('stored-otherwise', 400);
    await database.collection('stored-otherwise').insertOne({ number: -1 });
    const after = await chosen('stored-otherwise', 400);
    const kept = new Set(after.ids);
    expect(before.ids.filter((id) => kept.has(id)).length).toBeGreaterThanOrEqual(399);
  });

  it('are the same on a server that does not know the hash', async () => {
    const { reader } = connection();
    const refusing = new Proxy(reader, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (name === 'aggregateRaw')
          return (db: string, collection: string, stages: Document[], bounds: object) => {
            const isKnown = !JSON.stringify(stages).includes('$toHashedIndexKey');
            if (!isKnown) throw new MongoServerError({ code: 168, message: 'Unrecognized expression' });
            return target.aggregateRaw(db, collection, stages, bounds);
          };
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }) as ClusterReader;
    const refused = await chosen('stored', 400, refusing);
    const known = await chosen('stored', 400);
    expect(refused.used).toBe('id-index');
    expect(refused.ids.toSorted()).toEqual(known.ids.toSorted());
    const values = await readHashed(valuesByHash(10), 10, (stages) =>
      idsOf(refusing.aggregateRaw(database.databaseName, 'stored', [...stages], {})),
    );
    expect(values).toHaveLength(10);
  });

  it('come back byte by byte, also near 16 MB', async () => {
    const large = database.collection('large');
    for (let number = 0; number < 4; number += 1)
      await large.insertOne({ number, filler: 'x'.repeat(16 * MB - 100 - number) });
    const { reader } = connection();
    const plan = planSample({ count: 4, size: 64 * MB, averageDocumentSize: 16 * MB }, 4, boundsOf(3), false);
    const sizes = await readChosen(reader, described('large'), plan, async ({ method, stages }) => {
      const found: number[] = [];
      const cursor = reader.aggregateRaw(database.databaseName, 'large', stages, { batchSize: 1 });
      while (await cursor.hasNext()) for (const raw of cursor.readBufferedDocuments()) found.push(raw.length);
      return { method, found };
    });
    expect(sizes.method).toBe('id-hash');
    expect(sizes.found).toHaveLength(3);
    expect(Math.min(...sizes.found)).toBeGreaterThan(16 * MB - 200);
  });

  it('are chosen evenly', async () => {
    const numbers = new Map(
      (await database.collection('stored').find({}).toArray()).map(({ _id, number }) => [
        String(_id),
        number as number,
      ]),
    );
    const { ids } = await chosen('stored', 1_000);
    const inFirstHalf = ids.filter((id) => (numbers.get(id) ?? 0) < 1_500).length;
    // Six standard deviations of a fair choice without replacement: √(1000 × ¼ × ⅔) = 13.
    expect(Math.abs(inFirstHalf - 500)).toBeLessThan(78);
  });

  it('are different values, if values are hashed', async () => {
    const { reader } = connection();
    const project = { $project: { _id: 0, value: { $mod: ['$number', 50] } } };
    const read = async () => {
      const found = await readHashed(valuesByHash(300), 300, (stages) =>
        reader.aggregate<{ value: number }>(database.databaseName, 'stored', [project, ...stages]).toArray(),
      );
      return found.map(({ value }) => value).sort((a, b) => a - b);
    };
    const [first, second] = [await read(), await read()];
    expect(first).toEqual(second);
    expect(new Set(first).size).toBe(first.length);
    expect(first.length).toBeGreaterThan(40);
  });
});

function named(id: unknown): string {
  return BSON.EJSON.stringify({ id }, { relaxed: false });
}

function boundsOf(documents: number): SampleBounds {
  return { documents, bytes: 64 * MB };
}

async function idsOf(cursor: RawCursor): Promise<string[]> {
  const ids: string[] = [];
  while (await cursor.hasNext())
    for (const raw of cursor.readBufferedDocuments()) ids.push(String(BSON.deserialize(raw)['_id']));
  return ids;
}
