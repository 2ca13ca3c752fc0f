import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInChecks } from '../../checks/index.js';
import { lint } from '../../src/lint/lint.js';
import type { Report } from '../../src/report/report.js';
import { CLEAN_HOUSE } from '../support/clean-house.js';
import { freshDatabase, sharedReplicaSetUri } from '../support/database.js';

/** Every index is used below, so that the statistics of a moment say what those of a month would. */
const SETTINGS = { 'unused-index': { thresholds: { minimumAge: 0, fullCycle: 0 } } };

describe('a clean house: data designed by the examples of the literature', () => {
  const client = new MongoClient(sharedReplicaSetUri());
  afterAll(() => client.close());
  const database = freshDatabase(client);
  let report: Report;
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
    report = await lint({ uri: sharedReplicaSetUri(), include: [`${database.databaseName}.*`], settings: SETTINGS });
  });

  it('is judged by every check, each collection of it', () => {
    expect(report.summary.checks.ran).toBeGreaterThan(0);
    expect(report.summary.collections).toBe(CLEAN_HOUSE.length + 1); // GridFS has two.
    const skippedByAll = report.skipped.filter(
      ({ check }) => check === '*' || !builtInChecks.some(({ id }) => id === check),
    );
    expect(skippedByAll).toEqual([]);
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

  it('gets one remark: its largest collection has no validator', () => {
    expect(shown(report)).toEqual([expect.stringMatching(/^info missing-validator orders null/)]);
  });
});
