import { quantile } from 'simple-statistics';
import { describe, expect, it } from 'vitest';
import { trackedGrowth, type TrackedGrowth } from '../../../../src/evidence/growth/tracked/tracked-growth.js';
import type { TrackedValues } from '../../../../src/evidence/growth/tracked/tracked-documents.js';
import { RandomDistributions } from '../../../support/random-distributions.js';

const TESTS = 3;
const COUNT = 200;

/** What a document gains on a day. */
type Day = (random: RandomDistributions, day: number, document: number, length: number) => number;

function tracked(day: Day, seed: number, { days = 4, count = COUNT, first = 20 } = {}): TrackedValues {
  const random = new RandomDistributions(seed);
  const daysAgo = Array.from({ length: days + 1 }, (_, run) => days - run);
  const documents = Array.from({ length: count }, (_, document) => {
    const values = new Float64Array(days + 1);
    values[0] = random.wholeLognormal(first, 0.5);
    for (let run = 1; run <= days; run += 1) {
      const before = values[run - 1] as number;
      values[run] = Math.max(0, before + day(random, run, document, before));
    }
    return { values, isEven: true };
  });
  return { daysAgo, documents };
}

const ofFew: Day = (random, _, document) => (document % 20 === 0 ? random.poisson(5) : 0);
const weekly: Day = (random, day) => (day % 7 === 3 ? random.poisson(14) : 0);
const cut: Day = (random, day, _, length) => (day === 8 ? -length / 2 : random.poisson(2));
/** Three a day, a dozen at once. */
const inBursts: Day = (random) => {
  const bursts = Array.from({ length: random.poisson(3 / 12) }, () => 1 + random.poisson(11));
  return bursts.reduce((sum, elements) => sum + elements, 0);
};
const inBurstsOfThird: Day = (random, ...day) => (day[1] % 3 === 0 ? inBursts(random, ...day) : 0);
const inSpells: Day = (random, day, document) => ((day + 7 * document) % 30 < 15 ? random.poisson(3) : 0);
const untilFriday: Day = (random, day) => (day % 7 < 5 ? random.poisson(3) : 0);
const stopping: Day = (random, day, document) => (day < 6 + 4 * (document % 11) ? random.poisson(3) : 0);
const apart: Day = (random) => random.poisson(2) - random.poisson(2);

/** Half of the documents are kept by chance, the others by earlier runs only if they were among the longest quarter then. */
function longestOfEachRun({ daysAgo, documents }: TrackedValues): TrackedValues {
  const least = daysAgo.map((_, run) =>
    quantile(
      Array.from(documents, ({ values }) => values[run] as number),
      0.75,
    ),
  );
  const isKept = (run: number, value: number) => run === daysAgo.length - 1 || value > (least[run] as number);
  return {
    daysAgo,
    documents: documents.map(({ values }, document) => ({
      isEven: document % 2 === 0,
      values: document % 2 === 0 ? values : values.map((value, run) => (isKept(run, value) ? value : NaN)),
    })),
  };
}

function shapeAfterCut(days: number, wasGrowing: boolean | null): string | undefined {
  return trackedGrowth(tracked(cut, 1, { days }), 'elements', TESTS, wasGrowing)?.shape;
}

function growingOfTwenty(day: Day, wasGrowing: boolean): number {
  const found = Array.from({ length: 20 }, (_, seed) =>
    trackedGrowth(tracked(day, seed, { days: 12 }), 'elements', TESTS, wasGrowing),
  );
  return found.filter((growth) => growth?.shape === 'growing').length;
}

function shapes(day: Day, setting: Parameters<typeof tracked>[2] = {}): (TrackedGrowth['shape'] | undefined)[] {
  return Array.from({ length: 10 }, (_, seed) => trackedGrowth(tracked(day, seed, setting), 'elements', TESTS)?.shape);
}

