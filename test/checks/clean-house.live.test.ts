import { beforeAll, describe, expect, it } from 'vitest';
import { builtInChecks } from '../../checks/index.js';
import type { AnyCheck } from '../../src/check.js';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import type { Report } from '../../src/report/report.js';
import { runCleanWorkload } from '../support/clean-house-workload.js';
import { CLEAN_HOUSE } from '../support/clean-house.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';

/** Every index is used below, so that the statistics of a moment say what those of a month would. */
const SETTINGS = {
  'unused-index': { thresholds: { minimumAge: 0, fullCycle: 0 } },
  // Other tests connect to the same server as they please.
  'connection-churn': { thresholds: { connections: 10_000 } },
};

/** Longest wait for a read: nothing may be skipped because the machine is busy. */
const PATIENCE_MS = 120_000;

/** Nothing is sharded on a replica set, and there is no evidence of production. */
const isEverywhere = ({ appliesWhere }: AnyCheck) => appliesWhere === undefined;

describe('a clean house: data designed by the examples of the literature', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  let report: Report;
  let profiled = 0;
  const shown = ({ findings }: Report, collection?: string) =>
    findings
      .filter(({ namespace }) => collection === undefined || namespace === `${database.databaseName}.${collection}`)
      .map(
        ({ check, severity, namespace, path, message }) =>
          `${severity} ${check} ${namespace.slice(database.databaseName.length + 1)} ${path}: ${message}`,
      );

  beforeAll(async () => {
    for (const { collection, plant, queries = [] } of CLEAN_HOUSE) {
      await plant(database);
      for (const query of queries) await database.collection(collection).find(query).toArray();
    }
    await recordOperations(database, () => runCleanWorkload(database));
    profiled = await database.collection('system.profile').countDocuments();
    report = await lintShared({ include: [`${database.databaseName}.*`], settings: SETTINGS, timeout: PATIENCE_MS });
  });

  it('is judged by every check, each collection of it', () => {
    const judging = (report.checks ?? []).filter(({ judged }) => judged > 0).map(({ check }) => check);
    expect(judging).toEqual(
      builtInChecks.filter((check) => isEverywhere(check) && check.optional !== true).map(({ id }) => id),
    );
    expect(report.summary.collections).toBe(CLEAN_HOUSE.length + 1); // GridFS has two.
    expect(report.skipped).toEqual([]);
  });

  it('has a workload of finds, joins and writes on record', () => {
    expect(profiled).toBeGreaterThan(300);
  });

  it.each(CLEAN_HOUSE.map(({ collection, example }) => [collection, example]))(
    'has nothing at warning or above in %s: %s',
    (collection) => {
      expect(shown(report, collection).filter((finding) => !finding.startsWith('info '))).toEqual([]);
    },
  );

  it('has nothing at warning or above in the cluster as a whole', () => {
    expect(shown(report).filter((finding) => !finding.startsWith('info '))).toEqual([]);
  });

  it('has no index that is called redundant or unused', () => {
    expect(shown(report).filter((finding) => /-index /.test(finding))).toEqual([]);
  });

  it('gets no remark', () => {
    expect(shown(report)).toEqual([]);
  });
});
