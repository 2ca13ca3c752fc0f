import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hotUnshardedCollection } from '../../checks/hot-unsharded-collection.js';
import { lint } from '../../src/lint/lint.js';
import { databaseOf, nameOf } from '../../src/namespace.js';
import { startShardedCluster, type ShardedCluster } from '../support/sharding/sharded-cluster.js';

// Config server, shards, metadata, counters and sharding are real; the router is stood in for, see router-stand-in.ts.
let cluster: ShardedCluster;
beforeAll(async () => void (cluster = await startShardedCluster()));
afterAll(() => cluster?.stop());

const collection = (namespace: string) => cluster.client.db(databaseOf(namespace)).collection(nameOf(namespace));

async function plant(placed: Readonly<Record<string, string>>): Promise<void> {
  for (const [namespace, primaryShardId] of Object.entries(placed))
    await cluster.config.db('admin').command({
      _configsvrCreateDatabase: databaseOf(namespace),
      primaryShardId,
      writeConcern: { w: 'majority' },
    });
  // At once, since each is counted from its creation.
  await Promise.all(Object.keys(placed).map((namespace) => collection(namespace).insertOne({ number: 1 })));
}

async function read(namespace: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await collection(namespace).find({ number: time }).toArray();
}

/** Rates depend on the machine, so that any is high enough; shares do not. */
async function found() {
  const { findings, skipped } = await lint({
    uri: cluster.uri,
    include: ['hot*.*', 'idle*.*'],
    checks: [hotUnshardedCollection],
    settings: { 'hot-unsharded-collection': { thresholds: { perSecond: 0, days: 0, warning: 1_000_000 } } },
  });
  return {
    skipped,
    findings: findings.map(({ severity, namespace, evidence }) => ({ severity, namespace, evidence })),
  };
}

describe('an unsharded collection that takes most operations', () => {
  it('is found on its shard, not while another shard works as much, and not once it is sharded', async () => {
    await plant({ 'hot.orders': 'sh1', 'idle.users': 'sh2' });
    await read('hot.orders', 1_000);
    const { findings, skipped } = await found();
    expect(skipped).toEqual([]);
    expect(findings).toMatchObject([{ severity: 'info', namespace: 'hot.orders' }]);
    expect(findings[0]?.evidence['unshardedShare']).toBeGreaterThan(0.9);
    await read('idle.users', 1_000);
    expect((await found()).findings).toEqual([]);
    await read('hot.orders', 4_000);
    expect((await found()).findings).toMatchObject([{ namespace: 'hot.orders' }]);
    await cluster.shardCollection('hot.orders', { _id: 'hashed' });
    expect((await found()).findings).toEqual([]);
  });
});
