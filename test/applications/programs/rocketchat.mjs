import { MongoClient } from 'mongodb';
import { below, between, choose, heavyTailed, insertEach, token, uri, word, words } from './support.mjs';

const client = await MongoClient.connect(uri);
const database = client.db();
const of = (name) => database.collection(name);
const [messages, subscriptions, rooms, analytics, uploads] = [
  'message',
  'subscription',
  'room',
  'analytics',
  'uploads',
].map((name) => of(`rocketchat_${name}`));
const [users, trash] = ['users', 'rocketchat__trash'].map(of);

// The indexes of its models, and those of accounts-base.
const index = (collection, ...specs) => collection.createIndexes(specs);
const plain = (...keys) => keys.map((key) => ({ key }));
const sparse = (...names) => names.map((name) => ({ key: { [name]: 1 }, sparse: true }));
await index(
  messages,
  ...plain({ rid: 1, ts: 1, _updatedAt: 1 }, { ts: 1 }, { 'u._id': 1 }, { rid: 1, t: 1, 'u._id': 1 }, { msg: 'text' }),
  ...plain({ location: '2dsphere' }, { rid: 1, tcount: 1 }),
  { key: { expireAt: 1 }, expireAfterSeconds: 0 },
  { key: { slackTs: 1, slackBotId: 1 }, sparse: true },
  { key: { tcount: 1, tlm: 1 }, sparse: true },
  {
    key: { rid: 1, unread: 1, ts: 1, tmid: 1, tshow: 1 },
    partialFilterExpression: { unread: { $exists: true } },
  },
  { key: { rid: 1, tlm: -1 }, partialFilterExpression: { tcount: { $exists: true } } },
  ...sparse('editedAt', 'editedBy._id', 'file._id', 'files._id', 'mentions.username', 'pinned', 'unread'),
  ...sparse('pinnedBy._id', 'starred._id', 'drid', 'tmid', 'navigation.token', 'federation.eventId', 't'),
);
await index(
  subscriptions,
  { key: { E2EKey: 1 }, unique: true, sparse: true },
  { key: { rid: 1, 'u._id': 1 }, unique: true },
  ...plain({ rid: 1, 'u._id': 1, open: 1 }, { rid: 1, 'u.username': 1 }, { rid: 1, alert: 1, 'u._id': 1 }),
  ...plain({ rid: 1, roles: 1 }, { 'u._id': 1, name: 1, t: 1 }, { name: 1, t: 1 }, { open: 1 }, { alert: 1 }),
  ...plain({ ts: 1 }, { ls: 1 }, { prid: 1 }, { 'u._id': 1, open: 1, department: 1 }, { rid: 1, ls: 1 }),
  ...plain({ 'u._id': 1, autotranslate: 1 }, { 'v._id': 1, open: 1 }),
  ...sparse('desktopNotifications', 'mobilePushNotifications', 'emailNotifications', 'autoTranslate'),
  ...sparse('autoTranslateLanguage', 'userHighlights.0'),
);
await index(
  rooms,
  { key: { name: 1 }, unique: true, sparse: true },
  ...sparse(
    'default',
    'featured',
    'muted',
    'prid',
    'fname',
    'uids',
    'createdOTR',
    'encrypted',
    'broadcast',
    'federated',
  ),
  ...plain({ 'u._id': 1 }, { ts: 1 }, { t: 1, ts: 1 }),
  { key: { teamId: 1, teamDefault: 1 }, sparse: true },
  {
    key: { 'usersWaitingForE2EKeys.userId': 1 },
    partialFilterExpression: { 'usersWaitingForE2EKeys.userId': { $exists: true } },
  },
);
await index(
  analytics,
  { key: { date: 1 } },
  { key: { 'room._id': 1, date: 1 }, unique: true, partialFilterExpression: { type: 'rooms' } },
  { key: { 'room.t': 1, date: 1 }, partialFilterExpression: { type: 'messages' } },
);
await index(uploads, ...sparse('name', 'rid'), ...plain({ uploadedAt: 1 }, { typeGroup: 1 }));
const insensitive = { locale: 'en', strength: 2, caseLevel: false };
await index(
  users,
  ...['username', 'emails.address', 'services.resume.loginTokens.hashedToken'].map((name) => ({
    key: { [name]: 1 },
    unique: true,
    sparse: true,
  })),
  ...plain({ name: 1 }, { createdAt: 1 }, { lastLogin: 1 }, { status: 1 }, { statusText: 1 }, { type: 1 }),
  ...sparse('__rooms', 'roles', 'bio', 'nickname', 'statusConnection', 'appId', 'language', 'importIds', 'federated'),
  { key: { 'emails.address': 1 }, sparse: true, name: 'emails.address_insensitive', collation: insensitive },
  { key: { username: 1 }, sparse: true, name: 'username_insensitive', collation: insensitive },
  {
    key: { active: 1, lastLogin: 1 },
    partialFilterExpression: { active: true, lastLogin: { $exists: true } },
  },
);
await index(
  trash,
  { key: { __collection__: 1 } },
  { key: { _deletedAt: 1 }, expireAfterSeconds: 30 * 86_400 },
  { key: { rid: 1, __collection__: 1, _deletedAt: 1 } },
);

