import { Long, MongoClient, ObjectId, type Db, type Document } from 'mongodb';
import { ConnectionString } from 'mongodb-connection-string-url';
import { sum } from 'simple-statistics';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../../support/database.js';
import { collectBothWays, withoutTimes, type BothWays, type CollectedWay } from '../../support/evidence-both-ways.js';
import { startMemberSet, type MemberSet } from '../../support/member-set.js';
import type { EmbeddedServer } from '../../support/mongod/embedded-server.js';
import { startWithAuth } from '../../support/servers.js';
import { betweenCheckpoints, settleFiles } from '../../support/settled-files.js';
import { startShardedCluster, type ShardedCluster } from '../../support/sharding/sharded-cluster.js';
import { cutAfter, garbageBody, swallow } from '../../support/wire/reply-treatments.js';
import type { WireFault } from '../../support/wire/wire-fault.js';
import { WireProxy } from '../../support/wire/wire-proxy.js';

const PLAIN_COLLECTIONS = 20;

type AnyId = Document & { readonly _id: unknown };

/** Collections whose statistics or documents are out of the ordinary, among plain ones. */
async function plant(database: Db): Promise<void> {
  for (let number = 0; number < PLAIN_COLLECTIONS; number += 1) {
    const plain = database.collection(`plain_${String(number).padStart(2, '0')}`);
    await plain.insertMany(Array.from({ length: number * 3 + 1 }, (_, at) => ({ at, number, text: 'x'.repeat(at) })));
    await plain.createIndexes([{ key: { number: 1 } }, { key: { at: -1, number: 1 } }]);
  }
  const indexed = await database.createCollection('indexed');
  await indexed.insertOne({ total: 1, place: [1, 2] });
  await indexed.createIndexes([
    { key: { z: 1 }, name: 'z', sparse: true },
    { key: { a: 1 }, name: 'a', unique: true, partialFilterExpression: { total: { $gt: 1 } } },
    { key: { m: 1 }, name: 'm', collation: { locale: 'en', strength: 2 } },
    { key: { b: 1 }, name: 'b', expireAfterSeconds: 3_600, hidden: true },
    { key: { '$**': 1 }, name: 'everything', wildcardProjection: { total: 0 } },
    { key: { note: 'text' }, name: 'words', weights: { note: 3 }, default_language: 'german' },
    { key: { place: '2d' }, name: 'flat', bits: 20, min: -10, max: 10 },
    { key: { spot: '2dsphere', total: 1 }, name: 'round' },
    { key: { h: 'hashed' }, name: 'hash' },
  ]);
  await indexed.dropIndex('z');
  await indexed.createIndex({ y: 1 }, { name: 'after' });
  const numbered = database.collection('numbered');
  await numbered.createIndexes([
    { key: { a: 1 }, name: '7' },
    { key: { b: 1 }, name: 'b' },
  ]);
  await database.createCollection('empty');
  await database.createCollection('log', { capped: true, size: 4_096, max: 10 });
  await database.createCollection('readings', { timeseries: { timeField: 'at' } });
  await database.collection('readings').insertOne({ at: new Date(), value: 1 } as Document);
  await database.createCollection('view', { viewOn: 'indexed', pipeline: [] });
  await database.createCollection('words', { collation: { locale: 'fr' } });
  await database.createCollection('clustered', { clusteredIndex: { key: { _id: 1 }, unique: true } });
  await database.collection<AnyId>('clustered').insertOne({ _id: 1, a: 2 });
  await database.collection('dotted.name').insertOne({ a: 1 });
  await plantOddDocuments(database);
}

async function plantOddDocuments(database: Db): Promise<void> {
  await database
    .collection<AnyId>('odd')
    .insertMany([
      { _id: 1, member: 7, document: { member: 'x' } },
      { _id: { a: 1, b: [Long.fromNumber(5)] }, '': 'nameless', 'a.b': 1 },
      { _id: new ObjectId(), nested: { deep: [[{ a: null }], []] }, none: undefined },
      { _id: 'empty' },
    ]);
}

async function plantSettled(database: Db): Promise<void> {
  await plant(database);
  await settleFiles(database.client, database.databaseName);
}

function expectTheSame({ inGroups, oneByOne }: BothWays): void {
  expect(Object.keys(inGroups.pieces).length).toBeGreaterThan(PLAIN_COLLECTIONS);
  expect(withoutTimes(inGroups.pieces)).toEqual(withoutTimes(oneByOne.pieces));
  expect(JSON.stringify(withoutTimes(inGroups.pieces))).toBe(JSON.stringify(withoutTimes(oneByOne.pieces)));
}

