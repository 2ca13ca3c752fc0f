import { describe, expect, it } from 'vitest';
import type { AgeGrowth } from '../../../src/evidence/growth/ages/age-growth.js';
import { areMostOlder, combineGrowth, type Observations } from '../../../src/evidence/growth/combine-growth.js';
import type { MeasuredGrowth } from '../../../src/evidence/growth/growth.js';
import type { GrowthRates } from '../../../src/evidence/growth/rates/growth-rates.js';
import type { HistoryGrowth } from '../../../src/evidence/growth/history/history-growth.js';
import type { OplogGrowth } from '../../../src/evidence/growth/writes/oplog-growth.js';
import { MS_PER_DAY } from '../../../src/time-units.js';

const DOCUMENTS = 1_000;
const exactly = (value: number) => ({ low: value, estimate: value, high: value });
const rates: GrowthRates = {
  typical: { value: exactly(50), perDay: exactly(1) },
  largest: { value: 100, perDay: exactly(2) },
};

const byAge = (rest: object = {}): AgeGrowth => ({
  shape: 'growing',
  documents: 400,
  spanDays: 60,
  correlation: 0.9,
  rates,
  ...rest,
});
const notByAge = (shape: 'plateau' | 'level' | 'step'): AgeGrowth => ({ shape, documents: 400, spanDays: 60 });
const byOplog = (rest: Partial<OplogGrowth> = {}): OplogGrowth => ({
  shape: 'growing',
  windowDays: 3,
  coveredDays: 3,
  appendedPerDay: 40,
  documents: 40,
  highestIndex: 80,
  ongoing: true,
  rates,
  created: null,
  lifetimeDays: null,
  evenly: true,
  writes: rest.documents ?? 40,
  shareAtLongest: 0,
  ...rest,
});
const byHistory = (rest: object = {}): HistoryGrowth => ({
  shape: 'growing',
  runs: 6,
  windowDays: 14,
  rates,
  certain: true,
  lifetimeDays: null,
  ...rest,
});
const lengths = (shortest: number, median: number) => ({
  shortest,
  median,
  longest: 200,
  countAtLongest: 1,
  count: 100,
});
type Seen = Partial<Observations> & { readonly created?: readonly number[] };
const given = ({ created = [], ...rest }: Seen): Observations => ({
  age: null,
  oplog: null,
  history: null,
  unchangedDays: 0,
  lengths: lengths(0, 50),
  values: [],
  arrays: DOCUMENTS,
  daysApart: 0,
  mostAreOlder: areMostOlder(created, rest.oplog ?? null),
  ...rest,
});

const range = (from: number, to: number) => Array.from({ length: 16 }, (_, part) => from + ((to - from) * part) / 15);

const inStep: GrowthRates = {
  typical: { value: exactly(200), perDay: exactly(1) },
  largest: { value: 200, perDay: exactly(2) },
};
const slots = byOplog({ rates: { ...rates, typical: { ...rates.typical, value: exactly(90) } } });

const daysAgo = (days: number) => -days * MS_PER_DAY;
const createdOver = (days: number) => Array.from({ length: 100 }, (_, index) => daysAgo((days * index) / 100));

