import mongoose from 'mongoose';
import { below, between, choose, heavyTailed, hex, insertEach, token, uri, word, words } from './support.mjs';

const { Schema, model } = mongoose;
mongoose.set({ autoIndex: false });
await mongoose.connect(uri);

// What its schemas declare, as far as the collections here need it: ids are UUIDs, and none has an index.
const anything = Schema.Types.Mixed;
const text = { type: String };
const list = [text];
const options = { minimize: false, versionKey: false };
const order = { habits: list, dailys: list, todos: list, rewards: list };
const User = model(
  'User',
  new Schema(
    {
      _id: text,
      apiToken: text,
      auth: anything,
      achievements: anything,
      backer: anything,
      contributor: anything,
      balance: Number,
      challenges: [{ type: String, ref: 'Challenge' }],
      flags: anything,
      guilds: [{ type: String, ref: 'Group' }],
      history: anything,
      inbox: anything,
      invitations: anything,
      items: anything,
      lastCron: Date,
      notifications: [anything],
      party: anything,
      preferences: anything,
      profile: anything,
      stats: anything,
      tags: [anything],
      tasksOrder: order,
    },
    options,
  ),
);
const Group = model(
  'Group',
  new Schema(
    {
      _id: text,
      name: text,
      summary: text,
      description: text,
      leader: { type: String, ref: 'User' },
      type: text,
      privacy: text,
      memberCount: Number,
      challengeCount: Number,
      balance: Number,
      quest: anything,
      tasksOrder: order,
      managers: anything,
      categories: [anything],
    },
    options,
  ),
);
const Challenge = model(
  'Challenge',
  new Schema(
    {
      _id: text,
      name: text,
      shortName: text,
      description: text,
      official: Boolean,
      leader: { type: String, ref: 'User' },
      group: { type: String, ref: 'Group' },
      memberCount: Number,
      prize: Number,
      categories: [anything],
      tasksOrder: order,
      createdAt: Date,
      updatedAt: Date,
    },
    options,
  ),
);
const Task = model('Task', new Schema({ _id: text, userId: text, type: text }, { ...options, strict: false }));
const Chat = model('Chat', new Schema({ _id: text, groupId: text, timestamp: Date }, { ...options, strict: false }));
const Inbox = model('Inbox', new Schema({ _id: text, ownerId: text, timestamp: Date }, { ...options, strict: false }));

const DAY = 86_400_000;
const now = Date.now();
const ago = (days) => new Date(now - below(days * DAY));
const uuid = () => [8, 4, 4, 4, 12].map(hex).join('-');
const [PEOPLE, GROUPS, CHALLENGES, TASKS] = [6_000, 1_200, 1_500, 60_000];
const CONTENT = Array.from({ length: 120 }, (_, number) => `${word()}_${number}`);
const owned = (most) => Object.fromEntries(CONTENT.slice(0, between(3, most)).map((name) => [name, true]));

