import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findWantedMongod } from '../support/mongod/wanted-mongod.js';
import { startStandalone } from '../support/servers.js';
import { differentialText, differingGroups } from './differential-text.js';
import { differential } from './differential.js';
import { ESTIMATES_NEAR, FIGURES } from './estimates.js';

const PAIRS = Number(process.env['MONGOLINT_PAIRS'] ?? 20_000);
const SEED = Number(process.env['MONGOLINT_SEED'] ?? Date.now() % 1_000_000_000);
/** Of the pairs that use the index. */
const BOUNDS_DIFFER = 0.01;

describe('the model of the planner', () => {
  let server: Awaited<ReturnType<typeof startStandalone>>;
  let client: MongoClient;

  beforeAll(async () => {
    server = await startStandalone({ mongod: await findWantedMongod() });
    client = new MongoClient(server.uri);
  });
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  it('says what a server does', async () => {
    const { version } = server;
    const report = await differential(client.db('differential'), { pairs: PAIRS, seed: SEED, version });
    process.stderr.write(`${differentialText(report, { seed: SEED, version })}\n`);
    expect(differingGroups(report, ['use', 'order'])).toEqual([]);
    for (const figure of FIGURES) expect(report.reads.near(figure)).toBeGreaterThanOrEqual(ESTIMATES_NEAR);
    expect(report.differing.bounds).toBeLessThan(BOUNDS_DIFFER * report.used);
  });
});