describe('growth of the same documents is found', () => {
  it.each<[string, Day, number]>([
    ['of all, by two a day', (random) => random.poisson(2), 2],
    ['each night at once', (random) => random.poisson(6), 6],
    ['that a backfill hides', (random, day) => random.poisson(2) + (day === 2 ? 40 : 0), 2],
    ['that began a day after the first run', (random, day) => (day > 1 ? random.poisson(3) : 0), 3],
  ])('%s', (_, day, rate) => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const growth = trackedGrowth(tracked(day, seed), 'elements', TESTS);
      if (growth?.shape !== 'growing') throw new Error(`expected growth, got ${growth?.shape}`);
      expect(growth.rates.typical.perDay.estimate / rate).toBeGreaterThan(0.75);
      expect(growth.rates.typical.perDay.estimate / rate).toBeLessThan(1.33);
    }
  });

  it('of one in twenty, of which others are as long, in 19 of 20 collections', () => {
    const found = Array.from({ length: 40 }, (_, seed) => trackedGrowth(tracked(ofFew, seed), 'elements', TESTS));
    const rates = found.flatMap((growth) =>
      growth?.shape === 'growing' ? [growth.rates.typical.perDay.estimate] : [],
    );
    expect(rates.length).toBeGreaterThanOrEqual(38);
    for (const rate of rates) expect(Math.abs(rate / 5 - 1)).toBeLessThan(0.33);
  });

  it('at its rate, though ever more of those that grow come to be among the longest', () => {
    const days = 5;
    const daysAgo = Array.from({ length: days + 1 }, (_, run) => days - run);
    const seenSince = (from: number, length: number, perDay: number) =>
      Float64Array.from(daysAgo, (_, run) => (run < from ? NaN : length + perDay * run));
    const documents = [
      ...Array.from({ length: 157 }, (_, index) => ({ isEven: true, values: seenSince(0, 5 + (index % 20), 0) })),
      ...Array.from({ length: 3 }, () => ({ isEven: true, values: seenSince(0, 5, 5) })),
      ...Array.from({ length: 17 }, (_, index) => ({ isEven: false, values: seenSince(3 + (index % 2), 5, 5) })),
    ];
    const growth = trackedGrowth({ daysAgo, documents }, 'elements', TESTS);
    if (growth?.shape !== 'growing') throw new Error(`expected growth, got ${growth?.shape}`);
    expect(Math.abs(growth.rates.typical.perDay.estimate / 5 - 1)).toBeLessThan(0.15);
    expect(growth.rates.typical.perDay.low).toBeLessThan(5);
    expect(growth.rates.typical.perDay.high).toBeGreaterThan(5);
  });

  it('in bursts, which is not taken for slow growth if most documents have one or none in the window', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const growth = trackedGrowth(tracked(inBursts, seed), 'elements', TESTS);
      if (growth?.shape !== 'growing') throw new Error(`expected growth, got ${growth?.shape}`);
      expect(growth.rates.typical.perDay.estimate / 3).toBeGreaterThan(0.6);
    }
  });

  it('in bursts of a third of them, of which chance lets more stop than begin', () => {
    const found = Array.from({ length: 40 }, (_, seed) =>
      trackedGrowth(tracked(inBurstsOfThird, seed), 'elements', TESTS),
    );
    expect(found.filter((growth) => growth?.shape === 'young').length).toBeLessThanOrEqual(2);
    expect(found.filter((growth) => growth?.shape === 'growing').length).toBeGreaterThanOrEqual(36);
  });

  it('of a single one, the longest', () => {
    const found = shapes((random, _, document) => (document === 0 ? random.poisson(400) : 0));
    expect(found.filter((shape) => shape === 'growing').length).toBeGreaterThanOrEqual(9);
  });

  it('of arrays that pause, of which as many begin again as stop', () => {
    expect(new Set(shapes(inSpells, { days: 20 }))).toEqual(new Set(['growing']));
  });

  it('that pauses for all at once', () => {
    expect(new Set(shapes(untilFriday, { days: 20 }))).toEqual(new Set(['growing']));
  });

  it('by a weekly job, once it has run often enough', () => {
    expect(shapes(weekly, { days: 5 })).not.toContain('growing');
    expect(new Set(shapes(weekly, { days: 29 }))).toEqual(new Set(['growing']));
  });

  it('again after a job has cut them down', () => {
    expect(new Set(shapes(cut, { days: 14 }))).toEqual(new Set(['growing']));
    const growth = trackedGrowth(tracked(cut, 1, { days: 14 }), 'elements', TESTS);
    expect(growth?.windowDays).toBe(6);
  });
});

