import { describe, expect, it } from 'vitest';
import { unboundedArray } from '../../checks/unbounded-array.js';
import type { PathProfile } from '../../src/check.js';
import { arrays, pathProfile, problem, problems } from '../support/checks/evidence-builders.js';
import { RandomDistributions } from '../support/random-distributions.js';

const random = new RandomDistributions(20240917);
const review = { _id: 'objectId', by: 'string', text: 'string', at: 'date' } as const;
const measurement = { at: 'date', value: 'double' } as const;

const coordinates = (names: string) => Object.fromEntries(names.split(',').map((name) => [name, 'double' as const]));

const repeated = (count: number, length: number) => Array.from({ length: count }, () => length);
type Elements = 'array' | 'date' | 'double' | 'int' | 'objectId' | 'string';
type Fields = NonNullable<Parameters<typeof arrays>[0]['fields']>;

/** Arrays of these lengths, of values of a type or of documents with these fields. */
const list = (
  path: string,
  lengths: Parameters<typeof arrays>[0]['lengths'],
  of: Elements | Fields,
  elementBytes?: number,
) =>
  arrays({
    path,
    lengths,
    ...(typeof of === 'string' ? { elements: of } : { fields: of }),
    ...(elementBytes !== undefined && { elementBytes }),
  });
const spread = (count: number, least: number, most: number) => random.list(count, () => random.between(least, most));
const lognormal = (count: number, median: number, sigma: number) =>
  random.list(count, () => random.wholeLognormal(median, sigma));
const normal = (count: number, mean: number, deviation: number) =>
  random.list(count, () => Math.round(random.normal(mean, deviation)));

describe('long arrays that are bounded by design', () => {
  it.each<[string, PathProfile[]]>([
    ['embeddings of one model', list('embedding', repeated(1_000, 1_536), 'double', 14)],
    [
      'embeddings of two models, where there are any',
      list('embedding', [...repeated(300, 0), ...repeated(400, 768), ...repeated(300, 1_536)], 'double'),
    ],
    [
      'vectors of three models, one of them rare, where there are any',
      list(
        'embedding',
        [...repeated(100, 0), ...repeated(400, 512), ...repeated(400, 1_024), ...repeated(4, 1_040)],
        'double',
      ),
    ],
    ['days of a year', arrays({ path: 'days', lengths: [...repeated(150, 365), ...repeated(50, 366)] })],
    [
      'buckets closed at a count, the last ones partly filled',
      list('measurements', [...repeated(900, 1_000), ...spread(100, 1, 999)], measurement),
    ],
    ['hourly buckets', list('measurements', normal(1_000, 3_500, 60), measurement)],
    [
      'daily buckets, the last day of each sensor partly filled',
      list('measurements', [...normal(950, 1_440, 90), ...spread(50, 1, 1_400)], measurement),
    ],
    ['hourly buckets, one of them double-fed', list('measurements', [...normal(999, 3_500, 60), 40_000], measurement)],
    [
      'buckets that only some documents have',
      list('measurements', [...repeated(700, 0), ...normal(300, 3_500, 60)], measurement),
    ],
    ['buckets with a moderate spread', list('events', lognormal(1_000, 400, 0.25), review)],
    ['a permutation of all members', list('ranking', repeated(50, 5_000), 'int')],
    ['a handful of small lists', list('items', spread(1_000, 0, 40), review)],
    [
      'order lines with a modest tail',
      list(
        'lines',
        random.list(1_000, () => Math.min(95, random.wholeLognormal(4, 0.9))),
        { sku: 'string', quantity: 'int' },
      ),
    ],
    [
      'GeoJSON polygons of thousands of points',
      [
        ...list('geometry.coordinates', repeated(1_000, 1), 'array'),
        ...list('geometry.coordinates[]', lognormal(1_000, 200, 1.5), 'array'),
        ...list(
          'geometry.coordinates[][]',
          random.list(1_000, () => 2).map(() => [2, 2, 2, 2]),
          'double',
        ),
      ],
    ],
    [
      'matrices',
      [
        ...list('matrix', repeated(200, 640), 'array'),
        ...list(
          'matrix[]',
          repeated(200, 480).map((length) => [length, length, length]),
          'int',
        ),
      ],
    ],
    [
      'a few dozen lines, each with a few options',
      [
        ...list('lines', spread(500, 1, 95), { sku: 'string' }),
        ...list(
          'lines[].options',
          spread(500, 1, 95).map((lines) => spread(lines, 1, 5)),
          { name: 'string' },
        ),
      ],
    ],
    [
      'days with 24 hours of events, beside documents with hardly any',
      list(
        'hours[].events',
        Array.from({ length: 400 }, (_, index) => (index % 10 < 7 ? [1] : spread(24, 5, 60))),
        review,
      ),
    ],
    ['three test documents with as many elements each', list('items', [2_000, 2_000, 2_000], review)],
    ['one array of some hundred elements', list('items', [700], review)],
  ])('%s', (_, paths) => {
    expect(problems(unboundedArray, { paths })).toEqual([]);
  });
});

