import { describe, expect, it } from 'vitest';
import type { DrawnArray } from '../../../../src/evidence/growth/writes/drawn-arrays.js';
import { fitRates } from '../../../../src/evidence/growth/writes/drawn-rates.js';
import { rateTrend, trendBy } from '../../../../src/evidence/growth/writes/rate-trend.js';
import { RandomDistributions } from '../../../support/random-distributions.js';

const SHARE = 0.05;
const DAYS = 7;

/** An array of which a twentieth of the writes was drawn. @param times days since each append */
function drawn(random: RandomDistributions, times: readonly number[]): DrawnArray[] {
  const sorted = times.toSorted((a, b) => b - a);
  const seen = sorted.flatMap((days, index) => (random.chance(SHARE) ? [{ days, elements: index + 1 }] : []));
  const first = seen[0];
  if (first === undefined) return [];
  return [
    {
      days: first.days,
      gained: sorted.length - first.elements,
      now: sorted.length,
      times: seen.map(({ days }) => days),
      elements: seen.map(({ elements }) => elements),
      set: seen.map(() => 1),
    },
  ];
}

/** @param density of appends so many days ago, at most 1 */
function arrays(seed: number, perDay: number, density: (days: number) => number): DrawnArray[] {
  const random = new RandomDistributions(seed);
  return Array.from({ length: 300 }, () => {
    const times = random.list(random.poisson(perDay * DAYS), () => DAYS * random.next());
    return drawn(
      random,
      times.filter((days) => random.chance(density(days))),
    );
  }).flat();
}

describe('the rate of the last days', () => {
  it.each<[string, (days: number) => number, number]>([
    ['is the average one if nothing changes', () => 1, 0],
    ['is higher if arrays gained most of it lately', (days) => Math.exp(-0.08 * days), 1],
    ['is lower if they gained most of it before', (days) => Math.exp(0.08 * (days - DAYS)), -1],
  ])('%s', (_, density, direction) => {
    const { sinceAverage, error } = rateTrend(arrays(1, 12, density), SHARE, 1);
    expect(error).toBeLessThan(0.04);
    expect(Math.abs(sinceAverage) > 0.06 ? Math.sign(sinceAverage) : 0).toBe(direction);
  });

  it('may be twice or half as high a month on if elements come together, or nothing was drawn twice', () => {
    const some = arrays(1, 12, (days) => Math.exp(-0.08 * days));
    expect(rateTrend(some, SHARE, 8)).toMatchObject({ sinceAverage: 0 });
    expect(rateTrend(some, SHARE, 8).error).toBeGreaterThan(0.04);
  });

  it('follows a change as far as it is surer than how rates usually change', () => {
    expect(trendBy(0.02, 1e-8, 2).sinceAverage).toBeCloseTo(0.04, 3);
    expect(trendBy(0.02, 1, 2).sinceAverage).toBeCloseTo(0, 3);
    expect(trendBy(0.02, 1, 2).error).toBeCloseTo((2 * Math.LN2) / 30, 3);
  });
});

it('is the average of the week if some days have more appends than others', () => {
  const some = arrays(3, 12, (days) => (days > 4 ? 1 : 0.25));
  const { perDay } = fitRates(some, SHARE, DAYS);
  const truth = (12 * (3 + 4 * 0.25)) / 7;
  expect(perDay.estimate / truth).toBeGreaterThan(0.9);
  expect(perDay.estimate / truth).toBeLessThan(1.1);
});