const DAY = 86_400_000;
const now = Date.now();
const ago = (days) => new Date(now - below(days * DAY));
const dayOf = (time) => Number(new Date(time).toISOString().slice(0, 10).replaceAll('-', ''));
const [PEOPLE, ROOMS, MESSAGES] = [2_500, 2_000, 40_000];
const person = ({ _id, username, name }) => ({ _id, username, name });

// Everybody is in the first room; few others are large. A third are direct, between two.
const people = Array.from({ length: PEOPLE }, (_, number) => ({
  _id: token(17),
  username: `${word()}.${number}`,
  name: words(2),
  __rooms: [],
}));
const allRooms = Array.from({ length: ROOMS }, (_, number) => {
  const t = number % 3 === 2 ? 'd' : number % 7 === 0 ? 'p' : 'c';
  const size = number === 0 ? PEOPLE : t === 'd' ? 2 : heavyTailed(3, 600, 1.1);
  const first = below(PEOPLE);
  const members = Array.from({ length: size }, (__, place) => people[(first + place) % PEOPLE]);
  return { _id: token(17), t, members, name: `${word()}-${number}`, ts: ago(700) };
});
for (const { _id, t, members } of allRooms) if (t !== 'd') for (const { __rooms } of members) __rooms.push(_id);
await insertEach(users, PEOPLE, (number) => ({
  ...people[number],
  createdAt: ago(900),
  services: {
    password: { bcrypt: `$2b$10$${token(53)}` },
    resume: { loginTokens: Array.from({ length: between(1, 4) }, () => ({ when: ago(90), hashedToken: token(44) })) },
  },
  emails: [{ address: `user${number}@example.com`, verified: true }],
  type: 'user',
  status: choose(['online', 'away', 'offline', 'offline']),
  active: number % 30 !== 0,
  roles: number < 5 ? ['user', 'admin'] : ['user'],
  lastLogin: ago(60),
  statusConnection: 'offline',
  utcOffset: 1,
  ...(number % 10 === 0 ? { nickname: word(), bio: words(8) } : {}),
  _updatedAt: ago(60),
}));
const message = (room, time) => {
  const written = new Date(time);
  const chance = below(100);
  return {
    _id: token(17),
    rid: room._id,
    msg: words(between(3, 30)),
    ts: written,
    u: person(choose(room.members)),
    mentions: chance < 5 ? [person(choose(room.members))] : [],
    channels: [],
    urls: [],
    _updatedAt: written,
    ...(chance === 5 ? { t: choose(['uj', 'ul', 'room_changed_topic']), groupable: false } : {}),
    ...(chance === 6 ? { pinned: true, pinnedBy: person(choose(room.members)), pinnedAt: written } : {}),
    ...(chance === 7 ? { starred: [{ _id: choose(room.members)._id }] } : {}),
    ...(chance < 12 && chance > 8 ? { tcount: between(1, 20), tlm: written, replies: [choose(room.members)._id] } : {}),
    ...(chance === 13 ? { editedAt: written, editedBy: person(choose(room.members)) } : {}),
    ...(chance === 14 ? { file: { _id: token(17), name: word() }, files: [{ _id: token(17), name: word() }] } : {}),
  };
};
const roomOf = () => allRooms[below(4) === 0 ? 0 : heavyTailed(1, ROOMS, 0.6) - 1];
const written = await insertEach(messages, MESSAGES, (number) =>
  message(roomOf(), now - (MESSAGES - number) * 400_000),
);
const threads = written.filter(({ tcount }) => tcount !== undefined);
await insertEach(messages, 4_000, () => {
  const { _id, rid, tlm } = choose(threads);
  return {
    ...message(
      allRooms.find((room) => room._id === rid),
      tlm.getTime() + below(DAY),
    ),
    tmid: _id,
    tcount: 0,
  };
});
const last = new Map(written.map((one) => [one.rid, one]));
await insertEach(rooms, ROOMS, (number) => {
  const { _id, t, name, ts, members } = allRooms[number];
  return {
    _id,
    t,
    ts,
    msgs: 20,
    usersCount: members.length,
    u: person(members[0]),
    ro: false,
    sysMes: true,
    _updatedAt: ago(30),
    ...(t === 'd'
      ? { uids: members.map(({ _id: uid }) => uid), usernames: members.map(({ username }) => username) }
      : { name, fname: name, topic: words(5), default: number === 0 }),
    ...(last.has(_id) ? { lm: last.get(_id).ts, lastMessage: last.get(_id) } : {}),
  };
});
const allSubscriptions = allRooms.flatMap(({ _id: rid, t, name, members }, room) =>
  members.map((member, place) => ({
    _id: token(17),
    rid,
    t,
    name: t === 'd' ? members[(place + 1) % 2].username : name,
    u: person(member),
    open: (room + place) % 9 !== 0,
    alert: (room + place) % 4 === 0,
    unread: below(5),
    userMentions: 0,
    groupMentions: 0,
    ts: ago(700),
    ls: ago(40),
    _updatedAt: ago(40),
    ...(place === 0 ? { roles: ['owner'] } : {}),
  })),
);
await insertEach(subscriptions, allSubscriptions.length, (number) => allSubscriptions[number]);
const about = ({ _id, name, t }) => ({ _id, name, t, usernames: [] });
await insertEach(analytics, 12_000, (number) => ({
  _id: token(17),
  date: dayOf(now - (1 + Math.floor(number / 200)) * DAY),
  type: 'messages',
  room: about(allRooms[(number * 7) % 400]),
  messages: between(1, 90),
}));
await insertEach(uploads, 6_000, () => {
  const { _id: rid, members } = roomOf();
  return {
    _id: token(17),
    name: `${word()}.png`,
    size: below(900_000),
    type: 'image/png',
    rid,
    userId: choose(members)._id,
    complete: true,
    uploading: false,
    uploadedAt: ago(400),
    typeGroup: choose(['image', 'text', 'application']),
  };
});

