import { MongoClient, ObjectId } from 'mongodb';
import { below, between, choose, idAt, insertEach, uri, word, words } from './support.mjs';

const client = await MongoClient.connect(uri);
const database = client.db();
const [entities, subscriptions] = ['entities', 'csubs'].map((name) => database.collection(name));
const raw = database.collection('sth_/madrid');
const sums = database.collection('sth_/madrid.aggr');

// What the broker and the history create by themselves.
await entities.createIndex({ 'location.coords': '2dsphere' });
await entities.createIndex({ expDate: 1 }, { expireAfterSeconds: 0 });
const DAY = 86_400_000;
const kept = { expireAfterSeconds: 365 * 86_400 };
await raw.createIndex(
  { recvTime: 1, entityId: 1, entityType: 1, attrName: 1, attrType: 1, attrValue: 1 },
  { unique: true },
);
await raw.createIndex({ recvTime: 1 }, kept);
await sums.createIndex({ '_id.origin': 1 }, kept);

const now = Date.now();
const ago = (days) => now - below(days * DAY);
const seconds = (time) => Math.floor(time / 1_000);
const [ENTITIES, SENSORS, VALUES] = [20_000, 60, 45_000];
const ATTRIBUTES = {
  AirQualityObserved: ['NO2', 'CO', 'temperature', 'relativeHumidity'],
  ParkingSpot: ['status', 'category', 'refParkingSite'],
  Streetlight: ['powerState', 'illuminanceLevel', 'dateLastLampChange'],
  WasteContainer: ['fillingLevel', 'temperature', 'nextActuationDeadline'],
  Vehicle: ['speed', 'heading', 'vehicleType', 'fleetVehicleId'],
  WaterMeter: ['flow', 'pressure', 'battery'],
};
const TYPES = Object.keys(ATTRIBUTES);
const PATHS = ['/madrid', '/madrid/parks', '/santander'];

const allEntities = await insertEach(entities, ENTITIES, (number) => {
  const type = TYPES[number % TYPES.length];
  const created = seconds(ago(700));
  const names = ATTRIBUTES[type];
  const attribute = (name) => ({
    type: 'Number',
    value: name === 'status' || name === 'powerState' ? choose(['on', 'off', 'free']) : below(1_000) / 10,
    creDate: created,
    modDate: seconds(ago(10)),
    mdNames: [],
  });
  return {
    _id: {
      id: `urn:ngsi-ld:${type}:${number}`,
      type,
      servicePath: PATHS[number % 10 < 6 ? 0 : number % 10 < 8 ? 1 : 2],
    },
    attrNames: [...names, 'location'],
    attrs: Object.fromEntries([
      ...names.map((name) => [name, attribute(name)]),
      ['location', { ...attribute('location'), type: 'geo:json' }],
    ]),
    creDate: created,
    modDate: seconds(ago(10)),
    location: {
      attrName: 'location',
      coords: { type: 'Point', coordinates: [-3.7 + below(4_000) / 10_000, 40.2 + below(4_000) / 10_000] },
    },
    lastCorrelator: word(),
  };
});
await insertEach(subscriptions, 250, (number) => ({
  _id: new ObjectId(idAt(ago(400))),
  expiration: number % 3 === 0 ? -1 : seconds(now + 90 * DAY),
  throttling: 0,
  reference: `http://consumer/${word()}`,
  servicePath: choose(PATHS),
  description: words(4),
  status: 'active',
  entities: [{ id: '.*', isPattern: 'true', type: choose(TYPES), isTypePattern: false }],
  attrs: [],
  conditions: ['temperature'],
  count: below(9_000),
  lastNotification: seconds(ago(2)),
}));

// A value of each sensor every seven minutes, and its sums by minute, hour, day and month.
const sensors = Array.from({ length: SENSORS }, (_, number) => ({
  entityId: `urn:ngsi-ld:AirQualityObserved:${number * TYPES.length}`,
  entityType: 'AirQualityObserved',
  attrName: ATTRIBUTES.AirQualityObserved[number % 4],
}));
const valueAt = (number, time) => ({
  recvTime: new Date(time),
  ...sensors[number % SENSORS],
  attrType: 'Number',
  attrValue: String(between(100, 400) / 10),
});
await insertEach(raw, VALUES, (number) => valueAt(number, now - (VALUES - number) * 7_000));
// How long a document of sums is, and how many points it has.
const RESOLUTIONS = { second: [60_000, 60], minute: [3_600_000, 60], hour: [DAY, 24], day: [31 * DAY, 31] };
const originOf = (resolution, time) =>
  new Date(Math.floor(time / RESOLUTIONS[resolution][0]) * RESOLUTIONS[resolution][0]);
const offsetOf = (resolution, time) =>
  Math.floor(((time % RESOLUTIONS[resolution][0]) / RESOLUTIONS[resolution][0]) * RESOLUTIONS[resolution][1]);
const prepopulated = (resolution) =>
  Array.from({ length: RESOLUTIONS[resolution][1] }, (_, offset) => ({
    offset,
    samples: 0,
    sum: 0,
    sum2: 0,
    min: Number.POSITIVE_INFINITY,
    max: Number.NEGATIVE_INFINITY,
  }));
const filled = (resolution) =>
  prepopulated(resolution).map((point) => ({ ...point, samples: 8, sum: 180, sum2: 4_050, min: 10.5, max: 39.5 }));
const DOCUMENTS = { minute: 72, hour: 25, day: 12 };
for (const [resolution, each] of Object.entries(DOCUMENTS))
  await insertEach(sums, each * SENSORS, (number) => ({
    _id: {
      attrName: sensors[number % SENSORS].attrName,
      entityId: sensors[number % SENSORS].entityId,
      entityType: 'AirQualityObserved',
      resolution,
      origin: originOf(resolution, now - (1 + Math.floor(number / SENSORS)) * RESOLUTIONS[resolution][0]),
    },
    attrType: 'Number',
    points: filled(resolution),
  }));

