import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/finding.js';
import { combined, separated } from '../../src/findings/further-reasons.js';
import { comparedWithBaseline, updatedBaseline } from '../../src/policy/baseline.js';
import {
  suppressed,
  suppressedByConfidence,
  suppressionNotices,
  type Suppression,
} from '../../src/policy/suppression.js';
import { policyFinding, policyRun } from '../support/policy-finding.js';

// The labels were written before the first run of the code.

const TODAY = '2026-11-22';
const scan = policyFinding({ check: 'collection-scan', path: 'customer_1', severity: 'error' });
const reference = policyFinding({
  check: 'unindexed-reference',
  path: 'customer',
  severity: 'info',
  message: 'No index.',
  evidence: { source: 'look-up by _id', window: '20 different values' },
});
const sort = policyFinding({ check: 'in-memory-sort', path: 'customer_1', severity: 'warning' });
const all = combined([sort, scan, reference], scan.remedy);
const everythingJudged = { wasJudged: () => true, hasSetSeverity: () => false };
const reportOf = (findings: readonly Finding[]) => policyRun(['shop.orders'], { findings }).report;
const reasonsOf = ({ check, furtherReasons = [] }: Finding) => [check, ...furtherReasons.map((each) => each.check)];
const suppressing = (check: string): Suppression => ({ check, reason: 'accepted', by: 'a:1' });
const accepting = (findings: readonly Finding[]) =>
  updatedBaseline([], [comparedWithBaseline(reportOf(findings), [], everythingJudged)]);

describe('a finding of several checks', () => {
  it('is made of what each of them found', () => {
    expect(separated(all)).toEqual([scan, sort, reference]);
  });

  it.each<[string, string[], { told: string[][]; suppressed: string[][] }]>([
    ['none', [], { told: [['collection-scan', 'in-memory-sort', 'unindexed-reference']], suppressed: [] }],
    [
      'the one that it is told as',
      ['collection-scan'],
      { told: [['in-memory-sort', 'unindexed-reference']], suppressed: [['collection-scan']] },
    ],
    [
      'a further reason',
      ['in-memory-sort'],
      { told: [['collection-scan', 'unindexed-reference']], suppressed: [['in-memory-sort']] },
    ],
    [
      'all but one',
      ['collection-scan', 'in-memory-sort'],
      { told: [['unindexed-reference']], suppressed: [['collection-scan', 'in-memory-sort']] },
    ],
  ])('shows what is left of it if %s is suppressed', (_, checks, expected) => {
    const findings = suppressed([all], checks.map(suppressing), TODAY);
    const told = findings.filter((each) => each.suppressed === undefined).map(reasonsOf);
    const quiet = findings.filter((each) => each.suppressed !== undefined).map(reasonsOf);
    expect({ told, suppressed: quiet }).toEqual(expected);
    expect(findings.every(({ remedy }) => remedy === scan.remedy)).toBe(true);
  });

  it('shows a reason with the remedy that it has by itself', () => {
    const own = { ...reference, remedy: { ...scan.remedy, text: 'Another one.' } };
    const left = suppressed([combined([scan, own], scan.remedy)], [suppressing('collection-scan')], TODAY).find(
      (each) => each.suppressed === undefined,
    );
    expect(left).toEqual(own);
  });

  it('keeps a suppression of a further reason from being unused', () => {
    const run = policyRun(['shop.orders'], { findings: [all] });
    const used = { checks: ['in-memory-sort', 'collection-scan'], settings: {} };
    expect(suppressionNotices([suppressing('in-memory-sort')], [run], used, TODAY)).toEqual([]);
    expect(
      suppressionNotices([suppressing('deep-*')], [run], { ...used, checks: ['deep-nesting'] }, TODAY),
    ).toHaveLength(1);
  });

  it('is known by each of its reasons: none is new on its own, none is fixed by being told with another', () => {
    const counts = (findings: readonly Finding[], before: readonly Finding[]) =>
      comparedWithBaseline(reportOf(findings), accepting(before), everythingJudged).summary.baseline;
    const quiet = { new: 0, gone: 0, notSeen: 0, notJudged: 0 };
    expect(counts([all], [scan, sort, reference])).toEqual({ ...quiet, known: 1, fixed: 0 });
    expect(counts([scan, sort, reference], [all])).toEqual({ ...quiet, known: 3, fixed: 0 });
    expect(counts([reference], [all])).toEqual({ ...quiet, known: 1, fixed: 2 });
    expect(accepting([all]).map(({ check, severity }) => [check, severity])).toEqual([
      ['collection-scan', 'error'],
      ['in-memory-sort', 'warning'],
      ['unindexed-reference', 'info'],
    ]);
  });

  it('tells a reason that is new apart from those that are known, at its own severity', () => {
    const { findings, summary } = comparedWithBaseline(reportOf([all]), accepting([scan, sort]), everythingJudged);
    expect(summary.findings).toEqual({ error: 1, warning: 0, info: 1 });
    expect(findings.map((each) => [reasonsOf(each), each.severity, each.baseline?.status])).toEqual([
      [['collection-scan', 'in-memory-sort'], 'error', 'known'],
      [['unindexed-reference'], 'info', 'new'],
    ]);
  });

  it('is not accepted in parts that are suppressed', () => {
    const findings = suppressed([all], [suppressing('*')], TODAY);
    expect(findings).toHaveLength(1);
    expect(accepting(findings)).toEqual([]);
  });

  it('leaves the reasons that are sure enough, if the worst is not', () => {
    const unsure = combined([{ ...scan, confidence: 'low' }, sort, reference], scan.remedy);
    const findings = suppressedByConfidence([unsure], { confidence: 'high', by: '--min-confidence' });
    const counting = findings.filter((each) => each.suppressed === undefined);
    expect(counting.flatMap(reasonsOf)).toEqual(['in-memory-sort', 'unindexed-reference']);
    expect(findings.filter((each) => each.suppressed !== undefined).flatMap(reasonsOf)).toEqual(['collection-scan']);
  });
});
