import { MongoClient, ObjectId } from 'mongodb';
import { below, between, choose, heavyTailed, hex, idAt, insertEach, uri, word, words } from './support.mjs';

const client = await MongoClient.connect(uri);
const objects = client.db().collection('objects');

const USERS = 3_000;
const TOPICS = 5_000;
const POSTS = 36_000;
const CATEGORIES = 30;
const TAGS = 400;
const FIRST = Date.now() - 900 * 86_400_000;
const at = (number, of) => FIRST + Math.floor((number / of) * 890 * 86_400_000);

/** Documents wait here, to be inserted some thousand at a time. */
const waiting = [];
const add = (document, time) => waiting.push({ _id: new ObjectId(idAt(time)), ...document });
const zadd = (_key, score, value, time) => add({ _key, value: String(value), score }, time);
const flush = async () => insertEach(objects, waiting.length, (number) => waiting[number], 5_000);

const topics = Array.from({ length: TOPICS }, (_, tid) => ({ tid: tid + 1, cid: 1 + (tid % CATEGORIES), pids: [] }));
for (let number = 0; number < POSTS; number += 1) {
  // The first ten topics are threads of years.
  const topic =
    number < TOPICS ? topics[number] : number % 4 === 0 ? topics[below(10)] : topics[heavyTailed(1, TOPICS, 0.5) - 1];
  topic.pids.push(number + 1);
  const time = at(number, POSTS);
  const uid = 1 + below(USERS);
  const pid = number + 1;
  add(
    {
      _key: `post:${pid}`,
      pid,
      uid,
      tid: topic.tid,
      content: words(between(8, 60)),
      timestamp: time,
      deleted: 0,
      upvotes: below(10),
      downvotes: 0,
      ip: `10.0.${below(200)}.${below(200)}`,
    },
    time,
  );
  zadd('posts:pid', time, pid, time);
  zadd(`tid:${topic.tid}:posts`, time, pid, time);
  zadd(`uid:${uid}:posts`, time, pid, time);
}
for (const { tid, cid, pids } of topics) {
  const time = at(tid, TOPICS);
  add(
    {
      _key: `topic:${tid}`,
      tid,
      uid: 1 + below(USERS),
      cid,
      mainPid: pids[0] ?? 0,
      title: words(5),
      slug: `${tid}/${word()}`,
      timestamp: time,
      lastposttime: time,
      postcount: pids.length,
      viewcount: below(5_000),
      deleted: 0,
      locked: 0,
      pinned: 0,
    },
    time,
  );
  zadd('topics:tid', time, tid, time);
  zadd('topics:recent', time + below(1_000), tid, time);
  zadd(`cid:${cid}:tids`, time, tid, time);
  zadd(`cid:${cid}:recent_tids`, time, tid, time);
  if (tid % 10 === 0)
    add(
      {
        _key: `tid:${tid}:followers`,
        members: Array.from({ length: heavyTailed(1, 400, 0.9) }, (_, user) => String(user + 1)),
      },
      time,
    );
  if (tid % 50 === 0) zadd(`tid:${tid}:bookmarks`, pids.length, 1 + below(USERS), time);
}
for (let pid = 1; pid <= POSTS; pid += 9) {
  const votes = pid % 100 === 1 ? between(100, 600) : heavyTailed(1, 90, 1);
  add(
    {
      _key: `pid:${pid}:upvote`,
      members: Array.from({ length: votes }, (_, user) => String(((pid * 13 + user) % USERS) + 1)),
    },
    at(pid, POSTS),
  );
}
for (let uid = 1; uid <= USERS; uid += 1) {
  const time = at(uid, USERS);
  const username = `${word()}${uid}`;
  add(
    {
      _key: `user:${uid}`,
      uid,
      username,
      userslug: username,
      email: `${username}@example.com`,
      joindate: time,
      lastonline: time,
      picture: '',
      reputation: below(500),
      postcount: below(90),
      topiccount: below(9),
      banned: 0,
      status: 'online',
    },
    time,
  );
  add(
    {
      _key: `user:${uid}:settings`,
      showemail: 0,
      usePagination: 1,
      topicsPerPage: 20,
      postsPerPage: 20,
      followTopicsOnReply: 1,
    },
    time,
  );
  zadd('users:joindate', time, uid, time);
  zadd('users:reputation', below(500), uid, time);
  zadd('username:uid', uid, username, time);
  zadd(`ip:10.0.${below(200)}.${below(200)}:uid`, time, uid, time);
  zadd('users:online', time, uid, time);
}
for (let cid = 1; cid <= CATEGORIES; cid += 1) {
  add(
    {
      _key: `category:${cid}`,
      cid,
      name: words(2),
      description: words(6),
      slug: `${cid}/${word()}`,
      parentCid: 0,
      topic_count: below(500),
      post_count: below(5_000),
      order: cid,
    },
    FIRST,
  );
  zadd('categories:cid', cid, cid, FIRST);
  for (let tag = 0; tag < TAGS; tag += 1) zadd(`cid:${cid}:tags`, below(60), `tag${tag}`, FIRST);
}
for (let number = 0; number < 300; number += 1)
  add(
    {
      _key: `confirm:${hex(24)}`,
      email: `new${number}@example.com`,
      uid: 1 + below(USERS),
      expireAt: new Date(Date.now() + 86_400_000),
    },
    Date.now(),
  );
