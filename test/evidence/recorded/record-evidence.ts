/**
 * `npm run record-evidence` collects the evidence of real servers, started for this, and keeps it beside this file, in a
 * folder for the version of the format. Folders of earlier versions stay as they are: every later version judges them.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { expect, it } from 'vitest';
import { EVIDENCE_VERSION } from '../../../src/evidence-file/evidence-lines.js';
import { packageRoot } from '../../../src/files/package-root.js';
import { seedCluster } from '../../exhibits/seed-cluster.js';
import { runCaptured } from '../../support/captured-io.js';
import { startReplicaSet } from '../../support/servers.js';
import { startShardedCluster } from '../../support/sharding/sharded-cluster.js';
import { plantShop, runShop } from '../../support/workload/shop-workload.js';

it.each([
  ['replica-set', () => startReplicaSet(), []],
  // Its router is stood in for, and gives no sizes of time-series collections.
  ['sharded', () => startShardedCluster(), ['--exclude', '*.water_levels', '--exclude', '*.sensor_readings_series']],
] as const)('the evidence of a cluster, %s, is recorded', async (name, start, options) => {
  const server = await start();
  const client = new MongoClient(server.uri);
  try {
    await seedCluster(server.uri);
    const shop = client.db('shop');
    await plantShop(shop);
    if (name === 'replica-set') {
      await shop.command({ profile: 2 });
      for (const run of [1, 2, 3]) await runShop(shop, run);
    }
    const folder = join(packageRoot(), `test/evidence/recorded/v${EVIDENCE_VERSION}`);
    await mkdir(folder, { recursive: true });
    const file = join(folder, `${name}.evidence.jsonl.gz`);
    const run = await runCaptured(['collect', '--output', file, '--sample-size', '200', ...options], {
      MONGODB_URI: server.uri,
    });
    expect(run).toMatchObject({ exitCode: 0 });
  } finally {
    await client.close();
    await server.stop();
  }
});
