import { MongoClient, ObjectId } from 'mongodb';
import { below, choose, heavyTailed, hex, idAt, insertEach, uri, word, words } from './support.mjs';

const client = await MongoClient.connect(uri);
const database = client.db();
const of = (name) => database.collection(name);
const [statements, caches, values] = ['statements', 'queryBuilderCaches', 'queryBuilderCacheValues'].map(of);
const [personas, identifiers, attributes] = ['personas', 'personaIdentifiers', 'personaAttributes'].map(of);
const [organisations, stores, dashboards, activities] = ['organisations', 'lrs', 'dashboards', 'fullActivities'].map(
  of,
);

// The indexes of its migrations, of its models, and of the service of its personas.
const named = (collection, name, key, options) => collection.createIndex(key, { name, ...options });
const ofOrganisation = (name, key, options) => named(statements, `org_${name}`, { organisation: 1, ...key }, options);
const ofStore = (name, key) => ofOrganisation(`lrs_voided_${name}`, { lrs_id: 1, voided: 1, ...key });
const [objectId, verbId] = [{ 'statement.object.id': 1 }, { 'statement.verb.id': 1 }];
const objectType = { 'statement.object.objectType': 1 };
await statements.createIndex({ organisation: 1, timestamp: -1, _id: 1 });
await ofOrganisation('objId_objType', { ...objectId, ...objectType });
await ofStore('verbId_objType', { ...verbId, ...objectType });
await ofStore('verbId_objId', { ...verbId, ...objectId });
await ofStore('mbox', { 'statement.actor.mbox': 1 });
await ofStore('account', { 'statement.actor.account.name': 1, 'statement.actor.account.homePage': 1 });
await ofStore('timestamp__id', { timestamp: -1, _id: -1 });
await ofStore('stored__id', { stored: -1, _id: -1 });
await named(statements, 'statementId_lrs_id', { 'statement.id': 1, lrs_id: 1 });
await ofOrganisation('stored__id', { stored: -1, _id: 1 });
await ofOrganisation('objId', objectId);
await ofOrganisation('verbId_objId', { ...verbId, ...objectId });
await ofOrganisation('ident', { personaIdentifier: 1 });
await ofOrganisation('person_timestamp', { 'person._id': 1, timestamp: -1 });
await ofOrganisation('voided', { voided: 1 });
await ofOrganisation('lrs_hash', { lrs_id: 1, hash: 1 }, { unique: true });
const unique = { unique: true };
await activities.createIndex({ organisation: 1, lrs_id: 1, activityId: 1 }, unique);
await caches.createIndexes([
  { key: { organisation: 1 } },
  { key: { path: 1 } },
  { key: { organisation: 1, searchString: 1 }, unique: true },
  { key: { organisation: 1, path: 1, createdAt: -1, _id: 1 } },
]);
await values.createIndexes([
  { key: { organisation: 1, path: 1, hash: 1 }, unique: true },
  { key: { organisation: 1, path: 1, updatedAt: -1, _id: 1 } },
]);
await personas.createIndex({ organisation: 1 });
await identifiers.createIndexes([
  { key: { organisation: 1, ifi: 1 }, unique: true },
  { key: { organisation: 1, persona: 1 } },
]);
await attributes.createIndexes([
  { key: { organisation: 1, personaId: 1, key: 1 }, unique: true },
  { key: { personaId: 1, key: 1 } },
]);

const DAY = 86_400_000;
const now = Date.now();
const ago = (days) => now - below(days * DAY);
const at = (time) => new ObjectId(idAt(time));
const [STATEMENTS, PEOPLE, OBJECTS] = [36_000, 4_000, 1_500];
const uuid = () => [8, 4, 4, 4, 12].map(hex).join('-');
const VERBS = ['experienced', 'completed', 'passed', 'failed', 'attempted', 'answered', 'launched'];

