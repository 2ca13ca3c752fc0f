import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../src/demo/seeded-random.js';
import { valueSpread } from '../../../src/evidence/sharding/key-order.js';

function draws(values: number, sample: number, seed = 1): string[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: sample }, () => String(random.below(values)));
}

describe('the spread of values', () => {
  it.each([5, 50, 500, 5_000])('tells %i equally frequent values from a sample of 1,000', (values) => {
    const { effectiveValues, estimatedDistinct, distinct } = valueSpread(draws(values, 1_000), false);
    expect(effectiveValues / values).toBeGreaterThan(0.7);
    expect(effectiveValues / values).toBeLessThan(1.4);
    expect(estimatedDistinct).toBeGreaterThanOrEqual(distinct);
    expect(estimatedDistinct / values).toBeGreaterThan(0.7);
  });

  it('counts a value that most documents have as nearly the only one', () => {
    const identities = [...Array<string>(900).fill('a'), ...draws(1_000, 100)];
    expect(valueSpread(identities, false)).toMatchObject({ mostCommonShare: 0.9 });
    expect(valueSpread(identities, false).effectiveValues).toBeLessThan(1.3);
  });

  it('is exact where the sample is complete', () => {
    expect(valueSpread(['a', 'a', 'b', 'c'], true)).toEqual({
      sample: 4,
      distinct: 3,
      seenOnce: 2,
      estimatedDistinct: 3,
      mostCommonShare: 0.5,
      shares: [0.5, 0.25, 0.25],
      effectiveValues: 1 / (0.25 + 2 * 0.0625),
    });
  });

  it('gives the least number that the sample proves where no two values are equal', () => {
    const unique = Array.from({ length: 1_000 }, (_, index) => String(index));
    expect(valueSpread(unique, false)).toMatchObject({
      distinct: 1_000,
      effectiveValues: 499_500,
      mostCommonShare: 0.001,
    });
  });

  it('is nothing for nothing', () => {
    expect(valueSpread([], true)).toEqual({
      sample: 0,
      distinct: 0,
      seenOnce: 0,
      estimatedDistinct: 0,
      mostCommonShare: 0,
      shares: [],
      effectiveValues: 0,
    });
  });
});
