import { ObjectId } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { SeededRandom } from '../../src/demo/seeded-random.js';
import type { Report } from '../../src/report/report.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';

const random = new SeededRandom(11);
const whole = (minimum: number, maximum: number) => random.between(minimum, maximum);
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
/** Lengths with a heavy tail, as popularity makes them: half below 2 × `scale`, one in a thousand a thousand times as long. */
const heavyTail = (scale: number) => Math.min(5_000, Math.floor(scale / Math.max(1e-3, 1 - random.next())));
const entry = () => ({ at: new Date(1.7e12 + random.next() * 1e10), text: 'something that happened' });

/** Arrays that are long and bounded by design. */
const CUT_FAR_OUT = 'lists cut at 500 elements';

const BOUNDED: Record<string, () => object[]> = {
  'embeddings of one model': () =>
    times(100, () => ({ text: 'a passage', embedding: times(768, () => random.next()) })),
  'embeddings of two models': () =>
    times(100, (index) => ({ embedding: times(index % 2 === 0 ? 768 : 1_536, () => random.next()) })),
  [CUT_FAR_OUT]: () => times(300, () => ({ events: times(Math.min(500, heavyTail(60)), entry) })),
  'lists as long as a limit beside them allows': () =>
    times(300, (index) => {
      const keep = index % 2 === 0 ? 40 : 90;
      return { keep, events: times(Math.min(keep, tailAt(index, 60)), (number) => ({ number })) };
    }),
  'buckets of a day, whatever happened on it': () =>
    times(300, (index) => {
      const day = 1.7e12 - (1.7e12 % 86_400_000) + index * 86_400_000;
      const events = tailAt(index, 20);
      return {
        day: new Date(day),
        events: times(events, (event) => ({ at: new Date(day + (event * 86e6) / events), number: event })),
      };
    }),
  'buckets closed at 1,000 measurements': () =>
    times(120, (index) => ({
      sensor: index % 12,
      readings: times(index < 108 ? 1_000 : whole(1, 999), () => ({ at: new Date(), value: random.next() })),
    })),
  'hourly buckets of about one reading a second': () =>
    times(100, (index) => ({
      hour: new Date(1.7e12 + index * 3.6e6),
      readings: times(3_600 - whole(0, 90), () => ({ second: 1, value: random.next() })),
    })),
  'outlines of countries as GeoJSON': () =>
    times(100, () => ({
      border: {
        type: 'Polygon',
        coordinates: [times(heavyTail(100) + 4, () => [random.next() * 180, random.next() * 90])],
      },
    })),
  'one slot for each day of the year': () =>
    times(100, (index) => ({
      year: 1900 + index,
      days: times(index % 4 === 0 ? 366 : 365, () => ({ high: random.next(), low: random.next() })),
    })),
  'matrices of 64 × 64': () => times(40, () => ({ kernel: times(64, () => times(64, () => random.next())) })),
};

/** A heavy tail of up to 60 × the least that is the same each time. */
function tailAt(index: number, least: number): number {
  return Math.floor(least / (1 - (((index * 37) % 300) / 300) * 0.983));
}

/** Arrays without a bound, with the path at which they must be found. */
const UNBOUNDED: Record<string, { path: string; documents: () => object[] }> = {
  'comments in their post': {
    path: 'comments',
    documents: () =>
      times(300, () => ({ title: 'a post', comments: times(heavyTail(4), () => ({ by: 'a reader', text: 'words' })) })),
  },
  'log entries in their job': {
    path: 'log',
    documents: () => times(200, () => ({ job: 'nightly', log: times(heavyTail(20), entry) })),
  },
  'posts in threads, nested': {
    path: 'threads[].posts',
    documents: () =>
      times(100, () => ({ threads: times(4, () => ({ posts: times(heavyTail(4), () => ({ text: 'words' })) })) })),
  },
  'messages in an object of the document': {
    path: 'inbox.messages',
    documents: () =>
      times(200, () => ({ inbox: { messages: times(heavyTail(6), () => ({ from: 'someone', text: 'words' })) } })),
  },
  'followers by _id': {
    path: 'followers',
    documents: () => times(300, () => ({ name: 'someone', followers: times(heavyTail(20), () => new ObjectId()) })),
  },
  'visits as plain dates': {
    path: 'visits',
    documents: () =>
      times(300, () => ({ visits: times(heavyTail(20), () => new Date(1.7e12 + random.next() * 1e10)) })),
  },
  'orders spread evenly, with no end in sight': {
    path: 'orders',
    documents: () =>
      times(300, () => ({ customer: 'someone', orders: times(whole(1, 2_000), () => ({ total: random.next() })) })),
  },
};

