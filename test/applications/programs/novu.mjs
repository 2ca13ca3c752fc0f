import { MongoClient, ObjectId } from 'mongodb';
import { below, between, choose, heavyTailed, hex, idAt, insertEach, token, uri, word, words } from './support.mjs';

const client = await MongoClient.connect(uri);
const database = client.db();
const of = (name) => database.collection(name);
const [messages, notifications, jobs, details] = ['messages', 'notifications', 'jobs', 'executiondetails'].map(of);
const [subscribers, preferences, topics, topicSubscribers] = [
  'subscribers',
  'preferences',
  'topics',
  'topicsubscribers',
].map(of);
const [templates, environments, integrations] = ['notificationtemplates', 'environments', 'integrations'].map(of);

// The indexes of its schemas. `preferences` has none.
const index = (collection, ...keys) => collection.createIndexes(keys.map((key) => ({ key })));
const ttl = { expireAfterSeconds: 0 };
for (const collection of [messages, notifications, jobs, details]) await collection.createIndex({ expireAt: 1 }, ttl);
await index(
  messages,
  { identifier: 1, _environmentId: 1 },
  { _subscriberId: 1, _environmentId: 1, channel: 1, seen: 1, read: 1, createdAt: -1 },
  { _messageTemplateId: 1, _environmentId: 1 },
  { transactionId: 1, _subscriberId: 1, _environmentId: 1, providerId: 1 },
  { _environmentId: 1, providerId: 1, createdAt: 1 },
);
await index(
  notifications,
  { _subscriberId: 1, _environmentId: 1 },
  { transactionId: 1, _environmentId: 1, createdAt: -1 },
  { _environmentId: 1, createdAt: -1 },
);
await index(
  jobs,
  { transactionId: 1 },
  { _parentId: 1 },
  { _subscriberId: 1, _templateId: 1, type: 1, status: 1, updatedAt: 1 },
  { _subscriberId: 1, _templateId: 1, type: 1, status: 1, createdAt: 1 },
  { _notificationId: 1 },
  { _environmentId: 1 },
);
await jobs.createIndex({ _mergedDigestId: 1 }, { sparse: true });
await index(details, { _jobId: 1 }, { _notificationId: 1 }, { _environmentId: 1 });
await index(subscribers, { _environmentId: 1, email: 1 });
await subscribers.createIndex({ subscriberId: 1, _environmentId: 1 }, { unique: true });
await index(topics, { _environmentId: 1 }, { _organizationId: 1 });
await index(
  topicSubscribers,
  ...['_environmentId', '_organizationId', '_subscriberId', '_topicId', 'topicKey'].map((name) => ({ [name]: 1 })),
);
await index(
  templates,
  { _organizationId: 1, 'triggers.identifier': 1 },
  { _environmentId: 1, name: 1 },
  { _environmentId: 1, 'triggers.identifier': 1, name: 1 },
);

const DAY = 86_400_000;
const now = Date.now();
const ago = (days) => now - below(days * DAY);
const at = (time) => new ObjectId(idAt(time));
const dated = (time) => ({ createdAt: new Date(time), updatedAt: new Date(time) });
const [PEOPLE, NOTIFICATIONS] = [20_000, 25_000];
const notDeleted = { deleted: { $ne: true } };