/** Those of which a piece is absent, and why. */
function absentIn({ pieces }: CollectedWay): string[] {
  return Object.entries(pieces)
    .flatMap(([name, ofCollection]) =>
      Object.entries(ofCollection).map(([piece, evidence]) =>
        evidence.present ? null : `${name} ${piece} ${evidence.reason}`,
      ),
    )
    .filter((each) => each !== null)
    .sort();
}

describe('evidence in groups and one by one', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  beforeAll(() => plantSettled(database));
  const both = (options: Parameters<typeof collectBothWays>[2] = {}) =>
    collectBothWays(sharedReplicaSetUri(), database.databaseName, options);
  const bothUndisturbed = (options: Parameters<typeof collectBothWays>[2] = {}) =>
    betweenCheckpoints([client], database.databaseName, () => both(options));

  it('is the same, by a fraction of the commands', async () => {
    const ways = await bothUndisturbed();
    expectTheSame(ways);
    const { inGroups, oneByOne } = ways;
    const collections = Object.keys(inGroups.pieces).length;
    expect(oneByOne.sent).toMatchObject({ $collStats: collections - 1, listIndexes: collections - 1 });
    // In seven groups; alone are the time-series collection, the clustered one, and that of a numbered index.
    expect(inGroups.sent).toMatchObject({ $collStats: 8, $indexStats: 8, listIndexes: 3 });
    expect(inGroups.sent['find'] ?? 0).toBeLessThan(2);
    expect(absentIn(inGroups)).toEqual([]);
  });

  it('leaves the statistics of indexes alone if they are not wanted', async () => {
    const ways = await bothUndisturbed({ wanted: ['storage', 'indexes', 'sample'] });
    expectTheSame(ways);
    expect(ways.inGroups.sent).not.toHaveProperty('$indexStats');
    expect(ways.inGroups.sent['listIndexes']).toBe(ways.oneByOne.sent['listIndexes']);
  });

  it('is the same if collections were dropped or emptied since they were listed', async () => {
    const gone = ['gone_1', 'gone_2'].map((name) => database.collection(name));
    const before = async () => {
      for (const collection of gone) await collection.drop();
    };
    const plantAgain = async () => {
      for (const collection of gone) await collection.insertOne({ a: 1 });
    };
    await plantAgain();
    const ways = await both({ before, after: plantAgain });
    expectTheSame(ways);
    expect(absentIn(ways.inGroups)).toEqual(
      expect.arrayContaining(['gone_1 indexes vanished', 'gone_1 storage vanished', 'gone_2 indexes vanished']),
    );
    for (const collection of gone) await collection.drop();
  });
});

const asksGroup: WireFault['on'] = ({ pipeline }) => JSON.stringify(pipeline ?? []).includes('$unionWith');

// The server is real; a proxy before it damages the replies to groups.
describe('evidence behind a damaged road', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  beforeAll(() => plantSettled(database));

  it.each<[string, Partial<WireFault>]>([
    ['two of which do not come', { reply: swallow(), times: 2 }],
    ['that are cut', { reply: cutAfter(40) }],
    ['that are garbage', { reply: garbageBody() }],
  ])('has replies to groups %s, and is the same', async (_, fault) => {
    const proxy = await WireProxy.start({ uri: sharedReplicaSetUri(), faults: [{ on: asksGroup, ...fault }] });
    try {
      const ways = await collectBothWays(proxy.uri, database.databaseName);
      expectTheSame(ways);
      expect(absentIn(ways.inGroups)).toEqual([]);
    } finally {
      await proxy.stop();
    }
  });
});