const people = Array.from({ length: PEOPLE }, uuid);
const allGroups = Array.from({ length: GROUPS }, (_, number) => ({
  _id: uuid(),
  type: number < 900 ? 'party' : 'guild',
}));
const [parties, guilds] = [allGroups.slice(0, 900), allGroups.slice(900)];
const challenges = Array.from({ length: CHALLENGES }, uuid);
const guildsOf = people.map(() => Array.from({ length: below(6) }, () => guilds[heavyTailed(3, 300, 0.7) - 1]._id));
const challengesOf = people.map(() =>
  Array.from({ length: below(6) }, () => challenges[heavyTailed(5, CHALLENGES, 0.7) - 1]),
);
const partyOf = people.map((_, number) => (number % 4 === 0 ? null : parties[number % 900]._id));
const named = (number) => `${word()}${number}`;
const names = people.map((_, number) => named(number));
await insertEach(User.collection, PEOPLE, (number) => ({
  _id: people[number],
  apiToken: uuid(),
  auth: {
    local: { username: names[number], lowerCaseUsername: names[number], email: `user${number}@example.com` },
    timestamps: { created: ago(900), loggedin: ago(60) },
  },
  achievements: { quests: {}, streak: below(40), challenges: [], perfect: below(20) },
  backer: number % 300 === 0 ? { tier: between(1, 500) } : {},
  contributor: number % 150 === 0 ? { level: between(1, 9), text: word() } : {},
  balance: below(50) / 4,
  challenges: challengesOf[number],
  flags: { verifiedUsername: true, tour: { intro: -2, classes: -2 }, welcomed: true },
  guilds: guildsOf[number],
  history: {
    exp: Array.from({ length: heavyTailed(20, 400, 1.1) }, () => ({ date: ago(600), value: below(9_000) })),
    todos: Array.from({ length: heavyTailed(20, 400, 1.1) }, () => ({ date: ago(600), value: -below(90) })),
  },
  inbox: { newMessages: below(3), blocks: [], optOut: false },
  invitations: { guilds: [], parties: number % 50 === 0 ? [{ id: choose(parties)._id, inviter: choose(people) }] : [] },
  items: {
    gear: { owned: owned(110), equipped: { armor: choose(CONTENT), head: choose(CONTENT) }, costume: {} },
    pets: owned(60),
    mounts: owned(30),
    food: Object.fromEntries(CONTENT.slice(0, 8).map((name) => [name, below(20)])),
  },
  lastCron: ago(3),
  notifications: Array.from({ length: below(6) }, () => ({
    type: 'NEW_CHAT_MESSAGE',
    id: uuid(),
    data: {},
    seen: false,
  })),
  party:
    partyOf[number] === null ? {} : { _id: partyOf[number], order: 'level', quest: { progress: { up: below(40) } } },
  preferences: {
    hair: { color: 'red', base: 3 },
    language: 'en',
    emailNotifications: { newPM: true },
    timezoneOffset: 0,
  },
  profile: { name: words(1), blurb: words(12) },
  stats: { hp: below(50), exp: below(900), gp: below(900), lvl: below(90), class: 'rogue', buffs: { str: 0 } },
  tags: Array.from({ length: below(12) }, () => ({ id: uuid(), name: word() })),
  tasksOrder: { habits: [uuid(), uuid()], dailys: [uuid(), uuid(), uuid()], todos: [uuid()], rewards: [] },
}));
const membersOf = new Map(allGroups.map(({ _id }) => [_id, []]));
for (const [number, party] of partyOf.entries()) if (party !== null) membersOf.get(party).push(people[number]);
for (const [number, theirs] of guildsOf.entries())
  for (const guild of theirs) membersOf.get(guild).push(people[number]);
await insertEach(Group.collection, GROUPS, (number) => {
  const { _id, type } = allGroups[number];
  const members = membersOf.get(_id);
  const isOnQuest = type === 'party' && number % 2 === 0;
  return {
    _id,
    type,
    name: words(2),
    summary: words(8),
    description: words(40),
    leader: members[0] ?? choose(people),
    privacy: type === 'guild' && number % 4 > 0 ? 'public' : 'private',
    memberCount: members.length,
    challengeCount: below(6),
    balance: 0,
    quest: isOnQuest
      ? {
          key: choose(CONTENT),
          active: true,
          leader: members[0],
          progress: { hp: below(500), collect: {} },
          members: Object.fromEntries(members.map((id) => [id, true])),
        }
      : { active: false, members: {}, progress: { collect: {} } },
    tasksOrder: { habits: [], dailys: [], todos: [], rewards: [] },
    managers: {},
    categories: [{ slug: 'hobbies', name: 'hobbies' }],
  };
});
await insertEach(Challenge.collection, CHALLENGES, (number) => {
  const created = ago(700);
  return {
    _id: challenges[number],
    name: words(4),
    shortName: word(),
    description: words(60),
    official: number % 60 === 0,
    leader: choose(people),
    group: choose(allGroups)._id,
    memberCount: between(1, 200),
    prize: below(20),
    categories: [{ slug: 'health_fitness', name: 'health' }],
    tasksOrder: { habits: [uuid()], dailys: [uuid()], todos: [], rewards: [] },
    createdAt: created,
    updatedAt: created,
  };
});
const TYPES = ['habit', 'daily', 'todo', 'todo', 'reward'];
const week = { m: true, t: true, w: true, th: true, f: true, s: false, su: false };
const taskOf = (number) => {
  const [owner, type] = [number % PEOPLE, TYPES[below(5)]];
  const created = ago(600);
  // The first of a challenge belong to nobody.
  const isOriginal = number < 4_000;
  const ofChallenge = challengesOf[owner][0];
  const challenge = isOriginal
    ? { id: challenges[number % CHALLENGES] }
    : number % 5 === 0 && ofChallenge !== undefined
      ? { id: ofChallenge, taskId: uuid() }
      : {};
  return {
    _id: uuid(),
    ...(isOriginal ? {} : { userId: people[owner] }),
    type,
    text: words(4),
    notes: words(6),
    tags: [uuid()],
    value: below(20) - 10,
    priority: choose([0.1, 1, 1.5, 2]),
    attribute: 'str',
    challenge,
    group: { assignedUsers: [] },
    reminders: [],
    createdAt: created,
    updatedAt: created,
    ...(type === 'habit' || type === 'daily'
      ? {
          history: Array.from({ length: heavyTailed(6, 360, 0.8) }, () => ({
            date: ago(600).getTime(),
            value: below(9),
          })),
        }
      : {}),
    ...(type === 'daily'
      ? { frequency: 'weekly', everyX: 1, startDate: created, repeat: week, streak: below(40) }
      : {}),
    ...(type === 'daily' || type === 'todo'
      ? { completed: below(2) === 0, checklist: [], collapseChecklist: false }
      : {}),
    ...(type === 'todo' ? { dateCompleted: ago(300), date: '' } : {}),
    ...(number % 90 === 7 ? { alias: `${word()}-${number}` } : {}),
  };
};
const allTasks = await insertEach(Task.collection, TASKS, taskOf);
const styles = (author) => ({
  uuid: author,
  user: names[people.indexOf(author)],
  contributor: {},
  userStyles: { items: { gear: { equipped: { armor: choose(CONTENT) } } }, preferences: { hair: { color: 'red' } } },
});
const chatIn = (groupId, members) => {
  const id = uuid();
  const likes = Object.fromEntries(Array.from({ length: below(4) }, () => [choose(members), true]));
  const content = { text: words(between(4, 30)), unformattedText: words(12), info: {}, flags: {}, flagCount: 0, likes };
  return { _id: id, id, groupId, timestamp: ago(200), ...content, ...styles(choose(members)) };
};
const talking = allGroups.filter(({ _id }) => membersOf.get(_id).length > 0);
await insertEach(Chat.collection, 24_000, () => {
  const { _id } = talking[heavyTailed(3, talking.length, 0.5) - 1];
  return chatIn(_id, membersOf.get(_id));
});
const pairs = Array.from({ length: 4_000 }, () => [choose(people), choose(people)]);
const letterOf = ([ownerId, other], sent) => {
  const id = uuid();
  const content = { text: words(between(4, 40)), likes: {}, flags: {}, flagCount: 0, client: 'habitica-web' };
  return { _id: id, id, ownerId, sent, timestamp: ago(400), ...content, ...styles(other) };
};
await insertEach(Inbox.collection, 24_000, (number) =>
  letterOf(pairs[heavyTailed(20, 4_000, 0.7) - 1], number % 2 === 0),
);

