import { MongoClient, ObjectId } from 'mongodb';
import { below, between, choose, heavyTailed, hex, idAt, insertEach, token, uri, word, words } from './support.mjs';

const client = await MongoClient.connect(uri);
const database = client.db();
const [tickets, accounts, groups, notifications, conversations, messages] = [
  'tickets',
  'accounts',
  'groups',
  'notifications',
  'conversations',
  'messages',
].map((name) => database.collection(name));
const [statuses, priorities, types, tags, counters, roles, teams, departments, settings, sessions] = [
  'statuses',
  'priorities',
  'tickettypes',
  'tags',
  'counters',
  'roles',
  'teams',
  'departments',
  'settings',
  'sessions',
].map((name) => database.collection(name));

// The indexes that its schemas declare.
await tickets.createIndexes([
  { key: { uid: 1 }, unique: true },
  { key: { date: 1 } },
  { key: { deleted: 1 } },
  { key: { status: 1 } },
  { key: { deleted: -1, group: 1, status: 1 } },
]);
await accounts.createIndexes([
  { key: { username: 1 }, unique: true },
  { key: { fullname: 1 } },
  { key: { email: 1 }, unique: true },
  { key: { accessToken: 1 }, sparse: true },
]);
await groups.createIndex({ name: 1 }, { unique: true });
await messages.createIndexes([{ key: { conversation: 1 } }, { key: { owner: 1 } }]);
await types.createIndex({ name: 1 }, { unique: true });
await tags.createIndexes([{ key: { name: 1 }, unique: true }, { key: { normalized: 1 } }]);
await teams.createIndex({ name: 1 }, { unique: true });
await departments.createIndex({ name: 1 }, { unique: true });
await settings.createIndex({ name: 1 }, { unique: true });
await roles.createIndex({ name: 1 }, { unique: true });
await sessions.createIndex({ expires: 1 }, { expireAfterSeconds: 0 });

const DAY = 86_400_000;
const now = Date.now();
const ago = (days) => now - below(days * DAY);
const at = (time) => new ObjectId(idAt(time));
const ids = (list) => list.map(({ _id }) => _id);

const TICKETS = 12_000;
const ACCOUNTS = 4_000;
const GROUPS = 300;
const statusIds = ids(
  await insertEach(statuses, 4, (number) => ({
    _id: at(ago(900)),
    name: ['New', 'Open', 'Pending', 'Closed'][number],
    htmlColor: '#29b955',
    uid: number,
    order: number,
    slatimer: number < 2,
    isResolved: number === 3,
    isLocked: true,
  })),
);
const priorityIds = ids(
  await insertEach(priorities, 3, (number) => ({
    _id: at(ago(900)),
    name: ['Normal', 'Urgent', 'Critical'][number],
    overdueIn: 2_880,
    htmlColor: '#29b955',
    migrationNum: number + 1,
    default: true,
  })),
);
const typeIds = ids(
  await insertEach(types, 5, (number) => ({ _id: at(ago(900)), name: `${word()}${number}`, priorities: priorityIds })),
);
const tagIds = ids(
  await insertEach(tags, 40, (number) => {
    const name = `${word()}${number}`;
    return { _id: at(ago(900)), name, normalized: name };
  }),
);
const roleIds = ids(
  await insertEach(roles, 4, (number) => ({
    _id: at(ago(900)),
    name: ['Admin', 'Support', 'User', 'Guest'][number],
    normalized: ['admin', 'support', 'user', 'guest'][number],
    isAdmin: number === 0,
    isAgent: number < 2,
    grants: ['tickets:create view update own', 'comments:create update'],
  })),
);
await counters.insertMany([
  { _id: 'tickets', next: 1_000 + TICKETS },
  { _id: 'reports', next: 1 },
]);
await insertEach(settings, 60, (number) => ({ _id: at(ago(900)), name: `${word()}:${number}`, value: word() }));

const allAccounts = await insertEach(accounts, ACCOUNTS, (number) => ({
  _id: at(ago(900)),
  username: `${word()}${number}`,
  password: `$2a$10$${token(53)}`,
  fullname: words(2),
  email: `user${number}@example.com`,
  role: number < 30 ? roleIds[1] : roleIds[2],
  lastOnline: new Date(ago(30)),
  title: words(2),
  hasL2Auth: false,
  ...(number % 40 === 0 ? { accessToken: hex(40) } : {}),
  preferences: { tourCompleted: true, autoRefreshTicketGrid: true, openChatWindows: [], keyboardShortcuts: true },
  deleted: false,
  __v: 0,
}));
const accountIds = ids(allAccounts);
const agents = accountIds.slice(0, 30);
const tokens = allAccounts.flatMap(({ accessToken }) => (accessToken === undefined ? [] : [accessToken]));
const allGroups = await insertEach(groups, GROUPS, (number) => ({
  _id: at(ago(900)),
  name: `${words(2)} ${number}`,
  members: Array.from({ length: heavyTailed(3, 120, 1.2) }, () => choose(accountIds)),
  sendMailTo: [choose(accountIds)],
  public: false,
  __v: 1,
}));
const groupIds = ids(allGroups);
await insertEach(teams, 6, () => ({ _id: at(ago(900)), name: words(2), members: agents.slice(0, 8) }));
await insertEach(departments, 4, (number) => ({
  _id: at(ago(900)),
  name: `${word()}${number}`,
  teams: [],
  allGroups: number === 0,
  publicGroups: false,
  groups: groupIds.slice(number * 60, number * 60 + 60),
}));

