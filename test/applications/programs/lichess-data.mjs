import { MongoClient } from 'mongodb';
import {
  below,
  between,
  choose,
  heavyTailed,
  insertEach,
  random,
  skewed,
  some,
  token,
  uri,
  word,
  words,
} from './support.mjs';

const client = await MongoClient.connect(uri);
const database = client.db();
const of = (name) => database.collection(name);
const [studies, chapters, posts, blogs] = ['study', 'study_chapter_flat', 'ublog_post', 'ublog_blog'].map(of);
const [users, relations, entries] = ['user4', 'relation', 'timeline_entry'].map(of);
const [forumPosts, forumTopics, forumCategories] = ['f_post', 'f_topic', 'f_categ'].map(of);
const [teams, members, threads, messages] = ['team', 'team_member', 'msg_thread', 'msg_msg'].map(of);

// bin/mongodb/indexes.js. Entries are in a capped collection.
await database.createCollection('timeline_entry', { capped: true, size: 64 * 1024 * 1024 });
const index = (collection, ...keys) => collection.createIndexes(keys.map((key) => ({ key })));
const partial = (collection, partialFilterExpression, ...keys) =>
  collection.createIndexes(keys.map((key) => ({ key, partialFilterExpression })));
const exists = (...fields) => Object.fromEntries(fields.map((field) => [field, { $exists: true }]));
await partial(
  posts,
  { live: true },
  { blog: 1, 'live.at': -1 },
  { rank: -1 },
  { likers: 1, rank: -1 },
  { language: 1, rank: -1 },
  { topics: 1, rank: -1 },
  { topics: 1, 'lived.at': -1 },
  { likers: 1, 'live.at': -1 },
);
await partial(posts, { live: false }, { blog: 1, 'created.at': -1 });
await partial(posts, exists('prismicId'), { prismicId: 1 });
await index(entries, { users: 1, date: -1 }, { typ: 1, date: -1 });
await index(relations, { u1: 1 }, { u2: 1 });
await index(users, { 'count.game': -1 });
await partial(users, exists('title'), { title: 1 });
await users.createIndex({ email: 1 }, { unique: true, partialFilterExpression: exists('email') });
await partial(users, exists('roles'), { roles: 1 });
await index(forumTopics, { categId: 1, troll: 1 }, { categId: 1, updatedAt: -1, troll: 1 }, { categId: 1, slug: 1 });
await partial(forumTopics, exists('sticky'), { categId: 1, troll: 1, sticky: 1 });
await index(
  forumPosts,
  { topicId: 1, troll: 1 },
  { createdAt: -1, troll: 1 },
  { userId: 1 },
  { categId: 1, createdAt: -1 },
  { topicId: 1, createdAt: -1 },
);
await index(forumCategories, { team: 1 });
await index(teams, { enabled: 1, nbMembers: -1 }, { createdAt: -1 }, { createdBy: 1 }, { leaders: 1 });
await index(members, { team: 1 }, { user: 1 }, { team: 1, date: -1 });
await partial(members, exists('perms'), { team: 1, perms: 1 });
await index(threads, { users: 1, 'lastMsg.date': -1 }, { users: 1, 'maskWith.date': -1 });
await threads.createIndex({ users: 1 }, { partialFilterExpression: { 'lastMsg.read': false } });
await index(messages, { tid: 1, date: -1 });
await index(
  studies,
  { ownerId: 1, createdAt: -1 },
  { likes: 1, createdAt: -1 },
  { ownerId: 1, updatedAt: -1 },
  { likes: 1, updatedAt: -1 },
  { rank: -1 },
  { createdAt: -1 },
  { updatedAt: -1 },
  { likers: 1 },
  { uids: 1 },
);
await partial(
  studies,
  exists('topics'),
  { topics: 1, rank: -1 },
  { topics: 1, createdAt: -1 },
  { topics: 1, updatedAt: -1 },
  { topics: 1, likes: -1 },
  { uids: 1, rank: -1 },
);
await index(chapters, { studyId: 1, order: 1 });
await partial(chapters, exists('relay.fideIds'), { 'relay.fideIds': 1 });

