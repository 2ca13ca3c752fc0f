import { describe, expect, it } from 'vitest';
import type { Severity } from '../../src/finding.js';
import { gradeOf, gradeText } from '../../src/report/grade.js';
import type { Report } from '../../src/report/report.js';
import { policyFinding, policyRun } from '../support/policy-finding.js';

const NAMESPACES = Array.from({ length: 20 }, (_, index) => `shop.c${index}`);
const found = (severity: Severity, count: number, more = {}) =>
  NAMESPACES.slice(0, count).map((namespace) => policyFinding({ namespace, severity, ...more }));
const suppressed = { suppressed: { by: 'a', reason: 'b', expires: null } };
const reportOf = (findings: ReturnType<typeof found>): Report => policyRun(NAMESPACES, { findings }).report;

describe('the grade of a report', () => {
  it.each([
    ['A', 'nothing at all', []],
    ['A', 'info alone, everywhere', found('info', 20)],
    ['B', 'warnings in a tenth of the collections', found('warning', 2)],
    ['C', 'warnings in more', found('warning', 3)],
    ['D', 'errors in a tenth', [...found('error', 2), ...found('warning', 20)]],
    ['F', 'errors in more', found('error', 3)],
    ['A', 'errors that are suppressed', found('error', 20, suppressed)],
    [
      'D',
      'an error that the baseline knows',
      found('error', 1, { baseline: { status: 'known', severityBefore: 'error' } }),
    ],
    [
      'D',
      'several errors in one collection',
      [...found('error', 1), ...found('error', 1, { path: 'b' }), ...found('error', 1, { path: 'c' })],
    ],
  ])('is %s for %s', (grade, _, findings) => expect(gradeOf(reportOf(findings))).toBe(grade));

  it.each<[string, Partial<Report>]>([
    ['came not to its end', { failures: [{ reason: 'max-time', detail: 'it took too long.' }] }],
    ['judged nothing', { collections: [] }],
  ])('is unknown for a run that %s', (_, changes) => {
    expect(gradeOf({ ...reportOf([]), ...changes })).toBeNull();
    expect(gradeText({ ...reportOf([]), ...changes })).toBeNull();
  });

  it.each([
    ['C (since 2026-11-01 or longer)', ['C', 'C']],
    ['C (better than on 2026-11-02: D)', ['C', 'D', 'C']],
    ['C (worse than on 2026-11-01: A)', ['A']],
  ] as const)('has a trend: %s', (text, grades) => {
    const report = reportOf(found('warning', 3));
    const earlierGrades = grades.map((grade, index) => ({ at: `2026-11-0${index + 1}T10:00:00.000Z`, grade }));
    expect(gradeText({ ...report, summary: { ...report.summary, earlierGrades } })).toBe(
      `${text}: warnings in 3 of 20 collections`,
    );
  });

  it('is told with what it rests on', () => {
    expect(gradeText(reportOf(found('warning', 3)))).toBe('C: warnings in 3 of 20 collections');
    const skipped: Report['skipped'] = [{ check: 'unbounded-array', reason: 'privilege', detail: 'no.' }];
    expect(gradeText({ ...reportOf([]), skipped })).toBe(
      'A: no errors and no warnings in 20 collections, as far as judged',
    );
  });
});
