import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { hotUnshardedCollection } from '../../checks/hot-unsharded-collection.js';
import type { Collection, KnownCollection } from '../../src/check.js';
import { databaseOf, nameOf } from '../../src/namespace.js';
import { absent, present, type Absent } from '../../src/presence.js';
import { withKnownFigures } from '../support/checks/reported-problem.js';
import { shardedCollection } from '../support/checks/sharded-evidence.js';

const DAY_S = 86_400;

/** Reads a second of each shard's primary, by collection; what is sharded begins with "sharded". */
type Rates = Readonly<Record<string, Readonly<Record<string, number>>>>;

function judged(
  rates: Rates,
  {
    shards = ['sh1', 'sh2', 'sh3'],
    days = 7,
    version = '8.0.4',
    failed = null as Absent | null,
    failedOn = null as string | null,
    inCluster = Object.keys(rates).length as number | null,
    collation = null as Document | null,
  } = {},
) {
  const collections = Object.entries(rates).map(
    ([namespace, byShard]): [string, KnownCollection<'load' | 'storage'>] => {
      const plain: Collection = {
        namespace,
        database: databaseOf(namespace),
        name: nameOf(namespace),
        kind: 'collection',
        clustered: false,
        ...(collation !== null && { collation }),
      };
      const collection = namespace.startsWith('shop.sharded') ? { ...shardedCollection(), ...plain } : plain;
      const load = Object.entries(byShard).map(([shard, rate]) => ({
        shard,
        reads: rate * days * DAY_S,
        writes: 0,
        countedFor: days * DAY_S * 1_000,
      }));
      const failure = failedOn === null || failedOn === namespace ? failed : null;
      return [namespace, { collection, load: failure ?? present(load), storage: absent('privilege', 'not allowed.') }];
    },
  );
  const server = {
    version,
    ...(shards.length > 0 && { shards }),
    ...(inCluster !== null && { collections: inCluster }),
  };
  const limits = Object.entries(hotUnshardedCollection.thresholds).map(([name, each]) => [name, each.default]);
  return withKnownFigures(
    hotUnshardedCollection.judge({ collections: new Map(collections), server }, Object.fromEntries(limits) as never),
  );
}

const HOT: Rates = {
  'shop.orders': { sh1: 2_000 },
  'shop.carts': { sh1: 300 },
  'shop.sharded': { sh1: 50, sh2: 50, sh3: 50 },
};

const codes = (verdicts: ReturnType<typeof judged>) =>
  verdicts.flatMap((each) => ('remedy' in each ? each.remedy.steps.flatMap(({ code }) => code ?? []) : []));

