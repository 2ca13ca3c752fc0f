import { UUID } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { readIndexes } from '../../src/evidence/indexes.js';
import type { Collection } from '../../src/inventory/collection.js';
import { takeInventory, type Inventory } from '../../src/inventory/inventory.js';
import { readStorage } from '../../src/inventory/storage.js';
import { useConnection } from '../support/connection.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';

describe('the inventory of a real replica set', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  const connection = useConnection(sharedReplicaSetUri);
  const inDatabase = (namespace: string) => namespace.startsWith(`${database.databaseName}.`);
  let byName: ReadonlyMap<string, Collection>;
  let unlisted: Inventory['unlisted'];

  const validator = { $jsonSchema: { bsonType: 'object', required: ['total'] } };

  beforeAll(async () => {
    const orders = await database.createCollection('orders', { validator, validationAction: 'warn' });
    await orders.insertMany([{ total: 1 }, { total: 2, customer: { email: 'ada@example.com' } }]);
    await orders.createIndexes([
      { key: { total: 1 }, name: 'by_total', sparse: true },
      {
        key: { 'customer.email': 1 },
        name: 'by_email',
        unique: true,
        collation: { locale: 'en', strength: 2 },
        partialFilterExpression: { total: { $gt: 1 } },
      },
      { key: { placed: 1 }, name: 'expiring', expireAfterSeconds: 3600, hidden: true },
      { key: { '$**': 1 }, name: 'everything', wildcardProjection: { total: 0 } },
      { key: { note: 'text' }, name: 'words', weights: { note: 3 } },
    ]);
    await database.createCollection('log', { capped: true, size: 4096, max: 10 });
    await database.createCollection('readings', {
      timeseries: { timeField: 'at', metaField: 'sensor', granularity: 'minutes' },
      expireAfterSeconds: 3600,
    });
    await database.collection('readings').insertOne({ at: new Date(), sensor: 'a', value: 1 });
    await database.createCollection('open_orders', { viewOn: 'orders', pipeline: [{ $match: { total: { $gt: 1 } } }] });
    await database.createCollection('words', { collation: { locale: 'fr' } });
    await database.createCollection('clustered', { clusteredIndex: { key: { _id: 1 }, unique: true } });
    await database.createCollection('images', { changeStreamPreAndPostImages: { enabled: true } });
    // As drivers send it; none encrypts anything here.
    const fields = [{ path: 'name', keyId: new UUID(), bsonType: 'string' }];
    await database.command({ create: 'patients', encryptedFields: { fields } });
    await database.createCollection('enxcol_.patients.esc');
    const inventory = await takeInventory(connection().reader, inDatabase, 4);
    byName = new Map(inventory.collections.map((collection) => [collection.name, collection]));
    unlisted = inventory.unlisted;
  });

  it('knows topology, version and where it reads', () => {
    expect(connection().cluster).toMatchObject({ topology: 'replicaSet', atlas: false, readFrom: 'primary' });
    expect(connection().cluster.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(connection().cluster.name).toEqual(expect.any(String));
  });

  it('lists every collection, and none of the server’s own', () => {
    expect([...byName.keys()].sort()).toEqual([
      'clustered',
      'images',
      'log',
      'open_orders',
      'orders',
      'patients',
      'readings',
      'words',
    ]);
    expect(unlisted).toEqual([]);
  });

  it.each<[string, Partial<Collection>]>([
    ['orders', { kind: 'collection', clustered: false, validator, validation: { action: 'warn' } }],
    ['log', { kind: 'collection', capped: { sizeBytes: 4096, documents: 10 } }],
    ['readings', { kind: 'timeseries', timeseries: { timeField: 'at', metaField: 'sensor', granularity: 'minutes' } }],
    ['open_orders', { kind: 'view', viewOn: 'orders', pipeline: [{ $match: { total: { $gt: 1 } } }] }],
    ['readings', { expireAfterSeconds: 3600 }],
    ['images', { preAndPostImages: true }],
    ['patients', { kind: 'collection', encrypted: true }],
    ['words', { kind: 'collection', collation: expect.objectContaining({ locale: 'fr' }) as never }],
    ['clustered', { kind: 'collection', clustered: true }],
  ])('describes %s', (name, expected) => {
    expect(byName.get(name)).toMatchObject(expected);
  });

  it('reads indexes with all their options', async () => {
    const indexes = await readIndexes(connection().reader, byName.get('orders') as Collection);
    const byIndexName = new Map(indexes.present ? indexes.value.map((index) => [index.name, index]) : []);
    const plain = { unique: false, sparse: false, hidden: false, clustered: false };
    expect(byIndexName.get('_id_')).toEqual({ name: '_id_', key: { _id: 1 }, ...plain });
    expect(byIndexName.get('by_total')).toEqual({ name: 'by_total', key: { total: 1 }, ...plain, sparse: true });
    expect(byIndexName.get('by_email')).toMatchObject({
      unique: true,
      collation: { locale: 'en', strength: 2 },
      partialFilterExpression: { total: { $gt: 1 } },
    });
    expect(byIndexName.get('expiring')).toMatchObject({ hidden: true, expireAfterSeconds: 3600 });
    expect(byIndexName.get('everything')).toMatchObject({ wildcardProjection: { total: 0 } });
    expect(byIndexName.get('words')).toMatchObject({
      weights: { note: 3 },
      furtherOptions: { default_language: 'english', language_override: 'language' },
    });
  });

  it('reads the sizes of a collection', async () => {
    const storage = await readStorage(connection().reader, byName.get('orders') as Collection);
    expect(storage).toMatchObject({ present: true, value: { count: 2, orphans: 0, shards: 0 } });
    if (!storage.present) return;
    expect(storage.value.size).toBeGreaterThan(50);
    expect(storage.value.averageDocumentSize).toBeCloseTo((storage.value.size as number) / 2);
    expect(Object.keys(storage.value.indexSizes as object).sort()).toEqual([
      '_id_',
      'by_email',
      'by_total',
      'everything',
      'expiring',
      'words',
    ]);
  });

  it('says that a collection is gone', async () => {
    const gone: Collection = {
      ...(byName.get('orders') as Collection),
      name: 'gone',
      namespace: `${database.databaseName}.gone`,
    };
    expect(await readStorage(connection().reader, gone)).toMatchObject({ present: false, reason: 'vanished' });
  });
});
