import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distributionOf, quantile } from '../../src/profile/distribution.js';
import { bucketOf, bucketStart, Histogram } from '../../src/profile/histogram.js';

const SEED = 20;
const RELATIVE_ERROR = 1 / 128;

function histogramOf(values: readonly number[]): Histogram {
  const histogram = new Histogram();
  for (const value of values) histogram.add(value);
  return histogram;
}

function barWidths(values: readonly number[]): number[] {
  return distributionOf(histogramOf(values)).buckets.map(({ from, to }) => to - from + 1);
}

function nearestRank(sorted: readonly number[], share: number): number {
  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] as number;
}

const anyValue = fc.oneof(fc.nat(300), fc.nat(5_000), fc.nat(16 * 1024 * 1024), fc.nat(2 ** 31 - 1));

describe('buckets', () => {
  it.each([
    [0, 0],
    [255, 255],
    [256, 256],
    [257, 256],
    [1535, 1528],
    [1536, 1536],
    [16_777_216, 16_777_216],
    [2 ** 31 - 1, 2 ** 31 - 2 ** 23],
  ])('%d lies in the bucket that starts at %d', (value, start) => {
    expect(bucketStart(bucketOf(value))).toBe(start);
  });

  it('hold values within 1/128, in rising order', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const start = bucketStart(bucketOf(value));
        expect(start).toBeLessThanOrEqual(value);
        expect(value - start).toBeLessThanOrEqual(value < 256 ? 0 : value * RELATIVE_ERROR);
        expect(bucketOf(value + 1)).toBeGreaterThanOrEqual(bucketOf(value));
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  it('are 2,304 up to 16 MB', () => {
    expect(bucketOf(16 * 1024 * 1024)).toBe(2_304);
  });
});

describe('a distribution', () => {
  it('agrees with the exact figures of random values', () => {
    fc.assert(
      fc.property(fc.array(anyValue, { minLength: 1, maxLength: 300 }), (values) => {
        const distribution = distributionOf(histogramOf(values));
        const sorted = [...values].sort((a, b) => a - b);
        const sum = values.reduce((total, value) => total + value, 0);
        const mean = sum / values.length;
        const deviation = Math.sqrt(values.reduce((total, value) => total + (value - mean) ** 2, 0) / values.length);
        const maximum = sorted.at(-1) as number;
        expect(distribution).toMatchObject({ count: values.length, sum, min: sorted[0], max: maximum, mean });
        expect(distribution.countAtMax).toBe(values.filter((value) => value === maximum).length);
        expect(Math.abs(distribution.standardDeviation - deviation)).toBeLessThanOrEqual(deviation * 1e-6 + 1e-9);
        const { median, p90, p95, p99 } = distribution;
        for (const [share, found] of [
          [0.5, median],
          [0.9, p90],
          [0.95, p95],
          [0.99, p99],
        ] as const) {
          const exact = nearestRank(sorted, share);
          expect(found).toBeLessThanOrEqual(exact);
          expect(exact - found).toBeLessThanOrEqual(exact < 256 ? 0 : exact * RELATIVE_ERROR);
        }
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  it('has bars that cover the range without gaps and hold every value', () => {
    fc.assert(
      fc.property(fc.array(anyValue, { minLength: 1, maxLength: 200 }), (values) => {
        const { buckets, min, max } = distributionOf(histogramOf(values));
        expect(buckets.length).toBeLessThanOrEqual(10);
        expect([buckets[0]?.from, buckets.at(-1)?.to]).toEqual([min, max]);
        buckets.slice(1).forEach((bucket, index) => expect(bucket.from).toBe((buckets[index]?.to as number) + 1));
        for (const { from, to, count } of buckets) {
          expect(to).toBeGreaterThanOrEqual(from);
          expect(count).toBe(values.filter((value) => value >= from && value <= to).length);
        }
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  it('has bars of equal width, or geometric ones where there is a long tail', () => {
    expect(barWidths(Array.from({ length: 100 }, (_, index) => 100 + index))).toEqual(
      Array.from({ length: 10 }, () => 10),
    );
    const geometric = barWidths([1, 1, 2, 3, 5, 10_000]);
    expect(geometric.length).toBeGreaterThan(5);
    expect(geometric.at(-1) as number).toBeGreaterThan(100 * (geometric[0] as number));
  });

  it.each([
    [
      'equal values',
      [1537, 1537, 1537],
      { mode: 1537, shareAtMode: 1, median: 1537, distinct: 1, standardDeviation: 0, shareAtMax: 1 },
    ],
    [
      'values cut at a cap',
      [5, 1_000, 700, 5_001, 5_001, 5_001],
      { mode: 5_001, shareAtMode: 0.5, p90: 5_001, countAtMax: 3, shareAtMax: 0.5 },
    ],
    ['a mode below the maximum', [3, 3, 3, 200], { mode: 3, shareAtMode: 0.75, max: 200, countAtMax: 1, distinct: 2 }],
    ['nothing', [], { count: 0, sum: 0, mean: 0, median: 0, mode: 0, shareAtMax: 0, buckets: [] }],
  ])('of %s', (_, values, expected) => {
    expect(distributionOf(histogramOf(values))).toMatchObject(expected);
  });

  it('keeps the variance of large values that hardly differ', () => {
    const values = [16_000_000, 16_000_001, 16_000_002];
    expect(distributionOf(histogramOf(values)).standardDeviation).toBeCloseTo(Math.sqrt(2 / 3), 12);
  });
});

describe('merging', () => {
  it('two histograms gives the histogram of all values', () => {
    fc.assert(
      fc.property(fc.array(anyValue, { maxLength: 60 }), fc.array(anyValue, { maxLength: 60 }), (one, other) => {
        const merged = histogramOf(one);
        merged.merge(histogramOf(other));
        const { standardDeviation, ...figures } = distributionOf(merged);
        const { standardDeviation: expectedDeviation, ...expected } = distributionOf(histogramOf([...one, ...other]));
        expect(figures).toEqual(expected);
        expect(Math.abs(standardDeviation - expectedDeviation)).toBeLessThanOrEqual(expectedDeviation * 1e-6 + 1e-3);
        expect(quantile(merged, 1)).toBe(expected.max);
      }),
      { seed: SEED, numRuns: 300 },
    );
  });
});
