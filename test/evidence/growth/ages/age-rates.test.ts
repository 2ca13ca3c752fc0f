import { mean, median } from 'simple-statistics';
import { expect, it } from 'vitest';
import { ageGrowth } from '../../../../src/evidence/growth/ages/age-growth.js';
import { RandomDistributions } from '../../../support/random-distributions.js';

const OLDEST = 90;
const DOCUMENTS = 600;
const TRIALS = 40;
const TESTS = 5;

interface Grown {
  readonly value: number;
  /** Elements a day, now. */
  readonly rate: number;
}

type World = (random: RandomDistributions, age: number) => Grown;

const atRates =
  (deviation: number): World =>
  (random, age) => {
    const rate = random.lognormal(3, deviation);
    return { rate, value: random.poisson(rate * age) };
  };

const inBursts: World = (random, age) => ({ rate: 3, value: 12 * random.poisson((3 / 12) * age) });

/** Elements a day, and how many are expected by now. */
type Course = (age: number) => { readonly rate: number; readonly expected: number };

const slowerWithAge: Course = (age) => ({ rate: 8 / (1 + age / 40), expected: 8 * 40 * Math.log(1 + age / 40) });

const fasterForAll: Course = (age) => ({ rate: 4, expected: ((4 * 50) / Math.LN2) * (1 - 2 ** (-age / 50)) });

const inStraightLine: Course = (age) => ({ rate: 8 - (8 * age) / 135, expected: 8 * age - (4 * age ** 2) / 135 });

const fallingWithAge: Course = (age) => ({
  rate: 8 * 2 ** (-age / 60),
  expected: ((8 * 60) / Math.LN2) * (1 - 2 ** (-age / 60)),
});

const slowerForAll: Course = (age) => ({ rate: 3, expected: ((3 * 60) / Math.LN2) * (2 ** (age / 60) - 1) });

const alike =
  (course: Course): World =>
  (random, age) => {
    const { rate, expected } = course(age);
    return { rate, value: random.poisson(expected) };
  };

const atUnequalRates =
  (course: Course, deviation: number): World =>
  (random, age) => {
    const factor = random.lognormal(1, deviation);
    const { rate, expected } = course(age);
    return { rate: factor * rate, value: random.poisson(factor * expected) };
  };

/** Of the trials in which growth is found, those whose interval holds the median rate of all documents. */
function held(world: World, trials = TRIALS): number {
  const holds: number[] = [];
  for (let seed = 1; seed <= trials; seed += 1) {
    const random = new RandomDistributions(seed);
    const documents = Array.from({ length: DOCUMENTS }, () => {
      const age = OLDEST * random.next();
      return { age, ...world(random, age) };
    });
    const growth = ageGrowth(documents, { unit: 'elements', share: 1 }, TESTS);
    if (growth?.shape !== 'growing') continue;
    const truth = median(documents.map(({ rate }) => rate));
    const { low, high } = growth.rates.typical.perDay;
    holds.push(low <= truth && truth <= high ? 1 : 0);
  }
  return mean(holds);
}

it('the interval by age holds the median rate in 83 to 97 of 100 cases, whatever the rates are', () => {
  const shares = [atRates(0), atRates(0.7), inBursts, alike(slowerWithAge), alike(fasterForAll)].map((world) =>
    held(world),
  );
  expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.7);
  expect(mean(shares)).toBeGreaterThanOrEqual(0.83);
  expect(mean(shares)).toBeLessThanOrEqual(0.97);
});

it('a curve over ages has two causes, and the interval holds the rate in 83 of 100 cases or more by either', () => {
  const curves = [slowerWithAge, inStraightLine, fallingWithAge, fasterForAll, slowerForAll];
  const shares = curves.map((course) => held(alike(course), 5 * TRIALS));
  expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.83);
  expect(mean(shares)).toBeLessThanOrEqual(0.97);
});

it('a curve that unequal rates hide counts as far as it is likely', () => {
  const curves = [slowerWithAge, fallingWithAge, fasterForAll, slowerForAll].map((course) =>
    atUnequalRates(course, 0.5),
  );
  const shares = curves.map((world) => held(world, 3 * TRIALS));
  expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.55);
  expect(mean(shares)).toBeGreaterThanOrEqual(0.75);
  expect(mean(shares)).toBeLessThanOrEqual(0.95);
});

it('an array that is rarely written to counts for less than one that is written to each week', () => {
  const random = new RandomDistributions(1);
  const documents = Array.from({ length: 1_000 }, (_, index) => {
    const age = OLDEST * random.next();
    return { age, value: random.poisson((index % 3 === 0 ? 0.02 : 3) * age) };
  });
  const growth = ageGrowth(documents, { unit: 'elements', share: 0 }, TESTS);
  if (growth?.shape !== 'growing') throw new Error('expected growth');
  const { low, estimate } = growth.rates.typical.perDay;
  expect(Math.abs(estimate - 3)).toBeLessThan(0.1);
  expect(low).toBeLessThan(3);
});
