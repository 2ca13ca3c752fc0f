/** The exhibits of the demo at the size of a test's fixture: the same indexes, validators and queries, 40 documents. */
import { beforeAll, describe, expect, it } from 'vitest';
import { builtInChecks } from '../../checks/index.js';
import type { Finding } from '../../src/finding.js';
import { separated } from '../../src/findings/further-reasons.js';
import { type LintOptions } from '../../src/lint/lint.js';
import type { Report } from '../../src/report/report.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { inFixtureSize } from '../support/fixture-size.js';
import { lintShared } from '../support/linted-collection.js';
import type { Exhibit } from './exhibit.js';
import { FIXTURE_LABELS, type FixtureLabel } from './fixture-labels.js';
import { exhibits, exhibitSettings } from './index.js';

/** Longest wait for a read: nothing may be skipped because the machine is busy. */
const PATIENCE_MS = 120_000;
const IN_PRODUCTION = { documents: 5_000_000, executionsPerDay: 12_000 };
const LEVELS = ['info', 'warning', 'error'] as const;

const labelled = (wanted: FixtureLabel['label']) =>
  exhibits.flatMap((exhibit): [string, Exhibit, FixtureLabel][] => {
    const label = FIXTURE_LABELS[exhibit.check];
    return label?.label === wanted ? [[exhibit.check, exhibit, label]] : [];
  });

const shown = (findings: readonly Finding[]) =>
  findings.map(({ severity, path, message }) => [severity, path, message]);

describe('the exhibits of the demo in the size of a fixture', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  let [report, expected]: Report[] = [];

  const lintFixtures = (options: Partial<LintOptions> = {}) =>
    lintShared({
      include: [database.databaseName],
      timeout: PATIENCE_MS,
      settings: exhibitSettings(database.databaseName),
      ...options,
    });

  beforeAll(async () => {
    for (const { check, bad, twin } of exhibits) {
      const small = inFixtureSize(database, FIXTURE_LABELS[check]?.kept);
      await bad.plant(small);
      await twin.plant(small);
    }
    report = await lintFixtures();
    expected = await lintFixtures({
      expect: [{ glob: `${database.databaseName}.*`, ...IN_PRODUCTION }],
      checks: builtInChecks.filter(({ id }) => FIXTURE_LABELS[id]?.label === 'too small'),
    });
  });

  const of = (check: string, { findings }: Report, name: string): Finding[] =>
    findings
      .flatMap(separated)
      .filter((finding) => finding.check === check && finding.namespace === `${database.databaseName}.${name}`);
  const tooSmall = (check: string, { skipped }: Report, name: string) =>
    skipped.filter(
      (entry) =>
        entry.check === check && entry.reason === 'too-small' && entry.namespace === `${database.databaseName}.${name}`,
    );

  it('are labelled, each of them', () => {
    expect(Object.keys(FIXTURE_LABELS).toSorted()).toEqual(exhibits.map(({ check }) => check).toSorted());
  });

  it.each(labelled('too small'))('%s is too small to tell', (check, { bad, twin }) => {
    expect(shown(of(check, report as Report, bad.name))).toEqual([]);
    expect(tooSmall(check, report as Report, bad.name)).toHaveLength(1);
    expect(tooSmall(check, report as Report, twin.name)).toEqual([]);
  });

  it.each(labelled('like data'))('%s is too small to tell, whatever size is expected', (check, { bad, twin }) => {
    for (const one of [report, expected]) {
      expect(shown(of(check, one as Report, bad.name))).toEqual([]);
      expect(shown(of(check, one as Report, twin.name))).toEqual([]);
    }
    expect(tooSmall(check, report as Report, bad.name)).toHaveLength(1);
  });

  it.each(labelled('too small'))('%s is told at the size that is expected, and its twin is not', (check, exhibit) => {
    const { bad, twin } = exhibit;
    expect(of(check, expected as Report, bad.name)).toMatchObject([
      { path: bad.path, judgedAt: { documents: IN_PRODUCTION.documents, from: 'expect' } },
    ]);
    expect(tooSmall(check, expected as Report, bad.name)).toEqual([]);
    expect(shown(of(check, expected as Report, twin.name))).toEqual([]);
  });

  it.each(labelled('judged'))('%s is judged at any size', (check, { bad, twin }, label) => {
    const found = of(check, report as Report, bad.name).filter(({ path }) => path === bad.path);
    expect(found).toHaveLength(1);
    const highest = label.label === 'judged' ? label.severity : 'info';
    expect(LEVELS.indexOf(found[0]!.severity)).toBeLessThanOrEqual(LEVELS.indexOf(highest));
    expect(shown(of(check, report as Report, twin.name))).toEqual([]);
  });

  it.each(labelled('no fault'))('%s has nothing to tell', (check, { bad, twin }) => {
    for (const { name } of [bad, twin]) {
      expect(shown(of(check, report as Report, name))).toEqual([]);
      expect(tooSmall(check, report as Report, name)).toEqual([]);
    }
  });
});
