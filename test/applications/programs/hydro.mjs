import { ObjectId } from 'mongodb';
import {
  CONTEST,
  DAY,
  DISCUSSION,
  MINUTE,
  PROBLEM,
  REPLY,
  SCHOOLS,
  SOLUTION,
  address,
  allFiles,
  allTokens,
  anyProblem,
  at,
  client,
  contests,
  counts,
  database,
  discussions,
  documents,
  files,
  groups,
  logged,
  members,
  messages,
  now,
  oplog,
  recordStats,
  records,
  statOf,
  statuses,
  submission,
  tasks,
  testCase,
  tokens,
  users,
} from './hydro-data.mjs';
import { below, choose, word, words } from './support.mjs';

// An hour. Who sends a request is kept in memory for some minutes, so that most are read once.
const known = new Set();
const userOf = async (uid, domainId = 'system') => {
  if (known.has(`${uid}/${domainId}`)) return;
  known.add(`${uid}/${domainId}`);
  const user = await users.findOne({ _id: uid });
  if (user === null) return;
  await members.findOne({ domainId, uid });
  await groups.find({ domainId, uids: uid }).toArray();
};
const request = async (op = 'global') => {
  const { _id, tokenType, uid } = choose(allTokens);
  await tokens.findOne({ _id, tokenType });
  const period = now - (now % 5_000) + 5_000;
  await counts.findOneAndUpdate(
    { op, ident: address(), expireAt: new Date(period), opcount: { $lt: 100 } },
    { $inc: { opcount: 1 } },
    { upsert: true },
  );
  await userOf(uid);
  await tokens.findOneAndUpdate(
    { _id, tokenType },
    { $set: { updateAt: new Date(), expireAt: new Date(now + 30 * DAY) } },
  );
  return uid;
};
const count = (collection, query) => database.command({ count: collection.collectionName, query });
const PROBLEM_LIST = { docId: 1, pid: 1, title: 1, tag: 1, hidden: 1, nSubmit: 1, nAccept: 1, difficulty: 1, stats: 1 };
const typed = (docType, query = {}, domainId = 'system') => ({ docType, domainId, ...query });
const visible = (uid) => ({ $or: [{ hidden: false }, { owner: uid }, { maintainer: uid }] });
const problemPage = async (uid, query, page) => {
  const filter = typed(PROBLEM, { ...visible(uid), ...query });
  const [found] = await Promise.all([
    documents
      .find(filter)
      .project(PROBLEM_LIST)
      .sort({ sort: 1, docId: 1 })
      .hint('sort')
      .skip(page * 100)
      .limit(100)
      .toArray(),
    count(documents, filter),
  ]);
  const docId = { $in: found.map((one) => one.docId) };
  await statuses.find({ uid, docId, docType: PROBLEM, domainId: 'system' }).toArray();
};
for (let visit = 0; visit < 100; visit += 1) {
  const uid = await request();
  if (visit % 5 < 3) await problemPage(uid, {}, visit % 3 === 0 ? below(30) : 0);
  else await problemPage(uid, { $and: [{ tag: choose(['dp', 'graph', 'math']) }] }, 0);
}
for (let search = 0; search < 30; search += 1) {
  const uid = await request();
  const text = word().slice(0, 3);
  const $regex = new RegExp(text, 'im');
  const filter = { $or: [{ pid: { $regex } }, { title: { $regex } }, { tag: text }] };
  const hits = await documents
    .find(typed(PROBLEM, filter))
    .project({ domainId: 1, docId: 1, pid: 1 })
    .sort({ sort: 1 })
    .skip(0)
    .limit(100)
    .toArray();
  await documents.countDocuments({ ...filter, docType: PROBLEM, domainId: 'system' });
  const docId = { $in: hits.map((one) => one.docId) };
  await documents
    .find(typed(PROBLEM, { ...visible(uid), docId }))
    .project(PROBLEM_LIST)
    .sort({ sort: 1, docId: 1 })
    .hint('basic')
    .toArray();
}
// The front page: contests, discussions, the ranking, what somebody starred, and what is new.
for (let visit = 0; visit < 80; visit += 1) {
  const uid = await request();
  const mine = [{ maintainer: uid }, { owner: uid }, { assign: { $in: ['class-1'] } }, { assign: { $size: 0 } }];
  const rule = { $in: ['acm', 'oi', 'ioi'] };
  await documents
    .find(typed(CONTEST, { $or: mine, rule }))
    .sort({ endAt: -1, beginAt: -1, _id: -1 })
    .limit(10)
    .toArray();
  await documents.find(typed(DISCUSSION)).sort({ pin: -1, docId: -1 }).project({ content: 0 }).limit(20).toArray();
  const best = await members
    .find({ domainId: 'system', uid: { $gt: 1 }, rp: { $gt: 0 } })
    .sort({ rp: -1 })
    .project({ uid: 1 })
    .limit(50)
    .toArray();
  for (const one of best) await userOf(one.uid);
  await statuses.find({ uid, star: true, docType: PROBLEM, domainId: 'system' }).sort({ _id: 1 }).limit(50).toArray();
  await documents
    .find(typed(PROBLEM, { hidden: false }))
    .project(PROBLEM_LIST)
    .sort({ _id: -1 })
    .limit(10)
    .toArray();
}
for (let visit = 0; visit < 200; visit += 1) {
  const uid = await request();
  const docId = anyProblem();
  await documents.find({ domainId: 'system', docType: PROBLEM, docId }).limit(1).toArray();
  await statuses.findOne({ domainId: 'system', docType: PROBLEM, docId, uid });
  await documents.find(typed(CONTEST, { pids: docId, rule: { $in: ['acm', 'oi', 'ioi'] } })).toArray();
  await documents.countDocuments({ parentId: docId, docType: DISCUSSION, domainId: 'system' });
  if (visit % 4 > 0) continue;
  await documents
    .find(typed(SOLUTION, { parentType: PROBLEM, parentId: docId }))
    .sort({ vote: -1 })
    .limit(20)
    .toArray();
  const parent = choose(discussions).docId;
  await documents
    .find(typed(REPLY, { parentType: DISCUSSION, parentId: parent }))
    .sort({ _id: -1 })
    .limit(50)
    .toArray();
  await documents.findOneAndUpdate({ domainId: 'system', docType: DISCUSSION, docId: parent }, { $inc: { views: 1 } });
}
// A submission is judged case by case.
for (let sent = 0; sent < 150; sent += 1) {
  const uid = await request('submit');
  const one = { ...submission(Date.now(), uid), domainId: 'system', status: 0, testCases: [] };
  const [{ _id, pid }, key] = [one, { domainId: 'system', docType: PROBLEM }];
  await records.insertOne(one);
  await records
    .find({ _id: { $gte: at(Date.now() - 30 * MINUTE) }, uid, rejudged: { $ne: true } })
    .project({ time: 1, status: 1 })
    .toArray();
  const task = { _id: new ObjectId(), type: 'judge', priority: -below(50), rid: _id, domainId: 'system', config: {} };
  await tasks.insertOne(task);
  await documents.findOneAndUpdate({ ...key, docId: pid }, { $inc: { nSubmit: 1 } });
  await statuses
    .findOneAndUpdate(
      { ...key, docId: pid, uid, $or: [{ status: { $ne: 1 } }, { rid: _id }] },
      { $set: { rid: _id, status: 0, score: 0 } },
      { upsert: true },
    )
    .catch(() => undefined);
  await members.updateOne({ domainId: 'system', uid }, { $inc: { nSubmit: 1 } }, { upsert: true });
  const [first] = await tasks.find({ type: 'judge' }).sort({ priority: -1 }).limit(1).toArray();
  await tasks.findOneAndDelete({ _id: first._id });
  for (let number = 0; number < 6; number += 1)
    await records.findOneAndUpdate(
      { _id, domainId: 'system' },
      { $set: { status: 20, progress: number * 16 }, $push: { testCases: testCase(number) } },
    );
  const status = choose([1, 2]);
  await records.findOneAndUpdate({ _id, domainId: 'system' }, { $set: { status, score: 100, judgeAt: new Date() } });
  if (status === 1)
    await recordStats.updateOne({ _id }, { $set: statOf({ ...one, code: one.code }) }, { upsert: true });
  if (one.contest !== undefined) {
    const contest = { domainId: 'system', docType: CONTEST, docId: one.contest, uid };
    await statuses.findOneAndUpdate(
      { ...contest, 'journal.rid': _id },
      { $set: { 'journal.$': { rid: _id, pid, status } } },
    );
    await statuses.findOneAndUpdate(
      contest,
      { $push: { journal: { rid: _id, pid, status } }, $inc: { rev: 1 } },
      { upsert: true },
    );
  }
  if (sent % 3 === 0) await messages.insertOne({ from: 1, to: uid, content: words(8), flag: 16 });
  if (sent % 5 === 0) await oplog.insertOne(logged());
}
const RECORD_LIST = { code: 0, testCases: 0, compilerTexts: 0, judgeTexts: 0 };
for (let visit = 0; visit < 150; visit += 1) {
  const uid = await request();
  const query = { domainId: 'system', contest: visit % 6 === 0 ? choose(contests).docId : null };
  if (visit % 4 === 1) query.uid = uid;
  if (visit % 4 === 2) query.pid = anyProblem();
  if (visit % 12 === 3) query.status = 1;
  const page = visit % 7 === 0 ? below(5) : 0;
  const found = await records
    .find(query)
    .sort({ _id: -1 })
    .project(RECORD_LIST)
    .skip(page * 50)
    .limit(50)
    .toArray();
  for (const one of found.slice(0, 10)) await userOf(one.uid);
  const docId = { $in: [...new Set(found.map(({ pid }) => pid))] };
  await documents.find(typed(PROBLEM, { docId })).project(PROBLEM_LIST).toArray();
  if (found.length > 0) await records.findOne({ _id: found[0]._id });
}
for (let visit = 0; visit < 40; visit += 1) {
  const uid = await request();
  // Contests, each with its status; a scoreboard; the ranking; a profile; the inbox.
  const filter = { rule: { $in: ['acm', 'oi', 'ioi', 'homework'] } };
  const shown = await documents
    .find(typed(CONTEST, filter))
    .sort({ endAt: -1, beginAt: -1, _id: -1 })
    .limit(20)
    .toArray();
  await count(documents, typed(CONTEST, filter));
  for (const { docId } of shown) await statuses.findOne({ domainId: 'system', docType: CONTEST, docId, uid });
  const { docId } = choose(contests);
  await statuses.find({ docId, docType: CONTEST, domainId: 'system' }).sort({ accept: -1, time: 1 }).toArray();
  const ranked = { domainId: 'system', uid: { $gt: 1 }, rp: { $gt: 0 }, join: true };
  await count(members, ranked);
  await members
    .find(ranked)
    .sort({ rp: -1 })
    .skip(below(20) * 100)
    .limit(100)
    .toArray();
  await members.find({ uid, join: true }).toArray();
  await statuses.find({ uid, status: 1, docType: PROBLEM, domainId: 'system' }).toArray();
  await documents
    .find(typed(SOLUTION, { parentType: PROBLEM, owner: uid }))
    .sort({ _id: -1 })
    .limit(10)
    .toArray();
  await messages
    .find({ $or: [{ from: uid }, { to: uid }] })
    .sort({ _id: -1 })
    .limit(1_000)
    .toArray();
  await tokens.find({ uid, tokenType: 0 }).sort({ updateAt: -1 }).limit(100).toArray();
  const prefix = { $regex: `^${word().slice(0, 3)}` };
  await users.find({ unameLower: prefix }).limit(50).project({ _id: 1 }).toArray();
  await members.find({ domainId: 'system', displayName: prefix }).limit(50).project({ uid: 1 }).toArray();
  await users.findOneAndUpdate({ _id: uid }, { $set: { loginat: new Date() }, $addToSet: { ip: address() } });
  const { path } = choose(allFiles);
  await files.findOneAndUpdate({ path, autoDelete: null }, { $set: { lastUsage: new Date() } });
  await files.find({ path: { $regex: `^problem/system/${anyProblem()}/` }, autoDelete: null }).toArray();
}
// What an administrator looks at, and what the hour cleans.
const inAccounts = [
  { $match: { $expr: { $eq: ['$_id', '$$uid'] }, priv: { $bitsAllSet: 4 } } },
  { $project: { _id: 1, uname: 1, avatar: 1 } },
];
for (let visit = 0; visit < 5; visit += 1) {
  for (const days of [1, 7, 30, 365])
    await records.countDocuments({ _id: { $gte: at(now - days * DAY) }, domainId: 'system' });
  await records.countDocuments({ domainId: 'system' });
  await users
    .find({ priv: { $bitsAllSet: 512 } })
    .project({ _id: 1, viewLang: 1 })
    .toArray();
  await members
    .aggregate([
      { $match: { role: { $ne: 'guest' }, domainId: SCHOOLS[visit % 3] } },
      { $lookup: { from: 'user', let: { uid: '$uid' }, pipeline: inAccounts, as: 'user' } },
      { $unwind: '$user' },
      { $project: { user: 1, role: 1, join: 1 } },
    ])
    .toArray();
}
await files.find({ path: /^submission\//, lastModified: { $lt: new Date(now - 480 * DAY) } }).toArray();
while ((await files.findOneAndDelete({ autoDelete: { $lte: new Date() } })) !== null);
await client.close();
