/** Evidence that is written to a file and judged from there comes to the report of the run that collected it, byte for byte. */
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedCluster } from '../../src/demo/seed-cluster.js';
import { writeEvidence } from '../../src/evidence/file/write-evidence.js';
import { withExpectedSizes } from '../../src/findings/expected-sizes.js';
import { judgeEvidence } from '../../src/lint/judge-evidence.js';
import { judgeRun } from '../../src/lint/judge.js';
import { withLiveRun } from '../../src/lint/open-run.js';
import type { Report } from '../../src/report/report.js';
import { recordedRun } from '../support/recorded-run.js';
import { startReplicaSet } from '../support/servers.js';
import { startShardedCluster } from '../support/sharding/sharded-cluster.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { plantShop, runShop } from '../support/workload/shop-workload.js';

const SETTINGS = {
  include: [],
  exclude: [],
  sampleSize: 1_000,
  sampleBytes: 64 * 1024 * 1024,
  deep: false,
  concurrency: 4,
  timeout: 15_000,
  maxTime: 600_000,
};

/** The report of a run, and that of the file which it was written to. */
async function bothReports(uri: string, file: string): Promise<{ readonly linted: Report; readonly judged: Report }> {
  const linted = await withLiveRun({ uri }, async ({ run: live, ...judging }) => {
    const { run, again } = recordedRun(live);
    await writeEvidence(file, {
      run,
      plan: judging.plan,
      collections: live.inventory.collections.length,
      settings: SETTINGS,
      onCollection: () => {},
      onCluster: () => {},
    });
    return judgeRun(again, {
      ...judging,
      include: [],
      sized: withExpectedSizes([]),
      onFault: () => {},
      onJudged: () => {},
    });
  });
  const { report: judged } = await judgeEvidence({ file });
  return { linted, judged };
}

/** @param isProfiled whether operations run and are recorded: the stand-in of a router does not pass all of them on */
async function plantEverything(uri: string, isProfiled: boolean): Promise<void> {
  await seedCluster(uri);
  const client = new MongoClient(uri);
  try {
    const shop = client.db('shop');
    await plantShop(shop);
    if (isProfiled) {
      await shop.command({ profile: 2 });
      for (const run of [1, 2, 3]) await runShop(shop, run);
    }
    // Joins that partial indexes serve, or do not: verdicts that rest on the values of their filters.
    const customers = shop.collection('customers');
    await customers.createIndex({ key: 1 }, { name: 'business', partialFilterExpression: { kind: 'b2b' } });
    await customers.createIndex({ kind: 1, key: 1 }, { name: 'some', partialFilterExpression: { key: { $gt: -5 } } });
    await customers.createIndex({ kind: 1 }, { name: 'fewer', partialFilterExpression: { key: { $gt: 7 } } });
    await shop.command({ collMod: 'orders', validator: { total: { $gte: 0 } } });
  } finally {
    await client.close();
  }
}

describe.each([
  ['a replica set with a profiled workload', () => startReplicaSet(), true],
  ['a sharded cluster, whose router is stood in for', () => startShardedCluster(), false],
] as const)('the evidence of %s', (_, start, isProfiled) => {
  let server: { readonly uri: string; stop(): Promise<void> };
  beforeAll(async () => {
    server = await start();
    await plantEverything(server.uri, isProfiled);
  });
  afterAll(() => server?.stop());

  it.each(['plain.jsonl', 'zipped.jsonl.gz'])('is judged from %s as it is while it is collected', async (name) => {
    const { linted, judged } = await bothReports(server.uri, join(await temporaryFolder(), name));
    expect(linted.findings.length).toBeGreaterThan(20);
    expect(JSON.stringify(judged, null, 1)).toBe(JSON.stringify(linted, null, 1));
  });
});
