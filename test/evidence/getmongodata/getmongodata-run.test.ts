import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { getMongoDataRun } from '../../../src/evidence/getmongodata/getmongodata-run.js';
import { sectionsIn } from '../../../src/evidence/getmongodata/sections.js';
import type { PieceName } from '../../../src/evidence/source.js';
import type { KeptCollection } from '../../../src/evidence/source.js';
import { getMongoDataSections, getMongoDataText, type AskedServer } from '../../support/getmongodata.js';

const MB = 1024 * 1024;
const WANTED = new Set<PieceName>(['storage', 'indexes', 'indexUsage', 'documents', 'sharding', 'reads']);
const PLAN = {
  ofCollection: () => WANTED,
  ofCluster: new Set<PieceName>(['server', 'workload', 'references']),
  kept: new Set<never>(),
};
const ID = { v: 2, key: { _id: 1 }, name: '_id_' };
const ORDERS = {
  name: 'orders',
  statistics: {
    ns: 'shop.orders',
    count: { $numberInt: '12000' },
    size: 3,
    avgObjSize: 290,
    storageSize: 1,
    totalIndexSize: 7,
    indexSizes: { _id_: 0, customer_1: 7 },
    scaleFactor: MB,
  },
  indexes: [ID, { v: 2, key: { customer: 1 }, name: 'customer_1', unique: true }],
  uses: [
    {
      key: { _id: 1 },
      stats: [{ accesses: { $numberLong: '5' }, host: 'db1', since: 'Tue, 11 Feb 2025 17:31:03 GMT' }],
    },
    { key: { customer: 1 }, stats: [{ accesses: 0, host: 'db1', since: 'Tue, 11 Feb 2025 17:31:03 GMT' }] },
  ],
};

const runOf = (server: AskedServer, change: (sections: Document[]) => Document[] = (same) => same) =>
  getMongoDataRun(sectionsIn(getMongoDataText(change(getMongoDataSections(server)))), () => true, PLAN);
const collectionsOf = (server: AskedServer) => runOf(server).ofCollections((each) => each);
const evidenceOf = async (server: AskedServer): Promise<KeptCollection['evidence']> =>
  (await collectionsOf(server))[0]!.evidence;
const shop = (change: object = {}): AskedServer => ({ databases: { shop: [{ ...ORDERS, ...change }] } });

const withoutCrm = (sections: Document[]) => sections.filter(({ subsection }) => !String(subsection).endsWith("'crm'"));

