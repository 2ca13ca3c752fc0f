import type { Db, IndexDescription } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingLookupIndex } from '../../checks/missing-lookup-index.js';
import type { Finding } from '../../src/finding.js';
import { lint, type LintOptions } from '../../src/lint/lint.js';
import { FOREIGN_DOCUMENTS, plantJoins, plantJoinsAsViews, runJoins } from '../support/joined-collections.js';
import { findMongod } from '../support/mongod/find-mongod.js';
import { findMongod6027 } from '../support/mongod/mongod-6.0.27.js';
import { PLANTED_JOINS, type PlantedJoin } from '../support/planted-joins.js';
import { startLoggingServer, type LoggingServer } from '../support/workload/logging-server.js';

/** A profiler that keeps all of a test's operations; the default keeps 1 MB. */
const PROFILER_BYTES = 16 * 1024 * 1024;
const PROFILE_ALL = 2;
/** In ms: every operation is slower than the one, none than the other. */
const LOG_EVERYTHING = -1;
const LOG_NOTHING = 100_000;
/** The server keeps its last 1,024 log lines in memory. */
const MORE_THAN_RECENT = 1_100;

/** The server does not count what these examine (measured on 6.0.5 and 6.0.27). */
const UNCOUNTED = /graphLookup/;

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

/** Every source that tells of operations, at once. */
const together: Source = {
  name: 'all of them together',
  database: 'together',
  plant: profiler.plant,
  async run(database) {
    await database.command({ profile: PROFILE_ALL, slowms: LOG_EVERYTHING });
    await runJoins(database);
    await database.command({ profile: 0, slowms: LOG_NOTHING });
  },
  options: ({ logPath }) => ({ logFiles: [logPath] }),
};

/** As `$queryStats` is switched on outside of Atlas: no limit on the rate. */
const QUERY_STATS_ON = ['--setParameter', 'internalQueryStatsRateLimit=-1'];

/** What serves only where the join itself asks for those documents, or has no values that the index lacks. */
const PARTICULAR: Readonly<Record<string, IndexDescription>> = {
  by_both: { key: { k: 1 }, partialFilterExpression: { at: { $gte: 0 } } },
  by_filter: { key: { k: 1 }, partialFilterExpression: { at: { $gte: 0 } } },
  by_graph: { key: { k: 1 }, partialFilterExpression: { k: { $exists: true } } },
  behind_view: { key: { '$**': 1 } },
};

/** Indexes by the joined path that serve a join whatever its form. */
const SERVING: readonly (readonly [kind: string, index: (path: string, foreign: string) => IndexDescription])[] = [
  ['ascending', (path) => ({ key: { [path]: 1 } })],
  ['descending', (path) => ({ key: { [path]: -1 } })],
  ['hashed', (path) => ({ key: { [path]: 'hashed' } })],
  ['compound', (path) => ({ key: { [path]: 1, at: -1 } })],
  ['unique', (path) => ({ key: { [path]: 1 }, unique: true })],
  ['of a kind of its own', (path, foreign) => PARTICULAR[foreign] ?? { key: { [path]: 1 } }],
];

/** Documents that a join's batches examined before a time and from then on. */
async function examinedFor(database: Db, form: string, time: Date): Promise<[before: number, after: number]> {
  const ofForm = { $or: [{ 'command.comment': form }, { 'originatingCommand.comment': form }] };
  const entries = await database.collection('system.profile').find(ofForm).toArray();
  const sum = (isAfter: boolean) =>
    entries
      .filter(({ ts }) => ts >= time === isAfter)
      .reduce((all, { docsExamined }) => all + Number(docsExamined ?? 0), 0);
  return [sum(false), sum(true)];
}

const placesOf = (findings: readonly Finding[]) => findings.map(({ namespace, path }) => `${namespace} ${path}`).sort();

describe.each([
  ['6.0.5 or what the machine has', findMongod, [], [profiler, logFile, recentLog, views]],
  ['6.0.27', findMongod6027, QUERY_STATS_ON, [queryStats, together]],
] as const)('joins, MongoDB %s', (_, find, args, sources) => {
  let server: LoggingServer;
  beforeAll(async () => {
    server = await startLoggingServer(await find(), args);
  });
  afterAll(() => server?.stop());

  describe.each(sources.map((source) => [source.name, source] as const))('told by %s', (_name, source) => {
    let database: Db;
    let planted: readonly PlantedJoin[];
    let findings: readonly Finding[];

    async function findingsNow(): Promise<readonly Finding[]> {
      const include = [`${source.database}.*`];
      const report = await lint({ uri: server.uri, include, checks: [missingLookupIndex], ...source.options(server) });
      expect(report.skipped.filter(({ reason }) => reason !== 'insufficient')).toEqual([]);
      return report.findings;
    }

    beforeAll(async () => {
      database = server.client.db(source.database);
      planted = await source.plant(database);
      await source.run(database);
      findings = await findingsNow();
    });

    it('are found without an index in every form, each once, at the foreign field', () => {
      expect(placesOf(findings)).toEqual(
        planted.map(({ foreign, path }) => `${source.database}.${foreign} ${path}`).sort(),
      );
    });

    // Which index serves a join does not depend on what tells of it.
    it.each(source === profiler ? SERVING : [])(
      'are silent in every form with an index that is %s',
      async (_kind, index) => {
        for (const { foreign, path, options } of planted) {
          const { collation } = options ?? {};
          const isHashed = Object.values(index(path, foreign).key).includes('hashed');
          // A hashed index has no collation of its own to compare by.
          const specification = collation !== undefined && isHashed ? { key: { [path]: 1 } } : index(path, foreign);
          const indexes = [{ ...specification, name: 'serving', ...(collation !== undefined && { collation }) }];
          await database.command({ createIndexes: foreign, indexes });
        }
        const withIndexes = placesOf(await findingsNow());
        for (const { foreign } of planted) await database.collection(foreign).dropIndex('serving');
        expect(withIndexes).toEqual([]);
      },
    );

    it('are gone once the remedies are applied and the workload has run again', async () => {
      for (const { remedy } of findings) {
        expect(remedy.commands).toHaveLength(1);
        for (const { db, command } of remedy.commands ?? []) await server.client.db(db).command(command);
      }
      const second = new Date();
      await source.run(database);
      expect(placesOf(await findingsNow())).toEqual([]);
      if (source !== profiler) return;
      for (const { form } of planted.filter((join) => !UNCOUNTED.test(join.form))) {
        const [before, after] = await examinedFor(database, form, second);
        expect([form, before >= FOREIGN_DOCUMENTS, after < FOREIGN_DOCUMENTS]).toEqual([form, true, true]);
      }
    });
  });
});
