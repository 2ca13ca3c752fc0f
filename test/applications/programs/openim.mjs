import {
  client,
  user,
  friend,
  friendRequest,
  black,
  group,
  member,
  groupRequest,
  conversation,
  seq,
  seqUser,
  msg,
  cache,
  commands,
  friendVersion,
  memberVersion,
  joinVersion,
  conversationVersion,
  DAY,
  now,
  USERS,
  GROUPS,
  people,
  groupIds,
  membershipOf,
  message,
  docIds,
} from './openim-data.mjs';
import { below, choose, token, word, words } from './support.mjs';

// What the server sends for a page of a list: how many there are, and the page.
const page = async (collection, filter, { sort, number = 1, size = 20, projection } = {}) => {
  const total = await collection.countDocuments(filter);
  if (total === 0) return [];
  const cursor = collection
    .find(filter, { projection })
    .skip((number - 1) * size)
    .limit(size);
  return (sort === undefined ? cursor : cursor.sort(sort)).toArray();
};
// A change of a list, logged: the entry of the same element goes, the new one is appended.
const logChange = (versions, id, elements) =>
  versions.findOneAndUpdate(
    { d_id: id },
    [
      { $addFields: { delete_e_ids: elements } },
      { $set: { version: { $add: ['$version', 1] }, last_update: new Date() } },
      {
        $set: {
          logs: {
            $filter: { input: '$logs', as: 'log', cond: { $not: { $in: ['$$log.e_id', '$delete_e_ids'] } } },
          },
        },
      },
      {
        $set: {
          logs: {
            $concatArrays: [
              '$logs',
              elements.map((element) => ({ e_id: element, version: '$version', state: 3, last_update: new Date() })),
            ],
          },
        },
      },
      { $unset: 'delete_e_ids' },
    ],
    { upsert: false, returnDocument: 'after', projection: { logs: 0 } },
  );
const changesSince = (versions, id, version) =>
  versions
    .aggregate([
      { $match: { d_id: id } },
      {
        $addFields: {
          logs: {
            $cond: {
              if: { $or: [{ $lt: ['$version', version] }, { $gte: ['$deleted', version] }] },
              then: [],
              else: '$logs',
            },
          },
        },
      },
      { $addFields: { logs: { $filter: { input: '$logs', as: 'l', cond: { $gt: ['$$l.version', version] } } } } },
      { $addFields: { log_len: { $size: '$logs' } } },
      { $addFields: { logs: { $cond: { if: { $gt: ['$log_len', 200] }, then: [], else: '$logs' } } } },
    ])
    .toArray();
const memberSort = { role_level: -1, create_time: 1 };
const friendSort = { is_pinned: -1, _id: 1 };