const DAY = 86_400_000;
const now = Date.now();
const ago = (days) => new Date(now - below(days * DAY));
const id8 = () => token(8);

const people = (
  await insertEach(users, 8_000, (number) => {
    const name = `${word()}${number}`;
    return {
      _id: name,
      username: name[0].toUpperCase() + name.slice(1),
      email: `${name}@example.com`,
      bpass: token(40),
      enabled: number % 50 !== 49,
      count: { ai: below(90), draw: below(300), game: heavyTailed(1, 60_000, 0.4), win: below(900) },
      profile: number % 3 === 0 ? { bio: words(between(3, 40)), flag: choose(['US', 'IN', 'DE']) } : {},
      ...(number % 400 === 7 ? { title: choose(['GM', 'IM', 'FM', 'WGM']) } : {}),
      ...(number % 600 === 9 ? { roles: ['ROLE_SEE_REPORT'] } : {}),
      createdAt: ago(2_500),
      seenAt: random() < 0.35 ? ago(10) : ago(900),
      lang: choose(['en-US', 'en-GB', 'de-DE', 'es-ES']),
    };
  })
).map((person) => person._id);
const person = () => choose(people);
const known = () => people[skewed(8_000)];
const followers = new Map();
const seen = new Set();
await insertEach(relations, 30_000, () => {
  let [u1, u2] = [person(), known()];
  while (u1 === u2 || seen.has(`${u1}/${u2}`)) [u1, u2] = [person(), known()];
  seen.add(`${u1}/${u2}`);
  const follows = random() < 0.96;
  if (follows) followers.set(u2, [...(followers.get(u2) ?? []), u1]);
  return { _id: `${u1}/${u2}`, u1, u2, r: follows };
});

// Blogs.
const TOPICS = [
  'Chess',
  'Analysis',
  'Puzzle',
  'Opening',
  'Endgame',
  'Tactics',
  'Strategy',
  'Chess engine',
  'Chess bot',
];
TOPICS.push('Chess Personalities', 'Over the board', 'Tournament', 'Chess variant', 'Software Development', 'Lichess');
const topic = () => TOPICS[skewed(TOPICS.length)];
const bloggers = people.slice(0, 900);
await insertEach(blogs, 900, (number) => ({ _id: `user:${bloggers[number]}`, tier: choose([0, 1, 3, 3, 4]) }));
const recorded = (by, at) => ({ by, at });
const allPosts = await insertEach(posts, 4_500, (number) => {
  const by = bloggers[skewed(900)];
  const at = ago(1_400);
  const live = number % 5 > 0;
  const likers = [...new Set([by, ...some(heavyTailed(1, 900, 0.8), person)])];
  return {
    _id: id8(),
    blog: `user:${by}`,
    title: words(5),
    intro: words(20),
    markdown: words(heavyTailed(120, 2_500, 1.1)),
    language: random() < 0.8 ? 'en' : choose(['es', 'de', 'fr']),
    image: { id: `ublogBody_${id8()}.png`, alt: words(3) },
    topics: number % 12 === 0 ? ['Off topic'] : [...new Set([topic(), topic()])],
    live,
    sticky: number % 300 === 0,
    created: recorded(by, at),
    ...(live ? { lived: recorded(by, at), automod: { quality: choose([1, 2, 2, 2, 3, 0]), version: 1 } } : {}),
    ...(number % 250 === 1 ? { featured: recorded('lichess', ago(200)) } : {}),
    likers,
    likes: likers.length,
    views: likers.length * between(10, 90),
  };
});

