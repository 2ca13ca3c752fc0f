import { BSON, Binary, ObjectId, UUID, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { bloatedDocument } from '../../checks/bloated-document.js';
import { deepNesting } from '../../checks/deep-nesting.js';
import { dynamicFieldNames } from '../../checks/dynamic-field-names.js';
import { longReferenceArray } from '../../checks/long-reference-array.js';
import { outlierDocument } from '../../checks/outlier-document.js';
import { oversizedDocument } from '../../checks/oversized-document.js';
import { unboundedArray } from '../../checks/unbounded-array.js';
import type { AnyCollectionCheck } from '../../src/check.js';
import { DocumentProfiler } from '../../src/profile/document-profiler.js';
import { problems } from '../support/checks/evidence-builders.js';
import { RandomDistributions } from '../support/random-distributions.js';

/** The checks of how documents are shaped. */
const CHECKS: readonly AnyCollectionCheck[] = [
  unboundedArray,
  longReferenceArray,
  oversizedDocument,
  bloatedDocument,
  outlierDocument,
  deepNesting,
  dynamicFieldNames,
];

const random = new RandomDistributions(42);
const DAY = 86_400_000;
const KB = 1024;

const list = <T>(length: number, element: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => element(index));
const text = (length: number) => 'lorem ipsum '.repeat(Math.ceil(length / 12)).slice(0, length);
const time = () => new Date(1.7e12 + random.between(0, 300) * DAY);
const reviews = (length: number) =>
  list(length, () => ({ _id: new ObjectId(), by: 'someone', text: text(60), at: time() }));
const measurements = (length: number) => list(length, () => ({ at: time(), value: random.next() }));
const position = () => [random.next() * 180, random.next() * 90];
const tree = (levels: number): Document =>
  levels === 0 ? { name: 'leaf' } : { name: 'node', children: [tree(levels - 1)] };

/** What the checks find in documents that were written as BSON and profiled, as "check path". */
function found(documents: readonly Document[]): string[] {
  const profiler = new DocumentProfiler();
  for (const document of documents) profiler.add(BSON.serialize({ _id: new ObjectId(), ...document }));
  const profile = profiler.profile();
  const { sizes } = profile;
  const given = { profile, largest: { maximumBytes: sizes.max }, storage: { count: sizes.count, size: sizes.sum } };
  return CHECKS.flatMap((check) => problems(check, given).map(({ path }) => `${check.id} ${path}`));
}

describe('real documents that show an anti-pattern', () => {
  it.each<[string, () => Document[], string[]]>([
    [
      'reviews without end',
      () => list(300, () => ({ reviews: reviews(random.wholeLognormal(20, 1.4)) })),
      ['unbounded-array reviews'],
    ],
    [
      'posts in threads',
      () =>
        list(100, () => ({
          threads: list(4, () => ({ title: text(20), posts: reviews(random.wholeLognormal(12, 1.4)) })),
        })),
      ['unbounded-array threads[].posts'],
    ],
    [
      'measurements for ever',
      () => list(60, () => ({ sensor: { readings: measurements(random.between(1, 3_000)) } })),
      ['unbounded-array sensor.readings'],
    ],
    [
      'rows in a growing table',
      () => list(60, () => ({ rows: list(random.between(1, 8_000), () => [1, 2]) })),
      ['unbounded-array rows'],
    ],
    [
      'followers',
      () => list(100, () => ({ followers: list(random.wholeLognormal(400, 1.7), () => new ObjectId()) })),
      ['unbounded-array followers', 'long-reference-array followers'],
    ],
    [
      'devices by UUID',
      () => list(60, () => ({ devices: list(random.between(0, 4_000), () => new UUID()) })),
      ['unbounded-array devices', 'long-reference-array devices'],
    ],
    [
      'a document near the limit',
      () => [...list(200, () => ({ body: text(300) })), { body: text(15_000 * KB) }],
      ['oversized-document null', 'outlier-document null'],
    ],
    [
      'images in products',
      () => list(60, () => ({ price: 3, stock: 4, category: 'kitchen', image: new Binary(Buffer.alloc(700 * KB)) })),
      ['bloated-document null'],
    ],
    [
      'a bestseller',
      () => [
        ...list(400, () => ({ buyers: list(random.between(5, 30), () => text(10)) })),
        { buyers: list(30_000, () => text(10)) },
      ],
      ['unbounded-array buyers', 'outlier-document null'],
    ],
    ['a tree', () => list(50, (index) => tree(index % 12)), ['deep-nesting children']],
    [
      'ids as names',
      () =>
        list(80, () => ({
          scores: Object.fromEntries(
            list(random.between(2, 9), () => [new ObjectId().toHexString(), { wins: random.between(0, 9) }]),
          ),
        })),
      ['dynamic-field-names scores'],
    ],
  ])('%s', (_, documents, expected) => {
    expect(found(documents())).toEqual(expected);
  });
});

describe('real documents that are well designed', () => {
  it.each<[string, () => Document[]]>([
    [
      'reviews cut at a cap',
      () => list(300, () => ({ reviews: reviews(Math.min(150, random.wholeLognormal(80, 1.2))) })),
    ],
    [
      'embeddings',
      () =>
        list(100, (index) => ({ title: text(30), embedding: index % 5 === 0 ? [] : list(768, () => random.next()) })),
    ],
    [
      'hourly buckets',
      () =>
        list(100, () => ({
          sensor: 7,
          from: time(),
          measurements: measurements(Math.round(random.normal(1_200, 40))),
        })),
    ],
    [
      'a polygon with thousands of points',
      () =>
        list(100, (index) => ({
          geometry: {
            type: 'Polygon',
            coordinates: [list(index === 0 ? 9_000 : random.wholeLognormal(60, 1.2), position)],
          },
        })),
    ],
    [
      'points and lines in one field',
      () =>
        list(100, (index) => ({
          shape:
            index % 2
              ? { type: 'Point', coordinates: position() }
              : { type: 'LineString', coordinates: list(random.wholeLognormal(200, 1.5), position) },
        })),
    ],
    ['matrices', () => list(30, () => ({ image: list(28, () => list(28, () => random.between(0, 255))) }))],
    [
      'days of a year',
      () =>
        list(40, (index) => ({ year: 2_000 + index, rain: list(index % 4 === 0 ? 366 : 365, () => random.next()) })),
    ],
    [
      'orders',
      () =>
        list(300, () => ({
          lines: list(random.between(1, 20), () => ({
            sku: text(8),
            quantity: random.between(1, 9),
            price: random.next(),
          })),
        })),
    ],
    [
      'GridFS chunks',
      () => list(40, (index) => ({ files_id: new ObjectId(), n: index, data: new Binary(Buffer.alloc(1_000 * KB)) })),
    ],
    [
      'minutes of an hour as names',
      () => list(60, () => ({ values: Object.fromEntries(list(60, (minute) => [String(minute), random.next()])) })),
    ],
    [
      'translations',
      () =>
        list(60, () => ({
          title: Object.fromEntries(
            ['de', 'en', 'fr', 'es', 'pt'].slice(random.between(0, 3)).map((language) => [language, text(20)]),
          ),
        })),
    ],
  ])('%s', (_, documents) => {
    expect(found(documents())).toEqual([]);
  });
});
