import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lastReportFile } from '../../src/cli/last-report.js';
import { writeEvidence } from '../../src/evidence-file/write-evidence.js';
import {
  acceptanceLines,
  acceptanceNotices,
  nameOf,
  withAcceptance,
  withoutAcceptance,
} from '../../src/policy/acceptance.js';
import { applyPolicy, type Policy } from '../../src/policy/apply-policy.js';
import { type BaselineEntry, formatBaseline, parseBaseline } from '../../src/policy/baseline-file.js';
import { prunedBaseline, updatedBaseline } from '../../src/policy/baseline.js';
import type { Report } from '../../src/report/report.js';
import { runCaptured } from '../support/captured-io.js';
import { EVIDENCE_SETTINGS, plainRun, smallShop } from '../support/evidence-runs.js';
import { policyFinding, policyRun } from '../support/policy-finding.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const TODAY = '2026-11-27';
const finding = policyFinding();
const { check, severity, namespace, path, fingerprint } = finding;
const entry: BaselineEntry = { check, severity, namespace, path, fingerprint };
const until = (day: string) => ({ since: '2026-11-01', until: day, owner: 'ann', reason: 'moves in spring' });
const accepted = (day: string): BaselineEntry => ({ ...entry, accepted: until(day) });
const policy = (baseline: readonly BaselineEntry[]): Policy => ({
  checks: [check],
  settings: {},
  suppressions: [],
  baseline,
  today: TODAY,
});
const reported = (baseline: readonly BaselineEntry[], findings = [finding]) =>
  applyPolicy([policyRun([namespace], { findings })], policy(baseline))[0] as Report;

describe('an acceptance', () => {
  it.each([
    ['2027-01-31', 'known', []],
    ['2026-12-05', 'known', []],
    ['2026-12-04', 'known', ['acceptance-ending']],
    [TODAY, 'known', ['acceptance-ending']],
    ['2026-11-26', 'new', ['acceptance-ended']],
  ])('until %s leaves the finding %s, with the notices %j', (day, status, notices) => {
    const report = reported([accepted(day)]);
    expect(report.findings[0]?.baseline).toMatchObject({ status, ...(status === 'known' && { accepted: until(day) }) });
    expect((report.notices ?? []).map(({ kind }) => kind)).toEqual(notices);
    expect(report.summary.baseline?.accepted).toBe(status === 'known' ? 1 : undefined);
  });

  it('does not cover what got worse', () => {
    const before = { ...accepted('2027-01-31'), severity: 'warning' as const };
    expect(reported([before]).findings[0]?.baseline?.status).toBe('new');
  });

  it('is not reported as ended if nothing of it is left', () => {
    expect(acceptanceNotices([accepted('2026-11-26')], () => false, TODAY)).toEqual([]);
  });

  it('is kept by --update-baseline and by the file', () => {
    const baseline = [accepted('2027-01-31')];
    expect(updatedBaseline(baseline, [reported(baseline)])[0]?.accepted).toEqual(until('2027-01-31'));
    expect(parseBaseline(formatBaseline(baseline), 'baseline.jsonl')).toEqual(baseline);
  });

  it('is made of an entry or of a reported finding, and taken back', () => {
    const made = withAcceptance([], [entry], fingerprint, until('2027-01-31'));
    expect(made).toEqual([accepted('2027-01-31')]);
    expect(withAcceptance(made, [], fingerprint, until('2027-02-28'))).toEqual([accepted('2027-02-28')]);
    expect(withoutAcceptance(made, fingerprint)).toEqual([]);
    expect(withoutAcceptance([entry], fingerprint)).toEqual([entry]);
    const other = { ...entry, target: 'other' };
    expect(withAcceptance([other], [entry], fingerprint, until('2027-01-31'))).toEqual([
      { ...accepted('2027-01-31'), target: 'other' },
      accepted('2027-01-31'),
    ]);
    for (const day of ['2026-10-31', '31.1.2027', '2026-02-30'])
      expect(() => withAcceptance([entry], [], fingerprint, until(day))).toThrow('YYYY-MM-DD');
  });

  it('is listed, what ends first at the top', () => {
    const other = { ...accepted('2026-11-26'), fingerprint: 'a'.repeat(16) };
    expect(acceptanceLines([accepted('2027-01-31'), entry, other], TODAY)).toEqual([
      `${other.fingerprint}  ended 2026-11-26  error  unbounded-array on shop.orders items  (ann since 2026-11-01: moves in spring)`,
      `${fingerprint}  until 2027-01-31  error  unbounded-array on shop.orders items  (ann since 2026-11-01: moves in spring)`,
    ]);
  });
});

describe('prunedBaseline', () => {
  it('only removes: what is fixed or gone, and what is accepted no longer', () => {
    const [fixed, ended, kept] = [entry, accepted('2026-11-26'), accepted('2027-01-31')];
    const nothing = reported([entry], []);
    expect(nothing.fixed).toHaveLength(1);
    expect(prunedBaseline([fixed], [nothing], TODAY)).toEqual([]);
    expect(prunedBaseline([{ ...fixed, target: 'other' }], [nothing], TODAY)).toHaveLength(1);
    const found = reported([], [finding, policyFinding({ path: 'other' })]);
    expect(prunedBaseline([ended, kept], [found], TODAY)).toEqual([kept]);
  });
});