// An hour: people come online, and take what changed.
for (let login = 0; login < 250; login += 1) {
  const me = people[below(8_000)];
  await user.findOne({ user_id: me });
  await cache
    .find({ key: { $in: [`TOKEN:${me}:2`] }, $or: [{ expire_at: { $gt: new Date() } }, { expire_at: null }] })
    .toArray();
  await changesSince(friendVersion, me, 3);
  await changesSince(joinVersion, me, 3);
  await changesSince(conversationVersion, me, 3);
  const own = await conversation.find({ owner_user_id: me }).toArray();
  await seqUser
    .find(
      { user_id: me, conversation_id: { $in: own.map(({ conversation_id }) => conversation_id) } },
      { projection: { _id: 0, conversation_id: 1, read_seq: 1 } },
    )
    .toArray();
  const joined = await member
    .find({ user_id: me }, { projection: { _id: 0, group_id: 1 } })
    .sort(memberSort)
    .toArray();
  const ids = joined.map(({ group_id }) => group_id);
  for (const id of ids.slice(0, 8)) await changesSince(memberVersion, id, 3);
  if (ids.length > 0)
    await group
      .find({ group_id: { $in: ids }, status: { $ne: 2 } }, { projection: { _id: 0, group_id: 1 } })
      .sort({ group_name: 1, create_time: 1 })
      .toArray();
  if (login % 2 === 0)
    await friend
      .find({ owner_user_id: me }, { projection: { _id: 0, friend_user_id: 1 } })
      .sort(friendSort)
      .toArray();
  if (login % 2 === 0) await friendRequest.countDocuments({ to_user_id: me, handle_result: 0 });
  if (login % 4 === 0) await page(friendRequest, { to_user_id: me }, { sort: { create_time: -1 } });
  if (login % 5 === 0) await page(friendRequest, { from_user_id: me }, { sort: { create_time: -1 } });
  if (login % 4 === 0) await page(groupRequest, { user_id: me }, { sort: { req_time: -1 } });
  if (login % 4 === 0) {
    const managed = await member
      .find({ user_id: me, role_level: { $in: [100, 60] } }, { projection: { _id: 0, group_id: 1 } })
      .toArray();
    if (managed.length > 0)
      await page(
        groupRequest,
        { group_id: { $in: managed.map(({ group_id }) => group_id) } },
        { sort: { req_time: -1 } },
      );
  }
  if (login % 3 === 0) await commands.find({ userID: me }).toArray();
  if (login % 5 === 0) await commands.find({ userID: me, type: 1 }).toArray();
  if (login % 10 === 0)
    await commands.insertOne({
      userID: me,
      type: 1,
      uuid: token(20),
      createTime: Math.floor(Date.now() / 1_000),
      value: words(20),
      ex: '',
    });
  if (login % 3 === 0) await black.find({ owner_user_id: me }, { projection: { _id: 0, block_user_id: 1 } }).toArray();
}
// Messages: a number each, a slot each, who is to hear of it, what was read.
for (let sent = 0; sent < 300; sent += 1) {
  const [id, place, filled] = choose(docIds);
  await seq.findOneAndUpdate(
    { conversation_id: id },
    { $inc: { max_seq: 100 }, $setOnInsert: { min_seq: 0 } },
    { upsert: true, returnDocument: 'after', projection: { _id: 0, max_seq: 1 } },
  );
  const slot = Math.min(filled, 99);
  await msg.updateOne(
    { doc_id: `${id}:${place}` },
    { $set: { [`msgs.${slot}`]: message(id, place * 100 + slot, Date.now()) } },
  );
  if (sent % 3 === 0 && id.startsWith('sg')) {
    await member
      .find({ group_id: id.slice(3) }, { projection: { _id: 0, user_id: 1 } })
      .sort(memberSort)
      .toArray();
    await conversation
      .find({ conversation_id: id, recv_msg_opt: { $ne: 0 } }, { projection: { _id: 0, owner_user_id: 1 } })
      .toArray();
  }
  const me = people[below(8_000)];
  await seqUser.findOne({ user_id: me, conversation_id: id }, { projection: { _id: 0, read_seq: 1 } });
  await seqUser.updateOne(
    { user_id: me, conversation_id: id },
    { $set: { read_seq: slot }, $setOnInsert: { user_id: me, conversation_id: id, min_seq: 0, max_seq: 0 } },
    { upsert: true },
  );
  await msg
    .aggregate([
      { $match: { doc_id: `${id}:${place}` } },
      {
        $project: {
          _id: 0,
          doc_id: 1,
          msgs: {
            $map: {
              input: Array.from({ length: 20 }, (_, index) => index),
              as: 'index',
              in: { $arrayElemAt: ['$msgs', '$$index'] },
            },
          },
        },
      },
    ])
    .toArray();
  if (sent % 10 === 0)
    await msg
      .aggregate([
        { $match: { doc_id: { $regex: `^${id}:` } } },
        { $match: { 'msgs.msg.status': { $lt: 4 } } },
        { $sort: { _id: -1 } },
        { $limit: 1 },
        { $project: { _id: 0, doc_id: 0 } },
        { $unwind: '$msgs' },
        { $match: { 'msgs.msg.status': { $lt: 4 } } },
        { $sort: { 'msgs.msg.seq': -1 } },
        { $limit: 1 },
      ])
      .toArray();
}
// Somebody joins a group, renames themselves, makes a friend.
for (let change = 0; change < 80; change += 1) {
  const number = change % 2 === 0 ? below(12) : below(GROUPS);
  const me = people[8_000 + change];
  await groupRequest.updateOne(
    { group_id: groupIds[number], user_id: me },
    { $set: { handle_msg: '', handle_result: 1 } },
  );
  await member.insertMany([membershipOf([number, me, 9])]).catch(() => undefined);
  await logChange(memberVersion, groupIds[number], [me]);
  await logChange(joinVersion, people[change], [groupIds[number]]);
  if (change % 4 !== 0) continue;
  const mine = people[change];
  const inFriends = await friend
    .find({ friend_user_id: mine }, { projection: { _id: 0, owner_user_id: 1 } })
    .sort(friendSort)
    .toArray();
  for (const { owner_user_id } of inFriends) await logChange(friendVersion, owner_user_id, [mine]);
  for (const { group_id } of await member.find({ user_id: mine }).toArray())
    await logChange(memberVersion, group_id, [mine]);
  await user.updateOne({ user_id: mine }, { $set: { nickname: words(2) } });
  const changed = await conversation
    .find({ user_id: mine }, { projection: { _id: 0, owner_user_id: 1, conversation_id: 1 } })
    .toArray();
  await conversation.updateMany({ user_id: mine }, { $set: { ex: word() } });
  for (const { owner_user_id, conversation_id } of changed)
    await logChange(conversationVersion, owner_user_id, [conversation_id]);
}
// The administrator: searches, statistics, a message to everybody.
for (let search = 0; search < 15; search += 1) {
  const text = word();
  await page(user, {
    $and: [
      { app_manger_level: { $in: [1, 2] } },
      { $or: [{ user_id: { $regex: text, $options: 'i' } }, { nickname: { $regex: text, $options: 'i' } }] },
    ],
  });
  await page(group, { group_name: { $regex: word() }, status: { $ne: 2 } }, { sort: { create_time: -1 } });
}
for (let number = 1; number <= USERS / 500; number += 1)
  await page(user, {}, { number, size: 500, projection: { _id: 0, user_id: 1 } });
