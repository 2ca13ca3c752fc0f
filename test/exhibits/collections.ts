import type { Db, Document } from 'mongodb';
import { SeededRandom } from '../../src/demo/seeded-random.js';
import { type Exhibit, faulty, planted } from './exhibit.js';
import { mixedTypes } from './fields.js';
import { askForOrders } from './order-queries.js';

/** So few: references are looked for among a hundred collections, and the other exhibits need theirs. */
const DAYS = 3;

const HOURS = 24;

const hoursOf = (day: number) =>
  Array.from({ length: HOURS }, (_, hour) => ({
    river: hour % 3,
    at: new Date(Date.UTC(2024, 0, day, hour)),
    level: 100 + ((day * hour) % 17),
  }));

const tooManyCollections: Exhibit = {
  check: 'too-many-collections',
  story: 'a collection of water levels for each day / one time-series collection for all',
  thresholds: { family: DAYS },
  bad: faulty('water_levels_*', null, async (database, name) => {
    for (let day = 1; day <= DAYS; day += 1) {
      const date = `2024_01_${String(day).padStart(2, '0')}`;
      await database.collection(name.replace('*', date)).insertMany(hoursOf(day));
    }
  }),
  twin: planted('water_levels', async (database, name) => {
    const days = Array.from({ length: DAYS }, (_, index) => hoursOf(index + 1));
    await database.createCollection(name, {
      timeseries: { timeField: 'at', metaField: 'river', granularity: 'hours' },
    });
    await database.collection(name).insertMany(days.flat());
  }),
};

const emptyCollection: Exhibit = {
  check: 'empty-collection',
  story: 'a collection that was never written to / sessions that have all expired',
  bad: faulty('returns_of_a_release_that_never_came', null, (database, name) => database.createCollection(name)),
  twin: planted('sessions_all_expired', (database, name) =>
    database.collection(name).createIndex({ lastSeen: 1 }, { expireAfterSeconds: 3_600 }),
  ),
};

const DOCUMENTS = 2_000;

const KEPT = 100;

const TEXT_BYTES = 3_000;

const USUAL_SECONDS = 300;

export const reusableSpace: Exhibit = {
  check: 'reusable-space',
  story: 'scans of which nearly all were deleted / scans that were kept',
  needsMember: true,
  thresholds: { reusable: 2 * 1024 * 1024 },
  bad: faulty('scans_mostly_deleted', null, async (database, name) => {
    const scans = database.collection(name);
    await plantScans(database, name);
    const admin = database.client.db('admin');
    await admin.command({ fsync: 1 });
    // Else deleted documents stay readable for five minutes, and in the file.
    await admin.command({ setParameter: 1, minSnapshotHistoryWindowInSeconds: 0 });
    const written = { writeConcern: { w: 'majority', j: true } } as const;
    await scans.deleteMany({ number: { $gte: KEPT } }, written);
    await scans.updateOne({ number: 0 }, { $set: { kept: true } }, written);
    await admin.command({ fsync: 1 });
    await admin.command({ setParameter: 1, minSnapshotHistoryWindowInSeconds: USUAL_SECONDS });
  }),
  twin: planted('scans_all_kept', plantScans),
};

async function plantScans(database: Db, name: string): Promise<void> {
  const random = new SeededRandom(name.length);
  const scans = Array.from({ length: DOCUMENTS }, (_, number) => ({
    number,
    text: Buffer.from(Array.from({ length: TEXT_BYTES }, () => random.below(256))).toString('base64'),
  }));
  await database.collection(name).insertMany(scans);
}

/** Of the 41 days of events, the last three. */
const NEWEST = new Date(1.7e12 + 38 * 86_400_000);

const IN_TURN: Document = { starts: { $gte: NEWEST } };

/** On the events of `mixed-types`, which are planted before: references are looked for among a hundred collections. */
const archiveCandidate: Exhibit = {
  check: 'archive-candidate',
  story: 'events of which only the last three days are asked for / events that are also asked for by what they are',
  thresholds: { bytes: 1, days: 0, executions: 5 },
  bad: faulty(mixedTypes.bad.name, 'starts', async (database, name) => {
    const events = database.collection(name);
    await events.createIndex({ starts: 1 });
    await askForOrders(database, () => events.find(IN_TURN).toArray());
  }),
  twin: planted(mixedTypes.twin.name, async (database, name) => {
    const events = database.collection(name);
    await events.createIndex({ starts: 1 });
    await askForOrders(database, async (hall) => {
      await events.find(IN_TURN).toArray();
      await events.findOne({ attributes: { $elemMatch: { k: 'hall', v: `hall ${hall % 7}` } } });
    });
  }),
};

export const collectionsExhibits: readonly Exhibit[] = [
  tooManyCollections,
  emptyCollection,
  reusableSpace,
  archiveCandidate,
];