// One of four organisations has most of what there is, in two stores.
const allOrganisations = await insertEach(organisations, 4, () => ({
  _id: at(ago(900)),
  name: words(2),
  settings: {},
}));
const allStores = await insertEach(stores, 6, (number) => ({
  _id: at(ago(900)),
  title: words(2),
  organisation: allOrganisations[[0, 0, 1, 2, 3, 3][number]]._id,
  statementCount: STATEMENTS / 6,
}));
const storeOf = () => allStores[choose([0, 0, 0, 1, 1, 2, 3, 4, 5])];
const clientOf = new Map(allStores.map(({ _id }) => [_id, at(ago(900))]));
await insertEach(dashboards, 60, (number) => ({
  _id: at(ago(300)),
  title: words(3),
  organisation: allOrganisations[number % 4]._id,
  visualisations: [at(ago(300))],
}));
const people = await insertEach(personas, PEOPLE, (number) => ({
  _id: at(ago(600)),
  organisation: allOrganisations[number % 8 < 5 ? 0 : (number % 8) - 4]._id,
  name: words(2),
}));
const allIdentifiers = await insertEach(identifiers, PEOPLE, (number) => ({
  _id: at(ago(600)),
  organisation: people[number].organisation,
  ifi: { key: 'mbox', value: `mailto:${word()}.${number}@example.com` },
  persona: people[number]._id,
}));
const KEYS = ['department', 'country', 'job title'];
await insertEach(attributes, PEOPLE * 3, (number) => {
  const { organisation, _id: personaId } = people[Math.floor(number / 3)];
  return { organisation, personaId, key: KEYS[number % 3], value: `${KEYS[number % 3]} ${below(12)}` };
});
const objects = Array.from({ length: OBJECTS }, (_, number) => ({
  id: `https://learning.example.com/${word()}/${number}`,
  objectType: 'Activity',
  definition: {
    name: { 'en-GB': words(4) },
    type: `http://adlnet.gov/expapi/activities/${choose(['course', 'module', 'assessment', 'question'])}`,
    extensions: { 'https://learning&46;example&46;com/pages': below(90) },
  },
}));
await insertEach(activities, OBJECTS, (number) => ({
  organisation: allOrganisations[0]._id,
  lrs_id: allStores[0]._id,
  activityId: objects[number].id,
  ...objects[number].definition,
}));
const byOrganisation = new Map(
  allOrganisations.map(({ _id }) => [
    String(_id),
    people.map((_, number) => number).filter((number) => people[number].organisation.equals(_id)),
  ]),
);
const statementAt = (time) => {
  const { _id: lrs_id, organisation } = storeOf();
  const person = choose(byOrganisation.get(String(organisation)));
  const verb = choose(VERBS);
  const id = uuid();
  return {
    _id: at(time),
    organisation,
    lrs_id,
    client: clientOf.get(lrs_id),
    person: { _id: people[person]._id, display: people[person].name },
    personaIdentifier: allIdentifiers[person]._id,
    active: true,
    voided: below(400) === 0,
    timestamp: new Date(time),
    stored: new Date(time + below(60_000)),
    hash: hex(40),
    refs: [],
    relatedAgents: [allIdentifiers[person].ifi.value],
    relatedActivities: [],
    completedQueues: ['STATEMENT_QUERYBUILDERCACHE_QUEUE', 'STATEMENT_EXTRACT_PERSONAS_QUEUE'],
    processingQueues: [],
    pendingForwardingQueue: [],
    statement: {
      id,
      version: '1.0.0',
      actor: { objectType: 'Agent', name: people[person].name, mbox: allIdentifiers[person].ifi.value },
      verb: { id: `http://adlnet.gov/expapi/verbs/${verb}`, display: { 'en-GB': verb } },
      object: objects[heavyTailed(5, OBJECTS, 0.7) - 1],
      ...(below(3) === 0 ? { result: { score: { raw: below(100), scaled: below(100) / 100 }, success: true } } : {}),
      context: {
        platform: choose(['web', 'app']),
        contextActivities: { grouping: [{ id: choose(objects).id, definition: { type: 'course' } }] },
      },
      timestamp: new Date(time).toISOString(),
      stored: new Date(time).toISOString(),
    },
  };
};
const all = await insertEach(statements, STATEMENTS, (number) => statementAt(now - (STATEMENTS - number) * 300_000));
const PATHS = [
  'statement.object.id',
  'statement.actor.mbox',
  'person',
  'statement.verb.id',
  'statement.object.definition',
];
await insertEach(values, 12_000, (number) => {
  const value = number % 5 === 2 ? words(2) : `${word()}/${number}`;
  return {
    organisation: allOrganisations[number % 7 < 5 ? 0 : 1]._id,
    path: PATHS[number % 5],
    hash: hex(40),
    value,
    display: value,
    searchString: JSON.stringify({ value, name: words(3) }),
    valueType: 'String',
    createdAt: new Date(ago(500)),
    updatedAt: new Date(ago(500)),
  };
});
await insertEach(caches, 1_200, (number) => {
  const path = ['statement', choose(['object', 'context', 'result']), `${word()}${number}`];
  return {
    organisation: allOrganisations[number % 4]._id,
    path,
    searchString: path.join('.'),
    valueType: 'String',
    createdAt: new Date(ago(500)),
    updatedAt: new Date(ago(500)),
  };
});