/** Geometry and signals, which may be bounded by what they describe: the path, and how sure the finding may be at most. */
const PERHAPS_BOUNDED: Record<string, { path: string; confidence: string; documents: () => object[] }> = {
  'outlines as points': {
    path: 'polygon.points',
    confidence: 'low',
    documents: () =>
      times(150, () => ({
        polygon: { points: times(whole(50, 2_050), () => ({ lat: random.next() * 90, lng: random.next() * 180 })) },
      })),
  },
  'routes as positions': {
    path: 'path',
    confidence: 'low',
    documents: () =>
      times(150, () => ({ path: times(whole(50, 2_050), () => [random.next() * 180, random.next() * 90]) })),
  },
  'peaks of signals': {
    path: 'peaks',
    confidence: 'low',
    documents: () => times(150, () => ({ peaks: times(whole(500, 5_500), () => random.next()) })),
  },
};

describe('unbounded-array on a real server', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  let report: Report;
  const findingsIn = (collection: string) =>
    report.findings.filter(
      ({ check, namespace }) => check === 'unbounded-array' && namespace === `${database.databaseName}.${collection}`,
    );

  beforeAll(async () => {
    for (const [name, documents] of Object.entries(BOUNDED)) await database.collection(name).insertMany(documents());
    for (const [name, { documents }] of Object.entries(UNBOUNDED))
      await database.collection(name).insertMany(documents());
    for (const [name, { documents }] of Object.entries(PERHAPS_BOUNDED))
      await database.collection(name).insertMany(documents());
    // Of two findings on one array only the worse remains, and names the other as a further reason.
    const settings = { 'long-reference-array': { severity: 'off' } } as const;
    report = await lintShared({ include: [`${database.databaseName}.*`], settings });
  });

  it.each(Object.keys(BOUNDED))('gives no more than advice on %s', (name) => {
    const found = findingsIn(name).map(({ path, severity }) => `${severity} ${path}`);
    expect(found).toEqual(name === CUT_FAR_OUT ? ['info events'] : []);
  });

  it.each(Object.entries(UNBOUNDED))('fires on %s', (name, { path }) => {
    const findings = findingsIn(name);
    expect(findings.map((finding) => finding.path)).toEqual([path]);
    expect(findings[0]?.severity).not.toBe('info');
  });

  it.each(Object.entries(PERHAPS_BOUNDED))('gives no more than an info on %s', (name, { path, confidence }) => {
    const found = findingsIn(name).map((finding) => [finding.path, finding.severity, finding.confidence]);
    expect(found).toEqual([[path, 'info', confidence]]);
  });

  it('softens by a step what a cap bounds far beyond the lines, and tells what it lets pass', async () => {
    const lists = (most: number) => times(300, () => ({ events: times(Math.min(most, heavyTail(most / 4)), entry) }));
    await database.collection('cut at 500').insertMany(lists(500));
    await database.collection('cut at 2,000').insertMany(lists(2_000));
    const track = (index: number) => times(tailAt(index, 60), (number) => [number % 180, number % 90]);
    await database
      .collection('cut at the end of a recording')
      .insertMany(times(200, (index) => ({ track: track(index), notes: track(index).map(() => 'a word') })));
    const { findings } = await lintShared({ include: [`${database.databaseName}.cut at *`] });
    const found = findings.filter(({ check }) => check === 'unbounded-array');
    expect(found.map(({ severity, path, evidence }) => [severity, path, evidence['cappedAt']])).toEqual([
      ['warning', 'events', 2_000],
      ['info', 'events', 500],
      ['info', 'track', undefined],
    ]);
    expect(report.letPass?.map(({ path, detail }) => `${path}: ${detail}`)).toEqual(
      expect.arrayContaining([
        'embedding: up to 768 elements: all are equally long',
        'readings: up to 1,000 elements: many are exactly as long as the longest',
        expect.stringMatching(
          /^events: up to [\d,]+ elements: all elements lie within a period that the document names$/,
        ),
      ]),
    );
  });

  it('is silent once the remedy is applied: the array cut at a cap', async () => {
    const posts = database.collection('comments in their post');
    await posts.updateMany({}, { $push: { comments: { $each: [], $slice: -50 } } } as object);
    report = await lintShared({ include: [`${database.databaseName}.comments*`] });
    expect(findingsIn('comments in their post')).toEqual([]);
  });
});
