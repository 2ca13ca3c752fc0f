import { describe, expect, it } from 'vitest';
import { defineCheck, type Verdict } from '../../src/check.js';
import { withParsedVerdicts } from '../../src/findings/parsed-verdicts.js';
import { PROBLEM } from '../support/findings/problem.js';

function verdictsOf(returned: unknown): unknown {
  const metadata = { id: 'x', title: 'X', summary: 'x', appliesTo: ['collection'], needs: [], thresholds: {} } as const;
  const check = withParsedVerdicts(defineCheck({ ...metadata, judge: () => returned as Verdict[] }));
  return (check.judge as () => unknown)();
}

describe('what a check from elsewhere returns', () => {
  it('is passed on, other keys dropped', () => {
    const gap = { notJudged: 'insufficient', detail: 'Come back tomorrow.' };
    const whole = { ...gap, nothingJudged: true };
    expect(
      verdictsOf([{ ...PROBLEM, values: ['secret'] }, { ...PROBLEM, namespace: 'shop.orders' }, gap, whole]),
    ).toEqual([PROBLEM, { ...PROBLEM, namespace: 'shop.orders' }, gap, whole]);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a promise', Promise.resolve([])],
    ['a severity that there is not', [{ ...PROBLEM, severity: 'fatal' }]],
    ['figures that are no JSON', [{ ...PROBLEM, evidence: { ...PROBLEM.evidence, length: NaN } }]],
    ['no remedy', [{ ...PROBLEM, remedy: undefined }]],
    ['a mark that is no mark', [{ notJudged: 'insufficient', detail: 'x', nothingJudged: 'yes' }]],
    ['a reason that there is not', [{ notJudged: 'lazy', detail: 'x' }]],
  ])('throws for %s', (_, returned) => {
    expect(() => verdictsOf(returned)).toThrow(/Invalid/);
  });

  it('is asked of the check itself, which may rely on this', () => {
    const check = {
      ...PROBLEM,
      verdicts: [PROBLEM],
      judge() {
        return this.verdicts;
      },
    };
    expect((withParsedVerdicts(check as never).judge as () => unknown)()).toEqual([PROBLEM]);
  });
});
