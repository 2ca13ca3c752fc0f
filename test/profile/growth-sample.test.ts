import { BSON, type Document, ObjectId } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { DocumentProfiler, type ProfiledGrowth } from '../../src/profile/document-profiler.js';
import { placeOf, type LengthSeries } from '../../src/profile/growth-sample/growth-sample.js';
import { MS_PER_DAY } from '../../src/time-units.js';

const NOW = Date.parse('2026-03-01T00:00:00Z');
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

describe('the growth sample', () => {
  it('knows of each document its size, and its age by an ObjectId', () => {
    const documents = [{ _id: idOf(3) }, { _id: 7, at: new Date(NOW) }, { _id: 'seven' }, { at: idOf(2) }, {}];
    const { sample } = profiled(documents);
    expect([...sample.sizes]).toEqual(documents.map((document) => BSON.calculateObjectSize(document)));
    expect([...sample.objectIdTimes]).toEqual([NOW - 3 * MS_PER_DAY, NaN, NaN, NaN, NaN]);
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
    const reversed = profiled(documents.toReversed()).sample.digests;
    expect([...reversed].toReversed()).toEqual([...sample.digests]);
    expect([...(lengths.get('a')?.documents ?? [])]).toEqual(numbers);
    expect(numbers.map((number) => placeOf(number, sample))).toEqual(numbers.map((_, index) => index));
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