await flush();

// They are built last, which is faster.
await objects.createIndexes([
  { key: { _key: 1, score: -1 } },
  { key: { _key: 1, value: -1 }, unique: true, sparse: true },
  { key: { members: 1, _key: 1 }, partialFilterExpression: { members: { $exists: true } } },
  { key: { expireAt: 1 }, expireAfterSeconds: 0, partialFilterExpression: { expireAt: { $exists: true } } },
]);
const hidden = { projection: { _id: 0, _key: 0, score: 0 } };
const range = (key, skip, limit, sort = -1) =>
  objects.find({ _key: key }, hidden).sort({ score: sort }).skip(skip).limit(limit).toArray();
const hashes = (keys) => objects.find({ _key: { $in: keys } }, { projection: { _id: 0 } }).toArray();
const card = (key) => objects.countDocuments({ _key: key });
const setHash = (key, data) => objects.updateOne({ _key: key }, { $set: data }, { upsert: true });
const insertInto = (key, score, value) =>
  objects.updateOne({ _key: key, value: String(value) }, { $set: { score } }, { upsert: true });
const isMember = (key, value) =>
  objects.findOne({ _key: key, members: String(value) }, { projection: { _id: 0, members: 0 } });

// A day of readers: the recent topics, a category, a topic from some page on, a link to a post.
for (let visit = 0; visit < 200; visit += 1) {
  const uid = 1 + below(USERS);
  await hashes([`user:${uid}`, `user:${uid}:settings`]);
  const recent = await range('topics:recent', 0, 20);
  await hashes(recent.map(({ value }) => `topic:${value}`));
  const cid = 1 + below(CATEGORIES);
  await range(`cid:${cid}:tids`, visit % 5 === 0 ? 100 : 0, 20);
  if (visit % 3 === 0)
    await range({ $in: [`cid:${cid}:recent_tids`, `cid:${(cid % CATEGORIES) + 1}:recent_tids`] }, 0, 20);
  const topic = visit % 2 === 0 ? topics[below(10)] : choose(topics);
  const key = `tid:${topic.tid}:posts`;
  const page = visit % 2 === 0 ? Math.floor(topic.pids.length * 0.9) : 0;
  const posts = await range(key, page, 20, 1);
  await hashes(posts.map(({ value }) => `post:${value}`));
  for (const { value } of posts.slice(0, 3)) await isMember(`pid:${value}:upvote`, uid);
  if (visit % 4 === 0 && topic.pids.length > 0) {
    const pid = String(topic.pids.at(-1));
    const found = await objects.findOne({ _key: key, value: pid }, { projection: { _id: 0, _key: 0, value: 0 } });
    await objects.countDocuments({
      $or: [
        { _key: key, score: { $lt: found.score } },
        { _key: key, score: found.score, value: { $lt: pid } },
      ],
    });
  }
  await card(`uid:${uid}:posts`);
  // The tags of all categories that somebody may see.
  if (visit % 4 === 0)
    await objects
      .aggregate([
        { $match: { _key: { $in: Array.from({ length: CATEGORIES }, (_, number) => `cid:${number + 1}:tags`) } } },
        { $group: { _id: { value: '$value' }, totalScore: { $sum: '$score' } } },
        { $sort: { totalScore: -1, _id: 1 } },
        { $limit: 100 },
        { $project: { _id: 0, value: '$_id.value', score: '$totalScore' } },
      ])
      .toArray();
  await objects.findOneAndUpdate(
    { _key: `topic:${topic.tid}` },
    { $inc: { viewcount: 1 } },
    { upsert: true, returnDocument: 'after' },
  );
  await setHash(`user:${uid}`, { lastonline: Date.now() });
  await insertInto('users:online', Date.now(), uid);
}
// Writers: posts, votes, followers; a moderator looks for an address.
for (let post = 0; post < 100; post += 1) {
  const [pid, uid, topic] = [POSTS + 1 + post, 1 + below(USERS), choose(topics)];
  await setHash(`post:${pid}`, { pid, uid, tid: topic.tid, content: words(30), timestamp: Date.now(), deleted: 0 });
  for (const key of ['posts:pid', `tid:${topic.tid}:posts`, `uid:${uid}:posts`]) await insertInto(key, Date.now(), pid);
  await insertInto('topics:recent', Date.now(), topic.tid);
  await objects.updateOne(
    { _key: `pid:${1 + 9 * below(POSTS / 9)}:upvote` },
    { $addToSet: { members: { $each: [String(uid)] } } },
    { upsert: true },
  );
  await objects.updateOne(
    { _key: `tid:${topic.tid}:followers` },
    { $addToSet: { members: { $each: [String(uid)] } } },
    { upsert: true },
  );
  if (post % 20 === 0)
    await objects
      .find({ _key: { $regex: /^ip:10\.0\.12/ } }, { projection: { _id: 0, _key: 1 } })
      .batchSize(1_000)
      .toArray();
}
await client.close();