describe('arrays with no visible bound', () => {
  it.each<[string, PathProfile[], string, RegExp]>([
    [
      'reviews with a heavy tail',
      list('reviews', lognormal(1_000, 60, 1.3), review),
      'error high reviews',
      /products_reviews.*parentId: 1, at: -1.*\$push: \{ reviews: \{ \$each: \[element\], \$sort: \{ at: 1 \}, \$slice: -\d+ \} \}.*"reviews\.200": \{ \$exists: true \}/s,
    ],
    [
      'reviews that few products have many of',
      list('reviews', [...spread(995, 0, 20), 900, 1_200, 1_800, 2_500, 4_000], review),
      'warning medium reviews',
      /outlier pattern.*hasOverflow: true/,
    ],
    [
      'events that grow with the age of the document',
      list('events', spread(1_000, 0, 3_000), review),
      'error high events',
      /products_events/,
    ],
    [
      'measurements appended for ever',
      list('readings', spread(400, 1, 50_000), measurement, 40),
      'error high readings',
      /time-series collection.*timeField: "at".*bucket pattern/s,
    ],
    [
      'followers by reference',
      list('followers', lognormal(1_000, 200, 1.8), 'objectId', 17),
      'error high followers',
      /Reverse the reference.*products document.*`followers`.*cannot be undone.*run it at a quiet hour.*updateMany\(\{ followers: \{ \$exists: true \} \}, \{ \$unset: \{ followers: "" \} \}\)/s,
    ],
    ['tags that users add', list('tags', lognormal(1_000, 20, 1.9), 'string'), 'warning high tags', /products_tags/],
    [
      'login times',
      list('logins', spread(300, 1, 4_000), 'date', 14),
      'warning high logins',
      /cap the array with every write instead\..*\{ \$push: \{ logins: \{ \$each: \[element\], \$slice: -100 \} \} \}/,
    ],
    [
      'posts in threads',
      list(
        'threads[].posts',
        lognormal(500, 30, 1.5).map((length) => [length, 2, 5]),
        review,
      ),
      'warning high threads[].posts',
      /arrayFilters.*threads\.\$\[outer\]\.posts/,
    ],
    [
      'posts in threads, each thread short but many',
      list(
        'threads[].posts',
        lognormal(300, 20, 1).map((threads) => spread(threads, 10, 60)),
        review,
      ),
      'error high threads[].posts',
      /threads/,
    ],
    [
      'threads without end: their posts are part of it',
      [
        ...list('threads', lognormal(300, 200, 1.3), { title: 'string', posts: 'array' }),
        ...list(
          'threads[].posts',
          lognormal(300, 60, 1.3).map((threads) => spread(threads, 10, 60)),
          review,
        ),
      ],
      'error high threads',
      /products_threads/,
    ],
    [
      'a few that grow with the age of the document',
      list('events', [10, 40, 300, 900, 2_100, 2_400, 2_500, 2_700, 2_900, 3_000], review),
      'info low events',
      /products_events/,
    ],
    [
      'a few of which the longest lie close together by chance',
      list(
        'events',
        [100, 150, 200, 250, 300, 400, 500, 600, 700, 800, 900, 1_000, 1_100, 1_800, 1_850, 1_900, 1_950, 2_000],
        review,
      ),
      'info low events',
      /products_events/,
    ],
    [
      'rows of a table that grows, as arrays in an array',
      [
        ...list('rows', spread(200, 0, 9_000), 'array'),
        ...list(
          'rows[]',
          random.list(200, () => 6).map((columns) => repeated(20, columns)),
          'string',
        ),
      ],
      'error high rows',
      /`rows`/,
    ],
    [
      'short arrays of huge elements',
      list('pages', lognormal(200, 4, 1), { html: 'string' }, 150_000),
      'error medium pages',
      /products_pages/,
    ],
    [
      'ten arrays with one giant',
      list('notes', [3, 1, 4, 1, 5, 9, 2, 6, 5, 3_000], review),
      'info low notes',
      /products_notes/,
    ],
    [
      'a single giant, and nothing to compare it with',
      list('entries', [12_000], review),
      'info low entries',
      /products_entries/,
    ],
    [
      'a GPS track beside a geometry',
      [
        ...list('track', spread(300, 10, 20_000), 'array', 40),
        ...list(
          'track[]',
          random.list(300, () => 2).map(() => [3, 3]),
          'double',
        ),
      ],
      'info low track',
      /`track`/,
    ],
    ...(['lat,lng', 'lat,lon', 'latitude,longitude', 'x,y', 'x,y,z'].map((names) => [
      `points of ${names}`,
      list('points', spread(300, 50, 2_050), coordinates(names)),
      'info low points',
      /points/,
    ]) as [string, PathProfile[], string, RegExp][]),
    [
      'the points of polygons in an object',
      list('polygon.points', spread(300, 50, 2_050), coordinates('x,y')),
      'info low polygon.points',
      /points/,
    ],
    [
      'a path of positions',
      [
        ...list('path', spread(300, 50, 5_050), 'array', 30),
        ...list(
          'path[]',
          random.list(300, () => 2).map(() => [2, 2]),
          'double',
        ),
      ],
      'info low path',
      /`path`/,
    ],
    ['peaks of a signal', list('peaks', spread(300, 500, 5_500), 'double', 12), 'info low peaks', /peaks/],
    [
      'a GPS track of points with a time',
      list('track', spread(300, 50, 5_050), { ...coordinates('lat,lng'), at: 'date' }),
      'error high track',
      /track/,
    ],
    [
      'a series of times and values as pairs',
      [
        ...list('series', spread(300, 50, 9_050), 'array', 30),
        ...list(
          'series[]',
          random.list(300, () => 2).map(() => [2, 2]),
          'double',
        ).slice(0, 1),
        pathProfile({
          path: 'series[][]',
          parent: 'series[]',
          types: { double: 100 },
          values: { numbers: { count: 100, min: 3, max: 1_700_000_000, whole: 50 } },
        }),
      ],
      'error high series',
      /series/,
    ],
  ])('%s', (_, paths, expected, remedy) => {
    const found = problem(unboundedArray, { paths });
    expect(`${found.severity} ${found.confidence} ${found.path}`).toBe(expected);
    expect(found.remedy.text).toMatch(remedy);
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
    paths: list('items', new RandomDistributions(seed).list(count, length), review),
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
