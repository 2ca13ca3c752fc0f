import * as fc from 'fast-check';
import { BSON, ObjectId } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { documentSchema } from '../../../checks/missing-validator.js';
import { sampleDocuments } from '../../../src/profile/sample.js';
import { useConnection } from '../../support/connection.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../../support/database.js';
import { anyDocument } from '../../support/documents/random-documents.js';

const ROUNDS = 60;
const DOCUMENTS = 10;

describe('the schema of a profile, to the server itself', () => {
  const connection = useConnection(sharedReplicaSetUri);
  const client = sharedClient();
  const database = freshDatabase(client);

  /** The schema of a collection's documents, and how many of them the server finds not to match it. */
  async function schemaOf(name: string) {
    const collection = {
      namespace: `${database.databaseName}.${name}`,
      database: database.databaseName,
      name,
      kind: 'collection',
      clustered: false,
    } as const;
    const sample = await sampleDocuments(connection().reader, collection, null, { documents: 1_000, bytes: 1e8 });
    if (!sample.present) throw new Error(sample.detail);
    const schema = documentSchema(sample.value.evidence.profile, { fields: 1_000, objects: 1 });
    return { schema, refused: await database.collection(name).countDocuments({ $nor: [{ $jsonSchema: schema }] }) };
  }

  it('accepts every document that it was made from, of whatever types and names', async () => {
    const documents = fc.sample(anyDocument, { seed: 11, numRuns: ROUNDS * DOCUMENTS });
    const collection = database.collection('any', { promoteValues: false, ignoreUndefined: false });
    for (let round = 0; round < ROUNDS; round += 1) {
      await collection.deleteMany({});
      const batch = documents
        .slice(round * DOCUMENTS, (round + 1) * DOCUMENTS)
        .map((bytes) => BSON.deserialize(bytes, { promoteValues: false }));
      await collection.insertMany(batch.map((document) => Object.assign(document, { _id: new ObjectId() })));
      expect(await schemaOf('any')).toMatchObject({ refused: 0 });
    }
  });

  it('refuses a document of another shape', async () => {
    const items = [
      { sku: 'a', quantity: 1 },
      { sku: 'b', quantity: 2.5 },
    ];
    await database.collection('orders').insertMany(
      Array.from({ length: 20 }, (_, index) => ({
        number: index,
        placed: new Date(),
        items,
        note: index > 3 ? null : 'x',
      })),
    );
    const { schema, refused } = await schemaOf('orders');
    expect(refused).toBe(0);
    expect(schema).toEqual({
      bsonType: 'object',
      required: ['_id', 'number', 'placed', 'items', 'note'],
      properties: {
        _id: { bsonType: 'objectId' },
        number: { bsonType: 'number' },
        placed: { bsonType: 'date' },
        items: {
          bsonType: 'array',
          items: {
            bsonType: 'object',
            required: ['sku', 'quantity'],
            properties: { sku: { bsonType: 'string' }, quantity: { bsonType: 'number' } },
          },
        },
        note: { bsonType: expect.arrayContaining(['string', 'null']) },
      },
    });
    const other = [
      { number: 1, placed: new Date(), items, note: null },
      { number: '1', placed: new Date(), items, note: null },
      { number: 1, placed: '2026-01-01', items, note: null },
      { number: 1, placed: new Date(), items: [{ sku: 3, quantity: 1 }], note: null },
      { number: 1, placed: new Date(), items },
      { number: 1, placed: new Date(), items, note: null, further: 'fields are welcome' },
    ];
    await database
      .collection('others')
      .insertMany(other.map((document, position) => Object.assign(document, { position })));
    const matching = await database.collection('others').find({ $jsonSchema: schema }).sort({ position: 1 }).toArray();
    expect(matching.map(({ position }) => position)).toEqual([0, 5]);
  });

  it('holds neither values nor names that are data', async () => {
    await database.collection('scores').insertMany(
      Array.from({ length: 200 }, (_, index) => ({
        game: 'secret value',
        scores: Object.fromEntries(
          Array.from({ length: 8 }, (__, player) => [`player${index * 8 + player}@example.com`, player]),
        ),
      })),
    );
    const { schema, refused } = await schemaOf('scores');
    expect(refused).toBe(0);
    expect(schema.properties).toEqual({
      _id: { bsonType: 'objectId' },
      game: { bsonType: 'string' },
      scores: { bsonType: 'object' },
    });
  });
});
