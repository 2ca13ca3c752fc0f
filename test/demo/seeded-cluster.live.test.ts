import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInChecks } from '../../checks/index.js';
import { isClusterCheck } from '../../src/check.js';
import { exhibitSettings, outcomeOf } from '../../src/demo/demo.js';
import { exhibits } from '../../src/demo/exhibits/index.js';
import { seedCluster, SHOWN_BY_ROUTER } from '../../src/demo/seed-cluster.js';
import { shardedExhibits } from '../../src/demo/sharded-exhibits/index.js';
import { lint } from '../../src/lint/lint.js';
import type { Report } from '../../src/report/report.js';
import { startReplicaSet } from '../support/servers.js';
import { startShardedCluster } from '../support/sharding/sharded-cluster.js';

const FROM_THE_WORKLOAD = new Set(
  builtInChecks.filter((check) => isClusterCheck(check) && check.clusterNeeds.includes('workload')).map(({ id }) => id),
);
const SHARDED = shardedExhibits.flatMap(({ bad, twin }) => [bad.name, twin.name]);

// What docker-compose.yml does in containers: seed, then lint. The router of the sharded cluster is stood in for here.
describe.each([
  ['a replica set', () => startReplicaSet(), exhibits],
  ['a sharded cluster', () => startShardedCluster(), SHOWN_BY_ROUTER],
] as const)('%s with the data of the demo', (_, start, planted) => {
  let server: { readonly uri: string; stop(): Promise<void> };
  let report: Report;
  beforeAll(async () => {
    server = await start();
    await seedCluster(server.uri);
    report = await lint({ uri: server.uri, include: ['demo'], settings: exhibitSettings('demo') });
  });
  afterAll(() => server?.stop());

  it('shows every anti-pattern that it can tell, and stays silent on every twin', () => {
    // mongos keeps no profile: what operations show is seen on the shards, or with query stats and logs.
    const blind = report.cluster.topology === 'sharded' ? FROM_THE_WORKLOAD : new Set();
    const outcomes = planted.filter(({ check }) => !blind.has(check)).map((exhibit) => outcomeOf(exhibit, report));
    const missed = outcomes.filter(({ fired, silent }) => !fired || !silent);
    expect(missed.map(({ exhibit: { check }, fired, silent }) => ({ check, fired, silent }))).toEqual([]);
  });

  it('has collections that only a sharded cluster can show where there are shards, and nowhere else', () => {
    const names = new Set(report.collections.map(({ namespace }) => namespace.slice('demo.'.length)));
    const isSharded = planted === SHOWN_BY_ROUTER;
    expect(SHARDED.filter((name) => names.has(name))).toEqual(isSharded ? SHARDED : []);
  });

  it('is not planted twice', async () => {
    await expect(seedCluster(server.uri)).rejects.toThrow('The database demo is not empty');
    const client = new MongoClient(server.uri);
    const count = await client
      .db('demo')
      .collection(exhibits[0]?.bad.name as string)
      .countDocuments();
    await client.close();
    expect(count).toBe(400);
  });
});