describe('growth is what the sources show', () => {
  it.each<[string, Seen, Pick<MeasuredGrowth, 'source' | 'sources' | 'confidence'>]>([
    ['age alone', { age: byAge() }, { source: 'age', sources: ['age'], confidence: 'medium' }],
    ['age within hours', { age: byAge({ spanDays: 0.2 }) }, { source: 'age', sources: ['age'], confidence: 'low' }],
    [
      'the oplog, as a run told before, though the same documents show it no longer',
      { oplog: byOplog(), against: 'new', wasTold: true },
      { source: 'oplog', sources: ['oplog'], confidence: 'medium' },
    ],
    [
      'age, as a run told before, though the same documents show it no longer',
      { age: byAge(), against: 'new', wasTold: true },
      { source: 'age', sources: ['age'], confidence: 'medium' },
    ],
    [
      'the oplog, which showed to no run of the last eight days that arrays are emptied',
      { oplog: byOplog(), emptiedDaysAgo: 8 },
      { source: 'oplog', sources: ['oplog'], confidence: 'medium' },
    ],
    ['the oplog of days', { oplog: byOplog() }, { source: 'oplog', sources: ['oplog'], confidence: 'medium' }],
    [
      'the oplog, read so long before that all arrays may have got longer',
      { oplog: slots, lengths: lengths(120, 120), daysApart: 10 },
      { source: 'oplog', sources: ['oplog'], confidence: 'medium' },
    ],
    [
      'the oplog, of arrays in step that were cut by one between the sample and the looking up',
      {
        oplog: byOplog({ rates: inStep, highestIndex: 199, shareAtLongest: 1, mostAtOnce: 2 }),
        lengths: { ...lengths(201, 201), longest: 201, countAtLongest: 100 },
      },
      { source: 'oplog', sources: ['oplog'], confidence: 'medium' },
    ],
    [
      'the oplog, of arrays in step that got longer from the looking up to the sample',
      {
        oplog: byOplog({ rates: inStep, highestIndex: 199, shareAtLongest: 1, mostAtOnce: 1 }),
        lengths: { ...lengths(205, 205), longest: 205, countAtLongest: 100 },
        daysApart: 2,
      },
      { source: 'oplog', sources: ['oplog'], confidence: 'medium' },
    ],
    [
      'the oplog of an hour',
      { oplog: byOplog({ windowDays: 0.04 }) },
      { source: 'oplog', sources: ['oplog'], confidence: 'low' },
    ],
    ['many runs', { history: byHistory() }, { source: 'history', sources: ['history'], confidence: 'high' }],
    [
      'few runs',
      { history: byHistory({ runs: 3 }) },
      { source: 'history', sources: ['history'], confidence: 'medium' },
    ],
    [
      'two runs',
      { history: byHistory({ runs: 2, certain: false }) },
      { source: 'history', sources: ['history'], confidence: 'low' },
    ],
    [
      'two sources',
      { age: byAge({ documents: 60 }), oplog: byOplog() },
      { source: 'oplog', sources: ['oplog', 'age'], confidence: 'high' },
    ],
    [
      'two uncertain sources',
      { history: byHistory({ certain: false }), oplog: byOplog({ windowDays: 0.04 }) },
      { source: 'oplog', sources: ['oplog', 'history'], confidence: 'medium' },
    ],
    [
      'a certain source before an uncertain one',
      { history: byHistory({ certain: false }), age: byAge() },
      { source: 'age', sources: ['age', 'history'], confidence: 'high' },
    ],
    [
      'all three',
      { age: byAge(), oplog: byOplog(), history: byHistory() },
      { source: 'oplog', sources: ['oplog', 'history', 'age'], confidence: 'high' },
    ],
    [
      'appends that go on beside it, too rare to be rates',
      { age: byAge({ documents: 60 }), oplog: byOplog({ shape: 'few', rates: null, writes: 3_000 }) },
      { source: 'age', sources: ['age', 'oplog'], confidence: 'high' },
    ],
    [
      'two runs that a day of the oplog bears out',
      { history: byHistory({ runs: 2, certain: false, windowDays: 2 }), oplog: byOplog({ shape: 'few', rates: null }) },
      { source: 'history', sources: ['history', 'oplog'], confidence: 'medium' },
    ],
  ])('%s', (_, observations, expected) => {
    expect(combineGrowth(given(observations), DOCUMENTS)).toMatchObject(expected);
  });
});

const ratesFrom = (low: number, high: number) => ({
  ...rates,
  typical: { ...rates.typical, perDay: { low, estimate: (low + high) / 2, high } },
});

describe('sources whose rates differ', () => {
  it.each<[string, GrowthRates, readonly [number, number], readonly string[]]>([
    ['within their intervals leave that of the newest as it is', ratesFrom(0.8, 1.4), [0.9, 1.1], []],
    ['by little widen it to hold both', ratesFrom(1.2, 1.6), [0.9, 1.6], []],
    ['by far disagree', ratesFrom(0.1, 0.3), [0.9, 1.1], ['age']],
  ])('%s', (_, ages, [low, high], disagreeing) => {
    const growth = combineGrowth(
      given({ oplog: byOplog({ rates: ratesFrom(0.9, 1.1) }), age: byAge({ rates: ages }) }),
      DOCUMENTS,
    );
    expect(growth).toMatchObject({
      source: 'oplog',
      disagreeing,
      confidence: disagreeing.length > 0 ? 'medium' : 'high',
      rates: { typical: { perDay: { low, estimate: 1, high } } },
    });
  });
});

