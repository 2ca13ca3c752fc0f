import { MongoClient, type CommandStartedEvent } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lint } from '../../src/lint/lint.js';
import type { Report } from '../../src/report/report.js';
import { unboundedArray } from '../exhibits/arrays.js';
import { outcomeOf } from '../exhibits/index.js';
import { shardedExhibits } from '../exhibits/sharded/index.js';
import { sharedReplicaSetUri } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';
import { startStandalone } from '../support/servers.js';
import { startShardedCluster, type ShardedCluster } from '../support/sharding/sharded-cluster.js';
import { SHARDING_CHECKS } from '../support/sharding/sharded-collections.js';

const DATABASE = 'demo';
const IDS = SHARDING_CHECKS.map(({ id }) => id);

describe('a full run on a sharded cluster', () => {
  let cluster: ShardedCluster;
  let report: Report;
  const started: CommandStartedEvent[] = [];

  beforeAll(async () => {
    cluster = await startShardedCluster();
    const database = cluster.client.db(DATABASE);
    for (const { bad, twin } of shardedExhibits) {
      await bad.plant(database);
      await twin.plant(database);
    }
    // What any cluster has besides: an unsharded collection, a view, an array that is far too long.
    await database.collection('settings').insertMany(Array.from({ length: 30 }, (_, number) => ({ number })));
    await database.createCollection('large_totals', {
      viewOn: 'orders_by_date',
      pipeline: [{ $match: { total: { $gt: 400 } } }],
    });
    await unboundedArray.bad.plant(database);
    report = await lint({
      uri: cluster.uri,
      include: [DATABASE],
      onClient: (client) => client.on('commandStarted', (event) => started.push(event)),
    });
  });
  afterAll(() => cluster?.stop());

  it.each(shardedExhibits.map((exhibit) => [exhibit.check, exhibit] as const))(
    '%s fires on its anti-pattern',
    (_, exhibit) => {
      expect(outcomeOf(exhibit, report).fired).toBe(true);
    },
  );

  it.each(shardedExhibits.map((exhibit) => [exhibit.check, exhibit] as const))(
    '%s is silent on the well-designed twin',
    (_, exhibit) => {
      expect(outcomeOf(exhibit, report).silent).toBe(true);
    },
  );

  it('knows that it is one', () => {
    expect(report.cluster).toMatchObject({ topology: 'sharded', name: null });
  });

  it('counts each document once, whatever shard holds it, orphans left out', async () => {
    for (const { namespace, kind, documents, size } of report.collections) {
      if (kind === 'view') continue;
      const collection = cluster.client.db(DATABASE).collection(namespace.slice(DATABASE.length + 1));
      expect({ namespace, documents }).toEqual({ namespace, documents: await collection.countDocuments() });
      const [{ bytes }] = (await collection
        .aggregate([{ $group: { _id: null, bytes: { $sum: { $bsonSize: '$$ROOT' } } } }])
        .toArray()) as [{ bytes: number }];
      expect(Math.abs((size as number) - bytes) / bytes).toBeLessThan(0.02);
    }
  });

  it("has totals that are the sums over the shards' own", async () => {
    for (const { namespace, documents } of report.collections.filter(({ kind }) => kind !== 'view')) {
      let sum = 0;
      for (const shard of cluster.shards.values()) {
        const stats = [{ $collStats: { storageStats: {} } }];
        const [own] = await shard
          .db(DATABASE)
          .collection(namespace.slice(DATABASE.length + 1))
          .aggregate(stats)
          .toArray()
          .catch(() => []);
        if (own !== undefined) sum += own['storageStats'].count - (own['storageStats'].numOrphanDocs ?? 0);
      }
      expect({ namespace, documents }).toEqual({ namespace, documents: sum });
    }
  });

  it('samples through the router, and runs the other checks too', () => {
    expect(outcomeOf(unboundedArray, report).fired).toBe(true);
    const notSampled = report.collections.filter(
      ({ kind, sampled }) => kind === 'collection' && !(sampled !== null && sampled.documents > 0),
    );
    expect(notSampled).toEqual([]);
  });

  it('sends reads alone, each with maxTimeMS and a comment', () => {
    const housekeeping = new Set(['endSessions', 'getMore', 'killCursors', 'ping']);
    const reads = new Set([
      'aggregate',
      // From 7.0 on.
      'analyzeShardKey',
      'buildInfo',
      'connectionStatus',
      'count',
      'find',
      'getLog',
      'hello',
      'listCollections',
      'listDatabases',
      'listIndexes',
      'profile',
      'serverStatus',
    ]);
    for (const { commandName, command } of started.filter((event) => !housekeeping.has(event.commandName))) {
      expect(reads).toContain(commandName);
      expect(command).toMatchObject({ comment: 'mongolint', maxTimeMS: expect.any(Number) });
      expect(JSON.stringify(command['pipeline'] ?? [])).not.toMatch(/"\$(?:out|merge)"/);
    }
    expect(
      started.some(({ databaseName, command }) => databaseName === 'config' && command['aggregate'] === 'chunks'),
    ).toBe(true);
  });

  it('reads the config database in five commands, and one for the chunks of each collection', async () => {
    const startedForSharding: CommandStartedEvent[] = [];
    await lint({
      uri: cluster.uri,
      include: [DATABASE],
      checks: SHARDING_CHECKS,
      onClient: (client) => client.on('commandStarted', (event) => startedForSharding.push(event)),
    });
    const ofConfig = startedForSharding
      // A few chunks may be sampled besides, for RecordIds.
      .filter(
        ({ databaseName, command }) =>
          databaseName === 'config' && !JSON.stringify(command['pipeline']).includes('$toHashedIndexKey'),
      )
      .map(({ command }) => String(command['aggregate']));
    const count = (collection: string) => ofConfig.filter((each) => each === collection).length;
    expect({
      shards: count('shards'),
      settings: count('settings'),
      tags: count('tags'),
      collections: count('collections'),
    }).toEqual({
      // Once more for the members whose indexes are compared.
      shards: 2,
      settings: 1,
      tags: 1,
      collections: 1,
    });
    expect(count('chunks')).toBe(2 * shardedExhibits.length);
  });

  it.each([
    ['which collections are sharded', 'config.collections', IDS, undefined],
    ['the chunks', 'config.chunks', IDS, 'demo.orders_by_date'],
  ])('says which privilege is missing where it may not read %s', async (_, namespace, checks, skippedOn) => {
    const failing = { failCommands: ['aggregate', 'find'], namespace, errorCode: 13, appName: 'mongolint' };
    await cluster.config.db('admin').command({ configureFailPoint: 'failCommand', mode: 'alwaysOn', data: failing });
    try {
      const { findings, skipped } = await lint({
        uri: cluster.uri,
        include: ['demo.orders_by_date'],
        checks: SHARDING_CHECKS,
      });
      expect(findings).toEqual([]);
      expect(skipped.map(({ check, namespace: on, reason }) => ({ check, on, reason }))).toEqual(
        checks.map((check) => ({ check, on: skippedOn, reason: 'privilege' })),
      );
      for (const { detail } of skipped)
        expect(detail).toMatch(/grant the privilege find on (?:the config database|config\.chunks)/);
    } finally {
      await cluster.config.db('admin').command({ configureFailPoint: 'failCommand', mode: 'off' });
    }
  });
});

describe('where nothing is sharded', () => {
  it('a replica set has no finding and no skipped entry of these checks', async () => {
    const client = new MongoClient(sharedReplicaSetUri());
    try {
      const name = `test_unsharded_${Date.now()}`;
      await client
        .db(name)
        .collection('orders')
        .insertMany(Array.from({ length: 300 }, (_, index) => ({ at: new Date(index) })));
      const report = await lintShared({ include: [name], checks: SHARDING_CHECKS });
      await client.db(name).dropDatabase();
      expect(report).toMatchObject({ findings: [], skipped: [], summary: { checks: { ran: 0, skipped: 0 } } });
    } finally {
      await client.close();
    }
  });

  it('a standalone has none either', async () => {
    const server = await startStandalone();
    const client = new MongoClient(server.uri);
    try {
      await client
        .db('shop')
        .collection('orders')
        .insertMany(Array.from({ length: 300 }, (_, index) => ({ at: new Date(index) })));
      const report = await lint({ uri: server.uri, checks: SHARDING_CHECKS });
      expect(report).toMatchObject({ findings: [], skipped: [], summary: { checks: { ran: 0, skipped: 0 } } });
    } finally {
      await client.close();
      await server.stop();
    }
  });
});