// An hour. Somebody opens the game: who they are, their tasks, their party, and its talk.
const publicFields = 'preferences stats profile party items achievements auth.local.username contributor backer';
const nameFields = 'profile.name auth.local.username flags.verifiedUsername';
const sessions = await User.find().select('_id apiToken party guilds challenges auth.local').limit(2_000).lean();
for (let visit = 0; visit < 120; visit += 1) {
  const { _id, apiToken, party, guilds: theirs } = choose(sessions);
  const me = await User.findOne({ _id, apiToken }).lean();
  const todo = { type: 'todo', completed: false };
  await Task.find({ userId: _id, $or: [{ type: { $in: ['habit', 'daily', 'reward'] } }, todo] }).lean();
  if (party._id !== undefined) {
    await Group.findOne({ type: 'party', _id: party._id }).populate('leader', nameFields).lean();
    await Chat.find({ groupId: party._id }).limit(200).sort('-timestamp').lean();
    await User.find({ 'party._id': party._id }).sort({ _id: 1 }).limit(30).select(publicFields).lean();
  }
  await Group.find({ type: 'guild', _id: { $in: theirs } })
    .select('name summary leader')
    .populate('leader', nameFields)
    .sort('-memberCount')
    .lean();
  if (visit % 3 === 0)
    await Task.find({ userId: _id, type: 'todo', completed: true }).limit(30).sort({ dateCompleted: -1 }).lean();
  if (visit % 4 > 0) continue;
  // The first visit of a day.
  await Task.find({ userId: _id, $or: [todo, { type: { $in: ['habit', 'daily'] } }] }).lean();
  await User.updateOne(
    { _id },
    { $set: { lastCron: new Date(), 'stats.hp': me.stats.hp, 'history.exp': me.history.exp } },
  );
  const month = { type: 'todo', completed: true, dateCompleted: { $lt: new Date(now - 30 * DAY) } };
  await Task.deleteMany({ userId: _id, ...month, 'challenge.id': { $exists: false } });
}
const mine = allTasks.filter(({ userId }) => userId !== undefined);
const aliased = mine.filter(({ alias }) => alias !== undefined);
for (let scored = 0; scored < 200; scored += 1) {
  const task = scored % 8 === 0 ? choose(aliased) : choose(mine);
  const { userId, alias } = task;
  await User.findById(userId).select('-history').lean();
  await Task.findOne(scored % 8 === 0 ? { userId, alias } : { _id: task._id, userId }).lean();
  const entry = { date: Date.now(), value: below(9) };
  await Task.updateOne({ _id: task._id }, { $set: { value: below(9) }, $push: { history: { $each: [entry] } } });
  await User.updateOne({ _id: userId }, { $set: { 'stats.exp': below(900), 'stats.gp': below(900) } });
}
for (let said = 0; said < 60; said += 1) {
  const { _id } = talking[heavyTailed(3, talking.length, 0.5) - 1];
  await Chat.collection.insertOne(chatIn(_id, membersOf.get(_id)));
  const [latest] = await Chat.find({ groupId: _id }).limit(200).sort('-timestamp').lean();
  await Chat.updateOne({ _id: latest._id }, { $set: { [`likes.${choose(people)}`]: true } });
  const others = { $ne: choose(people) };
  await User.updateMany({ 'party._id': _id, _id: others }, { $set: { [`newMessages.${_id}`]: { value: true } } });
}
// Letters: the list of conversations, and a page of one.
for (let visit = 0; visit < 40; visit += 1) {
  const [ownerId, other] = pairs[heavyTailed(20, 4_000, 0.7) - 1];
  const last = { user: { $last: '$user' }, timestamp: { $last: '$timestamp' }, text: { $last: '$text' } };
  const listed = await Inbox.aggregate([
    { $match: { ownerId } },
    { $group: { _id: '$uuid', ...last, count: { $sum: 1 } } },
    { $sort: { timestamp: -1 } },
  ]);
  const ids = listed.map(({ _id }) => _id);
  await Inbox.aggregate([
    { $match: { ownerId, uuid: { $in: ids }, sent: false } },
    { $group: { _id: '$uuid', userStyles: { $last: '$userStyles' }, contributor: { $last: '$contributor' } } },
  ]);
  await User.find({ _id: { $in: ids } }, { _id: 1, flags: 1, inbox: 1 }).lean();
  const page = Inbox.find({ ownerId, uuid: other }).sort({ timestamp: -1 }).limit(10);
  await page.skip(10 * below(2)).lean();
  await Inbox.collection.insertMany([letterOf([ownerId, other], true), letterOf([other, ownerId], false)]);
}
// Members of guilds and challenges, people by name, and the hall.
for (let visit = 0; visit < 60; visit += 1) {
  const after = visit % 2 === 0 ? {} : { _id: { $gt: choose(people) } };
  const members = (query) =>
    User.find({ ...query, ...after })
      .sort({ _id: 1 })
      .limit(30)
      .select(nameFields)
      .lean();
  await members({ guilds: guilds[heavyTailed(3, 300, 0.7) - 1]._id });
  await members({ challenges: challenges[heavyTailed(5, CHALLENGES, 0.7) - 1] });
  const verified = { 'flags.verifiedUsername': true };
  await User.findOne({ 'auth.local.lowerCaseUsername': choose(names), ...verified })
    .select(publicFields)
    .lean();
  if (visit % 3 > 0) continue;
  await User.countDocuments({ 'invitations.parties.id': choose(parties)._id });
  await User.find({ 'contributor.level': { $gte: 1 } })
    .select('contributor backer profile.name')
    .sort('-contributor.level -backer.tier')
    .lean();
  const begun = { 'auth.local.lowerCaseUsername': { $regex: `^${word().slice(0, 3)}.*` }, ...verified };
  await User.find(begun).select('profile.name').sort({ 'auth.timestamps.loggedin': -1 }).limit(20).lean();
  await Group.find({ type: 'guild', privacy: 'public' })
    .select('name summary leader')
    .populate('leader', nameFields)
    .sort('-memberCount')
    .limit(30)
    .skip(30 * below(6))
    .lean();
}
// Challenges: a page of those that somebody may see, and one that is joined and changed.
for (let visit = 0; visit < 60; visit += 1) {
  const me = choose(sessions);
  const seen = [{ _id: { $in: me.challenges } }, { leader: me._id }, { group: { $in: me.guilds } }];
  const within = { $regex: word().slice(0, 4), $options: 'i' };
  const searched = visit % 3 === 0 ? [{ $or: [{ name: within }, { description: within }] }] : [];
  await Challenge.find({ $and: [{ $or: seen }, ...searched] })
    .sort('-createdAt')
    .skip(10 * below(3))
    .limit(10)
    .populate('leader', nameFields)
    .populate('group', 'name type privacy')
    .lean();
  const id = choose(challenges);
  await Task.find({ userId: { $exists: false }, 'challenge.id': id }).lean();
  if (visit % 3 > 0) continue;
  await Task.find({ userId: me._id, 'challenge.id': id }).lean();
  const copies = { userId: { $exists: true }, 'challenge.id': id, 'challenge.taskId': token(36) };
  await Task.updateMany(copies, { $set: { text: words(4) } });
}
await mongoose.disconnect();
