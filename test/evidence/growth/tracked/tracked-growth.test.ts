import { median, quantile } from 'simple-statistics';
import { describe, expect, it } from 'vitest';
import { areUnchanged } from '../../../../src/evidence/growth/against-others.js';
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
const cutOn =
  (onDay: number, lost: number): Day =>
  (random, day) =>
    day === onDay ? -lost : random.poisson(2);
const twice: Day = (random, day, _, length) => (day % 8 === 0 ? -length / 2 : random.poisson(2));
const falling: Day = (random, day, _, length) => (day < 8 ? random.poisson(2) : day === 8 ? -length / 2 : 0);
/** Documents lose some, while all go up. */
const comeAndGo: Day = (random) => random.poisson(6) - random.poisson(3);
const ofUnequalDays: Day = (random, day) => random.poisson([1, 3, 1.5, 5][day % 4] as number);
/** Three a day, a dozen at once. */
const inBursts: Day = (random) => {
  const bursts = Array.from({ length: random.poisson(3 / 12) }, () => 1 + random.poisson(11));
  return bursts.reduce((sum, elements) => sum + elements, 0);
};
const inBurstsOfThird: Day = (random, ...day) => (day[1] % 3 === 0 ? inBursts(random, ...day) : 0);
const inSpells: Day = (random, day, document) => ((day + 7 * document) % 30 < 15 ? random.poisson(3) : 0);
const untilFriday: Day = (random, day) => (day % 7 < 5 ? random.poisson(3) : 0);
const stopping: Day = (random, day, document) => (day < 6 + 4 * (document % 11) ? random.poisson(3) : 0);
const waves: Day = (random, day) => random.poisson(5) + 10 * Math.sin(2.1 * day) - 5;
const sincePenultimate: Day = (random, day) => (day > 10 ? random.poisson(2) : 0);
const ofTen: Day = (random, day, document) => (document < 10 ? waves(random, day, document, 0) : 0);
const losing: Day = (random, day) => (day === 12 || day === 20 ? -2 : random.poisson(2));
const rising: Day = (random, day, _, length) => (day === 20 ? -length / 2 : random.poisson(1.5 * 1.08 ** day));
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

  it('again after a job has cut them down, once half as long again has passed as it takes to gain as much', () => {
    expect(new Set(shapes(cut, { days: 20 }))).toEqual(new Set(['cut']));
    expect(new Set(shapes(cut, { days: 24 }))).toEqual(new Set(['growing']));
    const growth = trackedGrowth(tracked(cut, 1, { days: 24 }), 'elements', TESTS);
    expect(growth?.windowDays).toBe(16);
  });

  it.each<[string, Day, number, number]>([
    ['it is the run after the cut', cut, 8, 2],
    ['there are four runs since', cut, 11, 2],
    ['there are five runs since', cut, 12, 2],
    ['a restore took three days of it', cutOn(8, 6), 9, 2],
  ])('which the run before told: one cut does not change that, and %s', (_, day, days, rate) => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const values = tracked(day, seed, { days });
      const growth = trackedGrowth(values, 'elements', TESTS, true);
      if (growth?.shape !== 'growing') throw new Error(`expected growth, got ${growth?.shape}`);
      const { typical } = growth.rates;
      expect(Math.abs(Math.log(typical.perDay.estimate / rate))).toBeLessThan(Math.log(1.2));
      const now = values.documents.map(({ values: lengths }) => lengths.at(-1) as number);
      expect(typical.value.estimate).toBe(median(now));
    }
  });

  it.each<[string, Day, number?]>([
    ['it began after a month of nothing', (random, day) => (day === 36 ? -8 : day > 30 ? random.poisson(2) : 0)],
    ['there was a backfill', (random, day) => (day === 36 ? -40 : random.poisson(2) + (day === 20 ? 200 : 0))],
    ['it pauses each weekend', (random, day) => (day === 36 ? -20 : day % 7 < 5 ? random.poisson(2.8) : 0), 1.8],
  ])('at its own rate from the day of a cut on, though %s', (_, day, most = 1.5) => {
    for (const days of [36, 37, 38, 39, 40, 41, 42]) {
      const growth = trackedGrowth(tracked(day, 1, { days, first: 60 }), 'elements', TESTS, true);
      if (growth?.shape !== 'growing') throw new Error(`expected growth on day ${days}, got ${growth?.shape}`);
      expect(Math.abs(Math.log(growth.rates.typical.perDay.estimate / 2))).toBeLessThan(Math.log(most));
    }
  });

  it('at its rate of now, though it rises and a cut is one of the last days', () => {
    for (const days of [19, 20, 21, 22, 23]) {
      const errors = Array.from({ length: 10 }, (_, seed) => {
        const growth = trackedGrowth(tracked(rising, seed, { days, first: 40 }), 'elements', TESTS, true);
        const rate = growth?.shape === 'growing' ? growth.rates.typical.perDay.estimate : Number.NaN;
        return Math.log(rate / (1.5 * 1.08 ** days));
      });
      expect(Math.abs(median(errors))).toBeLessThan(Math.log(1.15));
    }
  });

  it('without its change, if the runs before a cut lie within less than two weeks', () => {
    const { daysAgo, documents } = tracked(cutOn(10, 15), 1, { days: 15 });
    const kept = daysAgo.flatMap((_, run) => (run <= 7 || run >= 14 ? [run] : []));
    const some = {
      daysAgo: kept.map((run) => daysAgo[run] as number),
      documents: documents.map((document) => ({
        ...document,
        values: Float64Array.from(kept, (run) => document.values[run] as number),
      })),
    };
    const growth = trackedGrowth(some, 'elements', TESTS, true);
    expect(growth).toMatchObject({
      shape: 'growing',
      rates: expect.not.objectContaining({ changePerDay: expect.anything() }),
    });
  });

  it('through two losses of a day’s gain each', () => {
    expect(trackedGrowth(tracked(losing, 1, { days: 29 }), 'elements', TESTS, true)?.shape).toBe('growing');
  });

  it('that the run before told is told by as uneven days as do not show it at first', () => {
    const values = tracked(ofUnequalDays, 1);
    expect(trackedGrowth(values, 'elements', TESTS)?.shape).toBe('single-step');
    expect(trackedGrowth(values, 'elements', TESTS, true)?.shape).toBe('growing');
  });

  it('at once of arrays that also lose elements, if all days are alike', () => {
    expect(new Set(shapes(comeAndGo, { first: 60, days: 5 }))).toEqual(new Set(['growing']));
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
    ['they were cut down once, five days ago', cutOn(2, 15), 7],
    ['they lost as much on one day as they gain on one, five days ago', cutOn(1, 2), 6],
    [
      'queues get longer for six uneven days',
      (random, day) => random.poisson([20, 21, 23, 22, 24, 21][day - 1] as number) - random.poisson(20),
      6,
    ],
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
    const first = [9, 12, 15, 18, 21, 22, 23, 24].find((days) => shapeAfterCut(days, null) === 'growing') ?? NaN;
    const growth = trackedGrowth(tracked(cut, 1, { days: first }), 'elements', TESTS, false);
    expect(growth?.shape).toBe('cut');
    expect(growth).not.toHaveProperty('rates');
    expect(shapeAfterCut(first + 1, false)).toBe('growing');
  });

  it('they were told to grow, and have been cut down twice', () => {
    expect(trackedGrowth(tracked(twice, 1, { days: 15 }), 'elements', TESTS, true)?.shape).toBe('growing');
    expect(trackedGrowth(tracked(twice, 1, { days: 16 }), 'elements', TESTS, true)?.shape).toBe('cut');
  });

  it('they were told to grow, and have gained nothing for days since a cut', () => {
    expect(trackedGrowth(tracked(falling, 1, { days: 11 }), 'elements', TESTS, true)?.shape).toBe('cut');
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

describe('other sources that show growth are held against the same documents:', () => {
  it.each<[string, Day, number, boolean, string]>([
    ['any, if they go up and down', waves, 9, true, 'any'],
    ['any, if they are cut again and again', twice, 29, true, 'any'],
    ['any, if only short ones gain', (random, _, __, length) => (length < 20 ? random.poisson(3) : 0), 4, true, 'any'],
    ['what was not told, if they were cut once', cut, 12, false, 'new'],
    ['what was not told, if days are too unlike', ofUnequalDays, 4, false, 'new'],
    ['none, if growth began two days ago', sincePenultimate, 12, false, 'none'],
    ['none, if too few of them change', ofTen, 9, true, 'none'],
  ])('%s', (_, day, days, wasGrowing, against) => {
    expect(trackedGrowth(tracked(day, 1, { days }), 'elements', TESTS, wasGrowing)).toMatchObject({ against });
  });

  it('any by which they are written to, if they stay as they are', () => {
    const nothing = tracked(() => 0, 1);
    expect(areUnchanged(nothing, 0.5)).toBe(true);
    expect(areUnchanged(nothing, 0.05)).toBe(false);
    expect(areUnchanged(tracked(waves, 1), 1)).toBe(false);
  });
});

it('runs from before the arrays were there do not count as days without a cut', () => {
  const { daysAgo, documents } = tracked((random, day) => (day === 47 ? -54 : day > 40 ? random.poisson(10) : 0), 1, {
    days: 50,
  });
  const unseen = documents.map(({ values, isEven }) => ({
    isEven,
    values: values.map((one, run) => (run < 41 ? NaN : one)),
  }));
  expect(trackedGrowth({ daysAgo, documents: unseen }, 'elements', TESTS)?.shape).toBe('cut');
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
