import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exhibitSettings } from '../../src/demo/demo.js';
import { seedCluster } from '../../src/demo/seed-cluster.js';
import { lint } from '../../src/lint/lint.js';
import { startReplicaSet } from '../support/servers.js';
import { betweenCheckpoints } from '../support/settled-files.js';
import { auditedReport } from './audited-report.js';

/** Longest wait for a read: nothing may be cut off because the machine is busy. */
const PATIENCE_MS = 120_000;

describe('every figure of a report on the data of the demo', () => {
  let server: { readonly uri: string; stop(): Promise<void> };
  let client: MongoClient;
  beforeAll(async () => {
    // Without the checkpoints of each minute: while one is taken, sizes are of no moment. On a slow machine, the log would
    // hold operations from before the profiler, which alone is recomputed.
    server = await startReplicaSet({ args: ['--syncdelay', '0', '--slowms', '600000'] });
    await seedCluster(server.uri);
    client = new MongoClient(server.uri);
  });
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  it('is what plain queries recompute', async () => {
    const settings = exhibitSettings('demo');
    const { wrong, audited } = await betweenCheckpoints([client], 'demo', async () => {
      const report = await lint({ uri: server.uri, include: ['demo'], settings, timeout: PATIENCE_MS });
      return auditedReport(report, client.db('demo'));
    });
    expect(wrong).toEqual([]);
    expect(audited).toBeGreaterThan(100);
  });
});