describe('evidence of a user', () => {
  let server: EmbeddedServer;
  let root: MongoClient;
  const REFUSED = new Set(['plain_03', 'plain_17']);
  beforeAll(async () => {
    server = await startWithAuth({ args: ['--syncdelay', '0'] });
    root = await new MongoClient(server.uri).connect();
    await plantSettled(root.db('shop'));
  });
  afterAll(async () => {
    await root?.close();
    await server?.stop();
  });

  /** A user that may do so on the collections that are listed. */
  async function userWith(name: string, actionsOn: (collection: string) => readonly string[]): Promise<string> {
    const listed = await root.db('shop').listCollections({}, { nameOnly: true }).toArray();
    const onCollections = listed.map((collection) => ({
      resource: { db: 'shop', collection: collection.name },
      actions: actionsOn(collection.name),
    }));
    const privileges = [
      { resource: { db: 'shop', collection: '' }, actions: ['listCollections'] },
      ...onCollections.filter(({ actions }) => actions.length > 0),
    ];
    await root.db('admin').command({ createRole: name, privileges, roles: [] });
    await root.db('admin').command({ createUser: name, pwd: 'secret', roles: [name] });
    const uri = new ConnectionString(server.uri);
    [uri.username, uri.password] = [name, 'secret'];
    return uri.href;
  }

  const ALL = ['collStats', 'find', 'indexStats', 'listIndexes'];

  it.each<[string, (collection: string) => readonly string[]]>([
    ['who may not read two collections', (name) => (REFUSED.has(name) ? [] : ALL)],
    ['who may not read documents of two collections', (name) => (REFUSED.has(name) ? ALL.toSpliced(1, 1) : ALL)],
    ['who may not ask for the use of indexes', () => ALL.toSpliced(2, 1)],
    ['who may not ask for sizes', () => ALL.toSpliced(0, 1)],
    ['who may read every second collection', (name) => (name.length % 2 === 0 || name.endsWith('1') ? ALL : [])],
    ['who may read nothing', () => []],
  ])('%s is the same in groups and one by one', async (title, actionsOn) => {
    const uri = await userWith(title.replaceAll(' ', '_'), actionsOn);
    const ways = await collectBothWays(uri, 'shop');
    expectTheSame(ways);
    expect(absentIn(ways.inGroups).length).toBeGreaterThan(0);
    const [inGroups, oneByOne] = [ways.inGroups, ways.oneByOne].map(({ sent }) => sum(Object.values(sent)));
    // Refused groups are given up before they outweigh what others save.
    expect(inGroups).toBeLessThan((oneByOne as number) + 40);
  });
});

describe('evidence of a replica set of three members', () => {
  let set: MemberSet;
  let client: MongoClient;
  beforeAll(async () => {
    set = await startMemberSet(3);
    client = await new MongoClient(set.uri, { writeConcern: { w: 3 } }).connect();
    await plant(client.db('shop'));
    await set.members[1]?.db('shop').collection('plain_04').findOne({ number: 4 }, { readPreference: 'secondary' });
  });
  afterAll(async () => {
    await client?.close();
    await set?.stop();
  });

  it('is the same in groups and one by one, of each member', async () => {
    // Each secondary has a natural order of its own.
    const connect = { readPreference: 'primary' } as const;
    const ways = await betweenCheckpoints([client], 'shop', () => collectBothWays(set.uri, 'shop', { connect }));
    expectTheSame(ways);
    const usage = ways.inGroups.pieces['plain_04']?.indexUsage;
    const nodes = usage?.present === true ? usage.value.nodes : [];
    expect(nodes.map(({ indexes }) => indexes['number_1']?.accesses).sort()).toEqual([0, 0, 1]);
    expect(ways.inGroups.sent['$indexStats']).toBe(3 * 8);
  });
});

// Each shard is real and spreads `$unionWith` over the cluster; what stands in for the router hands pipelines to one of them.
describe('evidence of a sharded cluster', () => {
  let cluster: ShardedCluster;
  beforeAll(async () => {
    cluster = await startShardedCluster();
    await plant(cluster.client.db('shop'));
    await cluster.shardCollection('shop.plain_07', { at: 1 });
    await cluster.split('shop.plain_07', { at: 10 });
    await cluster.moveRange('shop.plain_07', { at: 10 }, 'sh2');
  });
  afterAll(() => cluster?.stop());

  it('is the same in groups and one by one; the sharded collection is asked about alone', async () => {
    const shards = [...cluster.shards.values()];
    const { inGroups, oneByOne } = await betweenCheckpoints(shards, 'shop', () => collectBothWays(cluster.uri, 'shop'));
    // Shards answer in any order.
    const { plain_07: sharded, ...unsharded } = inGroups.pieces;
    const { plain_07: _, ...others } = oneByOne.pieces;
    expectTheSame({ inGroups: { ...inGroups, pieces: unsharded }, oneByOne: { ...oneByOne, pieces: others } });
    expect(sharded?.storage).toMatchObject({ present: true, value: { count: 22, shards: 2 } });
    expect(inGroups.sent['$collStats']).toBe(9);
  });
});
