import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lint } from '../../src/lint/lint.js';
import { exitCode } from '../../src/policy/exit-code.js';
import { isFault } from '../../src/presence.js';
import type { Report } from '../../src/report/report.js';
import { plantCollections, UNBOUNDED } from '../support/engines/planted-collections.js';
import { FERRETDB_VERSION, startFerretdb, type FerretdbServer } from './ferretdb.js';

// All of it is real: FerretDB 1 over SQLite, built from its Go module.

const ENFORCED = { failOn: 'warning', maxWarnings: null, strict: false } as const;

describe('FerretDB 1', () => {
  let server: FerretdbServer;
  let report: Report;

  beforeAll(async () => {
    server = await startFerretdb();
    const client = await new MongoClient(server.uri).connect();
    await plantCollections(client.db('shop'));
    await client.db('shop').createCollection('blank');
    await client.close();
    report = await lint({ uri: server.uri, timeout: 60_000, maxTime: 240_000 });
  });
  afterAll(() => server?.stop());

  it('is named in the report', () => {
    expect(report.cluster).toMatchObject({
      topology: 'standalone',
      engine: { name: 'FerretDB', version: FERRETDB_VERSION, notJudgeable: expect.arrayContaining(['unused-index']) },
    });
  });

  it('has its three unbounded arrays found, its empty collection, and nothing else', () => {
    const found = report.findings.map(({ check, namespace, path }) => `${check} ${namespace}.${path}`).sort();
    const arrays = UNBOUNDED.map((place) => `unbounded-array shop.${place}`);
    expect(found).toEqual(['empty-collection shop.blank.null', ...arrays].sort());
  });

  it('is judged without a fault, and fails a build by its findings alone', () => {
    expect(report.skipped.filter(isFault)).toEqual([]);
    expect(exitCode(report, ENFORCED)).toBe(1);
    expect(exitCode(report, { ...ENFORCED, failOn: 'never' })).toBe(0);
  });

  it('is called clean in nothing that was not judged', () => {
    for (const id of report.cluster.engine?.notJudgeable ?? [])
      expect(report.skipped.map(({ check }) => check)).toContain(id);
  });
});
