import type { Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redundantIndex } from '../../checks/redundant-index.js';
import type { Finding } from '../../src/finding.js';
import { databaseOf, nameOf } from '../../src/namespace.js';
import { uuidV4, type Birth } from '../support/sharding/key-kinds.js';
import { startShardedCluster, type ShardedCluster } from '../support/sharding/sharded-cluster.js';
import { SHARDING_CHECKS, grown, lintSharding, plantSharded } from '../support/sharding/sharded-collections.js';

// Resharding, refining and balancing are the real servers' work; the router stand-in only hands the commands on.
let cluster: ShardedCluster;
beforeAll(async () => void (cluster = await startShardedCluster()));
afterAll(() => cluster?.stop());

const MB = 1024 * 1024;
const dateOf = ({ time }: Birth) => new Date(time);
const among =
  (count: number) =>
  ({ random }: Birth) =>
    random.below(count);
const collection = (namespace: string) => cluster.client.db(databaseOf(namespace)).collection(nameOf(namespace));

async function onlyFinding(namespace: string): Promise<Finding> {
  const { findings, skipped } = await lintSharding(cluster, namespace);
  expect({ checks: findings.map(({ check }) => check), skipped }).toEqual({
    checks: [expect.any(String)],
    skipped: [],
  });
  return findings[0] as Finding;
}

async function runRemedy({ remedy }: Finding): Promise<void> {
  expect(remedy.commands).toBeDefined();
  for (const { db, command } of remedy.commands ?? []) await cluster.client.db(db).command(command);
}

async function keyOf(namespace: string): Promise<Document> {
  const [described] = await cluster.client
    .db('config')
    .collection<Document>('collections')
    .find({ _id: namespace as never })
    .toArray();
  return described?.['key'];
}

describe('the remedy of a monotonic key, applied', () => {
  it.each<[string, string, () => Document[], Document, string | null, Document]>([
    [
      'a date, queried by customer',
      'a',
      () => grown((b) => ({ at: dateOf(b), customer: among(400)(b) })),
      { at: 1 },
      'customer',
      { customer: 1, at: 1 },
    ],
    [
      'a date, queried by nothing that spreads',
      'b',
      () => grown((b) => ({ at: dateOf(b), status: among(3)(b) })),
      { at: 1 },
      'status',
      { _id: 'hashed' },
    ],
    ['_id', 'c', () => grown((b) => ({ at: dateOf(b) })), { _id: 1 }, null, { _id: 'hashed' }],
    ['a counter', 'd', () => grown((b) => ({ number: b.index })), { number: 1 }, null, { number: 'hashed' }],
    [
      'a region, then a date',
      'e',
      () => grown((b) => ({ region: among(5)(b), at: dateOf(b) })),
      { region: 1, at: 1 },
      null,
      { region: 1, _id: 'hashed' },
    ],
  ])('%s', async (_, name, documents, key, indexed, better) => {
    const namespace = `monotonic.${name}`;
    if (indexed !== null) await collection(namespace).createIndex({ [indexed]: 1 });
    await plantSharded(cluster, namespace, documents(), key);
    const finding = await onlyFinding(namespace);
    expect(finding.check).toBe('monotonic-shard-key');
    await runRemedy(finding);
    expect(await keyOf(namespace)).toEqual(better);
    expect(await collection(namespace).countDocuments()).toBe(600);
    const { findings, skipped } = await lintSharding(cluster, namespace);
    expect({ findings, skipped }).toEqual({ findings: [], skipped: [] });
  });

  it('is no command where a unique index stands against it, as the server would refuse it', async () => {
    await collection('monotonic.unique').createIndex({ at: 1, email: 1 }, { unique: true });
    await plantSharded(
      cluster,
      'monotonic.unique',
      grown((b) => ({ at: dateOf(b), email: `${b.index}@example.com` })),
      { at: 1 },
    );
    const { remedy } = await onlyFinding('monotonic.unique');
    expect(remedy.commands).toBeUndefined();
    expect(remedy.text).toContain('The unique index `at_1_email_1` prevents this');
    const refused = cluster.client
      .db('admin')
      .command({ reshardCollection: 'monotonic.unique', key: { _id: 'hashed' }, numInitialChunks: 2 });
    await expect(refused).rejects.toThrow(/unique/);
  });
});