// Studies, whose chapters hold a tree of moves by their paths.
const SQUARES = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%&()*+,-/:;<=>?@[]^{|}~!'.split('');
const move = () => choose(SQUARES) + choose(SQUARES);
const node = (ply) => ({ p: ply, u: token(4), s: token(3), f: `${token(44)} w KQkq - 0 ${ply}` });
const studyTopics = some(60, () => `${word()} ${word()}`);
const studyTopic = () => studyTopics[skewed(60)];
const allStudies = await insertEach(studies, 6_000, (number) => {
  const ownerId = people[skewed(8_000)];
  const others = some(number % 4 === 0 ? heavyTailed(1, 29, 0.7) : 0, person);
  const uids = [...new Set([ownerId, ...others])];
  const likers = [...new Set([ownerId, ...some(heavyTailed(1, 2_600, 0.75) - 1, person)])];
  const createdAt = ago(2_000);
  return {
    _id: id8(),
    name: words(4),
    members: Object.fromEntries(uids.map((uid) => [uid, { role: uid === ownerId ? 'w' : choose(['r', 'w']) }])),
    position: `${id8()} `,
    ownerId,
    visibility: random() < 0.7 ? 'public' : choose(['private', 'unlisted']),
    settings: {
      computer: 'everyone',
      explorer: 'everyone',
      cloneable: 'everyone',
      shareable: 'everyone',
      chat: 'member',
      sticky: true,
      description: false,
    },
    from: number % 11 === 0 ? `relay ${id8()}` : number % 5 === 0 ? `game ${id8()}` : 'scratch',
    likes: likers.length,
    ...(number % 10 < 7 ? { topics: [...new Set(some(between(1, 4), studyTopic))] } : {}),
    createdAt,
    updatedAt: new Date(createdAt.getTime() + below(now - createdAt.getTime())),
    uids,
    likers,
    rank: new Date(createdAt.getTime() + likers.length * 24 * 3_600_000),
  };
});
const inStudy = allStudies.flatMap((study) => some(heavyTailed(1, 60, 2.2), (order) => ({ study, order })));
const allChapters = await insertEach(chapters, inStudy.length, (number) => {
  const { study, order } = inStudy[number];
  const root = { _: { p: 0, f: `${token(44)} w KQkq - 0 1` } };
  const plies = heavyTailed(6, 110, 1.4);
  let path = '';
  for (let ply = 1; ply <= plies; ply += 1) {
    path += move();
    root[path] = node(ply);
  }
  return {
    _id: id8(),
    studyId: study._id,
    name: words(3),
    setup: { variant: 1, orientation: true },
    root,
    tags: [`White:${word()}`, `Black:${word()}`, 'Result:1-0'],
    order: order + 1,
    ownerId: study.ownerId,
    denorm: { fen: token(40) },
    createdAt: study.createdAt,
  };
});

// What happened, for those who follow.
const entry = (by, date) => {
  const typ = choose(['follow', 'study-like', 'ublog-post-like', 'forum-post', 'tour-join']);
  return {
    typ,
    chan: typ === 'forum-post' ? `forum:${id8()}` : 'lobby',
    data: { u1: by, u2: person(), name: words(3) },
    date,
    users: (followers.get(by) ?? [person()]).filter((_, number) => number % 3 === 0).concat(person()),
  };
};
await insertEach(entries, 5_000, (number) =>
  entry(random() < 0.2 ? known() : person(), new Date(now - (5_000 - number) * 400_000)),
);