// Three organisations, each with an environment for development and one for production; one has most of the people.
const organisations = [at(ago(900)), at(ago(900)), at(ago(900))];
const environmentsOf = await insertEach(environments, 6, (number) => ({
  _id: at(ago(900)),
  name: number % 2 === 0 ? 'Development' : 'Production',
  _organizationId: organisations[Math.floor(number / 2)],
  identifier: token(12),
  apiKeys: [{ key: token(64), _userId: at(ago(900)) }],
}));
const tenantOf = ({ _id, _organizationId }) => ({ _environmentId: _id, _organizationId });
const tenant = () => tenantOf(environmentsOf[choose([1, 1, 1, 1, 1, 1, 3, 3, 5, 0])]);
const allTemplates = await insertEach(templates, 90, (number) => ({
  _id: at(ago(700)),
  name: `${words(2)} ${number}`,
  active: true,
  draft: false,
  critical: number % 9 === 0,
  tags: [choose(['news', 'account', 'billing'])],
  ...tenantOf(environmentsOf[number % 6]),
  triggers: [{ type: 'event', identifier: `${word()}-${number}`, variables: [] }],
  steps: [{ _templateId: at(ago(700)), active: true, filters: [] }],
  deleted: false,
}));
await insertEach(integrations, 24, (number) => ({
  _id: at(ago(700)),
  ...tenantOf(environmentsOf[number % 6]),
  providerId: choose(['novu', 'sendgrid', 'twilio']),
  channel: choose(['in_app', 'email', 'sms']),
  credentials: { apiKey: token(80) },
  active: true,
}));
const people = await insertEach(subscribers, PEOPLE, (number) => {
  const time = ago(600);
  return {
    _id: at(time),
    ...tenant(),
    firstName: word(),
    lastName: word(),
    subscriberId: hex(24),
    email: `${word()}.${number}@example.com`,
    channels: [],
    deleted: number % 40 === 0,
    ...dated(time),
  };
});
const templatesIn = new Map(
  environmentsOf.map(({ _id }) => [_id, allTemplates.filter(({ _environmentId }) => _environmentId === _id)]),
);
const allNotifications = Array.from({ length: NOTIFICATIONS }, (_, number) => {
  const time = now - (NOTIFICATIONS - number) * 100_000;
  // Some get most of them.
  const person = people[heavyTailed(5, PEOPLE, 0.5) - 1];
  const { _environmentId, _organizationId } = person;
  return {
    _id: at(time),
    _templateId: choose(templatesIn.get(_environmentId))._id,
    _environmentId,
    _organizationId,
    _subscriberId: person._id,
    transactionId: hex(24),
    channels: number % 3 === 0 ? ['in_app', 'email'] : ['in_app'],
    to: { subscriberId: person.subscriberId },
    payload: { orderId: below(90_000), text: words(6) },
    expireAt: new Date(time + 90 * DAY),
    tags: [],
    ...dated(time),
  };
});
await insertEach(notifications, NOTIFICATIONS, (number) => allNotifications[number]);
const tenantAnd = ({ _environmentId, _organizationId, _subscriberId, transactionId, expireAt, createdAt }) => ({
  _environmentId,
  _organizationId,
  _subscriberId,
  transactionId,
  expireAt,
  createdAt,
  updatedAt: createdAt,
});
// The trigger of each, a step for each channel, and at times a digest.
const jobsOf = (one) => {
  const { _templateId } = one;
  const types = ['trigger', ...(below(5) === 0 ? ['digest'] : []), ...one.channels];
  let parent;
  return types.map((type) => {
    const _id = at(one.createdAt.getTime());
    const job = {
      _id,
      identifier: word(),
      status: type === 'digest' && below(4) === 0 ? 'delayed' : 'completed',
      payload: one.payload,
      overrides: {},
      step: { uuid: hex(16), active: true, template: { type, content: words(12) } },
      _templateId: _templateId.toHexString(),
      _notificationId: one._id,
      subscriberId: one.to.subscriberId,
      type,
      ...(parent === undefined ? {} : { _parentId: parent }),
      ...(type === 'digest' ? { digest: { events: [], type: 'regular', amount: 5, unit: 'minutes' } } : {}),
      ...tenantAnd(one),
    };
    parent = _id;
    return job;
  });
};
const allJobs = allNotifications.flatMap(jobsOf);
await insertEach(jobs, allJobs.length, (number) => allJobs[number]);
const detailOf = ({ _id, _notificationId, _templateId, ...job }) => ({
  _jobId: _id.toHexString(),
  _notificationId,
  _notificationTemplateId: new ObjectId(_templateId),
  detail: choose(['Step queued', 'Message created', 'Message sent']),
  source: 'Internal',
  status: 'Success',
  isTest: false,
  isRetry: false,
  raw: JSON.stringify(job.payload),
  ...tenantAnd(job),
});
await insertEach(details, allJobs.length + 10_000, (number) => detailOf(allJobs[number % allJobs.length]));
const inApp = allNotifications.flatMap((one) => one.channels.map((channel) => ({ one, channel })));
const allMessages = await insertEach(messages, inApp.length, (number) => {
  const { one, channel } = inApp[number];
  const { _templateId } = one;
  return {
    _id: at(one.createdAt.getTime()),
    _templateId,
    _messageTemplateId: _templateId,
    _notificationId: one._id,
    channel,
    content: words(between(10, 40)),
    providerId: channel === 'in_app' ? 'novu' : below(40) === 0 ? 'novu-email' : 'sendgrid',
    ...(channel === 'email' ? { identifier: hex(32), email: `${word()}@example.com` } : {}),
    seen: number % 3 !== 0,
    read: number % 5 === 0,
    archived: number % 11 === 0,
    status: 'sent',
    payload: one.payload,
    cta: { type: 'redirect', data: { url: `/${word()}` } },
    tags: [],
    deleted: number % 50 === 0,
    ...tenantAnd(one),
  };
});
const channels = { email: { enabled: true }, in_app: { enabled: true }, sms: { enabled: false } };
const ofTemplates = allTemplates.map(({ _id, _environmentId, _organizationId }) => ({
  _templateId: _id,
  _environmentId,
  _organizationId,
  type: 'WORKFLOW_RESOURCE',
}));
const ofPeople = people.slice(0, 12_000).map(({ _id, _environmentId, _organizationId }, number) => ({
  _subscriberId: _id,
  _environmentId,
  _organizationId,
  ...(number % 3 === 0
    ? { type: 'SUBSCRIBER_GLOBAL' }
    : { type: 'SUBSCRIBER_WORKFLOW', _templateId: choose(templatesIn.get(_environmentId))._id }),
}));
const allPreferences = [...ofTemplates, ...ofPeople];
await insertEach(preferences, allPreferences.length, (number) => ({
  ...allPreferences[number],
  preferences: { all: { enabled: true, readOnly: false }, channels },
  deleted: false,
  ...dated(ago(300)),
}));
const allTopics = await insertEach(topics, 300, (number) => ({
  _id: at(ago(500)),
  ...tenant(),
  key: `${word()}-${number}`,
  name: words(2),
  ...dated(ago(500)),
}));
const peopleIn = new Map(
  environmentsOf.map(({ _id }) => [_id, people.filter(({ _environmentId }) => _environmentId === _id)]),
);
const inTopic = ({ _id, key, _environmentId, _organizationId }, person) => ({
  _environmentId,
  _organizationId,
  _subscriberId: person._id,
  _topicId: _id,
  topicKey: key,
  externalSubscriberId: person.subscriberId,
});
const members = allTopics.flatMap((topic) => {
  const { _environmentId } = topic;
  const all = peopleIn.get(_environmentId);
  const first = below(all.length);
  return all.slice(first, first + heavyTailed(10, 2_000, 0.8)).map((person) => inTopic(topic, person));
});
await insertEach(topicSubscribers, members.length, (number) => ({ ...members[number], ...dated(ago(400)) }));