async function judging() {
  const folder = await temporaryFolder();
  const run = plainRun(smallShop());
  const file = join(folder, 'shop.evidence.jsonl');
  await writeEvidence(file, {
    run,
    plan: { kept: new Set() },
    settings: EVIDENCE_SETTINGS,
    collections: 2,
    onCollection: () => {},
    onCluster: () => {},
  });
  const mongolint = (...argv: string[]) => runCaptured(argv, {}, folder);
  const judge = async (...argv: string[]) => {
    const done = await mongolint('judge', 'shop.evidence.jsonl', '--format', 'json', '--fail-on', 'info', ...argv);
    return { ...done, report: JSON.parse(done.stdout || '{}') as Report };
  };
  return { folder, mongolint, judge, baseline: join(folder, 'known.jsonl') };
}

describe('mongolint accept', () => {
  it('accepts a finding of a report, which comes back when its time is over', async () => {
    const { folder, mongolint, judge, baseline } = await judging();
    const first = await judge();
    await writeFile(join(folder, 'report.json'), first.stdout);
    const { findings } = first.report;
    expect(first.exitCode).toBe(1);
    for (const found of findings) {
      const { fingerprint: of } = found;
      const args = [
        '--until',
        '2999-12-31',
        '--reason',
        'moves in spring',
        '--owner',
        'ann',
        '--baseline',
        'known.jsonl',
      ];
      expect(await mongolint('accept', of.slice(0, 7), '--report', 'report.json', ...args)).toEqual({
        exitCode: 0,
        stdout: `Accepted until 2999-12-31: ${of}, ${nameOf(found)}, in known.jsonl.\n`,
        stderr: '',
      });
    }
    const second = await judge('--baseline', 'known.jsonl');
    expect(second).toMatchObject({ exitCode: 0, report: { summary: { baseline: { accepted: findings.length } } } });
    const listed = await mongolint('accept', '--list', '--baseline', 'known.jsonl');
    expect(listed.stdout.trimEnd().split('\n')).toHaveLength(findings.length);
    const text = await readFile(baseline, 'utf8');
    await writeFile(baseline, text.replaceAll('2999-12-31', '2000-01-01'));
    const third = await judge('--baseline', 'known.jsonl');
    expect(third).toMatchObject({
      exitCode: 1,
      report: { notices: expect.arrayContaining([expect.objectContaining({ kind: 'acceptance-ended' })]) },
    });
    await judge('--baseline', 'known.jsonl', '--prune');
    expect((await readFile(baseline, 'utf8')).trimEnd().split('\n')).toHaveLength(1);
  });

  it('takes the last report on a terminal, as explain does, and takes an acceptance back by its beginning', async () => {
    const { folder, mongolint, judge } = await judging();
    const { stdout, report } = await judge();
    const [found = finding] = report.findings;
    const { fingerprint: of } = found;
    const terms = ['--until', '2999-12-31', '--reason', 'in spring', '--owner', 'ann', '--baseline', 'known.jsonl'];
    const accept = () => runCaptured(['accept', of.slice(0, 7), ...terms], { XDG_STATE_HOME: folder }, folder);
    expect(await accept()).toMatchObject({
      exitCode: 2,
      stderr: `No finding of the last report or of known.jsonl has a fingerprint that begins with ${of.slice(0, 7)}; --report FILE names another report.\n`,
    });
    await mkdir(join(folder, 'mongolint'), { mode: 0o700 });
    await writeFile(lastReportFile({ XDG_STATE_HOME: folder }), stdout);
    expect(await accept()).toMatchObject({ exitCode: 0, stderr: '' });
    const undo = () => mongolint('accept', of.slice(0, 7), '--undo', '--baseline', 'known.jsonl');
    expect((await undo()).stdout).toBe(`No longer accepted: ${of}, ${nameOf(found)}, in known.jsonl.\n`);
    expect(await undo()).toMatchObject({
      exitCode: 2,
      stderr: `No finding of what is accepted has a fingerprint that begins with ${of.slice(0, 7)}; --list lists it.\n`,
    });
  });

  it.each([
    [
      ['accept'],
      'accept needs a baseline: give --baseline FILE, or set "baseline" in the configuration. To begin one ',
    ],
    [['accept', 'abc', '--baseline', 'b'], /^accept needs a fingerprint, --until DATE/],
    [['accept', 'unbounded-array', '--undo', '--baseline', 'b'], /^unbounded-array is not a fingerprint: /],
    [['judge', 'shop.evidence.jsonl', '--prune'], /^--prune needs a file/],
    [
      ['judge', 'shop.evidence.jsonl', '--prune', '--update-baseline', '--baseline', 'b'],
      '--update-baseline adds and removes, --prune only removes: give one of them.\n',
    ],
  ])('refuses %j', async (argv, stderr) => {
    const { mongolint } = await judging();
    const done = await mongolint(...argv);
    expect(done).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringMatching(stderr) });
  });
});
