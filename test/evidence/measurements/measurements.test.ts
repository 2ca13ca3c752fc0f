import { BSON, Decimal128, ObjectId, UUID, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../src/demo/seeded-random.js';
import { measurementFields } from '../../../src/evidence/measurements/measurement-fields.js';
import { seriesFigures, type Reading } from '../../../src/evidence/measurements/measurement-series.js';
import { DocumentProfiler } from '../../../src/profile/document-profiler.js';

const list = (length: number, make: (index: number) => Document) => Array.from({ length }, (_, index) => make(index));
const at = (index: number) => new Date(1.7e12 + index);

function fieldsOf(documents: readonly Document[]) {
  const profiler = new DocumentProfiler();
  for (const document of documents) profiler.add(BSON.serialize({ _id: new ObjectId(), ...document }));
  return measurementFields(profiler.profile());
}

describe('the fields of measurements', () => {
  it.each<[string, Document[], ReturnType<typeof fieldsOf>]>([
    [
      'flat ones',
      list(200, (index) => ({ sensor: `s${index % 9}`, at: at(index), value: index / 3 })),
      { time: 'at', sources: ['sensor'], values: ['value'] },
    ],
    [
      'with the source and more in an object',
      list(200, (index) => ({
        meta: { device: new UUID(), site: index % 4 },
        ts: at(index),
        v: Decimal128.fromString('1.5'),
      })),
      { time: 'ts', sources: ['meta.device', 'meta.site'], values: ['meta.site', 'v'] },
    ],
    [
      'with a position',
      list(200, (index) => ({
        bus: new ObjectId(),
        at: at(index),
        speed: 3.5,
        loc: { type: 'Point', coordinates: [4.3, 52] },
      })),
      { time: 'at', sources: ['bus', 'loc.type'], values: ['speed'] },
    ],
    [
      'with a value that may be missing',
      list(200, (index) => ({ s: 'a', at: at(index), ...(index % 2 === 0 ? { t: 1 } : { h: 2.5 }) })),
      { time: 'at', sources: ['s'], values: ['t', 'h'] },
    ],
  ])('%s', (_, documents, expected) => {
    expect(fieldsOf(documents)).toEqual(expected);
  });

  it.each<[string, Document[]]>([
    ['no date', list(200, () => ({ sensor: 'a', value: 1.5 }))],
    [
      'two dates, as things that are made and changed have',
      list(200, (index) => ({ sensor: 'a', created: at(index), updated: at(index), value: 1.5 })),
    ],
    [
      'dates in some only',
      list(200, (index) => ({ sensor: 'a', value: 1.5, ...(index % 2 === 0 && { at: at(index) }) })),
    ],
    ['dates written as text', list(200, (index) => ({ sensor: 'a', at: at(index).toISOString(), value: 1.5 }))],
    ['no number', list(200, (index) => ({ sensor: 'a', at: at(index), state: 'on' }))],
    ['no source', list(200, (index) => ({ at: at(index), value: 1.5 }))],
    ['buckets', list(200, (index) => ({ sensor: 'a', from: at(index), readings: [{ t: 1.5 }, { t: 2 }] }))],
    [
      'a long list of numbers',
      list(200, (index) => ({ sensor: 'a', at: at(index), value: 1, spectrum: Array.from({ length: 64 }, () => 1.5) })),
    ],
    ['tags', list(200, (index) => ({ sensor: 'a', at: at(index), value: 1, tags: ['x'] }))],
    ['long texts', list(200, (index) => ({ title: 'x'.repeat(3_000), at: at(index), likes: 3 }))],
  ])('not with %s', (_, documents) => {
    expect(fieldsOf(documents)).toBeNull();
  });
});

describe('the figures of a series', () => {
  const MINUTE = 60_000;
  const sources = Array.from({ length: 20 }, (_, index) => `s${index}`);
  const regular = (jitter: (position: number) => number): Reading[] =>
    Array.from({ length: 30 }, (_, minute) =>
      sources.map((source, position) => ({ source, time: minute * MINUTE + jitter(minute * 20 + position) })),
    ).flat();

  it('knows sources, interval and order of regular readings', () => {
    expect(seriesFigures(regular(() => 0))).toEqual({
      sources: 20,
      readingsPerSource: 30,
      interval: MINUTE,
      intervalSpread: 0,
      risingShare: 1,
    });
  });

  it('takes some jitter', () => {
    const random = new SeededRandom(5);
    const figures = seriesFigures(regular(() => random.next() * 5_000));
    expect(figures?.interval).toBeCloseTo(MINUTE, -4);
    expect(figures?.intervalSpread).toBeLessThan(0.15);
  });

  it('knows times that come by chance: a spread of about 1.6', () => {
    const random = new SeededRandom(6);
    let time = 0;
    const readings = Array.from({ length: 4_000 }, () => ({
      source: sources[random.below(20)] as string,
      time: (time += random.exponential() * MINUTE),
    }));
    expect(seriesFigures(readings)?.intervalSpread).toBeCloseTo(1.6, 0);
    expect(seriesFigures(readings)?.risingShare).toBe(1);
  });

  it('knows readings that were written in no order', () => {
    const random = new SeededRandom(7);
    const shuffled = regular(() => 0).toSorted(() => random.next() - 0.5);
    expect(seriesFigures(shuffled)?.risingShare).toBeLessThan(0.7);
  });

  it('says nothing of too few readings for each source, or of one time for all', () => {
    expect(seriesFigures(sources.flatMap((source) => [1, 2, 3].map((time) => ({ source, time }))))).toBeNull();
    expect(seriesFigures(Array.from({ length: 400 }, (_, index) => ({ source: `s${index % 4}`, time: 5 })))).toBeNull();
    expect(seriesFigures([])).toBeNull();
  });

  it('does not let a few sources with many readings speak for many with few', () => {
    const few = Array.from({ length: 20 }, (_, index) => ({ source: 'busy', time: index * MINUTE }));
    const many = Array.from({ length: 100 }, (_, index) => ({ source: `s${index}`, time: index * 777 }));
    expect(seriesFigures([...few, ...many])).toBeNull();
  });
});
