/** The same hour, as the profiler, a log file and query stats saw it: the same five are to be fixed first. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lint } from '../../src/lint/lint.js';
import type { Report } from '../../src/report/report.js';
import { findMongod6027 } from '../support/mongod/mongod-6.0.27.js';
import { mostWasteful } from '../support/most-wasteful.js';
import { switchProfilerOn } from '../support/profiled-workload.js';
import { startLoggingServer, type LoggingServer } from '../support/workload/logging-server.js';
import { APPLICATIONS, plantCollections, runApplications } from '../support/workload/twelve-applications.js';

const DATABASE = 'shop';
const QUERY_STATS_ON = ['--setParameter', 'internalQueryStatsRateLimit=-1'];
/** In ms, the slowest that are not logged. No operation of the workload takes longer than the second. */
const LOG_EVERYTHING = -1;
const LOG_NOTHING = 100_000_000;

const firstIn = (report: Report) =>
  mostWasteful(report.findings).findings.map(({ check, namespace, path }) => [check, namespace, path]);

const sourceIn = (report: Report) => mostWasteful(report.findings).findings[0]?.impact?.source;

async function run(server: LoggingServer, recorded: boolean): Promise<void> {
  const database = server.client.db(DATABASE);
  await database.command({ profile: 0, slowms: LOG_NOTHING });
  await plantCollections(database);
  if (recorded) {
    await switchProfilerOn(database);
    await database.command({ profile: 2, slowms: LOG_EVERYTHING });
  }
  await runApplications(server.uri, DATABASE);
  await database.command({ profile: 0, slowms: LOG_NOTHING });
}

describe('what is to be fixed first', () => {
  let server: LoggingServer;
  let quiet: LoggingServer;
  const reports: Record<'profiler' | 'log' | 'queryStats', Report> = {} as never;

  beforeAll(async () => {
    const mongod = await findMongod6027();
    server = await startLoggingServer(mongod, QUERY_STATS_ON);
    await run(server, true);
    const options = { uri: server.uri, include: [`${DATABASE}.*`] };
    reports.profiler = await lint(options);
    await server.client.db(DATABASE).collection('system.profile').drop();
    reports.log = await lint({ ...options, logFiles: [server.logPath] });
    quiet = await startLoggingServer(mongod, QUERY_STATS_ON);
    await run(quiet, false);
    reports.queryStats = await lint({ ...options, uri: quiet.uri });
  }, 240_000);
  afterAll(async () => {
    await server?.stop();
    await quiet?.stop();
  });

  it('is the same by the profiler and by a log file', () => {
    expect(sourceIn(reports.profiler)).toBe('profiler');
    expect(sourceIn(reports.log)).toBe('log file');
    expect(firstIn(reports.profiler)).toHaveLength(5);
    expect(firstIn(reports.log)).toEqual(firstIn(reports.profiler));
  });

  it('wastes the same share by both', () => {
    const [profiler, log] = [reports.profiler, reports.log].map((report) => mostWasteful(report.findings).share);
    expect(log).toBeCloseTo(profiler as number, 3);
  });

  it('is not ranked by query stats of 6.0, which do not count what is examined', () => {
    expect(reports.queryStats.findings.filter(({ impact }) => impact?.documents !== undefined)).toEqual([]);
    expect(firstIn(reports.queryStats)).toEqual([]);
  });

  it('is among what query stats show, as far as they show it: joins, and how deep a page lies', () => {
    const first = firstIn(reports.profiler) ?? [];
    const seen = reports.queryStats.findings.map(({ check, namespace, path }) => [check, namespace, path]);
    const joins = first.filter(([check]) => check === 'missing-lookup-index');
    expect(joins).toHaveLength(1);
    expect(seen).toEqual(expect.arrayContaining(joins));
    const join = reports.queryStats.findings.find(({ check }) => check === 'missing-lookup-index');
    const accounts = APPLICATIONS.find(({ name }) => name === 'accounts');
    expect([join?.impact?.source, join?.impact?.executions]).toEqual(['query stats', accounts?.executions]);
  });

  it('is said to be out of sight of query stats', () => {
    const unseen = ['collection-scan', 'in-memory-sort', 'poor-targeting'].map((check) =>
      reports.queryStats.skipped.some((each) => each.check === check && /query stats do not say how/.test(each.detail)),
    );
    expect(unseen).toEqual([true, true, true]);
  });
});