// An hour. A trigger: the workflow, the person, their preferences, and the jobs, which are then run one after another.
const select = { projection: { firstName: 1, lastName: 1, avatar: 1, subscriberId: 1 } };
const preferencesOf = async ({ _templateId, _subscriberId, _environmentId }) => {
  const types = { $in: ['WORKFLOW_RESOURCE', 'USER_WORKFLOW'] };
  await preferences.find({ _templateId, _environmentId, type: types, ...notDeleted }).toArray();
  await preferences.find({ _subscriberId, _environmentId, type: 'SUBSCRIBER_GLOBAL', ...notDeleted }).toArray();
  const both = { _subscriberId, _templateId, _environmentId, type: 'SUBSCRIBER_WORKFLOW' };
  await preferences.find({ ...both, ...notDeleted }).toArray();
};
for (let sent = 0; sent < 200; sent += 1) {
  const person = people[heavyTailed(5, PEOPLE, 0.5) - 1];
  const { _environmentId, _organizationId, subscriberId } = person;
  const template = choose(templatesIn.get(_environmentId));
  await templates.findOne({ _environmentId, 'triggers.identifier': template.triggers[0].identifier, ...notDeleted });
  const transactionId = hex(24);
  await jobs.findOne({ transactionId, _environmentId }, { projection: { _id: 1 } });
  await subscribers.findOne({ _environmentId, subscriberId, ...notDeleted });
  const one = {
    ...choose(allNotifications),
    _id: at(Date.now()),
    _templateId: template._id,
    _subscriberId: person._id,
    to: { subscriberId },
    _environmentId,
    _organizationId,
    transactionId,
    ...dated(Date.now()),
  };
  await preferencesOf(one);
  await notifications.insertOne(one);
  const made = jobsOf(one);
  await jobs.insertMany(made);
  for (const job of made) {
    await jobs.findOne({ _id: job._id, _environmentId });
    if (job.type === 'digest') {
      const { _templateId, _subscriberId } = job;
      const delayed = { status: 'delayed', type: 'digest', _templateId, _environmentId, _subscriberId };
      await jobs.findOne(delayed, { projection: { _id: 1, _notificationId: 1 } });
      const done = { status: 'completed', type: 'trigger', _templateId, _environmentId, _subscriberId };
      await jobs
        .find({ ...done, updatedAt: { $gte: new Date(now - DAY) }, transactionId: { $nin: [transactionId] } })
        .toArray();
    }
    await details.insertOne(detailOf(job));
    if (job.type === 'in_app') {
      const { _id, ...message } = choose(allMessages);
      await messages.findOne({
        _notificationId: one._id,
        _environmentId,
        _subscriberId: person._id,
        _templateId: template._id,
        channel: 'in_app',
        transactionId,
        providerId: 'novu',
        ...notDeleted,
      });
      await messages.insertOne({ ...message, ...tenantAnd(one), _notificationId: one._id });
    }
    await jobs.updateOne({ _environmentId, _id: job._id }, { $set: { status: 'completed', updatedAt: new Date() } });
    await jobs.findOne({ _environmentId, _parentId: job._id });
  }
}
// The inbox of somebody: how much is unseen, the newest, and what they do with it.
for (let visit = 0; visit < 200; visit += 1) {
  const { _id: _subscriberId, _environmentId } = people[heavyTailed(5, PEOPLE, 0.5) - 1];
  const mine = { _environmentId, _subscriberId, channel: 'in_app' };
  const any = { $in: [true, false] };
  const archived = { $or: [{ archived: { $exists: false } }, { archived: any }] };
  await messages.countDocuments({ ...mine, seen: false, read: any, ...archived, ...notDeleted }, { limit: 100 });
  const found = await messages
    .find({ ...mine, seen: any, read: any, ...archived, ...notDeleted })
    .sort({ createdAt: -1 })
    .limit(10)
    .toArray();
  await subscribers.find({ _id: { $in: [_subscriberId] }, ...notDeleted }, select).toArray();
  await templates.find({ _id: { $in: found.map(({ _templateId }) => _templateId) }, ...notDeleted }).toArray();
  if (visit % 2 === 0) continue;
  const kept = { $or: [{ archived: { $exists: false } }, { archived: false }] };
  const newest = messages.find({ ...mine, read: any, ...kept, ...notDeleted }).sort({ createdAt: -1, _id: -1 });
  await newest.limit(11).toArray();
  const seen = { $set: { seen: true, lastSeenDate: new Date() } };
  await messages.updateMany({ _subscriberId, _environmentId, seen: false, channel: 'in_app', ...notDeleted }, seen);
  const ids = { $in: found.slice(0, 2).map(({ _id }) => _id) };
  await messages.updateMany({ _environmentId, _subscriberId, _id: ids, ...notDeleted }, { $set: { read: true } });
}
for (let event = 0; event < 40; event += 1) {
  const { identifier, _environmentId, _organizationId } = choose(
    allMessages.filter(({ channel }) => channel === 'email'),
  );
  await messages.findOne({ identifier, _environmentId, _organizationId, ...notDeleted });
}
// The dashboard: a page of activity with its jobs, the statistics, and the people.
for (let visit = 0; visit < 40; visit += 1) {
  const { _id: _environmentId, _organizationId } = environmentsOf[choose([1, 1, 1, 3, 5])];
  const filter =
    visit % 4 === 0
      ? { _templateId: { $in: [choose(templatesIn.get(_environmentId))._id] } }
      : visit % 4 === 1
        ? { channels: { $in: ['email'] } }
        : {};
  const page = await notifications
    .find({ _environmentId, ...filter })
    .sort({ createdAt: -1 })
    .skip(10 * below(4))
    .limit(10)
    .toArray();
  await subscribers.find({ _id: { $in: page.map(({ _subscriberId }) => _subscriberId) }, ...notDeleted }).toArray();
  const steps = await jobs
    .find({
      _notificationId: { $in: page.map(({ _id }) => _id) },
      _environmentId,
      type: { $nin: ['trigger'] },
    })
    .sort({ createdAt: 1 })
    .toArray();
  const jobIds = steps.map(({ _id }) => _id.toHexString());
  await details
    .find({ _jobId: { $in: jobIds } })
    .sort({ createdAt: 1 })
    .toArray();
  const list = { _environmentId, _organizationId, ...notDeleted };
  const skip = 10 * below(Math.floor(peopleIn.get(_environmentId).length / 10));
  await subscribers.countDocuments(list);
  await subscribers.find(list).skip(skip).limit(10).toArray();
  const email = { $regex: word().slice(0, 4), $options: 'i' };
  await subscribers.find({ _environmentId, $or: [{ email }, { subscriberId: word() }], ...notDeleted }).toArray();
  if (visit % 2 > 0) continue;
  const month = new Date(now - 30 * DAY);
  const match = { $match: { _environmentId, createdAt: { $gte: month } } };
  const weekly = { $sum: { $cond: [{ $gte: ['$createdAt', new Date(now - 7 * DAY)] }, 1, 0] } };
  await notifications.aggregate([match, { $group: { _id: null, weekly, monthly: { $sum: 1 } } }]).toArray();
  const day = { $dateToString: { format: '%Y-%m-%d', date: '$createdAt' } };
  await notifications
    .aggregate([
      match,
      { $unwind: '$channels' },
      {
        $group: {
          _id: day,
          count: { $sum: 1 },
          templates: { $addToSet: '$_templateId' },
          channels: { $addToSet: '$channels' },
        },
      },
      { $sort: { createdAt: -1 } },
    ])
    .toArray();
  const sentThisMonth = { channel: 'email', _environmentId, providerId: 'novu-email', createdAt: { $gte: month } };
  await messages.countDocuments({ ...sentThisMonth, ...notDeleted });
}
// Topics, and people who come from a customer's own list.
for (let call = 0; call < 60; call += 1) {
  const topic = choose(allTopics);
  const { _id: _topicId, key, _environmentId, _organizationId } = topic;
  await topics.findOne({ _environmentId, _organizationId, key });
  const person = choose(peopleIn.get(_environmentId));
  const { subscriberId } = person;
  await topicSubscribers.findOne({
    _environmentId,
    _organizationId,
    topicKey: key,
    externalSubscriberId: subscriberId,
  });
  const member = inTopic(topic, person);
  await topicSubscribers.findOneAndUpdate(member, { $set: { ...member, updatedAt: new Date() } }, { upsert: true });
  await topicSubscribers
    .aggregate([
      {
        $match: { _organizationId, _environmentId, _topicId: { $in: [_topicId] }, externalSubscriberId: { $nin: [] } },
      },
      { $group: { _id: '$externalSubscriberId' } },
    ])
    .toArray();
  const ofList = Array.from({ length: 10 }, () => choose(peopleIn.get(_environmentId)));
  await subscribers.bulkWrite(
    ofList.map((each) => ({
      updateOne: {
        filter: { subscriberId: each.subscriberId, _environmentId, _organizationId },
        update: { $set: { firstName: each.firstName, deleted: false } },
        upsert: true,
      },
    })),
  );
  const chosen = { subscriberId: { $in: ofList.map((each) => each.subscriberId) } };
  await subscribers.find({ _environmentId, _organizationId, ...chosen, ...notDeleted }).toArray();
}
await client.close();
