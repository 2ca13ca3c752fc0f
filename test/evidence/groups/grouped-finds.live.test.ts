import { MongoClient, type CommandStartedEvent, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClusterReader } from '../../../src/connect/cluster-reader.js';
import { connect, type Connection } from '../../../src/connect/connect.js';
import type { Collection } from '../../../src/inventory/collection.js';
import { takeInventory } from '../../../src/inventory/inventory.js';
import { findInGroups, type GroupedFind } from '../../../src/references/grouped-finds.js';
import { decodedDocuments } from '../../../src/references/referring-sample.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../../support/database.js';

// With the three others that are asked in groups: eight groups of six or two.
const PLAIN = 41;
const LETTERS = ['a', 'A', 'á', 'b', 'B'];

describe('finds in groups', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  let connection: Connection;
  let collections: readonly Collection[];
  let sent = 0;

  beforeAll(async () => {
    for (let number = 0; number < PLAIN; number += 1) {
      const documents = Array.from({ length: number }, (_, _id) => ({ _id, number, list: [{ of: _id }, { of: 1 }] }));
      const collection = await database.createCollection<Document>(`plain_${number}`);
      if (number > 0) await collection.insertMany(documents as never);
    }
    const letters = LETTERS.map((_id) => ({ _id })) as never;
    await database.collection('letters').insertMany(letters);
    const french = { collation: { locale: 'fr', strength: 1 } };
    const alike = await database.createCollection('alike', french);
    await alike.insertMany([{ _id: 'á' }, { _id: 'b' }] as never);
    await database.createCollection('view', { viewOn: 'letters', pipeline: [] });
    await database.createCollection('clustered', { clusteredIndex: { key: { _id: 1 }, unique: true } });
    await database.collection('clustered').insertMany(letters);
    await database.collection('gone').insertOne({});
    const options = { uri: sharedReplicaSetUri(), timeout: 60_000, maxTime: 600_000, concurrency: 4 };
    connection = await connect(options, (each: MongoClient) =>
      each.on('commandStarted', ({ commandName }: CommandStartedEvent) => {
        if (commandName === 'aggregate') sent += 1;
      }),
    );
    const isOfDatabase = (namespace: string) => namespace.startsWith(`${database.databaseName}.`);
    const { reader, cluster } = connection;
    ({ collections } = await takeInventory(reader, isOfDatabase, 4, cluster, [database.databaseName]));
    await database.collection('gone').drop();
  });
  afterAll(() => connection?.close());

  const STAGES: Readonly<Record<string, readonly Document[]>> = {
    'the newest documents': [{ $sort: { _id: -1 } }, { $limit: 3 }, { $project: { 'list.of': 1, _id: 0 } }],
    'documents by _id': [{ $match: { _id: { $in: ['a', 'B', 3, 7] } } }, { $project: { _id: 1 } }],
  };
  const findsOf = (stages: readonly Document[], values = 0): GroupedFind[] =>
    collections.map((collection) => ({ collection, stages, values }));
  const inGroups = (finds: readonly GroupedFind[], reader: ClusterReader = connection.reader) =>
    findInGroups(reader, finds, (read) => read());

  it.each(Object.entries(STAGES))('bring %s as finds one by one do, in few commands', async (_, stages) => {
    sent = 0;
    const found = await inGroups(findsOf(stages));
    expect(sent).toBeLessThanOrEqual(8);
    for (const [{ name }, documents] of found) {
      const alone = connection.reader.aggregateRaw(database.databaseName, name, stages, {});
      expect(documents.map(shown).sort()).toEqual((await decodedDocuments(alone)).map(shown).sort());
    }
    const leftOut = collections.filter((collection) => !found.has(collection)).map(({ name }) => name);
    expect(leftOut.sort()).toEqual(['alike', 'view']);
  });

  it('leave out a collection that the server refuses, and few others', async () => {
    const [stages = []] = Object.values(STAGES);
    const refused = [{ $project: { a: { $divide: ['$number', 0] } } }];
    const finds = findsOf(stages).map((find) =>
      find.collection.name === 'plain_30' ? { ...find, stages: refused } : find,
    );
    const found = await inGroups(finds);
    const leftOut = collections.filter((collection) => !found.has(collection)).map(({ name }) => name);
    expect(leftOut).toEqual(expect.arrayContaining(['alike', 'plain_30', 'view']));
    expect(leftOut.length).toBeLessThan(7);
  });

  it('send no more values in one command than it should hold', async () => {
    const finds = findsOf(STAGES['documents by _id'] ?? [], 2_000);
    sent = 0;
    await inGroups(finds);
    expect(sent).toBeGreaterThanOrEqual((2_000 * finds.length) / 5_000);
    expect((await inGroups(findsOf(STAGES['documents by _id'] ?? [], 4_000))).size).toBe(0);
  });

  it('are left to single finds on other engines and through a router', async () => {
    for (const changed of [{ engine: { name: 'FerretDB', version: '1.24' } }, { isRouter: true }]) {
      const capabilities = { ...connection.reader.capabilities, ...changed };
      const other = Object.create(connection.reader, { capabilities: { value: capabilities } }) as ClusterReader;
      expect(await inGroups(findsOf(STAGES['documents by _id'] ?? []), other)).toEqual(new Map());
    }
  });
});

function shown(document: Document): string {
  return JSON.stringify(document);
}