describe('the rates of the oplog and of a history', () => {
  it.each<[string, GrowthRates, readonly [number, number, number]]>([
    ['that are alike are surer together', ratesFrom(0.9, 1.1), [0.93, 1, 1.08]],
    ['are weighed by how sure they are', ratesFrom(0.5, 1.3), [0.9, 1, 1.11]],
    ['leave the newest as it is if there may be none', ratesFrom(0, 1.2), [0.9, 1, 1.1]],
    ['are held both if they do not meet', ratesFrom(1.2, 1.6), [0.9, 1, 1.6]],
  ])('%s', (_, ofHistory, [low, estimate, high]) => {
    const growth = combineGrowth(
      given({ oplog: byOplog({ rates: ratesFrom(0.9, 1.1) }), history: byHistory({ rates: ofHistory }) }),
      DOCUMENTS,
    );
    const { perDay } = growth?.rates.typical ?? rates.typical;
    expect([perDay.low, perDay.estimate, perDay.high].map((each) => Number(each.toFixed(2)))).toEqual([
      low,
      estimate,
      high,
    ]);
  });
});

it('a busy hour confirms growth, and says nothing against its rate', () => {
  const busy = byOplog({ rates: ratesFrom(900, 1_100), windowDays: 0.04, coveredDays: 0.04 });
  expect(combineGrowth(given({ age: byAge(), oplog: busy }), DOCUMENTS)).toMatchObject({
    source: 'age',
    sources: ['age', 'oplog'],
    disagreeing: [],
    confidence: 'high',
    rates,
  });
});

describe('growth is not what another source refutes', () => {
  it.each<[string, Seen]>([
    ['that of the oplog, which the same documents do not show, and no run told', { oplog: byOplog(), against: 'new' }],
    ['that of ages, which the same documents do not show, and no run told', { age: byAge(), against: 'new' }],
    [
      'that of all others, which the same documents show to be none, whatever was told',
      { oplog: byOplog(), age: byAge(), against: 'any', wasTold: true },
    ],
    [
      'that of the oplog, which showed to a run of the last week that arrays are emptied',
      { oplog: byOplog(), emptiedDaysAgo: 7.9 },
    ],
    ['that of ages, after such a run', { age: byAge(), emptiedDaysAgo: 1 }],
    ['nothing was seen', {}],
    [
      'nothing grows',
      {
        age: notByAge('level'),
        oplog: byOplog({ shape: 'few', rates: null }),
        history: { shape: 'level', runs: 5, windowDays: 9 },
      },
    ],
    ['appends end at an age, as lengths show', { age: notByAge('plateau'), oplog: byOplog() }],
    [
      'appends end at an age, as creation times show',
      { oplog: byOplog({ created: { first: daysAgo(1), last: 0 } }), created: createdOver(60) },
    ],
    ['those that are appended to are shorter than the others', { oplog: byOplog(), lengths: lengths(0, 100) }],
    [
      'all arrays are longer than what is written to: slots that are filled in order',
      { oplog: slots, lengths: lengths(120, 120) },
    ],
    [
      'documents grew once, and a week of the oplog has no append',
      {
        age: byAge(),
        oplog: byOplog({ shape: 'few', rates: null, documents: 0, ongoing: false, windowDays: 7, coveredDays: 7 }),
      },
    ],
    [
      'documents grew once, and a week of the oplog has next to no append',
      { age: byAge(), oplog: byOplog({ shape: 'few', rates: null, writes: 300, windowDays: 7, coveredDays: 7 }) },
    ],
    [
      'many arrays share one greatest length, and few that are written to have it',
      {
        oplog: byOplog({ highestIndex: 199, shareAtLongest: 0.02 }),
        lengths: { ...lengths(0, 50), countAtLongest: 30 },
      },
    ],
    [
      'of the arrays that are as long as the growing ones, most are longer, and no longer written to',
      { oplog: byOplog({ active: { arrays: 70, lengths: range(5, 60) } }), values: [...range(0, 4), ...range(30, 90)] },
    ],
    [
      'half of the arrays are idle, and of the others many share one greatest length, and few of those that are written to',
      {
        oplog: byOplog({ highestIndex: 199, shareAtLongest: 0.08, active: { arrays: 300, lengths: range(5, 60) } }),
        lengths: { ...lengths(0, 50), countAtLongest: 12 },
        values: [...range(0, 4), ...range(0, 4), ...range(0, 4), ...range(5, 60), ...range(180, 200)],
      },
    ],
    [
      'the oplog shows why documents are longer the older they are',
      { age: byAge(), history: byHistory(), oplog: byOplog({ shape: 'capped', rates: null }) },
    ],
    [
      'documents were imported within an hour, all of which the oplog shows without an append',
      {
        age: byAge({ spanDays: 0.04, rates: { ...rates, typical: { value: exactly(50), perDay: exactly(2_000) } } }),
        oplog: byOplog({
          shape: 'few',
          rates: null,
          documents: 0,
          ongoing: false,
          windowDays: 0.05,
          coveredDays: 0.05,
        }),
      },
    ],
    [
      'all came at once, as the oplog shows that reaches back as far',
      { history: byHistory({ windowDays: 2 }), oplog: byOplog({ shape: 'few', rates: null, ongoing: false }) },
    ],
  ])('%s', (_, observations) => {
    expect(combineGrowth(given(observations), DOCUMENTS)).toBeNull();
  });
});

