import { describe, expect, it } from 'vitest';
import { ageGrowth, type AgedValue, type AgeGrowth } from '../../../../src/evidence/growth/ages/age-growth.js';
import { RandomDistributions } from '../../../support/random-distributions.js';

/** Ages go up to so many days. */
const OLDEST = 60;
const TESTS = 5;
const WHOLE = { unit: 'elements', share: 1 } as const;

type World = (random: RandomDistributions, age: number) => number;

function documents(
  world: World,
  count: number,
  seed: number,
  age = (random: RandomDistributions) => random.next() * OLDEST,
): AgedValue[] {
  const random = new RandomDistributions(seed);
  return Array.from({ length: count }, () => {
    const days = age(random);
    return { age: days, value: world(random, days) };
  });
}

/** A list as a job leaves it that cuts those that have reached one length to another. */
function cutTo(kept: number, reached: number, appended: number): number {
  return appended < reached ? appended : kept + ((appended - reached) % (reached - kept));
}

function growing(growth: AgeGrowth | null): Extract<AgeGrowth, { shape: 'growing' }> {
  if (growth?.shape !== 'growing') throw new Error(`expected growth, got ${growth?.shape}`);
  return growth;
}

describe('growth with age is found', () => {
  it.each<[string, World, number, number]>([
    ['one element a day, at random', (random, age) => random.poisson(age), 300, 1],
    ['one element a day, exactly', (_, age) => Math.floor(age), 60, 1],
    ['on top of 10 to 30 elements at birth', (random, age) => 10 + random.below(20) + random.poisson(age), 300, 1],
    ['ten elements a day', (random, age) => random.poisson(10 * age), 100, 10],
    ['one element in ten days', (random, age) => random.poisson(0.1 * age), 1_000, 0.1],
    ['only after five days', (random, age) => random.poisson(1.13 * Math.max(0, age - 5)), 500, 1],
    [
      'while a quarter of the documents is idle',
      (random, age) => (random.next() < 0.25 ? 0 : random.poisson(age)),
      1_000,
      1,
    ],
  ])('%s', (_, world, count, perDay) => {
    const { rates, correlation } = growing(ageGrowth(documents(world, count, 1), WHOLE, TESTS));
    const { low, estimate, high } = rates.typical.perDay;
    expect(Math.abs(estimate / perDay - 1)).toBeLessThan(0.15);
    expect(low).toBeLessThanOrEqual(estimate);
    expect(high).toBeGreaterThanOrEqual(estimate);
    expect(correlation).toBeGreaterThan(0.3);
  });

  it('where documents differ in their rates, and tells the largest from the typical', () => {
    const { rates } = growing(
      ageGrowth(
        documents((random, age) => random.poisson(age * random.lognormal(1, 0.7)), 1_000, 3),
        WHOLE,
        TESTS,
      ),
    );
    expect(rates.largest.perDay.low).toBeGreaterThan(rates.typical.perDay.high);
    expect(rates.largest.value).toBeGreaterThan(3 * rates.typical.value.estimate);
  });
});

it('growth is found in documents none of which is young', () => {
  const old = documents(
    (random, age) => random.poisson(age),
    500,
    1,
    (random) => 30 + 90 * random.next(),
  );
  expect(growing(ageGrowth(old, WHOLE, TESTS)).rates.typical.perDay.estimate).toBeCloseTo(1, 1);
});