// An hour. An update of an entity: found by its parts, and set; then the history of what changed.
const within = (path) => ({ '_id.servicePath': { $in: [new RegExp(`^${path}$`), new RegExp(`^${path}/.*`)] } });
for (let update = 0; update < 200; update += 1) {
  const { _id, attrNames } = choose(allEntities);
  const parts = { '_id.id': _id.id, '_id.type': _id.type, '_id.servicePath': _id.servicePath };
  await entities
    .find({ $or: [{ '_id.id': _id.id, '_id.type': _id.type }], '_id.servicePath': _id.servicePath })
    .toArray();
  const [name] = attrNames;
  const changed = { type: 'Number', value: below(1_000) / 10, modDate: seconds(Date.now()), mdNames: [] };
  await entities.updateOne(parts, {
    $set: { [`attrs.${name}`]: changed, modDate: seconds(Date.now()), lastCorrelator: word() },
    $addToSet: { attrNames: { $each: [name] } },
  });
  if (update % 4 > 0) continue;
  const time = Date.now() + update;
  const value = valueAt(update, time);
  const { entityId, entityType, attrName, attrType, attrValue } = value;
  await raw.insertOne(value);
  for (const resolution of Object.keys(RESOLUTIONS)) {
    const of = {
      '_id.attrName': attrName,
      '_id.entityId': entityId,
      '_id.entityType': entityType,
      '_id.resolution': resolution,
      '_id.origin': originOf(resolution, time),
    };
    await sums.updateOne(of, { $setOnInsert: { attrType, points: prepopulated(resolution) } }, { upsert: true });
    const number = Number(attrValue);
    await sums.updateOne(
      { ...of, 'points.offset': offsetOf(resolution, time) },
      {
        $set: { attrType },
        $inc: { 'points.$.samples': 1, 'points.$.sum': number, 'points.$.sum2': number ** 2 },
        $min: { 'points.$.min': number },
        $max: { 'points.$.max': number },
      },
    );
  }
}
// Queries: one entity, a page of a type, those beyond a value, those near, those of a pattern, and all types.
for (let query = 0; query < 120; query += 1) {
  const { _id } = choose(allEntities);
  const [type, path] = [choose(TYPES), choose(['/madrid', '/santander'])];
  await entities
    .find({ $or: [{ '_id.id': { $in: [_id.id] }, '_id.type': _id.type }], ...within(_id.servicePath) })
    .sort({ creDate: 1 })
    .limit(20)
    .toArray();
  if (query % 3 > 0) continue;
  const ofType = { $or: [{ '_id.type': type }], ...within(path) };
  await entities.countDocuments(ofType);
  await entities
    .find(ofType)
    .sort({ creDate: 1 })
    .skip(20 * below(60))
    .limit(20)
    .toArray();
  const warm = { 'attrs.temperature.value': { $gt: 99, $exists: true } };
  await entities
    .find({ $or: [{ '_id.type': 'AirQualityObserved' }], ...within(path), ...warm })
    .sort({ creDate: 1 })
    .limit(20)
    .toArray();
  const center = { type: 'Point', coordinates: [-3.7 + below(4_000) / 10_000, 40.2 + below(4_000) / 10_000] };
  await entities
    .find({
      $or: [{ '_id.type': 'ParkingSpot' }],
      ...within(path),
      'location.coords': { $near: { $geometry: center, $maxDistance: 800 } },
    })
    .limit(20)
    .toArray();
  if (query % 12 > 0) continue;
  const pattern = { '_id.id': { $regex: `Meter:${below(2_000)}` }, '_id.type': 'WaterMeter' };
  await entities
    .find({ $or: [pattern], ...within('/madrid') })
    .sort({ creDate: 1 })
    .limit(20)
    .toArray();
  await entities
    .aggregate([
      { $match: within('/madrid') },
      { $project: { _id: 1, attrNames: 1 } },
      { $unwind: '$attrNames' },
      { $group: { _id: '$_id.type', attrs: { $addToSet: '$attrNames' } } },
      { $sort: { _id: 1 } },
    ])
    .toArray();
  await subscriptions.find({}).toArray();
}
// The history of a sensor: the last values, a page of a day, and its sums.
const projection = { _id: 0, attrType: 1, attrValue: 1, recvTime: 1 };
for (let call = 0; call < 120; call += 1) {
  const { entityId, entityType, attrName } = choose(sensors);
  const sensor = { entityId, entityType, attrName };
  const from = now - (1 + below(2)) * DAY;
  if (call % 2 === 0) {
    await raw.countDocuments(sensor);
    await raw.find(sensor, { projection }).sort({ recvTime: -1 }).limit(20).toArray();
  } else {
    const day = { ...sensor, recvTime: { $lte: new Date(from + DAY), $gte: new Date(from) } };
    await raw.countDocuments(day);
    await raw.find(day, { projection }).sort({ recvTime: 1 }).skip(0).limit(100).toArray();
  }
  const resolution = choose(['minute', 'hour', 'day']);
  await sums
    .find(
      {
        '_id.attrName': attrName,
        '_id.entityId': entityId,
        '_id.entityType': entityType,
        '_id.resolution': resolution,
        '_id.origin': { $lte: originOf(resolution, now), $gte: originOf(resolution, from) },
      },
      { projection: { _id: 1, 'points.offset': 1, 'points.samples': 1, 'points.sum': 1 } },
    )
    .sort({ '_id.origin': 1 })
    .toArray();
}
await client.close();
