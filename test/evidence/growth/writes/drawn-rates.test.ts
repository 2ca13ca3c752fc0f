import { mean, median } from 'simple-statistics';
import { expect, it } from 'vitest';
import type { DrawnArray } from '../../../../src/evidence/growth/writes/drawn-arrays.js';
import { fitRates } from '../../../../src/evidence/growth/writes/drawn-rates.js';
import { RandomDistributions } from '../../../support/random-distributions.js';

const SHARE = 0.05;
const DAYS = 7;
const TRIALS = 30;

type Times = (random: RandomDistributions, rate: number) => number[];

const atAnyTime: Times = (random, rate) => random.list(random.poisson(rate * DAYS), () => DAYS * random.next());

const atNight: Times = (random, rate) =>
  Array.from({ length: DAYS }, (_, night) =>
    random.list(random.poisson(rate), () => night + 0.6 - random.next() / 24),
  ).flat();

function drawn(random: RandomDistributions, times: readonly number[]): DrawnArray[] {
  const sorted = times.toSorted((a, b) => b - a);
  const seen = sorted.flatMap((days, index) => (random.chance(SHARE) ? [{ days, elements: index + 1 }] : []));
  const first = seen[0];
  if (first === undefined) return [];
  const { days, elements } = first;
  return [
    {
      days,
      gained: sorted.length - elements,
      now: sorted.length,
      times: seen.map((one) => one.days),
      elements: seen.map((one) => one.elements),
      set: seen.map(() => 1),
    },
  ];
}

/** Trials in which the interval holds the median rate of the arrays that there are. */
function held(count: number, deviation: number, times: Times): number {
  let trials = 0;
  for (let seed = 1; seed <= TRIALS; seed += 1) {
    const random = new RandomDistributions(seed);
    const rates = random.list(count, () => random.lognormal(6, deviation));
    const truth = median(rates);
    const arrays = rates.flatMap((rate) => drawn(random, times(random, rate)));
    const { low, high } = fitRates(arrays, SHARE, DAYS).perDay;
    if (low <= truth && truth <= high) trials += 1;
  }
  return trials / TRIALS;
}

const CASES: readonly (readonly [string, number, number, Times])[] = [
  ['equal ones', 300, 0, atAnyTime],
  ['unequal ones', 300, 0.7, atAnyTime],
  ['few and very unequal ones', 60, 1, atAnyTime],
  ['those of a nightly job', 300, 0, atNight],
  ['unequal ones of a nightly job', 300, 0.7, atNight],
];

it('the interval holds the median rate of the arrays that are written to in 83 to 97 of 100 cases, whatever they are', () => {
  const shares = CASES.map(([, count, deviation, times]) => held(count, deviation, times));
  expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.7);
  expect(mean(shares)).toBeGreaterThanOrEqual(0.83);
  expect(mean(shares)).toBeLessThanOrEqual(0.97);
});

it('is narrower for arrays all of which were seen than for a few of many', () => {
  const random = new RandomDistributions(1);
  const arrays = random
    .list(200, () => random.lognormal(6, 0.7))
    .flatMap((rate) => drawn(random, atAnyTime(random, rate)));
  const width = (shareOfArrays: number) => {
    const { low, high } = fitRates(arrays, SHARE, DAYS, shareOfArrays).perDay;
    return Math.log(high / low);
  };
  expect(width(1)).toBeLessThan(0.9 * width(0.01));
});
