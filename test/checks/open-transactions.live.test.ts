import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openTransactions } from '../../checks/open-transactions.js';
import { lint } from '../../src/lint/lint.js';
import { useServer } from '../support/server-with-client.js';
import { startReplicaSet } from '../support/servers.js';

const DOCUMENTS = 1_500;
/** In ms: what counts as long in this test, and what the application waits within a transaction. */
const [LONG, WAIT] = [400, 500];

describe('open-transactions on a real server', () => {
  // Logs each transaction that lasts longer.
  const server = useServer(() => startReplicaSet({ args: ['--slowms', '300'] }));
  const found = async (include: string, open = 60_000) => {
    const { findings } = await lint({
      uri: server.uri,
      include: [include],
      checks: [openTransactions],
      settings: { 'open-transactions': { thresholds: { open } } },
    });
    return findings.map(({ severity, namespace, evidence }) => ({ severity, namespace, evidence }));
  };
  const inTransaction = async (name: string, documents: number, wait = 0) => {
    const database = server.client.db(name);
    await server.client.withSession((session) =>
      session.withTransaction(async () => {
        const orders = Array.from({ length: documents }, (_, number) => ({ number }));
        if (documents > 0) await database.collection('orders').insertMany(orders, { session });
        await delay(wait);
        await database.collection('stock').insertOne({}, { session });
      }),
    );
  };
  const create = async (name: string) => {
    for (const each of ['orders', 'stock']) await server.client.db(name).createCollection(each);
  };

  it('finds an import in one transaction by the profiler, and nothing once it is divided', async () => {
    await create('imports');
    const database = server.client.db('imports');
    await database.command({ profile: 2, slowms: 60_000 });
    await inTransaction('imports', DOCUMENTS);
    expect(await found('imports')).toMatchObject([
      {
        severity: 'warning',
        namespace: 'imports.orders',
        evidence: { mostDocuments: DOCUMENTS + 1, alsoWrites: ['imports.stock'] },
      },
    ]);
    expect(await found('imports.stock')).toEqual([]);
    await database.command({ profile: 0 });
    await database.collection('system.profile').drop();
    await database.command({ profile: 2 });
    for (let part = 0; part < 3; part += 1) await inTransaction('imports', DOCUMENTS / 3);
    await database.command({ profile: 0, slowms: 300 });
    expect(await found('imports')).toEqual([]);
  });

  it('finds one that waits for its client by its line in the log', async () => {
    await create('waits');
    expect(await found('waits', LONG)).toEqual([]);
    await inTransaction('waits', 1, WAIT);
    const [finding, ...others] = await found('waits', LONG);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      namespace: '*',
      evidence: { source: 'recent log lines', mostDocuments: 2 },
    });
    expect(finding?.evidence['idleMs']).toBeGreaterThanOrEqual(WAIT / 2);
  });
});
