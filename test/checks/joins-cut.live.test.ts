import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heavyLookup } from '../../checks/heavy-lookup.js';
import { missingLookupIndex } from '../../checks/missing-lookup-index.js';
import { lint } from '../../src/lint/lint.js';
import type { Report } from '../../src/report/report.js';
import { findMongod } from '../support/mongod/find-mongod.js';
import { startLoggingServer, type LoggingServer } from '../support/workload/logging-server.js';

const JOIN = { $lookup: { from: 'payments', localField: 'k', foreignField: 'k', as: 'payments' } };
/** So many that the log cuts the command, and the profiler does not. */
const LISTED = 800;

describe('a command that is too long for the log', () => {
  let server: LoggingServer;

  beforeAll(async () => {
    server = await startLoggingServer(await findMongod());
    const database = server.client.db('shop');
    await database.collection('orders').insertMany([{ k: 1 }, { k: 2 }]);
    await database.collection('payments').insertMany(Array.from({ length: 1_500 }, (_, k) => ({ k })));
  });
  afterAll(() => server?.stop());

  async function reportAfterJoin(): Promise<Report> {
    const database = server.client.db('shop');
    await database.command({ profile: 0, slowms: -1 });
    const listed = Array.from({ length: LISTED }, (_, number) => `name number ${number}`);
    await database
      .collection('orders')
      .aggregate([{ $match: { name: { $nin: listed } } }, JOIN])
      .toArray();
    await database.command({ profile: 0, slowms: 100_000 });
    return lint({
      uri: server.uri,
      include: ['shop.*'],
      checks: [missingLookupIndex, heavyLookup],
      logFiles: [server.logPath],
    });
  }

  it('is said to be cut, with what makes the log keep it, and is found once it does', async () => {
    const cut = await reportAfterJoin();
    expect(cut.findings).toEqual([]);
    expect(cut.skipped.map(({ check, namespace, reason }) => [check, namespace, reason])).toEqual([
      ['missing-lookup-index', 'shop.orders', 'bound'],
      ['heavy-lookup', 'shop.orders', 'bound'],
    ]);
    const command = /db\.adminCommand\((\{.*?\})\)/.exec(cut.skipped[0]?.detail ?? '')?.[1];
    expect(command).toBe('{setParameter: 1, maxLogSizeKB: 100}');
    await server.client.db('admin').command({ setParameter: 1, maxLogSizeKB: 100 });
    const whole = await reportAfterJoin();
    expect(whole.findings.map(({ namespace, path }) => [namespace, path])).toEqual([['shop.payments', 'k']]);
  });
});
