import { beforeAll, describe, expect, it } from 'vitest';
import { defineCheck, defineClusterCheck } from '../../src/check.js';
import type { CheckSettings } from '../../src/findings/check-settings.js';
import type { Report } from '../../src/report/report.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { PROBLEM } from '../support/findings/problem.js';
import { lintShared } from '../support/linted-collection.js';

const least = {
  least: { default: 10, unit: 'documents', description: 'documents from which it is told', source: 'judgement' },
} as const;

const ofCollection = defineCheck({
  id: 'many-documents',
  title: 'Many documents',
  summary: 'many documents',
  appliesTo: ['collection'],
  needs: ['storage'],
  thresholds: least,
  judge: ({ storage }, limits) => ((storage.count ?? 0) >= limits.least ? [PROBLEM] : []),
});

const ofCluster = defineClusterCheck({
  id: 'many-documents-anywhere',
  title: 'Many documents',
  summary: 'many documents',
  needs: ['storage'],
  clusterNeeds: [],
  thresholds: least,
  judge: ({ collections }, limits) =>
    [...collections].flatMap(([namespace, { storage }]) =>
      storage.present && (storage.value.count ?? 0) >= limits.least
        ? [{ ...PROBLEM, namespace, evidence: { source: 'collStats', window: 'all', least: limits.least } }]
        : [],
    ),
});

describe('the settings of checks, through the library', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  const counts = { orders: 12, parts: 6, small: 3 };
  let linted: (settings: CheckSettings) => Promise<Report>;

  beforeAll(async () => {
    for (const [name, count] of Object.entries(counts)) {
      await database.collection(name).insertMany(Array.from({ length: count }, (_, number) => ({ number })));
    }
    linted = (settings) =>
      lintShared({ include: [database.databaseName], checks: [ofCollection, ofCluster], settings });
  });

  const told = ({ findings }: Report) =>
    findings.map(
      ({ check, severity, namespace }) => `${severity} ${check} ${namespace.replace(`${database.databaseName}.`, '')}`,
    );

  it('are the defaults if nothing is set', async () => {
    expect(told(await linted({}))).toEqual(['warning many-documents orders', 'warning many-documents-anywhere orders']);
  });

  it('hold for each namespace, of checks of a collection and of the cluster alike', async () => {
    const { databaseName } = database;
    const namespaces = [
      { glob: `${databaseName}.parts`, thresholds: { least: 5 }, severity: 'info' as const },
      { glob: `${databaseName}.orders`, thresholds: { least: 13 } },
      { glob: `${databaseName}.small`, thresholds: { least: 3 }, severity: 'error' as const },
    ];
    const report = await linted({ 'many-documents': { namespaces }, 'many-documents-anywhere': { namespaces } });
    expect(told(report)).toEqual([
      'error many-documents small',
      'error many-documents-anywhere small',
      'info many-documents parts',
      'info many-documents-anywhere parts',
    ]);
    expect(
      report.findings.find(({ check, severity }) => check === ofCluster.id && severity === 'info')?.evidence,
    ).toMatchObject({ least: 5 });
    expect(report.summary.findings).toEqual({ error: 2, warning: 0, info: 2 });
  });

  it('give every finding the severity that is set, in the totals and in the order too', async () => {
    const report = await linted({
      'many-documents': { severity: 'info' },
      'many-documents-anywhere': { severity: 'error' },
    });
    expect(told(report)).toEqual(['error many-documents-anywhere orders', 'info many-documents orders']);
    expect(report.summary.findings).toEqual({ error: 1, warning: 0, info: 1 });
  });
});
