import { describe, expect, it } from 'vitest';
import { CollectionRuns, type EarlierCollection } from '../../../src/evidence/growth/collection-runs.js';
import { studentT } from '../../../src/evidence/growth/rates/sample-trend.js';
import { summarize } from '../../../src/evidence/growth/history/quantile-summary.js';
import type { CurrentRun } from '../../../src/evidence/growth/history/run-comparison.js';
import { areBytesMissing, runsUnchanged } from '../../../src/evidence/growth/history/stored-bytes.js';
import { MS_PER_DAY } from '../../../src/time-units.js';
import { RandomDistributions } from '../../support/random-distributions.js';

const DAYS = 10;
const DOCUMENTS = 5_000;

type Draw = (random: RandomDistributions) => number;

const LENGTHS: readonly (readonly [string, Draw])[] = [
  ['lognormal', (random) => Math.ceil(random.lognormal(40, 1.2))],
  ['of a power law', (random) => Math.min(20_000, Math.floor(1 / (1 - random.next())))],
  ['short, and a few huge', (random) => (random.chance(0.01) ? 5_000 + random.below(1_000) : random.below(12))],
  ['of two kinds', (random) => (random.chance(0.5) ? random.below(5) : 200 + random.below(100))],
  ['even', (random) => random.below(60)],
];
const SAMPLES: readonly (readonly [string, Draw])[] = [
  ['of 1,000', () => 1_000],
  ['cut down on busy days', (random) => (random.chance(0.5) ? 1_000 : random.between(20, 200))],
  ['cut down each day', (random) => random.between(20, 200)],
];

interface Series {
  readonly lengths: Draw;
  readonly sampled: Draw;
  /** Of the collection on a day. */
  readonly bytes: (day: number) => number | null;
  readonly perDay?: number;
  readonly seed: number;
  /** Whether it is known when the documents were created. */
  readonly isKnown?: boolean;
}

/** What each of ten daily runs says that draws other documents. */
function drawnEachDay({ lengths, sampled, bytes, perDay = 0, seed, isKnown = true }: Series): boolean[] {
  const random = new RandomDistributions(seed);
  const all = random.list(DOCUMENTS, lengths);
  const earlier: EarlierCollection[] = [];
  return Array.from({ length: DAYS + 1 }, (_, day) => {
    const size = sampled(random);
    const values = random.list(size, () => (all[random.below(DOCUMENTS)] as number) + Math.round(day * perDay));
    const sizes = summarize(values);
    const [at, stored] = [day * MS_PER_DAY, bytes(day)];
    const runs = new CollectionRuns([...earlier], {
      at,
      documents: DOCUMENTS,
      bytes: stored,
      sampled: size,
      complete: false,
      tests: 2,
      tracked: null,
    });
    const time = isKnown ? -30 * MS_PER_DAY : null;
    const { growth } = runs.sizes(
      values.map((value): CurrentRun['values'][number] => ({ value, time })),
      null,
    );
    const recorded = { documents: DOCUMENTS, complete: false, sizes, arrays: [] };
    earlier.push({ at, collection: stored === null ? recorded : { ...recorded, bytes: stored } });
    return growth !== null;
  });
}

describe.each(LENGTHS)('if each run draws other documents, whose lengths are %s', (_, lengths) => {
  it.each(SAMPLES)('unchanged data does not grow, in samples %s', (__, sampled) => {
    const unknown = Array.from({ length: 20 }, (___, seed) =>
      drawnEachDay({ lengths, sampled, bytes: () => null, seed, isKnown: seed % 2 === 0 }),
    );
    expect(unknown.flat().filter(Boolean)).toHaveLength(0);
  });

  it('nor if the collection has as many documents and bytes as before, however much samples differ', () => {
    const drawn = { lengths, sampled: () => 1_000, perDay: 20, bytes: () => 5_000_000, seed: 1 };
    expect(drawnEachDay(drawn)).toEqual(Array.from({ length: DAYS + 1 }, () => false));
  });

  it('nor if it gained fewer bytes than its arrays would have', () => {
    const drawn = { lengths, sampled: () => 1_000, perDay: 20, bytes: (day: number) => 5_000_000 + 10 * day, seed: 1 };
    expect(drawnEachDay(drawn)).toEqual(Array.from({ length: DAYS + 1 }, () => false));
  });

  it('growth is found, whether bytes are known or not', () => {
    for (const bytes of [() => null, (day: number) => 5_000_000 + 20 * DOCUMENTS * day])
      expect(drawnEachDay({ lengths, sampled: () => 1_000, perDay: 20, bytes, seed: 1 }).at(-1)).toBe(true);
  });
});

const run = (documents: number, bytes: number | null) => ({ documents, bytes });

describe('the stored bytes', () => {
  it.each([
    ['all runs', [run(5, 90), run(5, 90)], run(5, 90), 2],
    ['those since the last change', [run(5, 90), run(5, 99), run(5, 90)], run(5, 90), 1],
    ['none, with another count', [run(4, 90)], run(5, 90), 0],
    ['none, if they are not known', [run(5, null)], run(5, null), 0],
  ])('are unchanged in %s', (_, earlier, now, unchanged) => {
    expect(runsUnchanged(earlier, now)).toBe(unchanged);
  });

  it.each([
    ['gained as many', 1_000, 2_000, 0, false],
    ['gained hardly any', 1_000, 1_100, 0, true],
    ['lost documents meanwhile', 1_000, 1_100, 0.2, false],
    ['unknown', null, 1_100, 0, false],
  ])('%s: missing for 1,000 that arrays are said to have gained', (_, before, now, gone, isMissing) => {
    expect(areBytesMissing(before, now, gone, 1_000)).toBe(isMissing);
  });
});

it("knows the tails of Student's t", () => {
  // Table of percentage points: 0.1 % and 0.05 %, with 9 and 30 degrees of freedom.
  expect(studentT(0.001, 9)).toBeCloseTo(4.297, 1);
  expect(studentT(0.0005, 30)).toBeCloseTo(3.646, 1);
});