describe('no growth of the same documents is found', () => {
  it.each<[string, Day, number]>([
    ['nothing changes', () => 0, 4],
    ['lists are saved anew', (random, _, __, length) => random.poisson(20) - length, 4],
    ['lengths go up and down at random', (random) => random.poisson(2) - random.poisson(2), 29],
    ['all go up and down together', (random, day) => random.poisson(5) + 10 * Math.sin(2.1 * day) - 5, 4],
    ['there was one backfill', (_, day) => (day === 2 ? 10 : 0), 4],
    ['there were two backfills', (random, day) => (day === 2 || day === 4 ? random.poisson(6) : 0), 4],
    ['a job goes through the documents', (_, day, document) => (document % 4 === day - 1 ? 6 : 0), 4],
    ['it has stopped', (random, day) => (day < 15 ? random.poisson(2) : 0), 29],
    ['they are cut to 50', (random, _, __, length) => Math.min(50, length + random.poisson(3)) - length, 29],
    ['they are cut down each week', (random, day, _, length) => (day % 7 === 0 ? 20 - length : random.poisson(3)), 29],
    ['arrays stop one after the other', (random, day, document) => (day < document % 60 ? random.poisson(3) : 0), 29],
    [
      'some arrays stop one after the other',
      (random, day, document) => (document % 4 === 0 && day < document % 60 ? random.poisson(3) : 0),
      20,
    ],
    ['only those that are being filled gain', (random, _, __, length) => (length < 20 ? random.poisson(3) : 0), 4],
  ])('%s', (_, day, days) => {
    expect(shapes(day, { days })).not.toContain('growing');
  });

  it('as many stop as chance may explain, and the run before told no growth', () => {
    expect(growingOfTwenty(stopping, true)).toBeGreaterThanOrEqual(16);
    expect(growingOfTwenty(stopping, false)).toBeLessThanOrEqual(4);
  });

  it('they were cut down once in sight, and the run before would have told none by what is left', () => {
    const first = [9, 10, 11, 12, 13, 14].find((days) => shapeAfterCut(days, null) === 'growing') ?? NaN;
    const growth = trackedGrowth(tracked(cut, 1, { days: first }), 'elements', TESTS, false);
    expect(growth?.shape).toBe('cut');
    expect(growth).not.toHaveProperty('rates');
    expect(shapeAfterCut(first + 1, false)).toBe('growing');
  });

  it('what loses elements is no longer among the longest, which each run keeps', () => {
    const kept = Array.from({ length: 20 }, (_, seed) =>
      longestOfEachRun(tracked(apart, seed, { days: 12, first: 60 })),
    );
    const found = kept.map((values) => trackedGrowth(values, 'elements', TESTS)?.shape);
    expect(found.filter((shape) => shape === 'growing')).toEqual([]);
  });

  it('in 1,000 collections that change at random, at most 10 times', () => {
    const found = Array.from({ length: 1_000 }, (_, seed) => {
      const common = Array.from({ length: 5 }, (__, day) => new RandomDistributions(seed * 10 + day).normal(0, 3));
      const together: Day = (random, day) => random.poisson(4) - 4 + (common[day] ?? 0);
      const day = seed % 2 === 0 ? together : apart;
      return trackedGrowth(tracked(day, seed, { count: 60, first: 60 }), 'elements', TESTS)?.shape;
    });
    expect(found.filter((shape) => shape === 'growing').length).toBeLessThanOrEqual(10);
  });
});

it('runs are not compared before there are four', () => {
  expect(
    trackedGrowth(
      tracked((random) => random.poisson(2), 1, { days: 2 }),
      'elements',
      TESTS,
    ),
  ).toBeNull();
});