describe('the evidence in a file of getMongoData.js', () => {
  it('has indexes, counts and whole MB, and knows no size below one', async () => {
    const { storage, indexes, indexUsage } = await evidenceOf(shop());
    expect(storage).toEqual({
      present: true,
      value: {
        count: 12_000,
        size: 3 * MB,
        averageDocumentSize: 290,
        storageSize: MB,
        totalIndexSize: 7 * MB,
        indexSizes: { customer_1: 7 * MB },
        orphans: 0,
        shards: 0,
      },
    });
    expect(indexes).toMatchObject({ value: [{ name: '_id_' }, { name: 'customer_1', unique: true, hidden: false }] });
    const since = Date.UTC(2025, 1, 11, 17, 31, 3);
    expect(indexUsage).toMatchObject({
      value: {
        nodesNotAsked: 0,
        nodes: [{ node: 'the server', indexes: { _id_: { accesses: 5, since }, customer_1: { accesses: 0, since } } }],
      },
    });
  });

  it('says of all else why it is not there', async () => {
    const run = runOf(shop());
    const [{ evidence }] = (await run.ofCollections((each) => each)) as [KeptCollection];
    expect(evidence.documents).toMatchObject({ present: false, detail: expect.stringContaining('no documents') });
    expect(evidence.reads).toMatchObject({ present: false, detail: expect.stringContaining('no operations') });
    expect(await run.ofCluster([])).toMatchObject({
      server: { value: { version: '6.0.27', collections: 1 } },
      workload: { present: false, reason: 'insufficient' },
      references: { present: false, reason: 'insufficient' },
    });
  });

  it.each<[string, AskedServer, object]>([
    ['a server that stands alone', shop(), { topology: 'standalone', name: null, readFrom: 'primary' }],
    [
      'a secondary',
      { ...shop(), hello: { ismaster: false, secondary: true, setName: 'rs0' } },
      { topology: 'replicaSet', name: 'rs0', readFrom: 'secondary' },
    ],
    ['mongos', { ...shop(), hello: { msg: 'isdbgrid' } }, { topology: 'sharded', readFrom: null }],
  ])('tells %s', (_, server, expected) => {
    expect(runOf(server).cluster).toMatchObject(expected);
  });

  it.each<[string, AskedServer]>([
    ['of several members', { ...shop(), hello: { setName: 'rs0' }, members: 3 }],
    ['through mongos', { ...shop(), hello: { msg: 'isdbgrid' } }],
    ['that were refused', shop({ uses: null })],
    [
      'of two indexes with one key',
      shop({ indexes: [...ORDERS.indexes, { ...ID, key: { customer: 1 }, name: 'other' }] }),
    ],
  ])('does not know the uses %s', async (_, server) => {
    expect((await evidenceOf(server)).indexUsage).toMatchObject({ present: false, reason: 'insufficient' });
  });

  it.each<[string, object, string, string]>([
    ['statistics', { statistics: null }, 'storage', 'has no statistics of shop.orders'],
    ['indexes', { indexes: null }, 'indexes', 'does not have the indexes of shop.orders'],
    ['an index without a name', { indexes: [{ key: { a: 1 } }] }, 'indexes', 'answers in another shape'],
    ['a shard key', { statistics: { ...ORDERS.statistics, sharded: true } }, 'indexes', 'without the shard key'],
  ])('is absent without %s', async (_, change, piece, detail) => {
    const evidence = (await evidenceOf(shop(change))) as Record<string, unknown>;
    expect(evidence[piece]).toMatchObject({ present: false, detail: expect.stringContaining(detail) });
  });

  it('leaves out what is of the server, and sorts', async () => {
    const server = {
      databases: {
        admin: [{ ...ORDERS, statistics: { ...ORDERS.statistics, ns: 'admin.system.users' }, name: 'system.users' }],
        shop: [ORDERS, { ...ORDERS, name: 'carts', statistics: { ...ORDERS.statistics, ns: 'shop.carts' } }],
      },
    };
    expect((await collectionsOf(server)).map(({ collection }) => collection.namespace)).toEqual([
      'shop.carts',
      'shop.orders',
    ]);
  });

  it('knows a collection whose name reads like a date by its statistics, or as not listed', async () => {
    const dated = { ...ORDERS, name: { $date: 1.7e12 }, statistics: { ...ORDERS.statistics, ns: 'shop.20240101' } };
    expect((await collectionsOf({ databases: { shop: [dated] } }))[0]?.collection.name).toBe('20240101');
    const unknown = { ...dated, statistics: null };
    expect(runOf({ databases: { shop: [unknown] } }).inventory.unlisted).toMatchObject([{ database: 'shop' }]);
  });

  it('tells databases that the script did not come to', () => {
    const server = { databases: { shop: [ORDERS], crm: [] } };
    expect(runOf(server, withoutCrm).inventory.unlisted).toMatchObject([{ database: 'crm' }]);
  });
});

describe('a file of getMongoData.js', () => {
  const text = getMongoDataText(getMongoDataSections(shop()));

  it.each<[string, string]>([
    [
      'with the lines of a shell around it',
      `MongoDB shell version v5.0.3\nconnecting to: mongodb://…\n${text}\nERROR: x\n`,
    ],
    ['in one line', JSON.stringify(getMongoDataSections(shop()))],
    [
      'with binary data as the mongo shell writes it',
      text.replace('"db1.internal:27017"', '{ "$binary": "VOoF", "$type": "04" }'),
    ],
  ])('is read %s', (_, given) => {
    expect(sectionsIn(given).length).toBe(sectionsIn(text).length);
  });

  it.each<[string, string, string]>([
    ['nothing', '', 'it is no JSON, or was cut'],
    ['half of it', text.slice(0, text.length / 2), 'it is no JSON, or was cut'],
    ['other JSON', '[{"a": 1}]', 'it is no output of getMongoData.js'],
    ['a report', '{"schemaVersion": 1}', 'it is no output of getMongoData.js'],
    ['the readable form', 'getMongoData.js version 4.1.2\n\n** Shell version:\n"2.3"', 'it is the readable output'],
  ])('is not %s', (_, given, fault) => {
    expect(() => sectionsIn(given)).toThrow(fault);
  });
});
