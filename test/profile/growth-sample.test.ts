import { BSON, Double, Long, ObjectId, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { creationTimes } from '../../src/growth/measure-growth.js';
import { DocumentProfiler, type ProfiledGrowth } from '../../src/profile/document-profiler.js';
import { placeOf, type LengthSeries } from '../../src/profile/growth-sample/kept-documents.js';
import { MS_PER_DAY } from '../../src/time-units.js';
import { RandomDistributions } from '../support/random-distributions.js';

const NOW = Date.parse('2026-03-01T00:00:00Z');
const daysAgo = (days: number) => new Date(NOW - Math.round(days) * MS_PER_DAY);
const idOf = (days: number) => ObjectId.createFromTime(Math.round((NOW - days * MS_PER_DAY) / 1000));

function profiled(documents: readonly Document[]): ProfiledGrowth {
  const profiler = new DocumentProfiler();
  for (const document of documents) profiler.add(BSON.serialize(document));
  profiler.profile();
  return profiler.growth();
}

const many = (count: number, document: (index: number) => Document) =>
  Array.from({ length: count }, (_, index) => document(index));

const byDocument = ({ documents, lengths }: Pick<LengthSeries, 'documents' | 'lengths'>) =>
  documents.map((number, index) => [number, lengths[index]] as const);

const fieldOf = (documents: readonly Document[], isNaturalOrder = false) =>
  creationTimes(profiled(documents).sample, isNaturalOrder, NOW)?.field ?? null;

describe('the growth sample', () => {
  it('knows of each document its size and what may tell its age', () => {
    const documents = [
      { _id: idOf(3), at: daysAgo(2) },
      { _id: 7, at: daysAgo(5), until: daysAgo(1) },
      { _id: Long.fromNumber(2 ** 40) },
      { _id: new Double(1.5), until: daysAgo(9) },
      { _id: 'seven' },
      { at: daysAgo(2) },
      {},
    ];
    const { sample } = profiled(documents);
    const { objectIdTimes, numericIds, dates } = sample;
    expect([...sample.sizes]).toEqual(documents.map((document) => BSON.calculateObjectSize(document)));
    expect([...objectIdTimes]).toEqual([daysAgo(3).getTime(), NaN, NaN, NaN, NaN, NaN, NaN]);
    expect([...numericIds]).toEqual([NaN, 7, 2 ** 40, 1.5, NaN, NaN, NaN]);
    expect([...dates].map(([field, times]) => [field, [...times.subarray(0, 4)]])).toEqual([
      ['at', [daysAgo(2).getTime(), daysAgo(5).getTime(), NaN, NaN]],
      ['until', [NaN, daysAgo(1).getTime(), NaN, daysAgo(9).getTime()]],
    ]);
  });

  it('holds dates before 1970', () => {
    expect(profiled([{ _id: 1, at: new Date(-5) }]).sample.dates.get('at')?.[0]).toBe(-5);
  });

  it('knows the elements per array of each document, by path', () => {
    const { lengths } = profiled([
      { _id: 1, a: [1, 2, 3], threads: [{ posts: [1] }, { posts: [1, 2, 3] }] },
      { _id: 2, rows: [[1], [2, 3]] },
      { _id: 3, a: [] },
    ]);
    const byPath = [...lengths].map(([path, series]) => [path, Object.fromEntries(byDocument(series))]);
    expect(Object.fromEntries(byPath)).toEqual({
      a: { 0: 3, 2: 0 },
      threads: { 0: 2 },
      'threads[].posts': { 0: 2 },
      rows: { 1: 2 },
      'rows[]': { 1: 1.5 },
    });
  });

  it('keeps at most 1,000 documents, evenly, and the same ones whatever the order', () => {
    const documents = many(10_000, (index) => ({ _id: index, a: [index] }));
    const { sample, lengths } = profiled(documents);
    const numbers = [...sample.numbers];
    expect(numbers.length).toBeGreaterThan(500);
    expect(numbers.length).toBeLessThanOrEqual(1_000);
    expect(numbers.filter((number) => number < 5_000).length / numbers.length).toBeCloseTo(0.5, 1);
    const reversed = profiled(documents.toReversed()).sample.numericIds;
    expect([...reversed].toSorted((a, b) => a - b)).toEqual([...sample.numericIds]);
    expect([...(lengths.get('a')?.documents ?? [])]).toEqual(numbers);
    expect(numbers.map((number) => placeOf(number, sample))).toEqual(numbers.map((_, index) => index));
    expect([...sample.numericIds]).toEqual(numbers);
  });

  it('stays small where documents have thousands of arrays', () => {
    const arrays = Object.fromEntries(
      many(900, (index) => [index]).map((_, index) => [`list${String.fromCharCode(97 + (index % 26))}${index}x`, [1]]),
    );
    const { sample, lengths } = profiled(many(1_000, (index) => ({ _id: index, ...arrays })));
    const kept = [...lengths.values()].reduce((sum, series) => sum + series.lengths.length, 0);
    expect(kept).toBeLessThanOrEqual(201_000);
    expect(sample.numbers.length).toBeGreaterThan(100);
  });

  it('puts the arrays of names that are data at one path', () => {
    const { lengths } = profiled(
      many(200, (index) => ({ _id: index, scores: { [new ObjectId().toHexString()]: [1, 2] } })),
    );
    expect(lengths.get('scores.*')?.lengths.length).toBe(200);
  });
});

describe('creation times', () => {
  const random = new RandomDistributions(1);
  const ages = Array.from({ length: 200 }, () => 1 + 90 * random.next());
  const rising = ages.toSorted((a, b) => b - a);
  const age = (index: number) => ages[index] as number;

  it.each<[string, Document[], boolean, string | null]>([
    ['the ObjectIds', many(200, (index) => ({ _id: idOf(age(index)), at: daysAgo(5) })), false, '_id'],
    [
      'a date that rises with a numeric _id',
      many(200, (index) => ({ _id: index, at: daysAgo(rising[index] as number) })),
      false,
      'at',
    ],
    [
      'a date that rises in natural order',
      many(200, (index) => ({ _id: `x${index}`, at: daysAgo(rising[index] as number) })),
      true,
      'at',
    ],
    [
      'a date that rises with ObjectIds that were all made within minutes',
      many(800, (index) => ({ _id: idOf(1 - index / 100_000), at: daysAgo(100 - index / 10) })),
      false,
      'at',
    ],
    [
      'a date that is years before the ObjectIds of an import in two days',
      many(800, (index) => ({ _id: idOf(3 - index / 400), at: daysAgo(1_800 - 2 * index) })),
      false,
      'at',
    ],
    [
      'the ObjectIds, if dates rise with them that are hardly earlier',
      many(800, (index) => ({ _id: idOf(90 - index / 10), at: daysAgo(95 - index / 10) })),
      false,
      '_id',
    ],
    [
      'the earliest of two such dates',
      many(200, (index) => ({
        _id: index,
        paid: daysAgo((rising[index] as number) - 1),
        placed: daysAgo(rising[index] as number),
      })),
      false,
      'placed',
    ],
    [
      'no date whose order is not known',
      many(200, (index) => ({ _id: `x${index}`, createdAt: daysAgo(age(index)) })),
      false,
      null,
    ],
    [
      'no date that has nothing to do with the order',
      many(200, (index) => ({ _id: index, createdAt: daysAgo(age(index)) })),
      true,
      null,
    ],
    [
      'no date of a last change',
      many(200, (index) => ({ _id: index, updatedAt: daysAgo(index % 3 === 0 ? 0 : (rising[index] as number)) })),
      true,
      null,
    ],
    [
      'no date in the future',
      many(200, (index) => ({ _id: index, due: daysAgo((rising[index] as number) - 60) })),
      true,
      null,
    ],
    [
      'no date that many documents lack',
      many(200, (index) => ({ _id: index, ...(index % 5 > 0 && { at: daysAgo(rising[index] as number) }) })),
      true,
      null,
    ],
    [
      'no date of too few documents',
      many(20, (index) => ({ _id: index, at: daysAgo(rising[index] as number) })),
      true,
      null,
    ],
  ])('come from %s', (_, documents, isNaturalOrder, expected) => {
    expect(fieldOf(documents, isNaturalOrder)).toBe(expected);
  });

  it('are given by document', () => {
    const times = creationTimes(
      profiled(many(200, (index) => ({ _id: idOf(Math.round(age(index))) }))).sample,
      false,
      NOW,
    )?.times;
    expect(times?.[5]).toBe(NOW - Math.round(age(5)) * MS_PER_DAY);
  });
});
