/**
 * `npm run record-reports` lints real servers, started for this, and keeps what it found beside this file. The golden files
 * of every format are rendered from these reports. Record again after checks or the contract of the report have changed.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient, type Db } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInChecks } from '../../../checks/index.js';
import { defineCheck } from '../../../src/check.js';
import { packageRoot } from '../../../src/files/package-root.js';
import { lint } from '../../../src/lint/lint.js';
import { applyPolicy } from '../../../src/policy/apply-policy.js';
import type { BaselineEntry } from '../../../src/policy/baseline-file.js';
import { updatedBaseline } from '../../../src/policy/baseline.js';
import { renderJson } from '../../../src/report/json.js';
import type { Report } from '../../../src/report/report.js';
import { EXHIBIT_DATABASE, exhibits, exhibitSettings } from '../../exhibits/index.js';
import { shardedExhibits } from '../../exhibits/sharded/index.js';
import type { EmbeddedServer } from '../../support/mongod/embedded-server.js';
import { startReplicaSet, startStandalone, startWithAuth } from '../../support/servers.js';
import { startShardedCluster } from '../../support/sharding/sharded-cluster.js';

/** Exhibits that between them have every kind of evidence, of remedy and of severity. */
const SHOWN = [
  'oversized-document',
  'unbounded-array',
  'fast-growing-array',
  'long-reference-array',
  'missing-lookup-index',
  'denormalized-drift',
  'dynamic-field-names',
  'redundant-index',
  'deep-nesting',
];

const settings = exhibitSettings(EXHIBIT_DATABASE);
const exhibitOf = (id: string) => {
  const found = exhibits.find(({ check }) => check === id);
  if (found === undefined) throw new Error(`There is no exhibit of ${id}.`);
  return found;
};

async function record(name: string, report: Report): Promise<void> {
  await writeFile(join(packageRoot(), 'test/report/recorded', `${name}.json`), renderJson(report));
}

async function withDatabase(uri: string, use: (database: Db) => Promise<void>): Promise<void> {
  const client = new MongoClient(uri);
  try {
    await use(client.db(EXHIBIT_DATABASE));
  } finally {
    await client.close();
  }
}

describe('on a replica set', () => {
  let server: EmbeddedServer;
  let demo: Report;

  beforeAll(async () => {
    server = await startReplicaSet();
    await withDatabase(server.uri, async (database) => {
      for (const { bad, twin } of SHOWN.map(exhibitOf)) {
        await bad.plant(database);
        await twin.plant(database);
      }
    });
    demo = await lint({ uri: server.uri, settings });
  });
  afterAll(() => server?.stop());

  it('demo: anti-patterns beside their well-designed twins', async () => {
    expect(SHOWN.filter((id) => !demo.findings.some(({ check }) => check === id))).toEqual([]);
    await record('demo', demo);
  });

  it('clean: the well-designed twins of some', async () => {
    const names = ['unbounded-array', 'deep-nesting', 'dynamic-field-names'].map((id) => exhibitOf(id).twin.name);
    const report = await lint({ uri: server.uri, include: names.map((name) => `${EXHIBIT_DATABASE}.${name}`) });
    expect(report.findings).toEqual([]);
    await record('clean', report);
  });

  it('baseline: the same cluster later, compared with a baseline, with suppressions', async () => {
    const target = 'staging';
    const baseline = updatedBaseline([], [{ ...demo, target }]);
    await withDatabase(server.uri, async (database) => {
      await database.dropCollection(exhibitOf('redundant-index').bad.name);
      await exhibitOf('mixed-types').bad.plant(database);
    });
    const exclude = [`${EXHIBIT_DATABASE}.${exhibitOf('deep-nesting').bad.name}`];
    const report = await lint({ uri: server.uri, settings, exclude });
    const [compared] = applyPolicy([{ report: { ...report, target }, include: [], exclude, isNarrowed: true }], {
      checks: builtInChecks.map(({ id }) => id),
      settings,
      suppressions: [
        {
          check: 'long-reference-array',
          reason: 'replaced by parent references in the next release',
          expires: '2999-12-31',
          owner: 'orders team',
          by: 'mongolint.config.yaml:12',
        },
        { check: 'dynamic-*', reason: 'import of 2024', expires: '2025-01-31', by: 'mongolint.config.yaml:17' },
      ],
      baseline: baseline.map((entry): BaselineEntry => ({
        ...entry,
        ...(entry.check === 'unbounded-array' && { severity: 'info' }),
      })),
      today: report.startedAt.slice(0, 'YYYY-MM-DD'.length),
    });
    const { new: added, known, fixed, notJudged } = (compared as Report).summary.baseline ?? {};
    for (const count of [added, known, fixed, notJudged]) expect(count).toBeGreaterThan(0);
    expect((compared as Report).notices).toHaveLength(1);
    await record('baseline', compared as Report);
  });
});

it('faulted: a user without privileges, a check that fails, documents beyond the bound', async () => {
  const server = await startWithAuth();
  try {
    await withDatabase(server.uri, async (database) => {
      for (const id of ['unbounded-array', 'oversized-document']) await exhibitOf(id).bad.plant(database);
      await database.collection('payroll').insertMany([{ salary: 1 }, { salary: 2 }]);
      const privileges = ['posts', exhibitOf('oversized-document').bad.name].map((collection) => ({
        resource: { db: EXHIBIT_DATABASE, collection },
        actions: ['find', 'collStats'],
      }));
      await database.command({
        createRole: 'some',
        roles: [],
        privileges: [
          ...privileges,
          { resource: { db: EXHIBIT_DATABASE, collection: '' }, actions: ['listCollections'] },
        ],
      });
      const user = { createUser: 'linter', pwd: 'password', roles: [{ role: 'some', db: EXHIBIT_DATABASE }] };
      await database.admin().command(user);
    });
    const failing = defineCheck({
      id: 'acme/failing',
      title: 'Failing',
      summary: 'fails, to record how that looks',
      docs: 'https://example.com/failing',
      appliesTo: ['collection'],
      needs: ['documents'],
      thresholds: {},
      judge: () => {
        throw new TypeError('This check always fails.');
      },
    });
    const report = await lint({
      uri: server.uri.replace(/\/\/[^@]*@/, '//linter:password@'),
      include: [EXHIBIT_DATABASE],
      checks: [...builtInChecks, failing],
      sampleBytes: 1_000_000,
    });
    expect(report.skipped.map(({ reason }) => reason)).toEqual(expect.arrayContaining(['fault', 'privilege']));
    expect(report.findings.length).toBeGreaterThan(0);
    await record('faulted', report);
  } finally {
    await server.stop();
  }
});

it('empty: a standalone that holds nothing', async () => {
  const server = await startStandalone();
  try {
    const report = await lint({ uri: server.uri });
    expect(report.collections).toEqual([]);
    await record('empty', report);
  } finally {
    await server.stop();
  }
});

it('sharded: shard keys and chunks', async () => {
  const cluster = await startShardedCluster();
  try {
    const database = cluster.client.db(EXHIBIT_DATABASE);
    for (const { bad, twin } of shardedExhibits) {
      await bad.plant(database);
      await twin.plant(database);
    }
    const report = await lint({ uri: cluster.uri, include: [EXHIBIT_DATABASE] });
    expect(shardedExhibits.filter(({ check }) => !report.findings.some((finding) => finding.check === check))).toEqual(
      [],
    );
    await record('sharded', report);
  } finally {
    await cluster.stop();
  }
});
