import { describe, expect, it } from 'vitest';
import { ageGrowth } from '../../../src/evidence/growth/ages/age-growth.js';
import { ArrayActivity } from '../../../src/evidence/growth/oplog/array-activity.js';
import {
  forecast,
  LONGEST_FORECAST_DAYS,
  type DayRange,
  type Forecast,
} from '../../../src/evidence/growth/forecast.js';
import type { GrowthRates } from '../../../src/evidence/growth/rates/growth-rates.js';
import { historyGrowth } from '../../../src/evidence/growth/history/history-growth.js';
import type { EarlierRun } from '../../../src/evidence/growth/history/run-comparison.js';
import { oplogGrowth } from '../../../src/evidence/growth/writes/oplog-growth.js';
import { summarize } from '../../../src/evidence/growth/history/quantile-summary.js';
import { MS_PER_DAY } from '../../../src/time-units.js';
import { RandomDistributions } from '../../support/random-distributions.js';

const TRIALS = 500;
const LEAST_COVERAGE = 0.9;
const TESTS = 5;
const A_THIRD = { unit: 'elements', share: 1 / 3 } as const;

const exactly = (value: number) => ({ low: value, estimate: value, high: value });

describe('a forecast', () => {
  const rates: GrowthRates = {
    typical: { value: { low: 90, estimate: 100, high: 110 }, perDay: { low: 8, estimate: 10, high: 12 } },
    largest: { value: 180, perDay: { low: 15, estimate: 20, high: 25 } },
    changePerDay: 0,
  };

  it('reaches further, the further away the limit, if nothing shows whether the rate changes', () => {
    const { changePerDay: _, ...unknown } = rates;
    const near = forecast(unknown, { typical: 120, largest: 1_000 }, 30).typical as DayRange;
    const far = forecast(unknown, { typical: 600, largest: 1_000 }, 30).typical as DayRange;
    expect(near.earliest).toBeGreaterThan(0.75 * (10 / 12));
    expect(near.latest).toBeLessThan(1.4 * (30 / 8));
    expect(far.earliest).toBeLessThan(0.75 * (490 / 12));
    expect(far.latest).toBeGreaterThan(1.4 * (510 / 8));
  });

  it('reaches from the earliest day that value and rate allow to the latest', () => {
    const { typical, largest } = forecast(rates, { typical: 200, largest: 1_000 }, 30);
    expect(typical).toEqual({ earliest: 90 / 12, latest: 110 / 8 });
    expect(largest?.earliest).toBeLessThan(820 / 25);
    expect(largest?.latest).toBeGreaterThan(820 / 15);
  });

  it('says of what is passed that it is', () => {
    const passed: Forecast = { typical: { earliest: 0, latest: 0 }, largest: { earliest: 0, latest: 0 } };
    expect(forecast(rates, { typical: 100, largest: 180 }, 30)).toEqual(passed);
  });

  it.each<[string, GrowthRates['typical'], number]>([
    ['the rate may be 0', { value: exactly(100), perDay: { low: 0, estimate: 1, high: 2 } }, 30],
    ['the rate may be negative', { value: exactly(100), perDay: { low: -1, estimate: 1, high: 2 } }, 30],
    ['it is years away', { value: exactly(100), perDay: exactly(100 / (LONGEST_FORECAST_DAYS + 1)) }, 10_000],
    ['it is much further away than the data reach back', { value: exactly(100), perDay: exactly(1) }, 3],
  ])('is not made where %s', (_, typical, windowDays) => {
    expect(forecast({ ...rates, typical }, { typical: 200, largest: 1_000 }, windowDays).typical).toBeNull();
  });
});

/** Counts in how many trials what came true lies within what was forecast. */
class Coverage {
  private made = 0;
  private right = 0;

  add(range: DayRange | null, truth: number): void {
    if (range === null || range.latest === 0) return;
    this.made += 1;
    if (truth >= range.earliest && truth <= range.latest) this.right += 1;
  }

  /** Share of the forecasts that came true; of too few, none. */
  shareOf(fewest: number): number {
    return this.made < fewest ? 0 : this.right / this.made;
  }
}

interface Simulated {
  readonly value: number;
  /** Elements a day. */
  readonly rate: number;
  readonly age: number;
}

