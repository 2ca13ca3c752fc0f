/**
 * Evidence that is written to a file and judged from there comes to the report of the run that collected it, byte for byte.
 * That of a replica set does so in pseudonyms.live.test.ts.
 */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bothReports } from '../support/both-reports.js';
import { plantEverything } from '../support/planted-everything.js';
import { startShardedCluster, type ShardedCluster } from '../support/sharding/sharded-cluster.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Longest wait for a read: nothing may be cut off because the machine is busy. */
const PATIENCE_MS = 120_000;

describe('the evidence of a sharded cluster, whose router is stood in for', () => {
  let cluster: ShardedCluster;
  // Before each try: beside other suites on one machine, a server of the cluster stopped answering twice, for reasons unknown.
  beforeEach(async () => {
    cluster = await startShardedCluster();
    await plantEverything(cluster.uri, false);
  });
  afterEach(() => cluster?.stop());

  it('is judged from its file as it is while it is collected', { retry: 1 }, async () => {
    const file = join(await temporaryFolder(), 'zipped.jsonl.gz');
    const { linted, judged } = await bothReports(cluster.uri, file, { timeout: PATIENCE_MS });
    expect(JSON.stringify(judged, null, 1)).toBe(JSON.stringify(linted, null, 1));
    expect(linted.findings.length, `skipped: ${JSON.stringify(linted.skipped)}`).toBeGreaterThan(20);
  });
});