const byDay = (start, end) => [
  { $match: { create_time: { $gte: start, $lt: end } } },
  { $group: { _id: { $dateToString: { format: '%Y-%m-%d', date: '$create_time' } }, count: { $sum: 1 } } },
];
const sentCounts = (start, end) => [
  {
    $match: {
      $and: [
        { 'msgs.msg.send_time': { $gte: start, $lt: end } },
        {
          $or: [
            { doc_id: { $regex: '^si_', $options: 'i' } },
            { doc_id: { $regex: '^g_', $options: 'i' } },
            { doc_id: { $regex: '^sg_', $options: 'i' } },
          ],
        },
      ],
    },
  },
  {
    $addFields: {
      msgs: {
        $filter: {
          input: '$msgs',
          as: 'item',
          cond: { $and: [{ $gte: ['$$item.msg.send_time', start] }, { $lt: ['$$item.msg.send_time', end] }] },
        },
      },
    },
  },
  { $project: { _id: 0 } },
  {
    $project: {
      result: {
        $map: {
          input: '$msgs',
          as: 'item',
          in: {
            user_id: '$$item.msg.send_id',
            send_date: { $dateToString: { format: '%Y-%m-%d', date: { $toDate: '$$item.msg.send_time' } } },
          },
        },
      },
    },
  },
  { $unwind: '$result' },
  { $group: { _id: '$result.user_id', count: { $sum: 1 } } },
  { $sort: { count: -1 } },
];
for (let visit = 0; visit < 6; visit += 1) {
  const start = new Date(now - (visit + 1) * 7 * DAY);
  for (const counted of [user, group]) {
    await counted.countDocuments({});
    await counted.countDocuments({ create_time: { $lt: start } });
    await counted.aggregate(byDay(start, new Date())).toArray();
  }
  await msg.aggregate(sentCounts(start.getTime(), now), { allowDiskUse: true }).toArray();
}
// The jobs of the night, in batches.
for (let batch = 0; batch < 10; batch += 1) {
  await msg
    .aggregate([
      { $match: { msgs: { $not: { $elemMatch: { 'msg.send_time': { $gt: now - 180 * DAY } } } } } },
      { $project: { _id: 0, doc_id: 1, 'msgs.msg.send_time': 1, 'msgs.msg.seq': 1 } },
      { $sample: { size: 100 } },
    ])
    .toArray();
  const due = await conversation
    .aggregate([
      { $match: { is_msg_destruct: true, msg_destruct_time: { $ne: 0 } } },
      {
        $addFields: {
          next_msg_destruct_timestamp: {
            $add: [{ $toLong: '$latest_msg_destruct_time' }, { $multiply: ['$msg_destruct_time', 1_000] }],
          },
        },
      },
      { $match: { next_msg_destruct_timestamp: { $lt: now } } },
      { $sample: { size: 50 } },
    ])
    .toArray();
  for (const { owner_user_id, conversation_id } of due.slice(0, 5))
    await conversation.updateOne(
      { owner_user_id, conversation_id },
      { $set: { latest_msg_destruct_time: new Date() } },
    );
}
await client.close();