/** Days until each has so many elements, if it goes on at its rate. */
function daysUntil(
  random: RandomDistributions,
  limit: number,
  { value, rate }: Pick<Simulated, 'value' | 'rate'>,
): number {
  return value >= limit ? 0 : random.waitFor(limit - value) / rate;
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

function largestOf<T extends { readonly value: number }>(all: readonly T[]): T {
  return all.reduce((a, b) => (b.value > a.value ? b : a));
}

type RateOf = (random: RandomDistributions) => number;

describe(`in ${TRIALS} simulations, at least ${LEAST_COVERAGE} of the forecasts hold the truth`, () => {
  it.each<[string, number, RateOf, number, number]>([
    ['all documents grow alike, to 200', 400, () => 1, 0, 200],
    ['all documents grow alike, to 1,000', 400, () => 3, 0, 1_000],
    ['they had some elements at birth', 400, () => 1, 20, 200],
    ['their rates differ', 400, (random) => random.lognormal(1, 0.5), 0, 200],
    ['their rates differ much', 1_000, (random) => 2 * random.exponential(), 0, 1_000],
  ])('by age: %s', (_, count, rateOf, atBirth, limit) => {
    const typical = new Coverage();
    const largest = new Coverage();
    for (let trial = 0; trial < TRIALS; trial += 1) {
      const random = new RandomDistributions(trial);
      const collection = Array.from({ length: 3 * count }, (): Simulated => {
        const age = random.next() * 60;
        const rate = rateOf(random);
        return { age, rate, value: random.below(atBirth + 1) + random.poisson(rate * age) };
      });
      const sample = collection.slice(0, count);
      const growth = ageGrowth(sample, A_THIRD, TESTS);
      if (growth?.shape !== 'growing') continue;
      const made = forecast({ changePerDay: 0, ...growth.rates }, { typical: limit, largest: limit }, growth.spanDays);
      typical.add(made.typical, middle(collection.map((one) => daysUntil(random, limit, one))));
      largest.add(made.largest, daysUntil(random, limit, largestOf(sample)));
    }
    expect(typical.shareOf(TRIALS / 2)).toBeGreaterThanOrEqual(LEAST_COVERAGE);
    expect(largest.shareOf(TRIALS / 2)).toBeGreaterThanOrEqual(LEAST_COVERAGE);
  });

  it.each<[string, number, number, RateOf]>([
    ['all documents read and alike', 200, 200, () => 2],
    ['all documents read, their rates differing', 200, 200, (random) => 2 * random.lognormal(1, 0.7)],
    ['a sample of documents', 1_500, 500, () => 6],
    ['a sample of documents, their rates differing', 1_500, 500, (random) => 7 * random.exponential()],
  ])('over daily runs of a week: %s', (_, count, sampled, rateOf) => {
    const limit = 150;
    const typical = new Coverage();
    for (let trial = 0; trial < TRIALS; trial += 1) {
      const random = new RandomDistributions(trial);
      const lengths = Array.from({ length: count }, () => random.below(60));
      const rates = lengths.map(() => rateOf(random));
      const sample = () =>
        sampled === count ? lengths : Array.from({ length: sampled }, () => lengths[random.below(count)] as number);
      const runAt = (day: number) => ({
        at: day * MS_PER_DAY,
        documents: count,
        bytes: null,
        complete: sampled === count,
      });
      const earlier: EarlierRun[] = [];
      for (let day = 0; day < 7; day += 1) {
        earlier.push({ ...runAt(day), isUnchanged: false, values: summarize(sample()) });
        for (let index = 0; index < count; index += 1)
          lengths[index] = (lengths[index] as number) + random.poisson(rates[index] as number);
      }
      const current = { ...runAt(7), bytesPerUnit: 9, values: sample().map((value) => ({ value, time: -1 })) };
      const growth = historyGrowth(earlier, current, TESTS);
      if (growth?.shape !== 'growing') continue;
      const made = forecast(
        { changePerDay: 0, ...growth.rates },
        { typical: limit, largest: limit },
        growth.windowDays,
      );
      typical.add(
        made.typical,
        middle(lengths.map((value, index) => daysUntil(random, limit, { value, rate: rates[index] as number }))),
      );
    }
    expect(typical.shareOf(TRIALS / 2)).toBeGreaterThanOrEqual(LEAST_COVERAGE);
  });

  it.each<[string, number, RateOf]>([
    ['arrays grow alike', 40, () => 20],
    ['their rates differ', 60, (random) => 20 * random.lognormal(1, 0.4)],
  ])('by a day of the oplog: %s', (_, count, rateOf) => {
    const limit = 200;
    const typical = new Coverage();
    const largest = new Coverage();
    for (let trial = 0; trial < TRIALS; trial += 1) {
      const random = new RandomDistributions(trial);
      const rates: number[] = [];
      const activities: ArrayActivity[] = [];
      for (let index = 0; index < count; index += 1) {
        const rate = rateOf(random);
        const activity = activityOf(random, rate, random.below(50));
        if (activity === null) continue;
        rates.push(rate);
        activities.push(activity);
      }
      const growth = oplogGrowth(activities, { from: 0, to: MS_PER_DAY, covered: MS_PER_DAY, unreadShare: 0 });
      if (growth.rates === null) continue;
      const now = activities.map(({ length }, index) => ({ value: length, rate: rates[index] as number }));
      const made = forecast(
        { changePerDay: 0, ...growth.rates },
        { typical: limit, largest: limit },
        growth.windowDays,
      );
      typical.add(made.typical, middle(now.map((one) => daysUntil(random, limit, one))));
      largest.add(made.largest, daysUntil(random, limit, largestOf(now)));
    }
    expect(typical.shareOf(400)).toBeGreaterThanOrEqual(LEAST_COVERAGE);
    expect(largest.shareOf(400)).toBeGreaterThanOrEqual(LEAST_COVERAGE);
  });
});

/** A day of appends to an array, or null where there were none. */
function activityOf(random: RandomDistributions, perDay: number, length: number): ArrayActivity | null {
  let activity: ArrayActivity | null = null;
  let elements = length;
  for (let day = random.exponential() / perDay; day < 1; day += random.exponential() / perDay) {
    const change = { kind: 'set', path: 'reviews', place: 'reviews', from: elements, elements: elements + 1 } as const;
    elements += 1;
    if (activity === null) activity = new ArrayActivity('reviews', 'document', null, change, day * MS_PER_DAY, 0);
    else activity.change(change, day * MS_PER_DAY, 0);
  }
  return activity;
}
