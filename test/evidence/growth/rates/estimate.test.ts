import { describe, expect, it } from 'vitest';
import { pooled, STANDARD_ERRORS, type Estimate } from '../../../../src/evidence/growth/rates/estimate.js';
import { RandomDistributions } from '../../../support/random-distributions.js';

const TRUTH = 5;

function estimated(logError: number, standardError: number): Estimate {
  const estimate = TRUTH * Math.exp(logError);
  const factor = Math.exp(STANDARD_ERRORS * standardError);
  return { low: estimate / factor, estimate, high: estimate * factor };
}

describe('two estimates of one rate, weighed together', () => {
  it.each([
    [0.1, 0.1],
    [0.05, 0.2],
    [0.3, 0.1],
    [0.02, 0.3],
  ])('hold in nine of ten cases, with standard errors of %d and %d that have a fifth in common', (one, other) => {
    const random = new RandomDistributions(7);
    const cases = Array.from({ length: 20_000 }, () => {
      const common = Math.sqrt(0.2) * random.normal();
      const errorOf = () => common + Math.sqrt(0.8) * random.normal();
      return pooled(estimated(one * errorOf(), one), estimated(other * errorOf(), other));
    });
    const held = cases.filter(({ low, high }) => low <= TRUTH && TRUTH <= high).length / cases.length;
    expect(held).toBeGreaterThan(0.89);
    expect(held).toBeLessThan(0.91);
  });

  it.each([0.06, 0.1, 0.2, 0.24])('are narrower than one with a standard error of 0.05 and one with %d', (error) => {
    const narrow = estimated(0.02, 0.05);
    const both = pooled(narrow, estimated(-0.05, error));
    expect(both.high / both.low).toBeLessThan(narrow.high / narrow.low);
  });

  it('are the narrower one if the other would only add to its error', () => {
    const narrow = { low: 4.9, estimate: 5, high: 5.2 };
    expect(pooled(estimated(-0.1, 0.2), narrow)).toEqual(narrow);
    expect(pooled(narrow, estimated(-0.1, 0.2))).toEqual(narrow);
  });

  it('are the first one if either may be 0', () => {
    const [one, other] = [estimated(0, 0.1), { low: 0, estimate: 5, high: 9 }];
    expect(pooled(one, other)).toEqual(one);
    expect(pooled(other, one)).toEqual(other);
  });
});
