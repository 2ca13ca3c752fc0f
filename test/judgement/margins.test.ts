import { describe, expect, it } from 'vitest';
import {
  distributionSeverity,
  isSeenAgain,
  largestAtLeast,
  quantileAtLeast,
  quantileAtMost,
  shareWithin,
  WHOLE,
} from '../../src/judgement/margins.js';
import { distribution } from '../support/checks/evidence-builders.js';

const LINES = { info: 100, warning: 200, error: 1_000 };
const SAMPLE = { share: 0.001, byChance: false };
const BY_CHANCE = { share: 0.001, byChance: true };
const lengths = (long: number, length: number) => [
  ...Array.from({ length: 1_000 - long }, (_, index) => 1 + (index % 20)),
  ...Array.from({ length: long }, () => length),
];

describe('margins', () => {
  it.each([
    ['a whole collection has none', 11, WHOLE, 'warning'],
    ['1.1 % of a sample may be less than 1 % of all', 11, SAMPLE, 'info'],
    ['4 % are surely more', 40, SAMPLE, 'warning'],
    ['and so they are if others are drawn each time', 40, BY_CHANCE, 'warning'],
  ])('of a quantile: %s', (_, long, seen, severity) => {
    expect(distributionSeverity(distribution(lengths(long, 300)), LINES, seen)?.severity).toBe(severity);
  });

  it.each([
    ['one is a warning if it is seen each time', 1, SAMPLE, 'warning'],
    ['one is an info if it is seen by chance', 1, BY_CHANCE, 'info'],
    ['five are no chance', 5, BY_CHANCE, 'warning'],
  ])('of extremes: %s', (_, long, seen, severity) => {
    const graded = distributionSeverity(distribution(lengths(long, 2_000)), LINES, seen);
    expect(graded).toEqual({ severity, byExtremesOnly: true });
  });

  it('shrink with the part that was seen', () => {
    const values = distribution(lengths(11, 300));
    const [few, most] = [0.1, 0.95].map((share) => quantileAtLeast(values, 'p99', { share, byChance: false }));
    expect(few).toBeLessThan(most as number);
    expect(most).toBeLessThan(values.p99);
    expect(quantileAtLeast(values, 'p99', WHOLE)).toBe(values.p99);
    expect(quantileAtMost(values, 'median', SAMPLE)).toBeGreaterThan(values.median);
    expect(shareWithin(5, 100, WHOLE)).toEqual([0.05, 0.05]);
    expect(shareWithin(5, 100, SAMPLE)[0]).toBeLessThan(0.02);
  });

  it('count what is seen again', () => {
    expect([isSeenAgain(1, SAMPLE), isSeenAgain(4, BY_CHANCE), isSeenAgain(5, BY_CHANCE)]).toEqual([true, false, true]);
    expect(largestAtLeast(distribution(lengths(4, 300)), BY_CHANCE)).toBe(20);
    expect(largestAtLeast(distribution(lengths(5, 300)), BY_CHANCE)).toBe(300);
  });
});
