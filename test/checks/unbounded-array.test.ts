import { describe, expect, it } from 'vitest';
import { unboundedArray } from '../../checks/unbounded-array/check.js';
import type { PathProfile } from '../../src/check.js';
import { arrays, pathProfile, problem, problems } from '../support/checks/evidence-builders.js';
import { RandomDistributions } from '../support/random-distributions.js';

const random = new RandomDistributions(20240917);
const review = { _id: 'objectId', by: 'string', text: 'string', at: 'date' } as const;
const measurement = { at: 'date', value: 'double' } as const;

const coordinates = (names: string) => Object.fromEntries(names.split(',').map((name) => [name, 'double' as const]));

const repeated = (count: number, length: number) => Array.from({ length: count }, () => length);

describe('long arrays that are bounded by design', () => {
  it.each<[string, PathProfile[]]>([
    [
      'embeddings of one model',
      arrays({ path: 'embedding', lengths: repeated(1_000, 1_536), elements: 'double', elementBytes: 14 }),
    ],
    [
      'embeddings of two models, where there are any',
      arrays({
        path: 'embedding',
        lengths: [...repeated(300, 0), ...repeated(400, 768), ...repeated(300, 1_536)],
        elements: 'double',
      }),
    ],
    [
      'vectors of three models, one of them rare, where there are any',
      arrays({
        path: 'embedding',
        lengths: [...repeated(100, 0), ...repeated(400, 512), ...repeated(400, 1_024), ...repeated(4, 1_040)],
        elements: 'double',
      }),
    ],
    ['days of a year', arrays({ path: 'days', lengths: [...repeated(150, 365), ...repeated(50, 366)] })],
    [
      'buckets closed at a count, the last ones partly filled',
      arrays({
        path: 'measurements',
        lengths: [...repeated(900, 1_000), ...random.list(100, () => random.between(1, 999))],
        fields: measurement,
      }),
    ],
    [
      'hourly buckets',
      arrays({
        path: 'measurements',
        lengths: random.list(1_000, () => Math.round(random.normal(3_500, 60))),
        fields: measurement,
      }),
    ],
    [
      'daily buckets, the last day of each sensor partly filled',
      arrays({
        path: 'measurements',
        lengths: [
          ...random.list(950, () => Math.round(random.normal(1_440, 90))),
          ...random.list(50, () => random.between(1, 1_400)),
        ],
        fields: measurement,
      }),
    ],
    [
      'hourly buckets, one of them double-fed',
      arrays({
        path: 'measurements',
        lengths: [...random.list(999, () => Math.round(random.normal(3_500, 60))), 40_000],
        fields: measurement,
      }),
    ],
    [
      'buckets that only some documents have',
      arrays({
        path: 'measurements',
        lengths: [...repeated(700, 0), ...random.list(300, () => Math.round(random.normal(3_500, 60)))],
        fields: measurement,
      }),
    ],
    [
      'buckets with a moderate spread',
      arrays({ path: 'events', lengths: random.list(1_000, () => random.wholeLognormal(400, 0.25)), fields: review }),
    ],
    ['a permutation of all members', arrays({ path: 'ranking', lengths: repeated(50, 5_000), elements: 'int' })],
    [
      'a handful of small lists',
      arrays({ path: 'items', lengths: random.list(1_000, () => random.between(0, 40)), fields: review }),
    ],
    [
      'order lines with a modest tail',
      arrays({
        path: 'lines',
        lengths: random.list(1_000, () => Math.min(95, random.wholeLognormal(4, 0.9))),
        fields: { sku: 'string', quantity: 'int' },
      }),
    ],
    [
      'GeoJSON polygons of thousands of points',
      [
        ...arrays({ path: 'geometry.coordinates', lengths: repeated(1_000, 1), elements: 'array' }),
        ...arrays({
          path: 'geometry.coordinates[]',
          lengths: random.list(1_000, () => random.wholeLognormal(200, 1.5)),
          elements: 'array',
        }),
        ...arrays({
          path: 'geometry.coordinates[][]',
          lengths: random.list(1_000, () => 2).map(() => [2, 2, 2, 2]),
          elements: 'double',
        }),
      ],
    ],
    [
      'matrices',
      [
        ...arrays({ path: 'matrix', lengths: repeated(200, 640), elements: 'array' }),
        ...arrays({
          path: 'matrix[]',
          lengths: repeated(200, 480).map((length) => [length, length, length]),
          elements: 'int',
        }),
      ],
    ],
    [
      'a few dozen lines, each with a few options',
      [
        ...arrays({ path: 'lines', lengths: random.list(500, () => random.between(1, 95)), fields: { sku: 'string' } }),
        ...arrays({
          path: 'lines[].options',
          lengths: random
            .list(500, () => random.between(1, 95))
            .map((lines) => random.list(lines, () => random.between(1, 5))),
          fields: { name: 'string' },
        }),
      ],
    ],
    [
      'days with 24 hours of events, beside documents with hardly any',
      arrays({
        path: 'hours[].events',
        lengths: Array.from({ length: 400 }, (_, index) =>
          index % 10 < 7 ? [1] : random.list(24, () => random.between(5, 60)),
        ),
        fields: review,
      }),
    ],
    [
      'three test documents with as many elements each',
      arrays({ path: 'items', lengths: [2_000, 2_000, 2_000], fields: review }),
    ],
    ['one array of some hundred elements', arrays({ path: 'items', lengths: [700], fields: review })],
  ])('%s', (_, paths) => {
    expect(problems(unboundedArray, { paths })).toEqual([]);
  });
});