// An hour. A statement arrives: kept by its hash, then its queues, its cached values, and its person.
for (let arrived = 0; arrived < 200; arrived += 1) {
  const one = statementAt(Date.now());
  const { _id, organisation, lrs_id, statement } = one;
  await statements.find({ organisation, lrs_id, 'statement.id': { $in: [statement.id] } }).toArray();
  const { person, personaIdentifier, ...bare } = { ...one, completedQueues: [] };
  await statements.insertOne(bare);
  const queues = ['STATEMENT_QUERYBUILDERCACHE_QUEUE', 'STATEMENT_EXTRACT_PERSONAS_QUEUE'];
  await statements.updateOne({ _id }, { $addToSet: { processingQueues: { $each: queues } } });
  for (const queue of queues) {
    await statements.updateOne({ _id }, { $addToSet: { completedQueues: queue }, $pull: { processingQueues: queue } });
    await statements.findOne({ _id }, { projection: { _id: 1, completedQueues: 1, processingQueues: 1 } });
  }
  await values.bulkWrite(
    PATHS.slice(0, 4).map((path) => ({
      updateOne: {
        filter: { organisation, path, hash: hex(40) },
        update: {
          $set: { value: statement.id, searchString: statement.id, updatedAt: new Date() },
          $setOnInsert: { createdAt: new Date() },
        },
        upsert: true,
      },
    })),
  );
  const { ifi } = allIdentifiers.find((each) => each._id.equals(personaIdentifier));
  await identifiers.findOneAndUpdate({ organisation, ifi }, { $setOnInsert: { organisation, ifi } }, { upsert: true });
  await personas.findOne({ organisation, _id: person._id });
  await statements.updateOne({ _id }, { $set: { personaIdentifier, person } });
  await stores.updateOne({ _id: lrs_id }, { $inc: { statementCount: 1 } });
  // Of those who are new, all statements are told.
  if (arrived % 5 === 0)
    await statements.updateMany(
      { organisation, 'statement.actor.mbox': statement.actor.mbox },
      { $set: { personaIdentifier, person } },
    );
}
// The interface for statements, as a client of a store.
for (let call = 0; call < 120; call += 1) {
  const { organisation, lrs_id, statement } = choose(all);
  const mine = { organisation, lrs_id, voided: false };
  const filter = [
    {},
    { 'statement.verb.id': statement.verb.id },
    { 'statement.actor.mbox': statement.actor.mbox },
    { 'statement.verb.id': statement.verb.id, 'statement.object.id': statement.object.id },
  ][call % 4];
  await statements
    .find({ ...mine, ...filter }, { projection: { statement: 1 } })
    .sort({ stored: -1, _id: -1 })
    .limit(call % 4 === 0 ? 101 : 21)
    .toArray();
  await statements.findOne({ 'statement.id': statement.id, lrs_id, organisation, voided: false });
}
// The source page, its values, and the people.
for (let visit = 0; visit < 60; visit += 1) {
  const { organisation, person } = choose(all);
  const match = { $match: { organisation, timestamp: { $gte: new Date(now - 7 * DAY) } } };
  const newest = [{ $sort: { timestamp: -1, _id: 1 } }, { $limit: 10 }];
  await statements.aggregate([match, ...newest]).toArray();
  await statements
    .aggregate([{ $match: { organisation, 'person._id': person._id } }, ...newest, { $project: { statement: 1 } }])
    .toArray();
  const searched = { organisation, path: choose(PATHS), searchString: { $regex: word().slice(0, 4), $options: 'i' } };
  await values.find(searched).sort({ updatedAt: -1, _id: 1 }).limit(10).toArray();
  await caches
    .find({ organisation, searchString: { $regex: '^statement' } })
    .sort({ searchString: 1 })
    .limit(10)
    .toArray();
  await attributes.find({ organisation, personaId: person._id }).toArray();
}
// Dashboards: the charts of an organisation, over a month.
const model = { $first: '$model' };
const last = [{ $sort: { count: -1 } }, { $limit: 10_000 }, { $project: { _id: 1, count: 1, model: 1 } }];
const grouped = (by) => [{ $group: { _id: by, count: { $sum: 1 }, model, group: { $first: '$group' } } }, ...last];
for (let visit = 0; visit < 20; visit += 1) {
  const [{ _id: organisation }] = allOrganisations;
  const scope = { $match: { organisation } };
  const month = { $match: { timestamp: { $gte: new Date(now - 30 * DAY) } } };
  const byDay = { $dateToString: { date: '$timestamp', timezone: 'UTC', format: '%Y-%m-%d' } };
  await statements
    .aggregate([scope, month, { $project: { group: byDay, model: byDay } }, ...grouped('$group')])
    .toArray();
  const byVerb = { $project: { group: '$statement.verb.id', model: '$statement.verb' } };
  await statements.aggregate([scope, month, byVerb, ...grouped('$group')]).toArray();
  const bought = { $project: { group: '$person._id', value: '$statement.object.id', model: '$person.display' } };
  await statements
    .aggregate([
      scope,
      month,
      { $match: { 'person._id': { $exists: true } } },
      bought,
      { $group: { _id: { group: '$group', value: '$value' }, group: { $first: '$group' }, model } },
      { $group: { _id: '$_id.group', count: { $sum: 1 }, model } },
      ...last,
    ])
    .toArray();
  const scored = { $project: { value: '$statement.result.score.scaled' } };
  await statements
    .aggregate([
      scope,
      month,
      { $match: { 'statement.result.score.scaled': { $exists: true } } },
      scored,
      { $group: { _id: null, count: { $avg: '$value' } } },
    ])
    .toArray();
  if (visit % 2 > 0) continue;
  const both = { $and: [{ $eq: ['$personaId', '$$personaId'] }, { $eq: ['$key', choose(KEYS)] }] };
  await statements
    .aggregate([
      scope,
      { $match: { timestamp: { $gte: new Date(now - 7 * DAY) } } },
      {
        $lookup: {
          from: 'personaAttributes',
          as: 'personaAttrs',
          let: { personaId: '$person._id' },
          pipeline: [{ $match: { $expr: both } }],
        },
      },
      { $match: { personaAttrs: { $exists: true } } },
      { $unwind: { path: '$personaAttrs' } },
      { $project: { group: '$personaAttrs.value', model: '$personaAttrs.value' } },
      ...grouped('$group'),
    ])
    .toArray();
}
for (let run = 0; run < 2; run += 1)
  for (const { _id: organisation } of allOrganisations)
    await database.command({
      count: 'statements',
      query: { organisation },
      hint: { organisation: 1, timestamp: -1, _id: 1 },
    });
await client.close();
