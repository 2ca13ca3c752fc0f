import { MongoClient, ObjectId } from 'mongodb';
import { below, between, choose, hex, idAt, insertEach, uri, words } from './support.mjs';

const client = await MongoClient.connect(uri);
const database = client.db();
const [entries, treatments, devices, profiles, foods, activity, subjects, roles] = [
  'entries',
  'treatments',
  'devicestatus',
  'profile',
  'food',
  'activity',
  'auth_subjects',
  'auth_roles',
].map((name) => database.collection(name));

const MINUTE = 60_000;
const TICK = 5 * MINUTE;
const DAY = 24 * 60 * MINUTE;
/** The half day that is driven ends now. */
const start = Date.now() - DAY / 2;
const iso = (time) => new Date(time).toISOString();
const uuid = () => [8, 4, 4, 4, 12].map(hex).join('-');

const reading = (time) => ({
  device: 'AndroidAPS-DexcomG6',
  date: time,
  dateString: iso(time),
  sgv: between(60, 280),
  delta: below(20) - 10,
  direction: choose(['Flat', 'FortyFiveUp', 'FortyFiveDown', 'SingleUp']),
  type: 'sgv',
  filtered: 0,
  unfiltered: 0,
  rssi: 100,
  noise: 1,
  utcOffset: 0,
  sysTime: iso(time),
});
const tracked = (time) => ({ identifier: uuid(), srvCreated: time, srvModified: time, app: 'AAPS', isValid: true });

// Six months of readings every five minutes.
const READINGS = 50_000;
await insertEach(entries, READINGS, (number) => {
  const time = start - (READINGS - number) * TICK;
  return { _id: new ObjectId(idAt(time)), ...reading(time), ...tracked(time) };
});
const treatment = (time) => {
  const kind = below(100);
  const base = { created_at: iso(time), enteredBy: 'openaps://AndroidAPS', utcOffset: 0, date: time };
  if (kind < 70)
    return {
      ...base,
      eventType: 'Temp Basal',
      duration: 30,
      rate: below(30) / 10,
      absolute: below(30) / 10,
      percent: null,
    };
  if (kind < 88) return { ...base, eventType: 'Correction Bolus', insulin: below(40) / 10, type: 'SMB', isSMB: true };
  if (kind < 96)
    return {
      ...base,
      eventType: 'Meal Bolus',
      insulin: below(90) / 10,
      carbs: between(5, 90),
      glucose: between(60, 250),
      glucoseType: 'Finger',
    };
  if (kind < 98) return { ...base, eventType: 'Note', notes: words(6) };
  return {
    ...base,
    eventType: 'Temporary Target',
    duration: 60,
    targetTop: 130,
    targetBottom: 120,
    reason: 'Activity',
  };
};
const TREATMENTS = 32_000;
await insertEach(treatments, TREATMENTS, (number) => {
  const time = start - (TREATMENTS - number) * 8 * MINUTE;
  return { _id: new ObjectId(idAt(time)), ...treatment(time), ...tracked(time) };
});
// Rare ones: a site every three days, a sensor every ten, a battery every three weeks; nobody stops a sensor.
for (const [eventType, days] of [
  ['Site Change', 3],
  ['Insulin Change', 3],
  ['Sensor Change', 10],
  ['Sensor Start', 10],
  ['Pump Battery Change', 21],
  ['Profile Switch', 14],
])
  await treatments.insertMany(
    Array.from({ length: Math.ceil(240 / days) }, (_, number) => {
      const time = start - (number + 0.8) * days * DAY;
      return {
        _id: new ObjectId(idAt(time)),
        eventType,
        created_at: iso(time),
        duration: 0,
        profile: 'Default',
        enteredBy: 'openaps://AndroidAPS',
        utcOffset: 0,
        date: time,
        ...tracked(time),
      };
    }),
  );
const curve = () => Array.from({ length: 48 }, () => between(60, 260));
const state = (time) => ({
  created_at: iso(time),
  device: 'openaps://Pixel 7',
  date: time,
  uploaderBattery: between(20, 100),
  isCharging: false,
  utcOffset: 0,
  pump: {
    clock: iso(time),
    reservoir: between(10, 200),
    battery: { percent: between(20, 100) },
    status: { status: 'normal', timestamp: iso(time) },
  },
  openaps: {
    suggested: {
      bg: between(60, 260),
      eventualBG: between(60, 260),
      reason: words(20),
      predBGs: { IOB: curve(), ZT: curve(), UAM: curve(), COB: curve() },
    },
    iob: { iob: below(50) / 10, basaliob: below(20) / 10, time: iso(time) },
  },
});
const STATES = 10_000;
await insertEach(devices, STATES, (number) => {
  const time = start - (STATES - number) * TICK;
  return { _id: new ObjectId(idAt(time)), ...state(time), ...tracked(time) };
});
const times = (value) =>
  Array.from({ length: 8 }, (_, number) => ({
    time: `${String(number * 3).padStart(2, '0')}:00`,
    value: value(),
    timeAsSeconds: number * 10_800,
  }));