const historyItem = (time) => ({
  _id: at(time),
  date: new Date(time),
  owner: choose(agents),
  action: choose(['ticket:set:status', 'ticket:set:assignee', 'ticket:comment:added', 'ticket:set:priority']),
  description: `Ticket Status set to: ${word()}`,
});
const comment = (time) => ({
  _id: at(time),
  deleted: false,
  date: new Date(time),
  owner: choose(accountIds),
  comment: `<p>${words(between(15, 60))}</p>`,
});
// Of a group, few have most tickets. Old tickets have more behind them; some are the ones that a whole team lives in.
const allTickets = await insertEach(
  tickets,
  TICKETS,
  (number) => {
    const created = now - (TICKETS - number) * 0.06 * DAY;
    const since = now - created;
    const done = heavyTailed(6, 900, 1.1);
    const said = Math.min(heavyTailed(2, 60, 1.2), done);
    return {
      _id: at(created),
      uid: 1_000 + number,
      owner: choose(accountIds),
      group: choose(groupIds.slice(0, heavyTailed(10, GROUPS, 0.8))),
      ...(number % 6 === 0 ? {} : { assignee: choose(agents) }),
      date: new Date(created),
      updated: new Date(created + below(since)),
      deleted: number % 70 === 0,
      type: choose(typeIds),
      status: number > TICKETS - 900 ? statusIds[below(3)] : statusIds[3],
      priority: choose(priorityIds),
      tags: Array.from({ length: below(4) }, () => choose(tagIds)),
      subject: words(6),
      issue: `<p>${words(between(30, 120))}</p>`,
      ...(number > TICKETS - 900 ? {} : { closedDate: new Date(created + below(since)) }),
      comments: Array.from({ length: said }, (_, place) => comment(created + (since * place) / said)),
      notes: Array.from({ length: below(4) }, () => ({ ...comment(created + since / 2), note: words(12) })),
      attachments: [],
      history: Array.from({ length: done }, (_, place) => historyItem(created + (since * place) / done)),
      subscribers: Array.from({ length: between(1, 5) }, () => choose(accountIds)),
      __v: done,
    };
  },
  500,
);
await insertEach(notifications, 60_000, (number) => ({
  _id: at(ago(300)),
  created: new Date(ago(300)),
  owner: number % 3 === 0 ? choose(agents) : choose(accountIds),
  title: words(4),
  message: words(12),
  type: number % 3,
  data: { ticket: { _id: choose(allTickets)._id, uid: 1_000 + below(TICKETS), subject: words(6) } },
  unread: number % 5 === 0,
  __v: 0,
}));
const allConversations = await insertEach(conversations, 3_000, (number) => {
  const created = ago(600);
  const participants = [choose(agents), choose(accountIds), ...(number % 20 === 0 ? [choose(agents)] : [])];
  return {
    _id: at(created),
    createdAt: new Date(created),
    updatedAt: new Date(created + below(now - created)),
    userMeta: participants.map((userId) => ({
      userId,
      joinedAt: new Date(created),
      hasUnread: false,
      lastRead: new Date(created + below(now - created)),
    })),
    participants,
    __v: 0,
  };
});
await insertEach(messages, 60_000, (number) => {
  const time = now - (60_000 - number) * 0.01 * DAY;
  // Some colleagues chat all day.
  const { _id: conversation, participants } = number % 2 === 0 ? allConversations[below(20)] : choose(allConversations);
  return {
    _id: at(time),
    conversation,
    owner: choose(participants),
    body: words(between(3, 20)),
    createdAt: new Date(time),
    updatedAt: new Date(time),
    __v: 0,
  };
});
await insertEach(sessions, 400, () => ({
  _id: token(32),
  expires: new Date(now + below(DAY)),
  session: JSON.stringify({ cookie: { originalMaxAge: 86_400_000 }, passport: { user: choose(accountIds) } }),
}));

const person = 'username fullname email role image title';
const populate = (owners) =>
  accounts
    .find(
      { _id: { $in: [...new Set(owners)] } },
      { projection: Object.fromEntries(person.split(' ').map((name) => [name, 1])) },
    )
    .toArray();
const open = statusIds.slice(0, 3);

