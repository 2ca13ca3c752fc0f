/** Evidence that is written to a file and judged from there comes to the report of the run that collected it, byte for byte. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.js';
import { bothReports } from '../support/both-reports.js';
import { plantEverything } from '../support/planted-everything.js';
import { startReplicaSet } from '../support/servers.js';
import { startShardedCluster } from '../support/sharding/sharded-cluster.js';
import { temporaryFolder } from '../support/temporary-folder.js';

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
    const linted = await lintedAsJudged(server.uri, join(await temporaryFolder(), name));
    expect(linted.findings.length, `skipped: ${JSON.stringify(linted.skipped)}`).toBeGreaterThan(20);
  });
});

const ATTEMPTS = 3;

/** A machine that is too busy for its servers cuts a run short, which says so; then it is made again. */
async function lintedAsJudged(uri: string, file: string): Promise<Report> {
  for (let attempt = 1; ; attempt += 1) {
    const { linted, judged } = await bothReports(uri, file);
    expect(JSON.stringify(judged, null, 1)).toBe(JSON.stringify(linted, null, 1));
    const wasCut = linted.skipped.some(({ reason }) => reason === 'server-load' || reason === 'timeout');
    if (!wasCut || attempt === ATTEMPTS) return linted;
  }
}
