import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exhibitSettings, outcomeOf } from '../../src/demo/demo.js';
import { exhibits } from '../../src/demo/exhibits/index.js';
import { lint } from '../../src/lint/lint.js';
import type { Report } from '../../src/report/report.js';
import { freshDatabase, sharedReplicaSetUri } from '../support/database.js';
import { BY_HAND } from '../support/exhibit-remedies.js';
import { newFindings, runRemedies } from '../support/remedy.js';

/** Longest wait for a read: nothing may be skipped because the machine is busy. */
const PATIENCE_MS = 120_000;

describe('the exhibits of the demo on a real server', () => {
  const client = new MongoClient(sharedReplicaSetUri());
  afterAll(() => client.close());
  const database = freshDatabase(client);
  let report: Report;

  beforeAll(async () => {
    for (const { bad, twin } of exhibits) {
      await bad.plant(database);
      await twin.plant(database);
    }
    report = await lintExhibits();
  });

  const lintExhibits = () =>
    lint({
      uri: sharedReplicaSetUri(),
      include: [database.databaseName],
      timeout: PATIENCE_MS,
      settings: exhibitSettings(database.databaseName),
    });

  it.each(exhibits.map((exhibit) => [exhibit.check, exhibit] as const))(
    '%s fires on its anti-pattern, at its path',
    (_, exhibit) => {
      expect(outcomeOf(exhibit, report).fired).toBe(true);
    },
  );

  it.each(exhibits.map((exhibit) => [exhibit.check, exhibit] as const))(
    '%s is silent on the well-designed twin',
    (_, exhibit) => {
      expect(outcomeOf(exhibit, report).silent).toBe(true);
    },
  );

  it('finds nothing at warning or above in any well-designed twin', () => {
    const twins = new Set(exhibits.map(({ twin }) => `${database.databaseName}.${twin.name}`));
    const loud = report.findings.filter(({ namespace, severity }) => twins.has(namespace) && severity !== 'info');
    expect(loud.map(({ check, namespace, path }) => `${check} ${namespace} ${path}`)).toEqual([]);
  });

  it('judges every collection, and skips nothing', async () => {
    expect(report.skipped).toEqual([]);
    const planted = await database.listCollections({ name: { $not: /^system\./ } }, { nameOnly: true }).toArray();
    expect(report.collections).toHaveLength(planted.length);
    expect(planted.length).toBeGreaterThanOrEqual(2 * exhibits.length);
  });

  // The last one: it changes what is planted.
  it('finds none of them, and nothing new, once all remedies are applied', async () => {
    const mended = report.findings.filter(({ remedy }) => remedy.commands !== undefined);
    await runRemedies(client, mended);
    // What ran before is not known any more: only what the remedies leave unchanged would run on.
    await database.collection('system.profile').drop();
    for (const { check, bad } of exhibits) await BY_HAND[check]?.(database, bad.name);
    const after = await lintExhibits();
    expect(newFindings(report, after)).toEqual([]);
    const left = new Set(after.findings.map(({ fingerprint }) => fingerprint));
    const kept = mended.filter(({ fingerprint }) => left.has(fingerprint));
    expect(kept.map(({ check, namespace, path }) => `${check} ${namespace} ${path}`)).toEqual([]);
    expect(exhibits.filter((exhibit) => outcomeOf(exhibit, after).fired).map(({ check }) => check)).toEqual([]);
  });
});