// An hour of the desk. A page of somebody: who they are, their groups, their notifications, a list of tickets.
const page = async (user, theirs, filter = {}) => {
  await sessions.findOne({ _id: token(32), $or: [{ expires: { $exists: false } }, { expires: { $gt: new Date() } }] });
  await accounts.findOne({ _id: user });
  await roles.find({}).toArray();
  await settings.find({}).toArray();
  await notifications.countDocuments({ owner: user, unread: true });
  await groups.find({ members: user }).toArray();
  const found = await tickets
    .find({ group: { $in: theirs }, deleted: false, ...filter })
    .sort({ uid: -1 })
    .skip(0)
    .limit(50)
    .toArray();
  await populate(found.flatMap(({ comments }) => comments.map(({ owner }) => owner)));
  await statuses.find({}).sort({ order: 1 }).toArray();
  await tickets.countDocuments({ groups: { $in: theirs }, deleted: false, ...filter });
};
for (let visit = 0; visit < 60; visit += 1) {
  const user = visit % 2 === 0 ? choose(agents) : choose(accountIds);
  const few = groupIds.slice(100).filter(() => below(40) === 0);
  if (visit % 2 === 0) await page(user, groupIds, { status: { $in: open } });
  else await page(user, few.length === 0 ? groupIds.slice(200, 203) : few);
  if (visit % 3 === 0) await tickets.find({ assignee: user, deleted: false, status: { $ne: 3 } }).toArray();
  if (visit % 4 === 0) await notifications.find({ owner: user }).toArray();
}
for (let visit = 0; visit < 120; visit += 1) {
  const { uid } = choose(allTickets.slice(-2_000));
  const found = await tickets.findOne({ uid, deleted: false });
  if (found === null) continue;
  await populate(found.history.map(({ owner }) => owner));
  if (visit % 2 === 0) continue;
  // What mongoose sends for a pushed entry, and for an array that was assigned anew.
  const version = { $inc: { __v: 1 } };
  await tickets.updateOne(
    { _id: found._id },
    { $set: { status: choose(open), updated: new Date() }, $push: { history: historyItem(Date.now()) }, ...version },
  );
  await tickets.updateOne(
    { _id: found._id },
    { $push: { comments: comment(Date.now()), history: historyItem(Date.now()) }, ...version },
  );
  if (visit % 5 === 0)
    await tickets.updateOne(
      { _id: found._id, __v: { $gte: 0 } },
      { $set: { comments: found.comments.slice(1) }, $push: { history: historyItem(Date.now()) }, ...version },
    );
  await notifications.insertMany(
    found.subscribers.map((owner) => ({
      created: new Date(),
      owner,
      title: words(4),
      message: words(12),
      type: 1,
      data: { ticket: { _id: found._id, uid } },
      unread: true,
    })),
  );
}
for (let request = 0; request < 40; request += 1) {
  await accounts.findOne({ accessToken: choose(tokens), deleted: false });
  if (request % 4 === 0)
    await tickets
      .find({ owner: choose(accountIds), deleted: false })
      .limit(10_000)
      .toArray();
  await counters.findOneAndUpdate({ _id: 'tickets' }, { $inc: { next: 1 } }, { returnDocument: 'after' });
}
for (let login = 0; login < 30; login += 1)
  await accounts.findOne({ username: new RegExp(`^${choose(allAccounts).username}$`, 'i') });
for (let search = 0; search < 30; search += 1) {
  const text = word();
  const within = { group: { $in: search % 2 === 0 ? groupIds : groupIds.slice(0, 40) }, deleted: false };
  await tickets
    .find({ ...within, $where: `/^${1_000 + below(TICKETS)}.*/.test(this.uid)` })
    .limit(100)
    .toArray();
  await tickets
    .find({ ...within, subject: { $regex: text, $options: 'i' } })
    .limit(100)
    .toArray();
  await tickets
    .find({ ...within, issue: { $regex: text, $options: 'i' } })
    .limit(100)
    .toArray();
}
for (let visit = 0; visit < 40; visit += 1) {
  const user = choose(agents);
  for (const { _id } of await conversations.find({ participants: user }).sort({ updatedAt: -1 }).limit(8).toArray())
    await messages.find({ conversation: _id }).sort({ createdAt: -1 }).limit(1).toArray();
  const { _id } = allConversations[below(40)];
  await messages.find({ conversation: _id }).sort({ createdAt: -1 }).limit(25).toArray();
  await messages.insertOne({
    conversation: _id,
    owner: user,
    body: words(8),
    createdAt: new Date(),
    updatedAt: new Date(),
  });
  await conversations.updateOne({ _id }, { $set: { updatedAt: new Date() } });
}
// The dashboard: counts by tag and type, groups by their tickets, and what the cache reads.
for (let visit = 0; visit < 2; visit += 1) {
  for (const tag of tagIds) await tickets.countDocuments({ tags: tag, deleted: false });
  for (const type of typeIds) await tickets.countDocuments({ type, deleted: false });
  await tickets
    .find({ date: { $gte: new Date(now - 30 * DAY), $lte: new Date() }, deleted: false })
    .project({ group: 1 })
    .toArray();
  await tickets
    .find({ date: { $gte: new Date(now - 365 * DAY) }, deleted: false })
    .sort({ date: 1 })
    .toArray();
}
await client.close();
