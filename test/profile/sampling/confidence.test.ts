import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../src/demo/seeded-random.js';
import { correlationInterval, rankInterval, shareInterval } from '../../../src/profile/sampling/confidence.js';

describe('the interval of a share', () => {
  // By sums of binomial probabilities: 2.5 % on each side.
  it.each([
    [0, 10, 0, 0.3085],
    [10, 10, 0.6915, 1],
    [1, 10, 0.0025, 0.445],
    [5, 100, 0.0164, 0.1128],
    [50, 100, 0.3983, 0.6017],
    [50, 500, 0.0751, 0.1297],
  ])('of %d in %d', (hits, trials, low, high) => {
    const interval = shareInterval(hits, trials, 0.025);
    expect(interval[0]).toBeCloseTo(low, 4);
    expect(interval[1]).toBeCloseTo(high, 4);
  });

  it('of nothing says nothing', () => {
    expect(shareInterval(0, 0)).toEqual([0, 1]);
  });

  it('is wider the smaller the risk', () => {
    expect(shareInterval(50, 1_000, 1e-4)[0]).toBeLessThan(shareInterval(50, 1_000, 0.025)[0]);
  });

  it('takes large numbers', () => {
    const [low, high] = shareInterval(10_000, 200_000);
    expect(low).toBeGreaterThan(0.048);
    expect(high).toBeLessThan(0.052);
  });
});

describe('the ranks of a quantile', () => {
  // By the binomial distribution: the greatest rank that is above the quantile with a risk of 1 in 10,000, and so on.
  it.each([
    [1_000, 0.99, 976, 1_000],
    [1_000, 0.5, 441, 560],
    [100, 0.5, 32, 69],
    [5, 0.5, 1, 5],
    [0, 0.99, 0, 0],
  ])('of %d values at %d', (count, share, low, high) => {
    const ranks = rankInterval(count, share);
    expect(Math.abs(ranks[0] - low)).toBeLessThanOrEqual(1);
    expect(Math.abs(ranks[1] - high)).toBeLessThanOrEqual(1);
  });

  it('hold the quantile in nearly all samples', () => {
    const random = new SeededRandom(99);
    const [low, high] = rankInterval(400, 0.95);
    let missed = 0;
    for (let sample = 0; sample < 5_000; sample += 1) {
      const values = Float64Array.from({ length: 400 }, () => random.next()).sort();
      if ((values[low - 1] as number) > 0.95 || (values[high - 1] as number) < 0.95) missed += 1;
    }
    // Expected: 1 of 5,000.
    expect(missed).toBeLessThanOrEqual(6);
  });
});

describe('the interval of a correlation', () => {
  it.each([
    [0.7, 1_000, 0.633, 0.757],
    [-0.7, 1_000, -0.757, -0.633],
    [0, 3, -1, 1],
  ])('of %d in %d pairs', (correlation, pairs, low, high) => {
    const interval = correlationInterval(correlation, pairs);
    expect(interval[0]).toBeCloseTo(low, 2);
    expect(interval[1]).toBeCloseTo(high, 2);
  });
});
