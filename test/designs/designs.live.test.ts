import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import type { Finding } from '../../src/finding.js';
import { separated } from '../../src/findings/further-reasons.js';
import type { Report } from '../../src/report/report.js';
import { lintRecorded } from '../oracle/recording.js';
import { startReplicaSet } from '../support/servers.js';
import type { Design } from './design.js';
import { DESIGNS } from './index.js';
import { findingsOf, outcomeOf } from './outcome.js';
import { Planting } from './planting.js';

const BAD = DESIGNS.flatMap(({ bad }) => bad);
const GOOD = DESIGNS.flatMap(({ good }) => good);

/** Longest wait for a read: nothing may be skipped because the machine is busy. */
const PATIENCE_MS = 120_000;

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

  const found = (design: Design) => findingsOf(design, report.findings.flatMap(separated));

  it.each(BAD.map((design) => [design.name, design] as const))('bad: %s', (_, design) => {
    const { checks } = design.expected;
    expect(
      outcomeOf(design, found(design)),
      `expected ${checks.join(' or ')}; found ${shown(found(design)).join('\n')}`,
    ).toBe('at its severity');
  });

  it.each(GOOD.map((design) => [design.name, design] as const))('good: %s', (_, design) => {
    expect(shown(found(design).filter(({ severity }) => severity !== 'info'))).toEqual([]);
  });

  it('were all judged to the end', () => {
    expect(report.skipped.filter(({ reason }) => !['insufficient', 'bound', 'too-small'].includes(reason))).toEqual([]);
  });
});
