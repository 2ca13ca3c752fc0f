/** Writes that wait for a lock or for another transaction get no index for it; a scan beside them does. */
import { MongoClient, type Db } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lint } from '../../src/lint/lint.js';
import type { Report } from '../../src/report/report.js';
import { renderTable } from '../../src/report/table.js';
import { findMongod } from '../support/mongod/find-mongod.js';
import { startLoggingServer, type LoggingServer } from '../support/workload/logging-server.js';

/** Far beyond what counts as waiting, on however busy a machine. */
const WAITED_MICROSECONDS = 300_000;
const CONFLICTS = 60;

/** Until the condition holds: how long that takes is the machine's affair. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Conflicts so far of a write that is still tried again. */
async function conflictsOn(client: MongoClient): Promise<number> {
  const { inprog } = await client.db('admin').command({ currentOp: 1, op: 'update', ns: 'shop.stock' });
  return Math.max(0, ...inprog.map(({ writeConflicts }: { writeConflicts?: unknown }) => Number(writeConflicts ?? 0)));
}

describe('operations that wait', () => {
  let server: LoggingServer;
  let client: MongoClient;
  let shop: Db;
  let report: Report;

  beforeAll(async () => {
    server = await startLoggingServer(await findMongod(), ['--replSet', 'rs', '--oplogSize', '64'], {
      directConnection: true,
    });
    const { host } = new URL(server.uri);
    await server.client.db('admin').command({ replSetInitiate: { _id: 'rs', members: [{ _id: 0, host }] } });
    client = await new MongoClient(`${server.uri}?replicaSet=rs`, { appName: 'shop' }).connect();
    shop = client.db('shop');
    for (const name of ['counters', 'stock', 'orders'])
      await shop.collection(name).insertMany(Array.from({ length: 2_000 }, (_, number) => ({ number })));
    await shop.command({ profile: 2 });
    await waitForLock();
    await waitForTransaction();
    for (let round = 0; round < 5; round += 1) await shop.collection('orders').find({ number: round }).toArray();
    await shop.command({ profile: 0 });
    report = await lint({ uri: `${server.uri}?replicaSet=rs`, include: ['shop.*'] });
  }, 120_000);
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  async function waitForLock(): Promise<void> {
    const admin = server.client.db('admin');
    await admin.command({ fsync: 1, lock: true });
    const write = shop.collection('counters').updateOne({ number: 7 }, { $set: { seen: true } });
    try {
      await until(async () => {
        const { inprog } = await admin.command({ currentOp: 1, waitingForLock: true, ns: 'shop.counters' });
        return inprog.some(({ microsecs_running: running }: { microsecs_running: unknown }) => {
          return Number(running) >= WAITED_MICROSECONDS;
        });
      });
    } finally {
      await admin.command({ fsyncUnlock: 1 });
    }
    await write;
  }

  async function waitForTransaction(): Promise<void> {
    await client.withSession(async (session) => {
      session.startTransaction();
      await shop.collection('stock').updateOne({ number: 4 }, { $set: { left: 1 } }, { session });
      const write = shop.collection('stock').updateOne({ number: 4 }, { $inc: { left: -1 } });
      await until(async () => (await conflictsOn(server.client)) >= CONFLICTS);
      await session.commitTransaction();
      await write;
    });
  }

  it('are told with what they wait for', () => {
    const waiting = report.waiting?.map(({ namespace, cause, source }) => [namespace, cause, source]).toSorted();
    expect(waiting).toEqual([
      ['shop.counters', 'locks', 'profiler'],
      ['shop.stock', 'write conflicts', 'profiler'],
    ]);
    const lock = report.waiting?.find(({ cause }) => cause === 'locks');
    expect(lock?.waitedMs).toBeGreaterThanOrEqual(WAITED_MICROSECONDS / 1_000 / 2);
    expect(lock?.operation).toBe('update by `number`');
  });

  it('get no index, and are not the query to look into', () => {
    const about = report.findings.filter(({ namespace }) => /counters|stock/.test(namespace));
    expect(about.filter(({ remedy }) => JSON.stringify(remedy).includes('createIndexes'))).toEqual([]);
    const waiting = (report.topShapes ?? []).filter(({ why }) => why === 'waits');
    expect(waiting.map(({ namespace }) => namespace)).toContain('shop.counters');
  });

  it('do not hide a scan beside them', () => {
    const scans = report.findings.filter(({ check }) => check === 'collection-scan');
    expect(scans.map(({ namespace }) => namespace)).toEqual(['shop.orders']);
  });

  it('are in the whole table once', () => {
    const table = renderTable(report, { width: 200, color: false, verbose: true });
    expect(table.match(/shop\.counters waits .* for locks/g)).toHaveLength(1);
    expect(table.match(/shop\.stock tried again after write conflicts/g)).toHaveLength(1);
  });
});