const PROFILES = 1_200;
await insertEach(profiles, PROFILES, (number) => {
  const time = start - (PROFILES - number) * 5 * 60 * MINUTE;
  return {
    _id: new ObjectId(idAt(time)),
    defaultProfile: 'Default',
    startDate: iso(time),
    created_at: iso(time),
    mills: time,
    units: 'mg/dl',
    enteredBy: 'Loop',
    store: {
      Default: {
        dia: 6,
        timezone: 'Etc/GMT',
        units: 'mg/dl',
        basal: times(() => below(20) / 10),
        sens: times(() => between(30, 80)),
        carbratio: times(() => between(6, 15)),
        target_low: times(() => 100),
        target_high: times(() => 110),
      },
    },
    loopSettings: {
      maximumBasalRatePerHour: 4,
      dosingEnabled: true,
      overridePresets: Array.from({ length: 12 }, () => ({
        name: words(1),
        symbol: 'x',
        duration: 3_600,
        insulinNeedsScaleFactor: 1.1,
        targetRange: [120, 140],
      })),
    },
    ...tracked(time),
  };
});
await insertEach(foods, 400, (number) => ({
  type: number % 20 === 0 ? 'quickpick' : 'food',
  category: choose(['Fruit', 'Bread', 'Dairy']),
  name: words(2),
  portion: 100,
  carbs: between(1, 60),
  gi: 2,
  unit: 'g',
  position: number,
  hidden: false,
  created_at: iso(start - 200 * DAY),
  srvModified: start,
}));
await insertEach(activity, 3_000, (number) => {
  const time = start - (3_000 - number) * 60 * MINUTE;
  return {
    _id: new ObjectId(idAt(time)),
    created_at: iso(time),
    steps: below(900),
    heartrate: between(55, 140),
    activitylevel: 'low',
    ...tracked(time),
  };
});
await roles.insertMany(
  ['readable', 'admin', 'careportal'].map((name) => ({ name, permissions: ['*:*:read'], created_at: iso(start) })),
);
await subjects.insertMany(
  Array.from({ length: 6 }, () => ({ name: words(1), roles: ['readable'], created_at: iso(start) })),
);

// The indexed fields of its storage modules. They are built last, which is faster.
const index = (collection, keys) =>
  collection.createIndexes(keys.map((key) => ({ key: typeof key === 'string' ? { [key]: 1 } : key })));
await index(entries, [
  'date',
  'type',
  'sgv',
  'mbg',
  'sysTime',
  'dateString',
  'identifier',
  { type: 1, date: -1, dateString: 1 },
]);
await index(treatments, [
  'created_at',
  'eventType',
  'insulin',
  'carbs',
  'glucose',
  'enteredBy',
  'boluscalc.foods._id',
  'notes',
  'NSCLIENT_ID',
  'percent',
  'absolute',
  'duration',
  'identifier',
  { eventType: 1, duration: 1, created_at: 1 },
]);
await index(devices, ['created_at', 'NSCLIENT_ID']);
await index(profiles, ['startDate']);
await index(foods, ['type', 'position', 'hidden']);
await index(activity, ['created_at']);
await index(subjects, ['name']);
await index(roles, ['name']);

const upsert = (collection, filter, document) =>
  collection.bulkWrite([{ updateOne: { filter, update: { $set: document }, upsert: true } }]);
const SINGLE = ['Sensor Start', 'Sensor Change', 'Sensor Stop', 'Site Change', 'Insulin Change', 'Pump Battery Change'];

// Half a day: uploads every five minutes, after each of which the site loads what is new.
for (let tick = 0; tick < 144; tick += 1) {
  const time = start + tick * TICK;
  const entry = reading(time);
  await upsert(entries, { sysTime: entry.sysTime, type: 'sgv' }, entry);
  await devices.insertMany([state(time)]);
  const done = treatment(time);
  await treatments.bulkWrite([
    {
      replaceOne: {
        filter: { created_at: done.created_at, eventType: done.eventType },
        replacement: done,
        upsert: true,
      },
    },
  ]);
  if (tick % 4 === 0) {
    const identifier = uuid();
    const synced = { ...treatment(time + 1), identifier };
    await treatments.replaceOne({ identifier }, synced, { upsert: true });
  }

  const since = time - (tick === 0 ? 2 * DAY : 15 * MINUTE);
  await entries
    .find({ date: { $gte: since } })
    .sort({ date: 1 })
    .toArray();
  await treatments
    .find({ created_at: { $gte: iso(since) } })
    .sort({ created_at: 1 })
    .toArray();
  await treatments
    .find({ eventType: 'Profile Switch', created_at: { $gte: iso(time - 372 * DAY) }, duration: 0 })
    .sort({ created_at: -1 })
    .limit(1)
    .toArray();
  for (const eventType of SINGLE)
    await treatments
      .find({ eventType: { $eq: eventType }, created_at: { $gte: iso(time - 62 * DAY) } })
      .sort({ created_at: -1 })
      .limit(1)
      .toArray();
  await profiles.find().sort({ startDate: -1, _id: -1 }).limit(1).toArray();
  await foods.find({}).toArray();
  await devices
    .find({ created_at: { $gte: iso(since) } })
    .sort({ created_at: -1 })
    .toArray();
  await activity
    .find({ created_at: { $gte: iso(time - 2 * DAY) } })
    .sort({ created_at: 1 })
    .toArray();
  await database.command({ dbStats: 1 });
  // A watch face asks API v1; clients of API v3 ask for what is new.
  if (tick % 2 === 0)
    await entries
      .find({ date: { $gte: time - 4 * DAY } })
      .sort({ date: -1 })
      .limit(10)
      .toArray();
  if (tick % 8 === 0) {
    await entries.find({}).sort({ date: -1, identifier: -1, created_at: -1 }).limit(1).toArray();
    await devices.find({}).sort({ created_at: -1, identifier: -1, date: -1 }).limit(1).toArray();
    await treatments
      .find({ eventType: choose(['Site Change', 'Sensor Change', 'Meal Bolus']) })
      .sort({ created_at: -1, identifier: -1, date: -1 })
      .limit(1)
      .toArray();
    for (const collection of [devices, entries, foods, profiles, treatments])
      await collection.find().sort({ srvModified: -1 }).limit(1).project({ srvModified: 1 }).toArray();
  }
}
await client.close();
