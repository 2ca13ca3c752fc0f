import { describe, expect, it } from 'vitest';
import { combinedParts, type PartReport } from '../../src/cli/saved-reports.js';
import { reportSchema } from '../../src/report/report.js';
import { policyFinding, policyRun } from '../support/policy-finding.js';

function partReport(number: number, namespace: string, changes: Partial<PartReport> = {}): PartReport {
  const { report } = policyRun([namespace], { findings: [policyFinding({ namespace })] });
  return { ...report, part: { number, of: 2, clusterChecks: ['heavy-lookup'] }, ...changes };
}

describe('the parts of one cluster', () => {
  it('are one report, counted again, that its schema accepts', () => {
    const report = combinedParts([
      partReport(2, 'shop.b', { startedAt: '2026-02-03T03:00:00.000Z' }),
      partReport(1, 'crm.a', { finishedAt: '2026-02-03T04:00:00.000Z' }),
    ]);
    expect(report.summary).toMatchObject({ databases: 2, collections: 2, documentsSampled: 2_000 });
    expect(report.summary.findings).toEqual({ error: 2, warning: 0, info: 0 });
    expect(report).toMatchObject({ startedAt: '2026-02-03T03:00:00.000Z', finishedAt: '2026-02-03T04:00:00.000Z' });
    expect(report.collections.map(({ namespace }) => namespace)).toEqual(['crm.a', 'shop.b']);
    expect(report.checks?.find(({ check }) => check === 'unbounded-array')?.judged).toBe(2);
    expect(report.failures).toEqual([]);
    expect(reportSchema.safeParse(report).error).toBeUndefined();
  });

  it('say the same thing once, and fail if one failed or is missing', () => {
    const skipped = [{ check: '*', reason: 'privilege', detail: 'listing every database.' } as const];
    const failures = [{ reason: 'max-time', detail: 'the time is used up.' } as const];
    const both = combinedParts([partReport(1, 'a.a', { skipped, failures }), partReport(2, 'b.b', { skipped })]);
    expect(both.skipped).toEqual(skipped);
    expect(both.failures).toEqual(failures);
    expect(combinedParts([partReport(2, 'b.b')]).failures).toEqual([
      { reason: 'part-missing', detail: 'part 1 of 2 has no report; run it again, and merge.' },
    ]);
  });
});
