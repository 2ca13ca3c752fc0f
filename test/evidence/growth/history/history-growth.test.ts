import { describe, expect, it } from 'vitest';
import { historyGrowth, type HistoryGrowth } from '../../../../src/evidence/growth/history/history-growth.js';
import type { CurrentRun, EarlierRun } from '../../../../src/evidence/growth/history/run-comparison.js';
import { summarize } from '../../../../src/evidence/growth/history/quantile-summary.js';
import { MS_PER_DAY } from '../../../../src/time-units.js';
import { RandomDistributions } from '../../../support/random-distributions.js';

const TESTS = 5;
const DAYS = 7;

interface Document {
  length: number;
  readonly bornOn: number;
}

/** What happens to the documents on a day. */
type Day = (random: RandomDistributions, documents: Document[], day: number) => Document[];

interface Setting {
  /** Days of runs; the last is the current one. */
  readonly runs?: readonly number[];
  readonly documents?: number;
  /** Documents per sample; all where absent. */
  readonly sampled?: number;
  readonly agesKnown?: boolean;
  readonly seed?: number;
}

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6, 7];
const TWICE = [0, DAYS];

function runsOver(
  day: Day,
  { runs = EVERY_DAY, documents = 300, sampled, agesKnown = true, seed = 1 }: Setting,
): HistoryGrowth | null {
  const random = new RandomDistributions(seed);
  let all = Array.from({ length: documents }, (): Document => ({ length: random.below(60), bornOn: -1 }));
  const earlier: EarlierRun[] = [];
  for (let today = 0; ; today += 1) {
    const sample =
      sampled === undefined ? all : Array.from({ length: sampled }, () => all[random.below(all.length)] as Document);
    const run = { at: today * MS_PER_DAY, documents: all.length, bytes: null, complete: sampled === undefined };
    if (today === DAYS) {
      const values = sample.map(({ length, bornOn }) => ({
        value: length,
        time: agesKnown ? bornOn * MS_PER_DAY : null,
      }));
      const current: CurrentRun = { ...run, bytesPerUnit: 9, values };
      return historyGrowth(earlier, current, TESTS);
    }
    if (runs.includes(today))
      earlier.push({ ...run, isUnchanged: false, values: summarize(sample.map(({ length }) => length)) });
    all = day(random, all, today);
  }
}

/** Every document gets elements at a rate per day. */
const growBy =
  (perDay: number): Day =>
  (random, documents) =>
    documents.map((document) => ({ ...document, length: document.length + random.poisson(perDay) }));

/** Every document gets elements once. */
const backfill =
  (onDay: number, elements: (random: RandomDistributions) => number): Day =>
  (random, documents, day) =>
    day === onDay
      ? documents.map((document) => ({ ...document, length: document.length + elements(random) }))
      : documents;

function born(random: RandomDistributions, count: number, day: number, shortest: number): Document[] {
  return Array.from({ length: count }, () => ({ length: shortest + random.below(60), bornOn: day + random.next() }));
}

describe('growth between runs is found', () => {
  it.each<[string, Day, Setting]>([
    ['between two runs', growBy(2), { runs: TWICE }],
    ['over a week of runs', growBy(2), {}],
    ['in samples', growBy(4), { documents: 4_000, sampled: 1_000 }],
    [
      'while documents are born',
      (random, all, day) => [...growBy(2)(random, all, day), ...born(random, 10, day, 0)],
      {},
    ],
    [
      'while documents are deleted at random',
      (random, all, day) => growBy(2)(random, all, day).filter(() => random.next() > 0.01),
      {},
    ],
    ['where ages are not known', growBy(2), { agesKnown: false }],
  ])('%s', (_, day, setting) => {
    const growth = runsOver(day, setting);
    if (growth?.shape !== 'growing') throw new Error(`expected growth, got ${growth?.shape}`);
    const truth = setting.sampled === undefined ? 2 : 4;
    expect(Math.abs(growth.rates.typical.perDay.estimate / truth - 1)).toBeLessThan(0.15);
    expect(growth.windowDays).toBe(DAYS);
    expect(growth.certain).toBe(setting.runs !== TWICE && setting.agesKnown !== false);
  });

  it('even in a collection of one document', () => {
    const growth = runsOver(growBy(5), { documents: 1 });
    expect(growth).toMatchObject({ shape: 'growing', runs: 8 });
  });

  it('counts documents that exist only now for nothing, however long their arrays', () => {
    const growth = runsOver((random, all, day) => [...growBy(2)(random, all, day), ...born(random, 20, day, 200)], {});
    expect(growth?.shape === 'growing' && Math.round(growth.rates.typical.perDay.estimate)).toBe(2);
  });
});

describe('no growth is found', () => {
  it.each<[string, Day, Setting, HistoryGrowth['shape']]>([
    ['lengths are stable', (_, all) => all, {}, 'level'],
    ['lengths are stable and sampled', (_, all) => all, { documents: 4_000, sampled: 1_000 }, 'level'],
    ['longer documents are inserted', (random, all, day) => [...all, ...born(random, 15, day, 60)], {}, 'level'],
    [
      'longer documents are inserted, ages not known',
      (random, all, day) => [...all, ...born(random, 15, day, 60)],
      { agesKnown: false },
      'level',
    ],
    [
      'short ones are deleted',
      (random, all) => all.filter(({ length }) => length > 30 || random.next() > 0.06),
      {},
      'level',
    ],
    [
      'short ones are deleted, ages not known',
      (random, all) => all.filter(({ length }) => length > 30 || random.next() > 0.06),
      { agesKnown: false },
      'level',
    ],
    [
      'lists stay at their cap',
      (random, all) => all.map((one) => ({ ...one, length: Math.min(50, one.length + random.poisson(3)) })),
      {},
      'cap',
    ],
    ['a backfill gave every document ten more', backfill(3, () => 10), {}, 'single-step'],
    ['a backfill gave every document some more', backfill(3, (random) => random.below(20)), {}, 'single-step'],
    ['a backfill on the last day', backfill(6, () => 10), {}, 'single-step'],
    ['a backfill between the only two runs', backfill(3, () => 10), { runs: TWICE }, 'single-step'],
    [
      'arrays get shorter',
      (_, all) => all.map((one) => ({ ...one, length: Math.floor(one.length * 0.9) })),
      {},
      'level',
    ],
  ])('%s', (_, day, setting, shape) => {
    const found = [1, 2, 3, 4, 5].map((seed) => runsOver(day, { ...setting, seed })?.shape);
    expect(found).not.toContain('growing');
    expect(found).toContain(shape);
  });

  it('in 500 samples of stable lengths, at most 5 times', () => {
    const found = Array.from(
      { length: 500 },
      (_, seed) => runsOver((__, all) => all, { runs: TWICE, documents: 2_000, sampled: 200, seed })?.shape,
    );
    expect(found.filter((shape) => shape === 'growing').length).toBeLessThanOrEqual(5);
  });
});

describe('runs are not compared', () => {
  it('where none came before', () => {
    expect(runsOver(growBy(2), { runs: [] })).toBeNull();
  });

  it('where their samples were too small', () => {
    expect(runsOver(growBy(2), { documents: 4_000, sampled: 20 })).toBeNull();
  });

  it('where hardly any document is left', () => {
    expect(runsOver((_, all, day) => (day === 6 ? all.slice(0, 10) : all), { runs: TWICE })).toBeNull();
  });
});
