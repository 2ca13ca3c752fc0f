/** Who runs operations, as the profiler, the log and `lint` tell it. Applications share a shape of query. */
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../src/finding.js';
import { lint } from '../../src/lint/lint.js';
import type { Report } from '../../src/report/report.js';
import { renderTable } from '../../src/report/table.js';
import { findMongod } from '../support/mongod/find-mongod.js';
import { startLoggingServer, type LoggingServer } from '../support/workload/logging-server.js';

/** Executions of one query, by application. */
const APPLICATIONS = [
  { appName: 'checkout', user: 'shop', executions: 12 },
  { appName: 'reports', user: 'bi', executions: 6 },
  { appName: undefined, user: 'bi', executions: 2 },
] as const;

const scanIn = ({ findings }: Report): Finding => findings.find(({ check }) => check === 'collection-scan') as Finding;

describe('a query that three applications run', () => {
  let server: LoggingServer;
  let ofProfiler: Report;
  let ofLog: Report;
  let shown: Report;

  beforeAll(async () => {
    server = await startLoggingServer(await findMongod(), ['--auth']);
    const admin = server.client.db('admin');
    await admin.command({ createUser: 'root', pwd: 'secret', roles: ['root'] });
    const uri = (user: string) => server.uri.replace('//', `//${user}:secret@`) + '?authSource=admin';
    const root = new MongoClient(uri('root'));
    const shop = root.db('shop');
    try {
      for (const user of ['shop', 'bi'])
        await root.db('admin').command({ createUser: user, pwd: 'secret', roles: ['readWriteAnyDatabase'] });
      await shop.collection('orders').insertMany(Array.from({ length: 3_000 }, (_, number) => ({ number })));
      await shop.command({ profile: 2, slowms: -1 });
      for (const { appName, user, executions } of APPLICATIONS) {
        const client = new MongoClient(uri(user), {
          ...(appName !== undefined && { appName }),
          driverInfo: { name: 'mapper', version: '1.2' },
        });
        for (let round = 0; round < executions; round += 1)
          await client.db('shop').collection('orders').find({ number: round }).toArray();
        await client.close();
      }
      await shop.command({ profile: 0, slowms: 100 });
      const options = { uri: uri('root'), include: ['shop.*'] };
      ofProfiler = await lint(options);
      shown = await lint({ ...options, showValues: true });
      await shop.dropCollection('system.profile');
      ofLog = await lint({ ...options, logFiles: [server.logPath] });
    } finally {
      await root.close();
    }
  }, 120_000);
  afterAll(() => server?.stop());

  it('is told with the share of each, by the profiler', () => {
    expect(scanIn(ofProfiler).impact?.source).toBe('profiler');
    expect(scanIn(ofProfiler).ranBy).toMatchObject([
      { appName: 'checkout', user: 'shop@admin', share: 0.6 },
      { appName: 'reports', user: 'bi@admin', share: 0.3 },
      { appName: null, user: 'bi@admin', share: 0.1 },
    ]);
  });

  it('is told with drivers by the log, which has those of connections', () => {
    expect(scanIn(ofLog).impact?.source).toMatch(/log/);
    const clients = scanIn(ofLog).ranBy ?? [];
    expect(clients.map(({ appName, share }) => [appName, share])).toEqual([
      ['checkout', 0.6],
      ['reports', 0.3],
      [null, 0.1],
    ]);
    for (const { driver } of clients) expect(driver).toMatch(/^nodejs\|mapper \d.*\|1\.2$/);
  });

  it('is told without network addresses unless values are to be shown', () => {
    for (const report of [ofProfiler, ofLog]) expect(JSON.stringify(report)).not.toContain('"addresses"');
    expect(scanIn(shown).ranBy?.[0]?.addresses).toEqual(['127.0.0.1']);
  });

  it('says once that some executions name no application', () => {
    const { unnamedApplications } = ofProfiler;
    expect(unnamedApplications?.source).toBe('profiler');
    expect(unnamedApplications?.unnamed).toBeGreaterThanOrEqual(2);
    const table = renderTable(ofProfiler, { width: 120, color: false, verbose: true });
    expect(table.match(/name no application/g)).toHaveLength(1);
    expect(table).toContain('run by checkout (60 %');
  });
});