describe('hot-unsharded-collection', () => {
  it.each<[string, Rates, Parameters<typeof judged>[1], string]>([
    ['one collection takes most', HOT, {}, 'warning shop.orders'],
    [
      'most, of two shards',
      { 'shop.orders': { sh1: 900 }, 'shop.carts': { sh2: 90 } },
      { shards: ['sh1', 'sh2'] },
      'info shop.orders',
    ],
    [
      'many together take most',
      Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`shop.c${at}`, { sh1: 60 + at }])),
      {},
      'warning shop.c19',
    ],
    [
      'it was moved to another shard',
      { 'shop.orders': { sh3: 2_000 }, 'shop.sharded': { sh1: 9 } },
      {},
      'warning shop.orders',
    ],
  ])('%s', (_what, rates, options, expected) => {
    const found = judged(rates, options);
    expect(found.map((each) => ('severity' in each ? `${each.severity} ${each.namespace}` : each))).toEqual([expected]);
  });

  it.each<[string, Rates, Parameters<typeof judged>[1]]>([
    [
      'unsharded collections are spread',
      { 'shop.orders': { sh1: 900 }, 'shop.carts': { sh2: 800 }, 'shop.users': { sh3: 700 } },
      {},
    ],
    [
      'the other shard works half as much',
      { 'shop.orders': { sh1: 900 }, 'shop.carts': { sh2: 460 } },
      { shards: ['sh1', 'sh2'] },
    ],
    ['sharded collections take most', { 'shop.orders': { sh1: 900 }, 'shop.sharded': { sh1: 1_000 } }, {}],
    ['the cluster does little', { 'shop.orders': { sh1: 90 } }, {}],
    ['nothing is done', { 'shop.orders': { sh1: 0 } }, {}],
    ['there is one shard', HOT, { shards: ['sh1'] }],
    ['it is no sharded cluster, or its shards are unknown', HOT, { shards: [] }],
  ])('nothing: %s', (_what, rates, options) => {
    expect(judged(rates, options)).toEqual([]);
  });

  it('says which share, on which shards, and how to shard or move', () => {
    const [found] = judged(HOT);
    expect(found).toMatchObject({
      message:
        'sh1 serves 96 % of the operations on collections, 2,350 a second on average, the other 2 shards 2.0 % each. ' +
        'Its unsharded collections take most: shop.orders 82 % and shop.carts 12 %. Each is on that shard alone, so that more shards make it no faster.',
      evidence: {
        operationsPerSecond: 2_350,
        writeShare: 0,
        shards: expect.arrayContaining(['sh2: 50 operations per second']),
      },
    });
    expect(codes([found!])).toContain('db.adminCommand({ "moveCollection": "shop.carts", "toShard": "sh3" })');
    expect(codes(judged(HOT, { version: '7.0.14' }))).toEqual([
      'mongolint shard-key shop.orders \'{ _id: "hashed" }\'',
      'db.getSiblingDB("shop").orders.createIndex({ "_id": "hashed" })',
      'db.adminCommand({ "shardCollection": "shop.orders", "key": { "_id": "hashed" } })',
      'db.getSiblingDB("shop").orders.getShardDistribution()',
    ]);
    const spread = { ...HOT, 'shop.orders': { sh1: 400 }, 'crm.users': { sh1: 390 }, 'crm.notes': { sh1: 20 } };
    expect(codes(judged(spread, { version: '7.0.14' }))).toEqual([
      'db.adminCommand({ "movePrimary": "crm", "to": "sh3" })',
    ]);
  });

  it('is not judged of a few hours, or if a collection cannot be asked', () => {
    expect(judged(HOT, { days: 0.2 })).toMatchObject([{ notJudged: 'insufficient', namespace: 'shop.orders' }]);
    expect(judged(HOT, { failed: absent('privilege', 'not allowed.') })).toEqual([
      { notJudged: 'privilege', detail: 'not allowed.', nothingJudged: true },
    ]);
  });

  it('is not judged of a part of the collections, whatever it is', () => {
    const notAll = [{ notJudged: 'bound', detail: expect.stringContaining('--include'), nothingJudged: true }];
    expect(judged(HOT, { inCluster: 4 })).toEqual(notAll);
    expect(judged(HOT, { inCluster: null })).toEqual(notAll);
    expect(judged({ 'shop.orders': { sh1: 1 } }, { inCluster: 9 })).toEqual(notAll);
  });

  it('leaves out a collection that was dropped meanwhile, but none that may not be read', () => {
    const vanished = { failed: absent('vanished', 'dropped.'), failedOn: 'shop.carts' };
    expect(judged(HOT, vanished)).toMatchObject([{ severity: 'warning', namespace: 'shop.orders' }]);
    const denied = { failed: absent('privilege', 'not allowed.'), failedOn: 'shop.carts' };
    expect(judged(HOT, denied)).toMatchObject([{ notJudged: 'privilege', nothingJudged: true }]);
  });

  it('neither moves to a shard that is being removed nor counts it among the others', () => {
    const rates = { ...HOT, 'shop.sharded': { sh1: 50, sh2: 60, sh3: 50, sh4: 0.1 } };
    const [found] = judged(rates, { shards: ['sh1', 'sh2', 'sh3'] });
    expect(found).toMatchObject({ message: expect.stringContaining('the other 2 shards 2.2 % each') });
    expect(codes([found!])).toContain('db.adminCommand({ "moveCollection": "shop.carts", "toShard": "sh3" })');
    expect(judged({ 'shop.orders': { sh4: 900 }, 'shop.carts': { sh1: 9 } })).toMatchObject([
      { namespace: 'shop.orders', message: expect.stringContaining('the other 3 shards') },
    ]);
  });

  it('says what sharding needs before, by version and collation', () => {
    expect(codes(judged(HOT, { version: '5.0.31' })).slice(1, 4)).toEqual([
      'db.adminCommand({ "enableSharding": "shop" })',
      'db.getSiblingDB("shop").orders.createIndex({ "_id": "hashed" })',
      'db.adminCommand({ "shardCollection": "shop.orders", "key": { "_id": "hashed" } })',
    ]);
    expect(codes(judged(HOT, { collation: { locale: 'en', strength: 2 } })).slice(1, 3)).toEqual([
      'db.getSiblingDB("shop").orders.createIndex({ "_id": "hashed" }, { "collation": { "locale": "simple" } })',
      'db.adminCommand({ "shardCollection": "shop.orders", "key": { "_id": "hashed" }, "collation": { "locale": "simple" } })',
    ]);
  });
});