describe('no growth is found', () => {
  it.each<[string, World, AgeGrowth['shape']]>([
    ['age and length have nothing to do with each other', (random) => random.poisson(20), 'level'],
    ['heavy tails', (random) => Math.floor(5 * random.lognormal(1, 1.5)), 'level'],
    ['one length', () => 7, 'level'],
    ['younger documents are longer', (random, age) => random.poisson(OLDEST - age), 'level'],
    ['a backfill gave all documents ten more', (random) => random.poisson(8) + 10, 'level'],
    ['hourly buckets fill and roll over', (random, age) => random.poisson(60 * Math.min(1, age * 24)), 'level'],
    ['lists are cut at a cap that is reached early', (random, age) => Math.min(50, random.poisson(5 * age)), 'level'],
    [
      'lists are cut at a cap that is reached in mid-life',
      (random, age) => Math.min(50, random.poisson(2 * age)),
      'plateau',
    ],
    [
      'lists are cut at a cap that is reached late',
      (random, age) => Math.min(50, random.poisson(1.2 * age)),
      'plateau',
    ],
    [
      'lists are cut at a cap that the oldest documents alone have reached',
      (_, age) => Math.min(55, Math.floor(age)),
      'plateau',
    ],
    ['a job cuts lists of 200 to 150', (random, age) => cutTo(150, 200, random.poisson(4.5 * age)), 'plateau'],
    ['documents grow for eight days or so', (random, age) => random.poisson(50 * (1 - Math.exp(-age / 8))), 'plateau'],
    ['older documents are of another kind', (random, age) => random.poisson(age > 30 ? 20 : 5), 'plateau'],
    ['there have been two other kinds', (random, age) => random.poisson(age > 40 ? 40 : age > 20 ? 20 : 5), 'step'],
    [
      'ever more of them are of another kind',
      (random, age) => random.poisson(random.next() < age / OLDEST ? 30 : 5),
      'step',
    ],
    [
      'there have been three other kinds',
      (random, age) => random.poisson([5, 15, 30, 60][Math.floor(age / 15)] ?? 60),
      'step',
    ],
  ])('%s', (_, world, shape) => {
    const found = [1, 2, 3, 4, 5].map((seed) => ageGrowth(documents(world, 500, seed), WHOLE, TESTS)?.shape);
    expect(found).not.toContain('growing');
    expect(found).toContain(shape);
  });

  it.each([10, 90])('documents of five years were imported %d days ago, in two days, the oldest first', (daysAgo) => {
    const random = new RandomDistributions(4);
    const imported = Array.from({ length: 500 }, () => {
      const trueAge = 1_800 * random.next();
      return { age: daysAgo + (2 * trueAge) / 1_800, value: random.poisson(0.2 * trueAge) };
    });
    expect(ageGrowth(imported, WHOLE, TESTS)?.shape).toBe('import');
  });

  it.each<[string, (length: number, age: number, random: RandomDistributions) => boolean]>([
    ['short ones are deleted in time', (length, age, random) => length < 12 && random.next() < age / 30],
    ['half of the short ones are deleted', (length, age, random) => length < 10 && random.next() < age / OLDEST],
    [
      'the shorter, the sooner they are deleted',
      (length, age, random) => random.next() > Math.exp(-age / (3 * length)),
    ],
  ])('%s', (_, isDeleted) => {
    const random = new RandomDistributions(9);
    const survivors: AgedValue[] = [];
    while (survivors.length < 1_000) {
      const age = random.next() * OLDEST;
      const value = 1 + Math.floor(10 * random.exponential());
      if (!isDeleted(value, age, random)) survivors.push({ age, value });
    }
    expect(ageGrowth(survivors, WHOLE, TESTS)?.shape).not.toBe('growing');
  });

  it('ages of most documents lie before the cap, those of the oldest beyond it', () => {
    const capped = documents(
      (random, age) => Math.min(50, random.poisson(3 * age)),
      1_000,
      5,
      (random) => 10 * random.exponential(),
    );
    expect(ageGrowth(capped, WHOLE, TESTS)?.shape).toBe('plateau');
  });
});

describe('ages are not judged', () => {
  it.each<[string, number, number]>([
    ['with too few documents', 39, OLDEST],
    ['where all documents are of an age', 500, 0.01],
  ])('%s', (_, count, oldest) => {
    const all = documents(
      (__, age) => Math.floor(1_000 * age),
      count,
      1,
      (random) => random.next() * oldest,
    );
    expect(ageGrowth(all, WHOLE, TESTS)).toBeNull();
  });
});

const fewOfUnequalRates: World = (random, age) =>
  random.below(6) + (random.chance(0.2) ? random.poisson(random.lognormal(3, 1) * age) : 0);

it('growth is found in 80 of 100 collections of 1,000 documents, four fifths of them idle, at rates a factor of 3 apart', () => {
  const found = Array.from(
    { length: 50 },
    (_, seed) => ageGrowth(documents(fewOfUnequalRates, 1_000, seed), WHOLE, TESTS)?.shape,
  );
  expect(found.filter((shape) => shape === 'growing').length).toBeGreaterThanOrEqual(40);
});

it('in 1,000 random collections without growth, at most 10 get a finding', () => {
  const lengths: World[] = [
    (random) => random.poisson(3),
    (random) => random.poisson(40),
    (random) => Math.floor(10 * random.exponential()),
    (random) => Math.floor(5 * random.lognormal(1, 1.5)),
    (random) => (random.next() < 0.8 ? 0 : random.below(100)),
  ];
  const ages = [
    (random: RandomDistributions) => random.next() * OLDEST,
    (random: RandomDistributions) => 10 * random.exponential(),
  ];
  let findings = 0;
  for (let trial = 0; trial < 1_000; trial += 1) {
    const random = new RandomDistributions(trial);
    const count = 40 + random.below(400);
    const found = lengths.map(
      (world, index) =>
        ageGrowth(documents(world, count, trial * 10 + index, ages[trial % 2]), WHOLE, lengths.length)?.shape,
    );
    if (found.includes('growing')) findings += 1;
  }
  expect(findings).toBeLessThanOrEqual(10);
});
