import { describe, expect, it } from 'vitest';
import { arrayForecasts, combineGrowth, type LastForecasts } from '../../src/growth/combine.js';
import { around } from '../../src/growth/growing-arrays.js';
import type {
  AgeGrowth,
  ArrayGrowth,
  GrowthSource,
  HistoryGrowth,
  MeasuredGrowth,
  OplogGrowth,
} from '../../src/growth/growth.js';
import type { DocumentProfile } from '../../src/profile/document-profile.js';
import { arrays, distribution } from '../support/checks/evidence-builders.js';
import { writtenArray, measured } from '../support/checks/growth-builders.js';

const rates = (perDay: number) => ({
  typical: { value: 50, perDay: around(perDay, 0.1) },
  largest: { value: 150, perDay: around(3 * perDay, 0.1) },
});
const age = (perDay: number, rest: Partial<AgeGrowth> = {}): AgeGrowth => ({
  verdict: 'growing',
  because: 'growing',
  windowDays: 80,
  documents: 500,
  correlation: 0.9,
  rates: rates(perDay),
  ...rest,
});
const oplog = (perDay: number, rest: Partial<OplogGrowth> = {}) =>
  writtenArray({ windowDays: 7, rates: rates(perDay), ...rest });
const history = (perDay: number, rest: Partial<HistoryGrowth> = {}): HistoryGrowth => ({
  verdict: 'growing',
  because: 'growing',
  windowDays: 4,
  runs: 5,
  documents: 160,
  rates: rates(perDay),
  ...rest,
});
const not = { verdict: 'not growing', rates: null } as const;
const unknown = { verdict: 'unknown', because: 'few', rates: null } as const;

describe('sources together', () => {
  it.each<[string, Partial<Pick<ArrayGrowth, GrowthSource>>, Partial<MeasuredGrowth> | null]>([
    ['one alone is named, with medium confidence', { oplog: oplog(2) }, { sources: ['oplog'], confidence: 'medium' }],
    [
      'two that agree are sure',
      { oplog: oplog(2), age: age(2.5) },
      { source: 'oplog', sources: ['oplog', 'age'], confidence: 'high' },
    ],
    [
      'one that is far off does not count',
      { oplog: oplog(2), age: age(9) },
      { sources: ['oplog'], confidence: 'medium' },
    ],
    [
      'what is unknown says nothing',
      { oplog: oplog(2), age: age(2, unknown), history: history(2, unknown) },
      { sources: ['oplog'] },
    ],
    ['the oplog denies what ages show', { oplog: oplog(2, { ...not, because: 'capped' }), age: age(2) }, null],
    [
      'ages do not deny what the oplog shows',
      { oplog: oplog(2), age: age(2, { ...not, because: 'plateau' }) },
      { sources: ['oplog'] },
    ],
    [
      'the same documents deny all',
      { oplog: oplog(2), age: age(2), history: history(2, { ...not, because: 'replaced' }) },
      null,
    ],
    [
      'the same documents know better than the oplog',
      { oplog: oplog(2, { ...not, because: 'young' }), history: history(2) },
      { sources: ['history'] },
    ],
    ['a busy hour has low confidence', { oplog: oplog(2, { windowDays: 0.04 }) }, { confidence: 'low' }],
    [
      'a busy hour confirms, at no rate',
      { oplog: oplog(90, { windowDays: 0.04 }), age: age(2) },
      { source: 'age', sources: ['age', 'oplog'] },
    ],
    ['no source shows any', { age: age(2, { ...not, because: 'level' }) }, null],
  ])('%s', (_, seen, expected) => {
    const growth = combineGrowth({ age: null, oplog: null, history: null, ...seen });
    expect({ growth }).toMatchObject({ growth: expected });
  });

  it('expect young documents not to live on', () => {
    expect(combineGrowth({ age: age(2, { windowDays: 3 }), oplog: null, history: null })?.lifetimeDays).toBe(15);
    expect(combineGrowth({ age: age(2), oplog: null, history: null })?.lifetimeDays).toBeNull();
  });
});

describe('forecasts', () => {
  const [path] = arrays({ path: 'log', lengths: Array.from({ length: 100 }, () => 50) });
  const profile = { sizes: distribution([2_000]) } as DocumentProfile;
  const of = (growth: Partial<MeasuredGrowth>, last: LastForecasts = new Map()) =>
    arrayForecasts(path as NonNullable<typeof path>, measured(growth), profile, last);

  it('say between which days a limit is reached, from both ends of the interval', () => {
    const [soon] = of({ rates: rates(1) });
    expect(soon).toMatchObject({ unit: 'elements', limit: 200, expectedDays: 50 / 3 });
    expect(soon?.typical?.earliest).toBeLessThan(150);
    expect(soon?.typical?.latest).toBeGreaterThan(150);
  });

  it('are left out beyond thirty times what was measured, and beyond the life of the documents', () => {
    expect(of({ rates: rates(1), windowDays: 2 })[0]).toMatchObject({ typical: null });
    expect(of({ rates: rates(1), lifetimeDays: 10 })[0]).toMatchObject({ typical: null, expectedDays: Infinity });
  });

  // By the rates alone it would be 16.7 days, between 14.1 and 19.6.
  it.each([
    ['as many days less as have passed', 18, 17],
    ['never more days than it said', 16, 16],
    ['the earliest day that the interval allows', 4, 14.1],
    ['the latest that it allows', 40, 19.6],
  ])('stay with that of the last run while it lies within the interval: %s', (_, days, expected) => {
    const last = new Map([[200, { earliest: days - 1, latest: days }]]);
    expect(of({ rates: rates(1) }, last)[0]?.expectedDays).toBeCloseTo(expected, 1);
  });
});
