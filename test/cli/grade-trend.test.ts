import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withGradeTrends, type GradedRun } from '../../src/cli/grade-trend.js';
import { applyPolicy, type Policy } from '../../src/policy/apply-policy.js';
import type { Severity } from '../../src/finding.js';
import type { Report } from '../../src/report/report.js';
import { MS_PER_DAY } from '../../src/time-units.js';
import { policyFinding, policyRun } from '../support/policy-finding.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const POLICY: Policy = { checks: [], settings: {}, suppressions: [], baseline: null, today: '2026-11-22' };
const DAY_ONE = Date.UTC(2026, 7, 1);

/** A run of a day, whose one collection of three has a finding of this severity. */
function runOn(day: number, severity: Severity, more: Partial<GradedRun> = {}, target?: string): GradedRun {
  const namespaces = ['shop.a', 'shop.b', 'shop.c'];
  const run = policyRun(namespaces, { findings: [policyFinding({ namespace: 'shop.a', severity })] });
  const startedAt = new Date(DAY_ONE + day * MS_PER_DAY).toISOString();
  return { ...run, report: { ...run.report, startedAt, ...(target !== undefined && { target }) }, ...more };
}

async function trendOf(run: GradedRun, folder: string, policy = POLICY): Promise<string[]> {
  const lines: string[] = [];
  const io = { stdout: { write: () => true }, stderr: { write: () => true }, env: {}, cwd: () => folder };
  const say = (line: string) => void lines.push(line);
  const [report] = (await withGradeTrends([run], applyPolicy([run], policy), policy, io, say)) as [Report];
  return [...(report.summary.earlierGrades ?? []).map(({ at, grade }) => `${at.slice(5, 10)} ${grade}`), ...lines];
}

describe('the trend of a grade', () => {
  it('is that of earlier runs of the same target in the history', async () => {
    const folder = await temporaryFolder();
    const history = 'history.jsonl';
    expect(await trendOf(runOn(0, 'error', { history }), folder)).toEqual([]);
    expect(await trendOf(runOn(1, 'warning', { history }, 'eu'), folder)).toEqual([]);
    expect(await trendOf(runOn(2, 'warning', { history }), folder)).toEqual(['08-01 F']);
    expect(await trendOf(runOn(3, 'info', { history }), folder)).toEqual(['08-01 F', '08-03 C']);
    expect(await trendOf(runOn(4, 'info', { history }, 'eu'), folder)).toEqual(['08-02 C']);
  });

  it('goes back a quarter of a year, one grade a day', async () => {
    const folder = await temporaryFolder();
    for (const day of [0, 20, 20.3, 40, 60, 100]) await trendOf(runOn(day, 'error', { history: 'h.jsonl' }), folder);
    expect(await trendOf(runOn(101, 'error', { history: 'h.jsonl' }), folder)).toEqual([
      '08-21 F',
      '09-10 F',
      '09-30 F',
      '11-09 F',
    ]);
  });

  it('is that of earlier files, by the policy of now', async () => {
    const earlier = [runOn(0, 'error'), runOn(1, 'warning')];
    expect(await trendOf(runOn(2, 'info', { earlier }), '.')).toEqual(['08-01 F', '08-02 C']);
    const suppressions = [{ check: '*', namespace: 'shop.a', reason: 'known' }] as unknown as Policy['suppressions'];
    expect(await trendOf(runOn(2, 'info', { earlier }), '.', { ...POLICY, suppressions })).toEqual([
      '08-01 A',
      '08-02 A',
    ]);
  });

  it.each<[string, Partial<GradedRun>, Partial<Policy>]>([
    ['some collections', { isNarrowed: true }, {}],
    ['one of several parts', {}, { isOfPart: true }],
    ['what one owner answers for', {}, { ownerFilter: { owners: ['a'] } }],
  ])('is not known of %s', async (_, run, policy) => {
    const folder = await temporaryFolder();
    const history = { history: 'history.jsonl' };
    await trendOf(runOn(0, 'error', history), folder);
    expect(await trendOf(runOn(1, 'error', { ...history, ...run }), folder, { ...POLICY, ...policy })).toEqual([]);
  });

  it('does not fail a run whose history can not be used', async () => {
    const folder = await temporaryFolder();
    const lines = await trendOf(runOn(0, 'error', { history: join(folder, 'no', 'history.jsonl') }), folder);
    expect(lines).toEqual([expect.stringContaining("can't be used")]);
  });
});