// The forum.
const allCategories = some(9, (number) => ({
  _id: ['general', 'game-analysis', 'feedback'][number] ?? `team-${id8()}`,
}));
const category = () => allCategories[skewed(9)]._id;
await forumCategories.insertMany(allCategories.map((one) => ({ ...one, name: words(2), nbTopics: below(900) })));
const allTopics = await insertEach(forumTopics, 3_000, (number) => ({
  _id: id8(),
  categId: category(),
  slug: `${word()}-${word()}-${number}`,
  name: words(4),
  userId: person(),
  troll: number % 60 === 0,
  closed: number % 25 === 0,
  ...(number % 150 === 0 ? { sticky: true } : {}),
  createdAt: ago(1_800),
  updatedAt: ago(1_500),
  lastPostId: '',
  nbPosts: 0,
}));
const lengths = allTopics.map((_, number) => (number === 0 ? 2_200 : heavyTailed(2, 500, 1)));
const written = allTopics.flatMap((one, number) => some(lengths[number], (post) => ({ one, number: post + 1 })));
const forumPost = ({ one, number }, createdAt) => ({
  _id: id8(),
  topicId: one._id,
  categId: one.categId,
  userId: person(),
  text: words(heavyTailed(8, 250, 1)),
  number,
  troll: number % 70 === 0,
  lang: 'en',
  createdAt,
  ...(number % 6 === 0 ? { reactions: { '+1': some(between(1, 12), person) } } : {}),
});
const allForumPosts = await insertEach(forumPosts, Math.min(22_000, written.length), (number) =>
  forumPost(written[number], new Date(now - (1_500 * DAY * (22_000 - number)) / 22_000)),
);
const lastPosts = new Map(allForumPosts.map((post) => [post.topicId, post._id]));
await forumTopics.bulkWrite(
  allTopics.map(({ _id }) => ({
    updateOne: { filter: { _id }, update: { $set: { lastPostId: lastPosts.get(_id) ?? '' } } },
  })),
);

// Teams and letters.
const allTeams = await insertEach(teams, 260, (number) => ({
  _id: `${word()}-${number}`,
  name: words(3),
  description: words(60),
  nbMembers: 0,
  enabled: number % 20 > 0,
  open: true,
  createdAt: ago(2_000),
  createdBy: person(),
  leaders: some(between(1, 3), person),
}));
const inTeam = new Set();
const joined = some(4_000, () => allTeams[skewed(260)]._id);
await insertEach(members, 16_000, () => {
  let [user, team] = [person(), choose(joined)];
  while (inTeam.has(`${user}@${team}`)) [user, team] = [person(), choose(joined)];
  inTeam.add(`${user}@${team}`);
  return {
    _id: `${user}@${team}`,
    team,
    user,
    date: ago(1_500),
    ...(random() < 0.02 ? { perms: ['public', 'request'] } : {}),
  };
});
const talks = new Map();
while (talks.size < 4_000) {
  const pair = [person(), known()].sort();
  if (pair[0] !== pair[1]) talks.set(pair.join('/'), pair);
}
const allTalks = [...talks.entries()].map(([_id, pair]) => ({ _id, pair }));
const allMessages = await insertEach(messages, 14_000, () => {
  const { _id: tid, pair } = allTalks[skewed(4_000)];
  return { _id: id8(), tid, text: words(heavyTailed(4, 120, 1)), user: choose(pair), date: ago(900) };
});
const latest = new Map();
for (const message of allMessages)
  if (!(latest.get(message.tid)?.date > message.date)) latest.set(message.tid, message);
await insertEach(threads, 4_000, (number) => {
  const { _id, pair } = allTalks[number];
  const { text = '', user = pair[0], date = ago(900) } = latest.get(_id) ?? {};
  return {
    _id,
    users: pair,
    lastMsg: { text: text.slice(0, 60), user, date, read: number % 6 > 0 },
    maskWith: { date },
    ...(number % 40 === 0 ? { del: [pair[0]] } : {}),
  };
});

export {
  DAY,
  TOPICS,
  allChapters,
  allForumPosts,
  allPosts,
  allTalks,
  allTeams,
  allTopics,
  bloggers,
  blogs,
  category,
  chapters,
  client,
  entries,
  entry,
  forumPost,
  forumPosts,
  forumTopics,
  known,
  members,
  messages,
  move,
  node,
  now,
  people,
  person,
  posts,
  relations,
  studies,
  studyTopic,
  teams,
  threads,
  topic,
  users,
};