// An hour. Somebody opens the client: who they are, their rooms, and the history of some.
const visible = { _hidden: { $ne: true } };
const notInThread = { $or: [{ tmid: { $exists: false } }, { tshow: true }] };
const tokens = (
  await users
    .find({}, { projection: { 'services.resume': 1 } })
    .limit(200)
    .toArray()
).map(({ services }) => services.resume.loginTokens[0].hashedToken);
for (let visit = 0; visit < 120; visit += 1) {
  const me = choose(people);
  const loaded = { sort: { ts: -1 }, limit: 50 };
  await users.findOne({ 'services.resume.loginTokens.hashedToken': choose(tokens) });
  await users.updateOne({ _id: me._id }, { $set: { status: 'online', _updatedAt: new Date() } });
  const mine = await subscriptions.find({ 'u._id': me._id }).toArray();
  const ids = mine.map(({ rid }) => rid);
  await rooms.find({ _id: { $in: ids } }).toArray();
  const badge = { _id: 'total', total: { $sum: '$unread' } };
  await subscriptions
    .aggregate([{ $match: { 'u._id': me._id, archived: { $ne: true } } }, { $group: badge }])
    .toArray();
  const rid = visit % 2 === 0 ? allRooms[0]._id : choose(ids);
  const hidden = { t: { $nin: ['uj', 'ul'] } };
  await messages.find({ ...visible, rid, ...notInThread, ...hidden }, loaded).toArray();
  await messages.find({ ...visible, rid, ts: { $lt: ago(30) }, ...notInThread, ...hidden }, loaded).toArray();
  await messages.find({ rid, ...visible, _updatedAt: { $gt: ago(1) } }).toArray();
  await trash.find({ __collection__: 'message', _deletedAt: { $gt: ago(1) }, rid }).toArray();
  await messages.find({ rid, tcount: { $exists: true } }, { sort: { tlm: -1 }, skip: 0, limit: 25 }).toArray();
  await messages.find({ ...visible, tmid: choose(threads)._id }, { sort: { ts: 1 } }).toArray();
  await subscriptions.updateOne(
    { rid, 'u._id': me._id },
    { $set: { open: true, alert: false, unread: 0, ls: new Date(), _updatedAt: new Date() } },
  );
  if (visit % 4 > 0) continue;
  await messages.find({ ...visible, 'mentions.username': me.username, rid }, loaded).toArray();
  await messages.find({ ...visible, 'starred._id': me._id, rid }, loaded).toArray();
  await messages.find({ t: { $ne: 'rm' }, ...visible, pinned: true, rid }, loaded).toArray();
  const files = { rid, complete: true, uploading: false, _hidden: { $ne: true } };
  await uploads.find(files, { sort: { uploadedAt: -1 }, limit: 50 }).toArray();
  await uploads.countDocuments(files);
}
for (let sent = 0; sent < 150; sent += 1) {
  const room = roomOf();
  const one = message(room, Date.now());
  const { _id: rid } = room;
  const changed = { _updatedAt: new Date() };
  await subscriptions.findOne({ rid, 'u._id': one.u._id });
  await messages.insertOne(one);
  await rooms.updateOne({ _id: rid }, { $set: { lm: one.ts, lastMessage: one, ...changed }, $inc: { msgs: 1 } });
  const others = { rid, 'u._id': { $ne: one.u._id } };
  await subscriptions.updateMany({ ...others, alert: { $ne: true } }, { $set: { alert: true, ...changed } });
  await subscriptions.updateMany({ ...others, open: { $ne: true } }, { $set: { open: true, ...changed } });
  await analytics.updateMany(
    { date: dayOf(now - DAY), 'room._id': rid, type: 'messages' },
    { $set: { room: about(room) }, $setOnInsert: { _id: token(17) }, $inc: { messages: 1 } },
    { upsert: true },
  );
  if (sent % 10 > 0) continue;
  const { _id, ...record } = await messages.findOne({ _id: one._id });
  const deleted = { ...record, _deletedAt: new Date(), __collection__: 'message' };
  await trash.updateOne({ _id }, { $set: deleted }, { upsert: true });
  await messages.deleteOne({ _id });
  const { _id: tmid } = choose(threads);
  await messages.updateOne(
    { _id: tmid },
    { $addToSet: { replies: one.u._id }, $set: { tlm: one.ts }, $inc: { tcount: 1 } },
  );
}
for (let search = 0; search < 60; search += 1) {
  const me = choose(people);
  const text = word().slice(0, 3);
  const within = new RegExp(text, 'i');
  await users
    .find(
      {
        $and: [
          {
            active: true,
            username: { $exists: true, $nin: [me.username] },
            $or: [{ username: within }, { name: within }, { nickname: within }],
          },
        ],
      },
      { projection: { name: 1, username: 1, status: 1 }, limit: 5, sort: { username: 1 } },
    )
    .toArray();
  const named = {
    $and: [
      { $or: [{ name: within, federated: { $ne: true } }, { fname: within }, { t: 'd', usernames: within }] },
      { $or: [{ t: { $in: ['c', 'p'] } }] },
    ],
    prid: { $exists: false },
    teamMain: { $exists: false },
  };
  await rooms.find(named, { sort: { name: 1 }, limit: 25 }).toArray();
  await rooms.countDocuments(named);
  const inRoom = { ...visible, rid: roomOf()._id, $text: { $search: choose(written).msg.split(' ')[0] } };
  await messages.find(inRoom, { sort: { ts: -1 }, limit: 20 }).toArray();
  if (search % 2 === 0) await users.findOne({ username: new RegExp(`^${me.username.toUpperCase()}$`, 'i') });
  else await users.findOne({ username: me.username.toUpperCase() }, { collation: insensitive });
  if (search % 10 > 0) continue;
  const shared = { $match: { $expr: { $eq: ['$rid', '$$rid'] }, 'u._id': { $ne: me._id } } };
  const found = {
    $expr: { $eq: ['$_id', '$$id'] },
    active: true,
    username: { $exists: true },
    $or: [{ name: within }],
  };
  await subscriptions
    .aggregate([
      { $match: { 'u._id': me._id } },
      { $group: { _id: '$rid' } },
      { $lookup: { from: 'rocketchat_subscription', as: 'subscription', let: { rid: '$_id' }, pipeline: [shared] } },
      { $unwind: { path: '$subscription' } },
      { $group: { _id: '$subscription.u._id', score: { $sum: 1 } } },
      { $lookup: { from: 'users', as: 'user', let: { id: '$_id' }, pipeline: [{ $match: found }] } },
      { $unwind: { path: '$user' } },
      { $group: { _id: '$_id', score: { $sum: '$score' }, username: { $first: '$user.username' } } },
      { $sort: { score: -1 } },
      { $limit: 10 },
    ])
    .toArray();
}
// The engagement dashboard, the retention of some rooms, and the statistics of the day.
const between2 = (from, to) => ({
  $filter: {
    input: '$messages',
    as: 'message',
    cond: { $and: [{ $gte: ['$$message.date', dayOf(from)] }, { $lte: ['$$message.date', dayOf(to)] }] },
  },
});
for (let visit = 0; visit < 2; visit += 1) {
  const [start, before] = [now - 7 * DAY, now - 14 * DAY];
  await rooms
    .aggregate([
      { $match: { t: { $in: ['c', 'p', 'd'] } } },
      { $lookup: { from: 'rocketchat_analytics', localField: '_id', foreignField: 'room._id', as: 'messages' } },
      {
        $project: { room: '$$ROOT', messages: between2(start, now), lastWeekMessages: between2(before, start) },
      },
      { $unwind: { path: '$messages', preserveNullAndEmptyArrays: true } },
      {
        $group: {
          _id: { _id: '$room._id' },
          room: { $first: '$room' },
          messages: { $sum: '$messages.messages' },
          lastWeekMessages: { $first: '$lastWeekMessages' },
        },
      },
      { $sort: { messages: -1 } },
      { $limit: 25 },
    ])
    .toArray();
  const days = { type: 'messages', date: { $gte: dayOf(start), $lte: dayOf(now) } };
  await analytics
    .aggregate([{ $match: days }, { $group: { _id: '$date', messages: { $sum: '$messages' } } }])
    .toArray();
  await messages.countDocuments({ tcount: { $exists: true } });
  await users.countDocuments({ active: true, lastLogin: { $exists: true } });
}
for (const { _id: rid } of allRooms.slice(5, 45)) {
  const old = { rid, ts: { $gt: new Date(0), $lt: ago(5) }, pinned: { $ne: true }, drid: { $exists: false } };
  await messages.find({ ...old, $or: [{ _hidden: true }, { t: 'rm' }] }, { projection: { _id: 1 } }).toArray();
}
await client.close();
