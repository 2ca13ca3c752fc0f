import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from 'mongodb';
import { missingLookupIndex } from '../../checks/missing-lookup-index.js';
import { findMongod } from '../../src/embedded-mongod/find-mongod.js';
import type { Finding } from '../../src/findings/finding.js';
import { lint, type LintOptions } from '../../src/lint.js';
import { findMongod6027 } from '../support/mongod-6.0.27.js';
import { PLANTED_JOINS, plantJoins, plantJoinsAsViews, runJoins, type PlantedJoin } from '../support/planted-joins.js';
import { startLoggingServer, type LoggingServer } from '../workload/logging-server.js';

/** A profiler that keeps all of a test's operations; the default keeps 1 MB. */
const PROFILER_BYTES = 16 * 1024 * 1024;
const PROFILE_ALL = 2;
/** In ms: every operation is slower than the one, none than the other. */
const LOG_EVERYTHING = -1;
const LOG_NOTHING = 100_000;
/** The server keeps its last 1,024 log lines in memory. */
const MORE_THAN_RECENT = 1_100;

/** A place that tells of operations. Each is read alone: the others are off, or hold nothing of these. */
interface Source {
  readonly name: string;
  readonly database: string;
  plant(database: Db): Promise<readonly PlantedJoin[]>;
  run(database: Db): Promise<void>;
  readonly options: (server: LoggingServer) => Partial<LintOptions>;
}

async function plantAll(database: Db): Promise<readonly PlantedJoin[]> {
  await plantJoins(database);
  return PLANTED_JOINS;
}

async function whileLogging(database: Db, run: () => Promise<void>): Promise<void> {
  await database.command({ profile: 0, slowms: LOG_EVERYTHING });
  await run();
  await database.command({ profile: 0, slowms: LOG_NOTHING });
}

const profiler: Source = {
  name: 'the profiler',
  database: 'profiled',
  async plant(database) {
    await plantJoins(database);
    await database.createCollection('system.profile', { capped: true, size: PROFILER_BYTES });
    await database.command({ profile: PROFILE_ALL, slowms: LOG_NOTHING });
    return PLANTED_JOINS;
  },
  run: runJoins,
  options: () => ({}),
};

const logFile: Source = {
  name: 'a log file',
  database: 'logged',
  plant: plantAll,
  async run(database) {
    await whileLogging(database, async () => {
      await runJoins(database);
      for (let line = 0; line < MORE_THAN_RECENT; line += 1) await database.command({ ping: 1 });
    });
  },
  options: ({ logPath }) => ({ logFiles: [logPath] }),
};

const recentLog: Source = {
  name: 'the log lines in memory',
  database: 'remembered',
  plant: plantAll,
  run: (database) => whileLogging(database, () => runJoins(database)),
  options: () => ({}),
};

const views: Source = {
  name: 'definitions of views',
  database: 'viewed',
  async plant(database) {
    await plantJoins(database);
    return plantJoinsAsViews(database);
  },
  run: async () => undefined,
  options: () => ({}),
};

const queryStats: Source = {
  name: 'query stats',
  database: 'counted',
  plant: plantAll,
  run: runJoins,
  options: () => ({}),
};

/** As `$queryStats` is switched on outside of Atlas: no limit on the rate. */
const QUERY_STATS_ON = ['--setParameter', 'internalQueryStatsRateLimit=-1'];

describe.each([
  ['6.0.5 or what the machine has', findMongod, [], [profiler, logFile, recentLog, views]],
  ['6.0.27', findMongod6027, QUERY_STATS_ON, [queryStats]],
] as const)('joins without an index, MongoDB %s', (_, find, args, sources) => {
  let server: LoggingServer;
  beforeAll(async () => {
    server = await startLoggingServer(await find(), args);
  });
  afterAll(() => server?.stop());

  describe.each(sources.map((source) => [source.name, source] as const))('told by %s', (_name, source) => {
    let planted: readonly PlantedJoin[];
    let findings: readonly Finding[];

    async function findingsNow(): Promise<readonly Finding[]> {
      const database = server.client.db(source.database);
      await source.run(database);
      const include = [`${source.database}.*`];
      const report = await lint({ uri: server.uri, include, checks: [missingLookupIndex], ...source.options(server) });
      return report.findings;
    }

    beforeAll(async () => {
      planted = await source.plant(server.client.db(source.database));
      findings = await findingsNow();
    });

    it('are found in every form, each once, at the foreign field', () => {
      const expected = planted.map(({ foreign, path }) => `${source.database}.${foreign} ${path}`);
      expect(findings.map(({ namespace, path }) => `${namespace} ${path}`).sort()).toEqual(expected.sort());
    });

    it('are gone once the remedies are applied and the workload has run again', async () => {
      for (const { remedy } of findings) {
        expect(remedy.commands).toHaveLength(1);
        for (const { db, command } of remedy.commands ?? []) await server.client.db(db).command(command);
      }
      expect((await findingsNow()).map(({ namespace, path }) => `${namespace} ${path}`)).toEqual([]);
    });
  });
});
