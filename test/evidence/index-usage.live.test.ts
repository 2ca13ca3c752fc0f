import { MongoClient, type CommandStartedEvent } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deepSkip } from '../../checks/deep-skip.js';
import { unusedIndex } from '../../checks/unused-index.js';
import { lint } from '../../src/lint/lint.js';
import type { Report } from '../../src/report/report.js';
import { startMemberSet, type MemberSet } from '../support/member-set.js';
import { startShardedCluster, type ShardedCluster } from '../support/sharding/sharded-cluster.js';

/** Statistics of a server that was started a moment ago count here. */
const AT_ONCE = { 'unused-index': { thresholds: { minimumAge: 0, fullCycle: 0 } } };

const unused = ({ findings }: Report) => findings.map(({ path }) => path).sort();

describe('a replica set of three members, each with statistics of its own', () => {
  let set: MemberSet;
  const started: CommandStartedEvent[] = [];
  const lintOrders = (options: Partial<Parameters<typeof lint>[0]> = {}): Promise<Report> =>
    lint({ uri: set.uri, include: ['shop.*'], checks: [unusedIndex], settings: AT_ONCE, ...options });

  beforeAll(async () => {
    set = await startMemberSet(3);
    const client = new MongoClient(set.uri);
    const orders = client.db('shop').collection('orders');
    await orders.insertMany(
      Array.from({ length: 100 }, (_, index) => ({ a: index, b: index, c: index, d: index })),
      { writeConcern: { w: 3 } },
    );
    for (const field of ['a', 'b', 'c', 'd'])
      await orders.createIndex({ [field]: 1 }, { commitQuorum: 'votingMembers' });
    await orders.insertOne({ a: -1 }, { writeConcern: { w: 3 } });
    await client.close();
    for (const [member, field] of ['a', 'b', 'c'].entries()) {
      await set.members[member]
        ?.db('shop')
        .collection('orders')
        .findOne({ [field]: 5 }, { readPreference: 'secondaryPreferred' });
    }
  });
  afterAll(() => set?.stop());

  it('has one unused index: the others are used by one member each', async () => {
    const report = await lintOrders({
      onClient: (client) => client.on('commandStarted', (event) => started.push(event)),
    });
    expect(unused(report)).toEqual(['d_1']);
    expect(report.skipped).toEqual([]);
    expect(report.findings[0]?.evidence).toMatchObject({
      accesses: 0,
      nodes: expect.arrayContaining(['the primary', 'secondary 1', 'secondary 2']),
      nodesNotAsked: 0,
    });
    expect(JSON.stringify(report)).not.toMatch(/127\.0\.0\.1/);
  });

  it('is asked through the same door: reads alone, with a limit and a comment', () => {
    const asked = started.filter(({ command }) => JSON.stringify(command['pipeline'] ?? '').includes('$indexStats'));
    expect(new Set(asked.map(({ address }) => address)).size).toBe(3);
    for (const { command } of asked)
      expect(command).toMatchObject({ comment: 'mongolint', maxTimeMS: expect.any(Number) });
    for (const { command } of asked) expect(JSON.stringify(command['pipeline'])).toBe('[{"$indexStats":{}}]');
  });

  it('is not judged over a direct connection to one of them', async () => {
    const report = await lintOrders({ uri: `${set.uri.replace(/,.*$/, '')}/?directConnection=true` });
    expect(report.findings).toEqual([]);
    expect(report.skipped).toEqual([
      expect.objectContaining({
        check: 'unused-index',
        reason: 'insufficient',
        detail: expect.stringContaining('2 of 3 members did not answer'),
      }),
    ]);
  });

  it('is not judged while a member is down, and the run goes on', async () => {
    const nodesTold = async () => (await lintOrders({ checks: [deepSkip] })).nodeReads?.length;
    expect(await nodesTold()).toBe(3);
    await set.stopMember(2);
    // Shares of those that answer would be of nothing that is known.
    expect(await nodesTold()).toBeUndefined();
    const report = await lintOrders();
    expect(report.findings).toEqual([]);
    expect(report.skipped).toEqual([
      expect.objectContaining({
        check: 'unused-index',
        reason: 'insufficient',
        detail: expect.stringContaining('1 of 3 members did not answer'),
      }),
    ]);
  });
});

describe('a sharded cluster, asked through its router', () => {
  let cluster: ShardedCluster;
  beforeAll(async () => {
    cluster = await startShardedCluster();
    const orders = cluster.client.db('shop').collection('orders');
    await orders.insertMany(Array.from({ length: 100 }, (_, index) => ({ a: index, b: index, c: index })));
    for (const field of ['b', 'c']) await orders.createIndex({ [field]: 1 });
    await cluster.shardCollection('shop.orders', { a: 1 });
    await cluster.split('shop.orders', { a: 50 });
    await cluster.moveRange('shop.orders', { a: 50 }, 'sh2');
    await cluster.shards.get('sh2')?.db('shop').collection('orders').findOne({ b: 70 });
  });
  afterAll(() => cluster?.stop());

  it('has one unused index: of the others one is used on one shard, and one is the shard key', async () => {
    const report = await lint({ uri: cluster.uri, include: ['shop.*'], checks: [unusedIndex], settings: AT_ONCE });
    expect(report.skipped).toEqual([]);
    expect(unused(report)).toEqual(['c_1']);
    const [finding] = report.findings;
    expect(finding?.evidence).toMatchObject({
      nodes: expect.arrayContaining(['a member of shard sh1', 'a member of shard sh2']),
      nodesNotAsked: 0,
    });
    expect(finding?.message).toContain('on any of 2 nodes.');
  });
});