describe('growth is not refuted', () => {
  it.each<[string, Seen]>([
    [
      'by documents of all ages that are appended to',
      { oplog: byOplog({ created: { first: daysAgo(59), last: 0 } }), created: createdOver(60) },
    ],
    [
      'by the youth of a handful of them',
      { oplog: byOplog({ documents: 3, created: { first: daysAgo(1), last: 0 } }), created: createdOver(60) },
    ],
    [
      'by arrays as long as the growing ones that were always idle',
      {
        oplog: byOplog({ active: { arrays: 70, lengths: range(40, 120) } }),
        values: [...range(10, 90), ...range(10, 90), ...range(40, 120)],
      },
    ],
    [
      'by idle arrays that are longer than a few growing ones',
      {
        oplog: byOplog({ active: { arrays: 700, lengths: range(5, 60) } }),
        values: [...range(0, 4), ...range(30, 90)],
      },
    ],
    ['by clocks that differ', { oplog: byOplog({ created: { first: 900, last: 900 } }), created: [0, 0, 0] }],
    ['by ages that have nothing to do with it yet', { age: notByAge('level'), oplog: byOplog() }],
    [
      'by an hour of the oplog without an append',
      { age: byAge(), oplog: byOplog({ shape: 'few', rates: null, documents: 0, ongoing: false, windowDays: 0.04 }) },
    ],
    [
      'by seconds of a busy oplog of days without an append, in which none is to be expected',
      {
        age: byAge(),
        oplog: byOplog({ shape: 'few', rates: null, documents: 0, ongoing: false, windowDays: 7, coveredDays: 0.0001 }),
      },
    ],
    [
      'by a busy oplog of which only seconds were read',
      {
        history: byHistory({ windowDays: 2 }),
        oplog: byOplog({ shape: 'few', rates: null, ongoing: false, coveredDays: 0.001, evenly: false }),
      },
    ],
    [
      'by an oplog that does not reach back',
      { history: byHistory(), oplog: byOplog({ shape: 'one-off', rates: null, ongoing: false, windowDays: 1 }) },
    ],
  ])('%s', (_, observations) => {
    expect(combineGrowth(given(observations), DOCUMENTS)).not.toBeNull();
  });
});

describe('what the same documents show, though the oplog shows that only young arrays grow,', () => {
  const young = byOplog({ shape: 'young', rates: null });
  it.each<[string, Seen, boolean]>([
    ['is kept if it was told, and few of the entries were drawn', { oplog: { ...young, coveredDays: 0.1 } }, true],
    ['ends if the oplog was read whole', { oplog: young }, false],
    ['is not told for the first time', { oplog: { ...young, coveredDays: 0.1 }, wasTold: false }, false],
    [
      'ends if it is not sure that the documents are the same',
      { oplog: { ...young, coveredDays: 0.1 }, history: byHistory({ certain: false }) },
      false,
    ],
  ])('%s', (_, seen, isGrowing) => {
    const growth = combineGrowth(given({ history: byHistory(), wasTold: true, ...seen }), DOCUMENTS);
    expect(growth !== null).toBe(isGrowing);
  });
});
