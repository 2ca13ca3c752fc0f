import { ObjectId, type Db } from 'mongodb';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import { SeededRandom } from '../../src/demo/seeded-random.js';
import { MS_PER_MINUTE, MS_PER_HOUR, MS_PER_SECOND } from '../../src/time-units.js';
import { deepNesting } from './documents.js';
import { type Exhibit, faulty, planted } from './exhibit.js';
import { unusedIndex } from './indexes.js';

const SENSORS = 20;

const MINUTES = 150;

const FIRST_MINUTE = Date.UTC(2026, 0, 1);

const sensorIds = Array.from({ length: SENSORS }, (_, index) => new ObjectId(`65a1${String(index).padStart(20, '0')}`));

/** Once a minute from each sensor, in the order in which it arrives. */
function readings(): object[] {
  const random = new SeededRandom(10);
  const minutes = Array.from({ length: MINUTES }, (_, minute) => FIRST_MINUTE + minute * MS_PER_MINUTE);
  return minutes.flatMap((minute) =>
    sensorIds.map((sensor) => ({
      sensor,
      at: new Date(minute + random.below(2_000)),
      temperature: Math.round(random.next() * 300) / 10,
      humidity: Math.round(random.next() * 100),
    })),
  );
}

async function plantReadings(database: Db, name: string): Promise<void> {
  await database.collection(name).createIndex({ sensor: 1, at: 1 });
  await database.collection(name).insertMany(readings());
}

const bucketCandidate: Exhibit = {
  check: 'bucket-candidate',
  story: 'a document for each reading of a sensor / the same readings in a time-series collection',
  thresholds: { documents: SENSORS * MINUTES },
  bad: faulty('sensor_readings', 'at', plantReadings),
  twin: planted('sensor_readings_series', async (database, name) => {
    await database.createCollection(name, {
      timeseries: { timeField: 'at', metaField: 'sensor', granularity: 'minutes' },
    });
    await plantReadings(database, name);
  }),
};

const GAUGES = 10;

const HOURS = 60;

const FIRST_HOUR = Date.UTC(2026, 0, 1);

/** Every hour from each gauge, in the order in which it arrives. */
const levels = Array.from({ length: HOURS * GAUGES }, (_, index) => ({
  gauge: index % GAUGES,
  at: new Date(FIRST_HOUR + Math.floor(index / GAUGES) * MS_PER_HOUR),
  level: 100 + (index % 17),
}));

async function plantLevels(database: Db, name: string, granularity: 'seconds' | 'hours'): Promise<void> {
  await database.createCollection(name, { timeseries: { timeField: 'at', metaField: 'gauge', granularity } });
  await database.collection<object>(name).insertMany(levels.map((level) => ({ ...level })));
}

const timeseriesMisconfigured: Exhibit = {
  check: 'timeseries-misconfigured',
  story: 'hourly levels in buckets of an hour / in buckets of a month, with an index on the gauge',
  needsMember: true,
  thresholds: { opened: 500, warning: 500, indexed: 10_000 },
  bad: faulty('gauge_levels', 'at', (database, name) => plantLevels(database, name, 'seconds')),
  twin: planted('gauge_levels_in_months', async (database, name) => {
    await plantLevels(database, name, 'hours');
    await database.collection(name).createIndex({ gauge: 1, at: 1 });
  }),
};

const SESSIONS = 2_000;

const LONG_AGO = Date.UTC(2024, 0, 1);

const FAR_AHEAD = Date.UTC(2200, 0, 1);

export const expiredDocuments: Exhibit = {
  check: 'expired-documents',
  story: 'sessions that expired long ago and are still there / sessions that a TTL index removes',
  needsMember: true,
  bad: faulty('sessions_never_removed', 'expiresAt', (database, name) => plantSessions(database, name, LONG_AGO)),
  twin: planted('sessions_with_ttl', async (database, name) => {
    await database.collection(name).createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
    await plantSessions(database, name, FAR_AHEAD);
  }),
};

async function plantSessions(database: Db, name: string, from: number): Promise<void> {
  const random = new SeededRandom(41);
  const sessions = Array.from({ length: SESSIONS }, (_, number) => ({
    user: random.below(SESSIONS),
    agent: `Browser ${random.below(40)}`,
    pages: random.below(30),
    expiresAt: new Date(from + Math.round(number * random.next() * MS_PER_HOUR)),
  }));
  await database.collection(name).insertMany(sessions);
}

/** In ms. */
const YEAR = 365 * 24 * MS_PER_HOUR;

const REPLIES = 25;

const OLD_REPLIES = 400;

/** On the replies of `deep-nesting`, and the sessions of `expired-documents`, which are planted before. */
const endlessCollection: Exhibit = {
  check: 'endless-collection',
  needsMember: true,
  story: 'replies of a year that nobody reads and nothing removes / sessions that a TTL index removes',
  thresholds: { documents: 50 },
  bad: faulty(deepNesting.bad.name, 'at', async (database, name) => {
    const replies = database.collection(name);
    const ids = Array.from({ length: OLD_REPLIES }, (_, index) =>
      ObjectId.createFromTime(Math.round((LONG_AGO + (index / OLD_REPLIES) * YEAR) / MS_PER_SECOND)),
    );
    await replies.insertMany(ids.map((_id, index) => ({ _id, index, text: 'a reply' })));
    await replies.updateMany({}, [{ $set: { at: { $toDate: '$_id' } } }]);
    await recordOperations(database, async () => {
      for (let reply = 0; reply < REPLIES; reply += 1)
        await replies.insertOne({ index: reply, text: 'a reply', at: new Date() });
    });
  }),
  twin: planted(expiredDocuments.twin.name, (database, name) =>
    recordOperations(database, async () => {
      for (let visit = 0; visit < REPLIES; visit += 1)
        await database.collection(name).insertOne({ expiresAt: new Date(FAR_AHEAD) });
    }),
  ),
};

/** In ms: no ticket expires while somebody looks at it. */
const HUNDRED_YEARS = 100 * 365 * 24 * 60 * 60 * 1_000;

const END = { $add: ['$opened', HUNDRED_YEARS] };

/** On the tickets of `unused-index`, which are planted before: references are looked for among a hundred collections. */
export const ttlWithoutEffect: Exhibit = {
  check: 'ttl-without-effect',
  story: 'a TTL index on a date that is kept as text / on a date',
  bad: faulty(unusedIndex.bad.name, 'keepUntil_1', async (database, name) => {
    const tickets = database.collection(name);
    await tickets.updateMany({}, [{ $set: { keepUntil: { $dateToString: { date: END } } } }]);
    await tickets.createIndex({ keepUntil: 1 }, { expireAfterSeconds: 0 });
  }),
  twin: planted(unusedIndex.twin.name, async (database, name) => {
    const tickets = database.collection(name);
    await tickets.updateMany({}, [{ $set: { keepUntil: END } }]);
    await tickets.createIndex({ keepUntil: 1 }, { expireAfterSeconds: 0 });
  }),
};

export const timesExhibits: readonly Exhibit[] = [
  bucketCandidate,
  timeseriesMisconfigured,
  expiredDocuments,
  endlessCollection,
  ttlWithoutEffect,
];
