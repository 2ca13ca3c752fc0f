import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../src/connect/connect.js';
import type { EmbeddedMongod } from '../../src/demo/embedded-mongod/embedded-mongod.js';
import { collectWorkload } from '../../src/workload/collect-workload.js';
import type { Workload } from '../../src/workload/workload.js';
import { findMongod6027 } from '../support/mongod/mongod-6.0.27.js';
import { startWithAuth } from '../support/servers.js';

/** Users by name, with their roles. */
const USERS = {
  reader: [{ role: 'read', db: 'shop' }],
  keeper: [{ role: 'dbAdmin', db: 'shop' }],
  monitor: [{ role: 'clusterMonitor', db: 'admin' }],
} as const;

describe('without privileges', () => {
  let server: EmbeddedMongod;

  beforeAll(async () => {
    server = await startWithAuth({ mongod: await findMongod6027() });
    const root = new MongoClient(server.uri, { appName: 'shop' });
    for (const [name, roles] of Object.entries(USERS))
      await root.db('admin').command({ createUser: name, pwd: 'password', roles });
    await root.db('shop').command({ profile: 2 });
    await root.db('shop').collection('orders').find({ total: 5 }).toArray();
    await root.close();
  });
  afterAll(() => server?.stop());

  async function workloadFor(user: keyof typeof USERS): Promise<Workload> {
    const uri = server.uri.replace(/\/\/[^@]*@/, `//${user}:password@`);
    const connection = await connect({ uri, timeout: 120_000, maxTime: 600_000, concurrency: 4 });
    try {
      return await collectWorkload(connection.reader, { databases: ['shop', 'blog'], collections: [], logFiles: [] });
    } finally {
      await connection.close();
    }
  }

  it('each source names the one that it lacks', async () => {
    const { operations, sources, counters } = await workloadFor('reader');
    expect(operations).toEqual([]);
    const details = Object.entries({ ...sources, counters }).map(([name, source]) => [
      name,
      source.present ? null : [source.reason, source.detail],
    ]);
    expect(Object.fromEntries(details)).toEqual({
      profiler: [
        'privilege',
        expect.stringMatching(
          /^reading the profiler of shop and blog: not authorized; grant the privilege find on system\.profile of the database, as in the roles clusterMonitor and dbAdmin\.$/,
        ),
      ],
      queryStats: [
        'privilege',
        expect.stringMatching(/queryStatsRead on the cluster, as in the role clusterMonitor\.$/),
      ],
      recentLog: ['privilege', expect.stringMatching(/getLog on the cluster, as in the role clusterMonitor\.$/)],
      counters: ['privilege', expect.stringMatching(/serverStatus on the cluster, as in the role clusterMonitor\.$/)],
      logFile: ['insufficient', expect.stringContaining('--log')],
      routerLog: ['insufficient', expect.stringContaining('--log')],
    });
  });

  it('on one database its profiler still counts', async () => {
    const { operations, sources } = await workloadFor('keeper');
    expect(operations.map(({ shape }) => [shape.namespace, shape.kind])).toContainEqual(['shop.orders', 'find']);
    expect(sources.profiler).toMatchObject({
      present: true,
      value: {
        parts: [{ database: 'shop', member: 'the server', coverage: { operations: 'all' } }],
        gaps: [{ reason: 'privilege', detail: expect.stringContaining('the profiler of blog') }],
      },
    });
    expect(sources.recentLog.present).toBe(false);
  });

  it('clusterMonitor is enough for all', async () => {
    const { sources, counters } = await workloadFor('monitor');
    expect([sources.profiler.present, sources.recentLog.present, sources.queryStats.present, counters.present]).toEqual(
      [true, true, true, true],
    );
    expect(sources.profiler).toMatchObject({
      value: {
        gaps: [
          { reason: 'insufficient', detail: expect.stringMatching(/^the profiler is off\. To record .* in blog\./) },
        ],
      },
    });
    expect(sources.queryStats).toMatchObject({
      value: { gaps: [{ reason: 'insufficient', detail: expect.stringContaining('internalQueryStatsRateLimit') }] },
    });
  });
});
