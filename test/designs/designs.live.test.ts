import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import type { Finding } from '../../src/finding.js';
import { separated } from '../../src/findings/further-reasons.js';
import type { Report } from '../../src/report/report.js';
import { lintRecorded } from '../oracle/recording.js';
import { startReplicaSet } from '../support/servers.js';
import { BAD_ARRAYS } from './bad/arrays.js';
import { BAD_DOCUMENTS } from './bad/documents.js';
import { BAD_QUERIES } from './bad/queries.js';
import { BAD_RELATIONS } from './bad/relations.js';
import type { BadDesign, Design } from './design.js';
import { GOOD_ARRAYS } from './good/arrays.js';
import { GOOD_DOCUMENTS } from './good/documents.js';
import { GOOD_RELATIONS } from './good/relations.js';
import { Planting } from './planting.js';

const BAD: readonly BadDesign[] = [...BAD_ARRAYS, ...BAD_DOCUMENTS, ...BAD_RELATIONS, ...BAD_QUERIES];
const GOOD: readonly Design[] = [...GOOD_ARRAYS, ...GOOD_DOCUMENTS, ...GOOD_RELATIONS];

/** Longest wait for a read: nothing may be skipped because the machine is busy. */
const PATIENCE_MS = 120_000;

const LEVELS = ['info', 'warning', 'error'] as const;

const shown = (findings: readonly Finding[]): string[] =>
  findings.map(
    ({ check, severity, confidence, namespace, path, message }) =>
      `${severity} ${check} (${confidence}) ${namespace} ${path}: ${message}`,
  );

describe('designs that were labelled before mongolint saw them', () => {
  const closing: (() => Promise<void>)[] = [];
  let report: Report;

  beforeAll(async () => {
    const server = await startReplicaSet({});
    const client = new MongoClient(server.uri);
    closing.push(
      () => client.close(),
      () => server.stop(),
    );
    for (const design of [...BAD, ...GOOD]) {
      const planting = new Planting(client.db(design.name), design.name);
      await design.plant(planting);
      const { use } = design;
      if (use !== undefined) await recordOperations(planting.database, () => use(planting.database, planting));
    }
    report = await lintRecorded('designs', { uri: server.uri, timeout: PATIENCE_MS, maxTime: 10 * PATIENCE_MS });
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });

  const found = (design: Design): readonly Finding[] =>
    report.findings
      .flatMap(separated)
      .filter(({ namespace }) => namespace === design.name || namespace.startsWith(`${design.name}.`));

  it.each(BAD.map((design) => [design.name, design] as const))('bad: %s', (_, design) => {
    const { checks, collection, path, severity } = design.expected;
    const named = found(design).filter(({ check, namespace, path: at, severity: level }) => {
      const name = namespace.slice(design.name.length + 1);
      const isThere =
        typeof collection === 'string' ? name === collection : collection.test(name) || name === '*' || name === '';
      const isAtPath = path === undefined || at === path || at?.startsWith(`${path}.`) === true || at === null;
      return checks.includes(check) && isThere && isAtPath && LEVELS.indexOf(level) >= LEVELS.indexOf(severity);
    });
    expect(named, `expected ${checks.join(' or ')}; found ${shown(found(design)).join('\n')}`).not.toEqual([]);
  });

  it.each(GOOD.map((design) => [design.name, design] as const))('good: %s', (_, design) => {
    expect(shown(found(design).filter(({ severity }) => severity !== 'info'))).toEqual([]);
  });

  it('were all judged to the end', () => {
    expect(report.skipped.filter(({ reason }) => !['insufficient', 'bound', 'too-small'].includes(reason))).toEqual([]);
  });
});
