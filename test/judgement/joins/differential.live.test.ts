/** Compares what is said of index usability with what real servers do, over seeded random indexes and joins. */
import type { Db } from 'mongodb';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { connect, type Connection } from '../../../src/connect/connect.js';
import type { EmbeddedMongod } from '../../../src/demo/embedded-mongod/embedded-mongod.js';
import { SeededRandom } from '../../../src/demo/seeded-random.js';
import { readIndexes } from '../../../src/evidence/indexes.js';
import type { Collection, IndexDescription } from '../../../src/inventory/collection.js';
import { takeInventory } from '../../../src/inventory/inventory.js';
import { compare } from '../../support/indexes/comparison.js';
import { DOCUMENT_COUNT, FOREIGN_COLLECTIONS } from '../../support/indexes/foreign-collections.js';
import { LOCAL_COLLECTIONS } from '../../support/indexes/local-collections.js';
import { randomIndex, type RandomIndex, specification } from '../../support/indexes/random-index.js';
import { joinOf, randomJoin, type StatedJoin } from '../../support/indexes/random-join.js';
import { twinOf } from '../../support/indexes/server-use.js';
import { findMongod } from '../../support/mongod/find-mongod.js';
import { findMongod605 } from '../../support/mongod/mongod-6.0.5.js';
import { findMongod6027 } from '../../support/mongod/mongod-6.0.27.js';
import { startStandalone } from '../../support/servers.js';

const PAIRS = 400;
const JOINS_PER_INDEX = 4;
/** How often a join meets the `_id` index alone. */
const SHARE_WITHOUT_INDEX = 0.1;

const MEASURED = [
  { version: '6.0.5', find: findMongod605, seed: 605 },
  { version: '6.0.27', find: findMongod6027, seed: 627 },
];

/** The server that the tests run on, if it is another: 7.0.28 with `npm run test:mongodb-7`. */
function theServerOfTheTests(): typeof MEASURED {
  const shared = inject('sharedReplicaSet');
  const version = 'version' in shared ? shared.version : null;
  if (version === null || MEASURED.some((each) => each.version === version)) return [];
  return [{ version, find: () => findMongod(), seed: 728 }];
}

describe.each([...MEASURED, ...theServerOfTheTests()])(
  'indexes for joins on MongoDB $version',
  ({ version, find, seed }) => {
    let server: EmbeddedMongod;
    let client: MongoClient;
    let connection: Connection;
    let database: Db;
    let collections: ReadonlyMap<string, Collection>;

    beforeAll(async () => {
      // The storage engine's counters are read, so nothing else may use this server.
      server = await startStandalone({ mongod: await find() });
      client = new MongoClient(server.uri);
      database = client.db('joins');
      await createCollections(database);
      connection = await connect({ uri: server.uri, timeout: 120_000, maxTime: 600_000, concurrency: 1 });
      const inventory = await takeInventory(connection.reader, () => true, 1);
      collections = new Map(inventory.collections.map((collection) => [collection.name, collection]));
    });
    afterAll(async () => {
      await connection?.close();
      await client?.close();
      await server?.stop();
    });

    it('agrees with what the server does', async () => {
      const random = new SeededRandom(seed);
      const disagreements: unknown[] = [];
      const compared = { usable: 0, unusable: 0 };
      while (compared.usable + compared.unusable < PAIRS) {
        const foreign = random.choose(FOREIGN_COLLECTIONS);
        const stored = database.collection(foreign.name);
        const field = random.choose(foreign.fields);
        const isAlone = field.path === '_id' || random.chance(SHARE_WITHOUT_INDEX);
        const created = isAlone ? null : randomIndex(random, foreign, field);
        if (created !== null) await stored.createIndex(specification(created), created.options);
        const collection = collections.get(foreign.name)!;
        const tested = { foreign, created, collection, indexes: await indexesOf(collection), version };
        for (let count = 0; count < JOINS_PER_INDEX; count += 1) {
          // Beside another index the one on `_id` may serve some values of a join and the other the rest.
          const others = foreign.fields.filter(({ path }) => path !== '_id');
          const joined = isAlone || random.chance(0.8) ? field : random.choose(others);
          const join = randomJoin(random, foreign, joined);
          const comparison = await compare(database, tested, join);
          if (comparison === null) continue;
          compared[comparison.usable.length > 0 ? 'usable' : 'unusable'] += 1;
          if (comparison.agrees) continue;
          disagreements.push({ foreign: foreign.name, indexes: tested.indexes, join: join.stated, ...comparison });
        }
        if (created !== null) await stored.dropIndex('tested');
      }
      expect(disagreements).toEqual([]);
      // Neither verdict can be right by being the only one.
      expect(compared.usable).toBeGreaterThan(PAIRS / 6);
      expect(compared.unusable).toBeGreaterThan(PAIRS / 6);
    });

    it.each<[string, string, RandomIndex, Partial<StatedJoin>]>([
      ['a hashed field behind', 'plain', { key: { count: 1, half: 'hashed' }, options: {} }, {}],
      [
        'a sparse index that $expr uses from its second field on',
        'plain',
        { key: { half: 1, count: 1 }, options: { sparse: true } },
        { form: 'exprEquality', filter: { half: 'B' } },
      ],
      [
        'a sparse index that $expr would use from its first field on',
        'plain',
        { key: { count: 1, half: 1 }, options: { sparse: true } },
        { form: 'exprEquality', filter: { half: 'B' } },
      ],
      [
        'an index on two fields of one array',
        'parts',
        { key: { 'parts.half': 1, 'parts.order': 1 }, options: {} },
        { foreignField: 'parts.order', filter: { 'parts.half': 'B' } },
      ],
    ])('agrees in a case that random choices seldom meet: %s', async (_, name, { key, options }, join) => {
      const foreign = FOREIGN_COLLECTIONS.find((other) => other.name === name)!;
      const local = LOCAL_COLLECTIONS.find((other) => other.name === 'localNumbers')!;
      const created = { key, options: { ...options, name: 'tested' } };
      await database.collection(name).createIndex(specification(created), created.options);
      const collection = collections.get(name)!;
      const tested = { foreign, created, collection, indexes: await indexesOf(collection), version };
      const known = {
        form: 'localField',
        foreignField: 'count',
        collation: null,
        localTypes: local.localTypes!,
      } as const;
      const comparison = await compare(database, tested, joinOf(local, { ...known, ...join }));
      await database.collection(name).dropIndex('tested');
      expect(comparison).toMatchObject({ agrees: true });
    });

    async function indexesOf(collection: Collection): Promise<readonly IndexDescription[]> {
      const indexes = await readIndexes(connection.reader, collection);
      if (!indexes.present) throw new Error(indexes.detail);
      return indexes.value;
    }
  },
);

async function createCollections(database: Db): Promise<void> {
  for (const { name, options, document } of FOREIGN_COLLECTIONS) {
    const documents = Array.from({ length: DOCUMENT_COUNT }, (_, index) => document(index));
    await database.createCollection(name, options);
    await database.collection(name).insertMany(documents);
    await database.collection(twinOf(name)).insertMany(documents);
  }
  for (const { name, options, keys } of LOCAL_COLLECTIONS) {
    await database.createCollection(name, options);
    await database.collection(name).insertMany(keys.map((key) => (key === undefined ? {} : { key })));
  }
}
