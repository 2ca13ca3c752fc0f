import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GridFSBucket } from 'mongodb';
import type { Design } from '../design.js';
import { DAY, MINUTE } from '../planting.js';

/** Documents and collections in the form that their use asks for. */
export const GOOD_DOCUMENTS: readonly Design[] = [
  {
    name: 'movies-by-attribute',
    source: 'MongoDB manual, "Use the Attribute Pattern"',
    why: 'Releases are pairs of place and date: one index serves all places.',
    async plant(p) {
      await p.fill(
        'movies',
        p.times(3_000, () => ({
          _id: p.id(),
          title: p.words(3),
          releases: p.times(p.random.between(1, 12), () => ({
            k: p.random.choose(['US', 'FR', 'IT', 'DE']),
            v: p.date(),
          })),
        })),
      );
      await p.database.collection('movies').createIndex({ 'releases.k': 1, 'releases.v': 1 });
    },
    async use(database, p) {
      for (let read = 0; read < 20; read += 1)
        await database
          .collection('movies')
          .find({ releases: { $elemMatch: { k: 'IT', v: { $gt: p.date(3 * DAY) } } } })
          .limit(10)
          .toArray();
    },
  },
  {
    name: 'athletes',
    source: 'MongoDB, "Building with Patterns: The Polymorphic Pattern"',
    why: 'Each kind of sport has fields of its own, and `sport` says which.',
    plant: (p) =>
      p.fill(
        'athletes',
        p.times(3_000, (index) => {
          const common = { _id: p.id(), name: p.words(2), born: p.date() };
          if (index % 3 === 0) return { ...common, sport: 'bowling', perfectGames: p.random.below(9), average: 201.5 };
          if (index % 3 === 1) return { ...common, sport: 'tennis', rank: p.random.below(400), grandSlams: 2 };
          return { ...common, sport: 'football', goals: p.random.below(300), clubs: p.times(3, () => p.word()) };
        }),
      ),
  },
  {
    name: 'contacts-of-two-versions',
    source: 'MongoDB, "Building with Patterns: The Schema Versioning Pattern"',
    why: 'Old documents have a field per telephone, new ones an array, and `schemaVersion` says which.',
    plant: (p) =>
      p.fill(
        'contacts',
        p.times(3_000, (index) =>
          index < 1_800
            ? { _id: p.id(), name: p.words(2), home: '503-555-0000', work: '503-555-0010' }
            : {
                _id: p.id(),
                schemaVersion: 2,
                name: p.words(2),
                contacts: p.times(p.random.between(1, 4), () => ({ kind: 'work', value: '503-555-0020' })),
              },
        ),
      ),
  },
  {
    name: 'translated-labels',
    source: 'multilingual catalogues',
    why: 'The keys are the eight languages of the shop: names that the code knows, not data.',
    plant: (p) =>
      p.fill(
        'labels',
        p.times(2_000, (index) => ({
          _id: p.id(),
          key: `label-${index}`,
          text: Object.fromEntries(['de', 'en', 'es', 'fr', 'it', 'nl', 'pl', 'pt'].map((code) => [code, p.words(3)])),
        })),
      ),
  },
  {
    name: 'opening-hours',
    source: 'directories of shops',
    why: 'The keys are the seven days of the week.',
    plant: (p) =>
      p.fill(
        'shops',
        p.times(2_000, () => ({
          _id: p.id(),
          name: p.words(2),
          hours: Object.fromEntries(
            ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, { from: 9, to: 18 }]),
          ),
        })),
      ),
  },
  {
    name: 'time-series-weather',
    source: 'MongoDB manual, "Time Series Collections"',
    why: 'Measurements are in a time-series collection, with the station as its meta field.',
    async plant(p) {
      await p.database.createCollection('weather', {
        timeseries: { timeField: 'at', metaField: 'station', granularity: 'minutes' },
      });
      await p.fill(
        'weather',
        p.times(20_000, (index) => ({
          station: `station-${index % 40}`,
          at: p.date(20 * DAY - Math.floor(index / 40) * MINUTE),
          celsius: p.random.between(-100, 350) / 10,
        })),
      );
    },
  },
  {
    name: 'product-with-totals',
    source: 'MongoDB, "Building with Patterns: The Computed Pattern"',
    why: 'The sum of ratings is kept with each product: no join, no array of ratings.',
    plant: (p) =>
      p.fill(
        'products',
        p.times(3_000, (index) => ({
          _id: p.id(),
          sku: `sku-${index}`,
          ratings: { count: p.random.below(4_000), sum: p.random.below(20_000) },
          viewsApproximately: 100 * p.random.below(900),
        })),
      ),
  },
  {
    name: 'policies-with-history',
    source: 'MongoDB, "Building with Patterns: The Document Versioning Pattern"',
    why: 'The current policy is one document; its older revisions are in a collection of their own, indexed by policy.',
    async plant(p) {
      const policies = p.times(1_500, () => p.id());
      const policy = () => ({ holder: p.words(2), items: p.times(3, () => p.word()) });
      await p.fill(
        'policies',
        policies.map((_id) => ({ _id, revision: 4, ...policy() })),
      );
      await p.database.collection('revisions').createIndex({ policy: 1, revision: -1 });
      await p.fill(
        'revisions',
        policies.flatMap((id) => p.times(3, (revision) => ({ _id: p.id(), policy: id, revision, ...policy() }))),
      );
    },
    async use(database) {
      for (const { _id } of await database.collection('policies').find({}).limit(30).toArray())
        await database.collection('revisions').find({ policy: _id }).sort({ revision: -1 }).limit(1).toArray();
    },
  },
  {
    name: 'pictures-in-gridfs',
    source: 'MongoDB manual, "GridFS for Self-Managed Deployments"',
    why: 'Pictures are in GridFS: chunks of 255 KB are what it is made of.',
    async plant(p) {
      const bucket = new GridFSBucket(p.database, { bucketName: 'pictures' });
      const bytes = Buffer.from(p.times(700_000, () => p.random.below(256)));
      for (let picture = 0; picture < 40; picture += 1)
        await pipeline(Readable.from([bytes]), bucket.openUploadStream(`picture-${picture}.jpg`));
    },
  },
  {
    name: 'web-sessions',
    source: 'session stores of web frameworks: a JSON text and an expiry date',
    why: 'A session is a small text, found by _id and removed by a TTL index.',
    async plant(p) {
      await p.database.collection('sessions').createIndex({ expires: 1 }, { expireAfterSeconds: 0 });
      await p.fill(
        'sessions',
        p.times(3_000, (index) => ({
          _id: `session-${index}`,
          // Later than any run of this test.
          expires: new Date(Date.UTC(2096, 0, 1) + index * MINUTE),
          session: JSON.stringify({ cookie: { path: '/' }, user: index, flash: p.words(3) }),
        })),
      );
    },
    async use(database, p) {
      for (let read = 0; read < 40; read += 1)
        await database.collection<{ _id: string }>('sessions').findOne({ _id: `session-${p.random.below(3_000)}` });
    },
  },
  {
    name: 'hour-counters',
    source: 'MongoDB use cases, "Pre-Aggregated Reports"',
    why: 'A document a day and page, with a counter for each of 24 hours: keys 0 to 23, and no more.',
    plant: (p) =>
      p.fill(
        'visits',
        p.times(2_500, (index) => ({
          _id: p.id(),
          page: `page-${index % 50}`,
          day: p.date(Math.floor(index / 50) * DAY),
          hours: Object.fromEntries(p.times(24, (hour) => [String(hour), p.random.below(900)])),
        })),
      ),
  },
  {
    name: 'optional-fields',
    source: 'MongoDB manual, "Data Modeling": flexible schema',
    why: 'Many fields are optional, and a missing one is missing, not of another type.',
    plant: (p) =>
      p.fill(
        'leads',
        p.times(4_000, () => ({
          _id: p.id(),
          name: p.words(2),
          ...(p.random.chance(0.4) && { phone: '503-555-0000' }),
          ...(p.random.chance(0.2) && { company: p.words(2) }),
          ...(p.random.chance(0.1) && { referrer: p.word(), campaign: p.word() }),
        })),
      ),
  },
];