describe('the remedy of a key of few values, applied', () => {
  it.each<[string, string, Document, string | null, Document]>([
    ['with a field that spreads', 'a', { status: 1 }, 'customer', { status: 1, customer: 1 }],
    ['with the hash of _id', 'b', { status: 1 }, null, { status: 1, _id: 'hashed' }],
    ['that is hashed, by another key', 'c', { status: 'hashed' }, null, { status: 1, _id: 'hashed' }],
    [
      'that is hashed, with a field that spreads',
      'd',
      { status: 'hashed' },
      'customer',
      { status: 'hashed', customer: 1 },
    ],
  ])('%s', async (_, name, key, indexed, refined) => {
    const namespace = `few.${name}`;
    if (indexed !== null) await collection(namespace).createIndex({ [indexed]: 1 });
    await plantSharded(
      cluster,
      namespace,
      grown((b) => ({ status: among(3)(b), customer: among(400)(b) })),
      key,
    );
    const finding = await onlyFinding(namespace);
    expect(finding).toMatchObject({
      check: 'low-cardinality-shard-key',
      path: 'status',
      evidence: { distinctValues: 3, shards: 2 },
    });
    await runRemedy(finding);
    expect(await keyOf(namespace)).toEqual(refined);
    const redundant = (await lintSharding(cluster, namespace, { checks: [redundantIndex] })).findings;
    const superfluous = redundant.map(({ path }) => path);
    expect(superfluous.filter((index) => !finding.remedy.text.includes(`\`${index}\` is then redundant.`))).toEqual([]);
    expect(superfluous).toEqual(key['status'] === 1 ? ['status_1'] : superfluous);
    const { findings, skipped } = await lintSharding(cluster, namespace);
    expect({ findings, skipped }).toEqual({ findings: [], skipped: [] });
  });

  it('is refused by the server where the key is unique, so that no command is given there', async () => {
    const documents = grown((b) => ({ tenant: among(3)(b), number: b.index, customer: among(400)(b) }));
    await collection('few.numbered').insertMany(documents as never);
    await cluster.shardCollection('few.numbered', { tenant: 1, number: 1 }, { unique: true });
    await collection('few.numbered').createIndex({ tenant: 1, number: 1, customer: 1 });
    const refined = cluster.client
      .db('admin')
      .command({ refineCollectionShardKey: 'few.numbered', key: { tenant: 1, number: 1, customer: 1 } });
    await expect(refined).rejects.toThrow(/can't shard collection .*unique/);
  });

  it('is not needed where each document has a value of its own', async () => {
    await plantSharded(
      cluster,
      'few.unique',
      grown((b) => ({ token: String(uuidV4(b)) })),
      { token: 1 },
    );
    expect(await lintSharding(cluster, 'few.unique')).toMatchObject({ findings: [], skipped: [] });
  });
});

/** The router lists indexes from one shard or another: so many runs would show one that judges by chance. */
const RUNS = 3;

async function findingsOnIndexes(): Promise<Finding[]> {
  const checks = [...SHARDING_CHECKS, redundantIndex];
  const { findings } = await lintSharding(cluster, 'lacking.orders', { checks });
  return findings.filter(({ check }) => ['inconsistent-indexes', 'redundant-index'].includes(check));
}

describe('the remedy of an index that a shard lacks, applied', () => {
  beforeAll(async () => {
    await collection('lacking.orders').createIndexes([
      { key: { status: 1 } },
      { key: { status: 1, customer: 1 } },
      { key: { customer: 1, number: 1 }, unique: true },
    ]);
    const documents = grown(({ index }) => ({ customer: index, number: index, status: index % 3 }));
    await plantSharded(cluster, 'lacking.orders', documents, { customer: 1 });
  });

  it.each([
    ['sh1', 'status_1', 'warning'],
    ['sh2', 'status_1', 'warning'],
    ['sh1', 'customer_1_number_1', 'error'],
    ['sh2', 'customer_1_number_1', 'error'],
    // There, the shorter one still has to serve what the longer one would.
    ['sh1', 'status_1_customer_1', 'warning'],
    ['sh2', 'status_1_customer_1', 'warning'],
  ])('creates it there again, and is the same in each run: on %s, %s', async (shard, name, severity) => {
    await cluster.shards.get(shard)?.db('lacking').collection('orders').dropIndex(name);
    // The size of an index is that of its file, which changes with the next checkpoint, once a minute.
    for (const client of cluster.shards.values()) await client.db('admin').command({ fsync: 1 });
    const runs: Finding[][] = [];
    for (let run = 0; run < RUNS; run += 1) runs.push(await findingsOnIndexes());
    const [[missing, ...others] = []] = runs;
    expect(missing).toMatchObject({ severity, path: name, evidence: { missingOn: [shard], shards: 2 } });
    expect(others.map(({ path }) => path)).toEqual(name.startsWith('status') ? [] : ['status_1']);
    for (const run of runs) expect(run).toEqual(runs[0]);
    await runRemedy(missing as Finding);
    expect((await findingsOnIndexes()).map(({ check, path }) => [check, path])).toEqual([
      ['redundant-index', 'status_1'],
    ]);
  });
});

describe('the remedy of jumbo chunks, applied', () => {
  it('makes a chunk of one value divisible, and clears its flag', async () => {
    const filler = 'x'.repeat(4_000);
    const documents = grown((b) => ({
      customer: b.random.next() < 0.7 ? 'large' : `small ${among(300)(b)}`,
      order: among(1_000)(b),
      filler,
    }));
    await collection('jumbo.orders').createIndex({ order: 1 });
    await plantSharded(cluster, 'jumbo.orders', documents, { customer: 1 });
    const config = cluster.config.db('config');
    await config
      .collection<Document>('collections')
      .updateOne({ _id: 'jumbo.orders' as never }, { $set: { maxChunkSizeBytes: MB } });
    const described = await config.collection<Document>('collections').findOne({ _id: 'jumbo.orders' as never });
    // What the balancer writes when a chunk is too large to move and can't be split.
    await config.collection('chunks').updateOne({ uuid: described?.['uuid'], shard: 'sh1' }, { $set: { jumbo: true } });
    const { findings } = await lintSharding(cluster, 'jumbo.orders');
    expect(findings.map(({ check }) => check).sort()).toEqual(['jumbo-chunk', 'low-cardinality-shard-key']);
    const jumbo = findings.find(({ check }) => check === 'jumbo-chunk') as Finding;
    expect(jumbo).toMatchObject({
      path: null,
      evidence: { jumboChunks: 1, chunks: 2, shards: [{ shard: 'sh1', jumboChunks: 1 }], chunkBytes: MB },
    });
    await runRemedy(jumbo);
    expect(await lintSharding(cluster, 'jumbo.orders')).toMatchObject({ findings: [], skipped: [] });
  });
});

describe('the remedy of unbalanced shards, applied', () => {
  it('has the real balancer even them out', async () => {
    const filler = 'x'.repeat(10_000);
    await collection('unbalanced.logs').insertMany(
      grown((b) => ({ filler, n: among(1_000_000)(b) }), { documents: 1_200, idOf: uuidV4 }) as never,
    );
    await cluster.shardCollection('unbalanced.logs', { _id: 1 });
    await cluster.config
      .db('config')
      .collection<Document>('collections')
      .updateOne({ _id: 'unbalanced.logs' as never }, { $set: { maxChunkSizeBytes: MB } });
    const finding = await onlyFinding('unbalanced.logs');
    expect(finding).toMatchObject({
      check: 'unbalanced-chunks',
      severity: 'warning',
      evidence: {
        balancer: 'off',
        shareOfFullest: 0,
        toleratedBytes: 3 * MB,
        shards: [{ shard: 'sh1' }, { shard: 'sh2', bytes: 0 }],
      },
    });
    const rounds = { configureFailPoint: 'overrideBalanceRoundInterval', data: { intervalMs: 200 } };
    await cluster.config.db('admin').command({ ...rounds, mode: 'alwaysOn' });
    await runRemedy(finding);
    try {
      await expect
        .poll(async () => lintSharding(cluster, 'unbalanced.logs'), { timeout: 240_000, interval: 500 })
        .toMatchObject({ findings: [], skipped: [] });
      const onSecond = await cluster.shards.get('sh2')?.db('unbalanced').collection('logs').countDocuments();
      expect(onSecond).toBeGreaterThan(300);
    } finally {
      await cluster.client.db('admin').command({ balancerStop: 1 });
    }
  });
});
