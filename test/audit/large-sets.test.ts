import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lint } from '../../src/lint/lint.js';
import { plantNearLines } from '../support/near-lines.js';
import { startReplicaSet } from '../support/servers.js';
import { betweenCheckpoints } from '../support/settled-files.js';
import { auditedReport } from './audited-report.js';

/** Longest wait for a read: nothing may be cut off because the machine is busy. */
const PATIENCE_MS = 120_000;

// By hash of `_id` up to some 15,000 documents, by the random cursor beyond.
describe.each([
  ['read whole', 3_000, { sampleSize: 30_000 }],
  ['of which a sample is read', 12_000, { sampleSize: 1_000 }],
] as const)('every figure of a report on a larger set, %s', (_, count, options) => {
  let server: { readonly uri: string; stop(): Promise<void> };
  let client: MongoClient;
  beforeAll(async () => {
    server = await startReplicaSet();
    client = new MongoClient(server.uri);
    await plantNearLines(client.db('large'), count);
  });
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  it('is what plain queries recompute', async () => {
    const { report, wrong, audited } = await betweenCheckpoints([client], 'large', async () => {
      const linted = await lint({ uri: server.uri, include: ['large'], timeout: PATIENCE_MS, ...options });
      return { report: linted, ...(await auditedReport(linted, client.db('large'))) };
    });
    const isSampled = report.collections.some(({ sampled }) => sampled?.complete === false);
    expect(isSampled).toBe(options.sampleSize === 1_000);
    expect(wrong).toEqual([]);
    expect(audited).toBeGreaterThan(30);
  });
});
