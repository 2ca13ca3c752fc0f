import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { connectionChurn } from '../../checks/connection-churn.js';
import { lint } from '../../src/lint/lint.js';
import { bothReports } from '../support/both-reports.js';
import { useServer } from '../support/server-with-client.js';
import { startReplicaSet } from '../support/servers.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const [REQUESTS, LIMIT, POOL] = [120, 100, 82];

const handle = (client: MongoClient) => client.db('shop').collection('orders').insertOne({ at: new Date() });

describe('connection-churn on a real server', () => {
  const server = useServer(() => startReplicaSet({ args: ['--maxConns', String(LIMIT)] }));
  const foundSince = async (since: Date) => {
    const { findings } = await lint({ uri: server.uri, checks: [connectionChurn], since: since.toISOString() });
    return findings;
  };

  it('finds a client for each request, and nothing once one client serves them all', async () => {
    const begun = new Date();
    for (let request = 0; request < REQUESTS; request += 1) {
      const client = new MongoClient(server.uri, { appName: 'shop-web' });
      await handle(client);
      await client.close();
    }
    const [finding, ...others] = await foundSince(begun);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ namespace: '*', path: null, evidence: { source: 'recent log lines' } });
    expect(finding?.message).toMatch(/^`shop-web` \(nodejs [\d.]+, from 1 address\) opens connections/);
    const [, brief] = /: ([\d,]+)$/.exec(String(finding?.evidence['briefConnections'])) ?? [];
    // One to work with and one to monitor, each time.
    expect(Number(brief)).toBeGreaterThanOrEqual(2 * REQUESTS - 10);

    const { linted, judged } = await bothReports(server.uri, join(await temporaryFolder(), 'evidence.jsonl'));
    expect(linted.findings.map(({ check }) => check)).toContain('connection-churn');
    expect(judged.findings).toEqual(linted.findings);

    const cured = new Date();
    const client = new MongoClient(server.uri, { appName: 'shop-web' });
    for (let request = 0; request < REQUESTS; request += 1) await handle(client);
    await client.close();
    expect(await foundSince(cured)).toEqual([]);
  });

  it('finds a pool that comes near the limit, and nothing once it is small', async () => {
    const begun = new Date();
    const crowd = new MongoClient(server.uri, { appName: 'shop-jobs', minPoolSize: POOL, maxPoolSize: POOL });
    const open = async () => {
      const { connections } = await server.client.db('admin').command({ serverStatus: 1 });
      return (connections as { readonly current: number }).current;
    };
    await handle(crowd);
    await expect.poll(open).toBeGreaterThan(POOL);
    const [finding, ...others] = await foundSince(begun);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ severity: 'warning', namespace: '*' });
    expect(finding?.message).toMatch(/^\d\d connections are open, of \d+ at most\..* `shop-jobs`/);
    await crowd.close();
    await expect.poll(open).toBeLessThan(POOL / 2);
    expect(await foundSince(new Date())).toEqual([]);
  });
});
