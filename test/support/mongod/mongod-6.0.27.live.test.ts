import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddedMongod } from '../../../src/demo/embedded-mongod/embedded-mongod.js';
import { runCommand } from '../run-command.js';
import { startStandalone } from '../servers.js';
import { findMongod6027 } from './mongod-6.0.27.js';

describe('MongoDB 6.0.27', () => {
  let server: EmbeddedMongod;
  beforeAll(async () => {
    const args = ['--setParameter', 'internalQueryStatsRateLimit=-1'];
    server = await startStandalone({ mongod: await findMongod6027(), args });
  });
  afterAll(() => server?.stop());

  it('answers $queryStats', async () => {
    expect(await runCommand(server.uri, { buildInfo: 1 })).toMatchObject({ version: '6.0.27' });
    await runCommand(server.uri, { find: 'orders', filter: { total: 1 } });
    const answer = await runCommand(server.uri, { aggregate: 1, pipeline: [{ $queryStats: {} }], cursor: {} });
    expect(answer['cursor'].firstBatch).not.toEqual([]);
  });
});