describe('arrays with no visible bound', () => {
  it.each<[string, PathProfile[], { path: string; severity: string; confidence: string; remedy: RegExp }]>([
    [
      'reviews with a heavy tail',
      arrays({ path: 'reviews', lengths: random.list(1_000, () => random.wholeLognormal(60, 1.3)), fields: review }),
      {
        path: 'reviews',
        severity: 'error',
        confidence: 'high',
        remedy:
          /products_reviews.*parentId: 1, at: -1.*\$push: \{ reviews: \{ \$each: \[element\], \$sort: \{ at: 1 \}, \$slice: -\d+ \} \}.*"reviews\.200": \{ \$exists: true \}/s,
      },
    ],
    [
      'reviews that few products have many of',
      arrays({
        path: 'reviews',
        lengths: [...random.list(995, () => random.between(0, 20)), 900, 1_200, 1_800, 2_500, 4_000],
        fields: review,
      }),
      { path: 'reviews', severity: 'warning', confidence: 'medium', remedy: /outlier pattern.*hasOverflow: true/ },
    ],
    [
      'events that grow with the age of the document',
      arrays({ path: 'events', lengths: random.list(1_000, () => random.between(0, 3_000)), fields: review }),
      { path: 'events', severity: 'error', confidence: 'high', remedy: /products_events/ },
    ],
    [
      'measurements appended for ever',
      arrays({
        path: 'readings',
        lengths: random.list(400, () => random.between(1, 50_000)),
        fields: measurement,
        elementBytes: 40,
      }),
      {
        path: 'readings',
        severity: 'error',
        confidence: 'high',
        remedy: /time-series collection.*timeField: "at".*bucket pattern/s,
      },
    ],
    [
      'followers by reference',
      arrays({
        path: 'followers',
        lengths: random.list(1_000, () => random.wholeLognormal(200, 1.8)),
        elements: 'objectId',
        elementBytes: 17,
      }),
      {
        path: 'followers',
        severity: 'error',
        confidence: 'high',
        remedy:
          /Reverse the reference.*products document.*`followers`.*cannot be undone.*run it at a quiet hour.*updateMany\(\{ followers: \{ \$exists: true \} \}, \{ \$unset: \{ followers: "" \} \}\)/s,
      },
    ],
    [
      'tags that users add',
      arrays({ path: 'tags', lengths: random.list(1_000, () => random.wholeLognormal(20, 1.9)), elements: 'string' }),
      { path: 'tags', severity: 'warning', confidence: 'high', remedy: /products_tags/ },
    ],
    [
      'login times',
      arrays({
        path: 'logins',
        lengths: random.list(300, () => random.between(1, 4_000)),
        elements: 'date',
        elementBytes: 14,
      }),
      {
        path: 'logins',
        severity: 'warning',
        confidence: 'high',
        remedy:
          /cap the array with every write instead\..*\{ \$push: \{ logins: \{ \$each: \[element\], \$slice: -100 \} \} \}/,
      },
    ],
    [
      'posts in threads',
      arrays({
        path: 'threads[].posts',
        lengths: random.list(500, () => random.wholeLognormal(30, 1.5)).map((length) => [length, 2, 5]),
        fields: review,
      }),
      {
        path: 'threads[].posts',
        severity: 'warning',
        confidence: 'high',
        remedy: /arrayFilters.*threads\.\$\[outer\]\.posts/,
      },
    ],
    [
      'posts in threads, each thread short but many',
      arrays({
        path: 'threads[].posts',
        lengths: random
          .list(300, () => random.wholeLognormal(20, 1))
          .map((threads) => random.list(threads, () => random.between(10, 60))),
        fields: review,
      }),
      { path: 'threads[].posts', severity: 'error', confidence: 'high', remedy: /threads/ },
    ],
    [
      'threads without end: their posts are part of it',
      [
        ...arrays({
          path: 'threads',
          lengths: random.list(300, () => random.wholeLognormal(200, 1.3)),
          fields: { title: 'string', posts: 'array' },
        }),
        ...arrays({
          path: 'threads[].posts',
          lengths: random
            .list(300, () => random.wholeLognormal(60, 1.3))
            .map((threads) => random.list(threads, () => random.between(10, 60))),
          fields: review,
        }),
      ],
      { path: 'threads', severity: 'error', confidence: 'high', remedy: /products_threads/ },
    ],
    [
      'a few that grow with the age of the document',
      arrays({ path: 'events', lengths: [10, 40, 300, 900, 2_100, 2_400, 2_500, 2_700, 2_900, 3_000], fields: review }),
      { path: 'events', severity: 'info', confidence: 'low', remedy: /products_events/ },
    ],
    [
      'a few of which the longest lie close together by chance',
      arrays({
        path: 'events',
        lengths: [
          100, 150, 200, 250, 300, 400, 500, 600, 700, 800, 900, 1_000, 1_100, 1_800, 1_850, 1_900, 1_950, 2_000,
        ],
        fields: review,
      }),
      { path: 'events', severity: 'info', confidence: 'low', remedy: /products_events/ },
    ],
    [
      'rows of a table that grows, as arrays in an array',
      [
        ...arrays({ path: 'rows', lengths: random.list(200, () => random.between(0, 9_000)), elements: 'array' }),
        ...arrays({
          path: 'rows[]',
          lengths: random.list(200, () => 6).map((columns) => repeated(20, columns)),
          elements: 'string',
        }),
      ],
      { path: 'rows', severity: 'error', confidence: 'high', remedy: /`rows`/ },
    ],
    [
      'short arrays of huge elements',
      arrays({
        path: 'pages',
        lengths: random.list(200, () => random.wholeLognormal(4, 1)),
        fields: { html: 'string' },
        elementBytes: 150_000,
      }),
      { path: 'pages', severity: 'error', confidence: 'medium', remedy: /products_pages/ },
    ],
    [
      'ten arrays with one giant',
      arrays({ path: 'notes', lengths: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3_000], fields: review }),
      { path: 'notes', severity: 'info', confidence: 'low', remedy: /products_notes/ },
    ],
    [
      'a single giant, and nothing to compare it with',
      arrays({ path: 'entries', lengths: [12_000], fields: review }),
      { path: 'entries', severity: 'info', confidence: 'low', remedy: /products_entries/ },
    ],
    [
      'a GPS track beside a geometry',
      [
        ...arrays({
          path: 'track',
          lengths: random.list(300, () => random.between(10, 20_000)),
          elements: 'array',
          elementBytes: 40,
        }),
        ...arrays({ path: 'track[]', lengths: random.list(300, () => 2).map(() => [3, 3]), elements: 'double' }),
      ],
      { path: 'track', severity: 'info', confidence: 'low', remedy: /`track`/ },
    ],
    ...(['lat,lng', 'lat,lon', 'latitude,longitude', 'x,y', 'x,y,z'].map((names) => [
      `points of ${names}`,
      arrays({
        path: 'points',
        lengths: random.list(300, () => random.between(50, 2_050)),
        fields: coordinates(names),
      }),
      { path: 'points', severity: 'info', confidence: 'low', remedy: /points/ },
    ]) as [string, PathProfile[], { path: string; severity: string; confidence: string; remedy: RegExp }][]),
    [
      'the points of polygons in an object',
      arrays({
        path: 'polygon.points',
        lengths: random.list(300, () => random.between(50, 2_050)),
        fields: coordinates('x,y'),
      }),
      { path: 'polygon.points', severity: 'info', confidence: 'low', remedy: /points/ },
    ],
    [
      'a path of positions',
      [
        ...arrays({
          path: 'path',
          lengths: random.list(300, () => random.between(50, 5_050)),
          elements: 'array',
          elementBytes: 30,
        }),
        ...arrays({ path: 'path[]', lengths: random.list(300, () => 2).map(() => [2, 2]), elements: 'double' }),
      ],
      { path: 'path', severity: 'info', confidence: 'low', remedy: /`path`/ },
    ],
    [
      'peaks of a signal',
      arrays({
        path: 'peaks',
        lengths: random.list(300, () => random.between(500, 5_500)),
        elements: 'double',
        elementBytes: 12,
      }),
      { path: 'peaks', severity: 'info', confidence: 'medium', remedy: /peaks/ },
    ],
    [
      'a GPS track of points with a time',
      arrays({
        path: 'track',
        lengths: random.list(300, () => random.between(50, 5_050)),
        fields: { ...coordinates('lat,lng'), at: 'date' },
      }),
      { path: 'track', severity: 'error', confidence: 'high', remedy: /track/ },
    ],
    [
      'a series of times and values as pairs',
      [
        ...arrays({
          path: 'series',
          lengths: random.list(300, () => random.between(50, 9_050)),
          elements: 'array',
          elementBytes: 30,
        }),
        ...arrays({ path: 'series[]', lengths: random.list(300, () => 2).map(() => [2, 2]), elements: 'double' }).slice(
          0,
          1,
        ),
        pathProfile({
          path: 'series[][]',
          parent: 'series[]',
          types: { double: 100 },
          values: { numbers: { count: 100, min: 3, max: 1_700_000_000, whole: 50 } },
        }),
      ],
      { path: 'series', severity: 'error', confidence: 'high', remedy: /series/ },
    ],
  ])('%s', (_, paths, expected) => {
    const found = problem(unboundedArray, { paths });
    expect(found).toMatchObject({ path: expected.path, severity: expected.severity, confidence: expected.confidence });
    expect(found.remedy.text).toMatch(expected.remedy);
    expect(found.remedy.commands).toBeUndefined();
    expect(found.message).toMatch(/^`.*\.$/);
  });
});

it('counts one element as one', () => {
  const lengths = [...repeated(300, 1), ...Array.from({ length: 20 }, (_, index) => 150 + 17 * index)];
  expect(problem(unboundedArray, { paths: arrays({ path: 'items', lengths, fields: review }) }).message).toContain(
    '`items`: median 1, p99 422, max 473 embedded documents',
  );
});

function judged(seed: number, count: number, length: (random: RandomDistributions) => number) {
  return problems(unboundedArray, {
    paths: arrays({ path: 'items', lengths: new RandomDistributions(seed).list(count, length), fields: review }),
  });
}

describe('random arrays', () => {
  const trials = Array.from({ length: 100 }, (_, seed) => seed);

  it.each<[string, number, (random: RandomDistributions) => number]>([
    ['lognormal, sigma 1', 1_000, (each) => each.wholeLognormal(300, 1)],
    ['lognormal, sigma 1.5', 200, (each) => each.wholeLognormal(100, 1.5)],
    ['growing at a steady rate', 1_000, (each) => each.between(0, 3_000)],
    ['exponential', 500, (each) => Math.round(-800 * Math.log(1 - each.next()))],
    ['power law', 1_000, (each) => Math.round(10 / (1 - each.next()))],
  ])('%s: reported every time', (_, count, length) => {
    const missed = trials.filter((seed) => judged(seed, count, length).length !== 1);
    expect(missed).toEqual([]);
  });

  it.each<[string, number, (random: RandomDistributions) => number]>([
    ['cut at a cap', 1_000, (each) => Math.min(500, each.wholeLognormal(300, 1))],
    ['filled up to a count', 300, (each) => (each.next() < 0.5 ? 200 : each.between(1, 199))],
    ['narrow', 50, (each) => Math.round(each.normal(3_500, 60))],
    ['of a spread of 15 %', 1_000, (each) => Math.round(each.normal(1_000, 150))],
    ['lognormal, sigma 0.25', 300, (each) => each.wholeLognormal(1_000, 0.25)],
    [
      'buckets in a third of the documents',
      300,
      (each) => (each.next() < 0.3 ? Math.round(each.normal(3_500, 60)) : each.between(0, 5)),
    ],
    ['small', 1_000, (each) => each.between(0, 60)],
  ])('%s: at most an info, of a cap', (_, count, length) => {
    const reported = trials.filter((seed) =>
      judged(seed, count, length).some(({ severity, evidence }) => severity !== 'info' || !('cappedAt' in evidence)),
    );
    expect(reported).toEqual([]);
  });
});
