import { describe, expect, it } from 'vitest';
import type { DocumentProfile, PathProfile } from '../../../../src/profile/document-profile.js';
import { arrayForecasts } from '../../../../src/evidence/growth/growth-forecasts.js';
import { steadyDays, toldForecasts } from '../../../../src/evidence/growth/history/steady-days.js';
import { STANDARD_ERRORS } from '../../../../src/evidence/growth/rates/estimate.js';
import { LINE_DEVIATIONS } from '../../../../src/profile/sampling/confidence.js';
import { RandomDistributions } from '../../../support/random-distributions.js';
import { arrays, distribution } from '../../../support/checks/evidence-builders.js';
import { measured } from '../../../support/checks/growth-builders.js';

const BEYOND_CHANCE = LINE_DEVIATIONS / STANDARD_ERRORS;

/** Of so many days, whose interval reaches from 0.8 to 1.25 times as many. */
const around = (days: number) => (side: number) => days * 0.8 ** side;

describe('days that were told before', () => {
  it.each<[string, number | undefined, number, number, number]>([
    ['are today’s if none were', undefined, 1, 700, 700],
    ['stay if today’s are a little more', 700, 0, 740, 700],
    ['stay if today’s are a little less', 740, 0, 700, 740],
    ['pass with time', 740, 30, 690, 710],
    ['get no fewer than today’s by time', 740, 30, 720, 720],
    ['get no fewer by time if today’s are more', 700, 30, 740, 700],
    ['are no more than chance explains', 2_000, 1, 700, 700 * 0.8 ** -BEYOND_CHANCE],
    ['are no fewer than chance explains', 200, 1, 700, 700 * 0.8 ** BEYOND_CHANCE],
    ['are 0 once it is passed for sure', 300, 1, 0, 0],
    ['stay if today’s have no end', 700, 1, Infinity, Infinity],
  ])('%s', (_, told, daysAgo, today, expected) => {
    expect(steadyDays(told, daysAgo, around(today))).toBeCloseTo(expected, 6);
  });

  it('stay if the rate may be 0', () => {
    expect(steadyDays(700, 1, (side) => (side < 0 ? Infinity : 800 * 0.5 ** side))).toBe(700);
  });
});

/** How often 120 daily runs cross a line, if the days until it are 60 more at first than the line and 60 fewer at last. */
function crossings(seed: number, error: number, isSteady: boolean): number {
  const random = new RandomDistributions(seed);
  const line = 730;
  let [told, crossed]: [number | undefined, number] = [undefined, 0];
  for (let run = 0; run < 120; run += 1) {
    const today = (line + 60 - run) * Math.exp(error * random.normal());
    const days: number = isSteady
      ? steadyDays(told, 1, (side) => today * Math.exp(-STANDARD_ERRORS * error * side))
      : today;
    if (told !== undefined && told <= line !== days <= line) crossed += 1;
    told = days;
  }
  return crossed;
}

describe('a line that time brings nearer', () => {
  const seeds = Array.from({ length: 100 }, (_, index) => index + 1);

  it.each([0.005, 0.01, 0.02])('is crossed once, at a standard error of %f', (error) => {
    expect(seeds.filter((seed) => crossings(seed, error, true) !== 1)).toEqual([]);
  });

  it('would be crossed several times otherwise', () => {
    expect(seeds.filter((seed) => crossings(seed, 0.01, false) > 1).length).toBeGreaterThan(90);
  });
});

describe('the forecasts of an array', () => {
  const lengths = [10, 20, 30];
  const path = arrays({ path: 'reviews', lengths })[0] as PathProfile;
  const profile = { sizes: distribution([500, 600, 700]) } as DocumentProfile;
  const forecastsOf = (perDay: number, told?: ReturnType<typeof toldForecasts>) => {
    const rate = { low: 0.9 * perDay, estimate: perDay, high: 1.1 * perDay };
    const rates = {
      typical: { value: { low: 50, estimate: 50, high: 50 }, perDay: rate },
      largest: { value: 50, perDay: rate },
    };
    const growth = measured({ rates, byChance: true });
    return arrayForecasts(path, growth, profile, told === undefined ? null : { daysAgo: 1, forecasts: told });
  };

  it('stay as they were told before, and those that are sure, too', () => {
    const told = toldForecasts(forecastsOf(1));
    expect(told).toMatchObject([{ limit: 200, days: 150, surelyDays: 150 / 0.9 }, { limit: 1_000, days: 950 }, {}]);
    const [first] = forecastsOf(1.05, told);
    expect(first).toMatchObject({ expectedDays: 149 });
    expect(first?.surelyDays).toBeCloseTo(150 / 0.9 - 1, 6);
  });

  it('are today’s as far as they differ beyond chance', () => {
    const [first] = forecastsOf(2, toldForecasts(forecastsOf(1)));
    expect(first?.expectedDays).toBeCloseTo(75 * 0.9 ** -BEYOND_CHANCE, 6);
  });
});
