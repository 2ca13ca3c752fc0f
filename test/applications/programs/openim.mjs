import { MongoClient, ObjectId } from 'mongodb';
import { below, between, choose, heavyTailed, idAt, insertEach, token, uri, word, words } from './support.mjs';

const client = await MongoClient.connect(uri);
const database = client.db();
const of = (name) => database.collection(name);
const [user, friend, friendRequest, black, group, member, groupRequest, conversation] = [
  'user',
  'friend',
  'friend_request',
  'black',
  'group',
  'group_member',
  'group_request',
  'conversation',
].map(of);
const [seq, seqUser, msg, cache, commands, log, object, config] = [
  'seq',
  'seq_user',
  'msg',
  'cache',
  'userCommands',
  'log',
  's3',
  'config',
].map(of);
const [friendVersion, memberVersion, joinVersion, conversationVersion] = [
  'friend_version',
  'group_member_version',
  'group_join_version',
  'conversation_version',
].map(of);

// The indexes that the server creates when it starts. `userCommands` has none.
await user.createIndex({ user_id: 1 }, { unique: true });
await friend.createIndex({ owner_user_id: 1, friend_user_id: 1 }, { unique: true });
await friendRequest.createIndexes([
  { key: { from_user_id: 1, to_user_id: 1 }, unique: true },
  { key: { create_time: -1 } },
]);
await black.createIndex({ owner_user_id: 1, block_user_id: 1 }, { unique: true });
await group.createIndex({ group_id: 1 }, { unique: true });
await member.createIndex({ group_id: 1, user_id: 1 }, { unique: true });
await groupRequest.createIndexes([{ key: { group_id: 1, user_id: 1 }, unique: true }, { key: { req_time: -1 } }]);
await conversation.createIndexes([
  { key: { owner_user_id: 1, conversation_id: 1 }, unique: true },
  { key: { user_id: 1 } },
  { key: { conversation_id: 1 } },
]);
await seq.createIndex({ conversation_id: 1 });
await seqUser.createIndex({ user_id: 1, conversation_id: 1 });
await msg.createIndex({ doc_id: 1 }, { unique: true });
await cache.createIndexes([
  { key: { key: 1 }, unique: true },
  { key: { expire_at: 1 }, expireAfterSeconds: 0 },
]);
await log.createIndexes([
  { key: { log_id: 1 }, unique: true },
  { key: { user_id: 1 } },
  { key: { create_time: -1 } },
]);
await object.createIndexes([{ key: { name: 1 }, unique: true }, { key: { create_time: 1 } }, { key: { key: 1 } }]);
await config.createIndex({ key: 1, user_id: 1 }, { unique: true });
for (const versions of [friendVersion, memberVersion, joinVersion, conversationVersion])
  await versions.createIndex({ d_id: 1 }, { unique: true });

const DAY = 86_400_000;
const now = Date.now();
const ago = (days) => now - below(days * DAY);
const at = (time) => new ObjectId(idAt(time));
const grouped = (all, by) => {
  const groups = new Map();
  for (const one of all) groups.set(by(one), [...(groups.get(by(one)) ?? []), one]);
  return groups;
};
const dated = (time) => ({ _id: at(time), create_time: new Date(time) });

const USERS = 20_000;
const GROUPS = 1_500;
const people = Array.from({ length: USERS }, (_, number) => String(3_000_000_000 + number * 37));
const groupIds = Array.from({ length: GROUPS }, (_, number) => String(100_000_000 + number * 41));
const names = people.map(() => words(2));
await insertEach(user, USERS, (number) => ({
  ...dated(now - (USERS - number) * 0.04 * DAY),
  user_id: people[number],
  nickname: names[number],
  face_url: number % 3 === 0 ? `https://example.com/${token(16)}.png` : '',
  ex: '',
  app_manger_level: number < 3 ? 4 : 1,
  global_recv_msg_opt: number % 50 === 0 ? 2 : 0,
}));
const friendsOf = people.map(() => [
  ...new Set(Array.from({ length: heavyTailed(1, 300, 0.9) }, () => below(USERS))),
]);
const pairs = friendsOf.flatMap((friends, owner) => friends.map((other) => [owner, other]));
await insertEach(friend, Math.min(pairs.length, 80_000), (number) => ({
  ...dated(ago(700)),
  owner_user_id: people[pairs[number][0]],
  friend_user_id: people[pairs[number][1]],
  remark: number % 5 === 0 ? word() : '',
  add_source: 1,
  operator_user_id: people[pairs[number][0]],
  ex: '',
  is_pinned: number % 40 === 0,
}));
await insertEach(friendRequest, 30_000, (number) => ({
  ...dated(ago(700)),
  from_user_id: people[number % USERS],
  to_user_id: people[(number * 7 + Math.floor(number / USERS) + 1) % USERS],
  handle_result: number % 4 === 0 ? 0 : 1,
  req_msg: words(4),
  handler_user_id: '',
  handle_msg: '',
  ex: '',
}));
await insertEach(black, 4_000, (number) => ({
  ...dated(ago(700)),
  owner_user_id: people[number * 3],
  block_user_id: people[(number * 5 + 1) % USERS],
  add_source: 1,
  operator_user_id: people[number * 3],
  ex: '',
}));
await insertEach(group, GROUPS, (number) => ({
  ...dated(ago(700)),
  group_id: groupIds[number],
  group_name: `${words(2)} ${number}`,
  notification: '',
  introduction: words(8),
  face_url: '',
  ex: '',
  status: number % 30 === 0 ? 2 : 0,
  creator_user_id: people[number],
  group_type: 2,
  need_verification: 0,
  look_member_info: 0,
  apply_member_friend: 0,
}));
// Most groups are a few friends; some are whole companies.
const membersOf = groupIds.map((_, number) => {
  const size = number < 12 ? 900 + number * 150 : heavyTailed(5, 400, 1);
  const first = below(USERS);
  return Array.from({ length: size }, (__, place) => people[(first + place * 13) % USERS]);
});
const memberships = membersOf.flatMap((members, number) => members.map((person, place) => [number, person, place]));
const membershipOf = ([number, person, place]) => ({
  _id: at(ago(700)),
  group_id: groupIds[number],
  user_id: person,
  nickname: words(2),
  face_url: '',
  role_level: place === 0 ? 100 : place < 4 ? 60 : 20,
  join_time: new Date(ago(700)),
  join_source: 2,
  inviter_user_id: membersOf[number][0],
  operator_user_id: membersOf[number][0],
  mute_end_time: new Date(0),
  ex: '',
});
await insertEach(member, memberships.length, (number) => membershipOf(memberships[number]));
const groupsOf = grouped(memberships, ([, person]) => person);
await insertEach(groupRequest, 9_000, (number) => ({
  _id: at(ago(700)),
  user_id: people[(number * 17) % USERS],
  group_id: groupIds[(number + Math.floor(number / GROUPS)) % GROUPS],
  handle_result: number % 5 === 0 ? 0 : 1,
  req_msg: words(4),
  handle_msg: '',
  req_time: new Date(ago(700)),
  handle_user_id: '',
  handle_time: new Date(ago(700)),
  join_source: 3,
  inviter_user_id: '',
  ex: '',
}));

// The log of changes of a group has an entry for each member; those of a person are short, mostly.
const change = (id, version) => ({ e_id: id, state: 1, version, last_update: new Date(ago(700)) });
const versionLog = (id, entries, age) => ({
  _id: at(now - age),
  d_id: id,
  logs: entries.map((entry, place) => change(entry, place + 1)),
  version: entries.length,
  deleted: 0,
  last_update: new Date(now - below(age)),
});
await insertEach(memberVersion, GROUPS, (number) => versionLog(groupIds[number], membersOf[number], ago(700) - now + 700 * DAY), 100);
await insertEach(friendVersion, 8_000, (number) => versionLog(people[number], friendsOf[number].map((place) => people[place]), below(700 * DAY)));
await insertEach(joinVersion, 8_000, (number) =>
  versionLog(people[number], (groupsOf.get(people[number]) ?? []).map(([place]) => groupIds[place]), below(700 * DAY)),
);

const singles = pairs.slice(0, 30_000).map(([owner, other]) => [people[owner], people[other]].sort());
const singleIds = [...new Set(singles.map((pair) => `si_${pair.join('_')}`))];
const conversationOf = (owner, id, more) => ({
  ...dated(ago(700)),
  owner_user_id: owner,
  conversation_id: id,
  conversation_type: id.startsWith('si') ? 1 : 3,
  user_id: '',
  group_id: '',
  recv_msg_opt: 0,
  is_pinned: false,
  is_private_chat: false,
  burn_duration: 30,
  group_at_type: 0,
  attached_info: '',
  ex: '',
  max_seq: 0,
  min_seq: 0,
  is_msg_destruct: false,
  msg_destruct_time: 0,
  latest_msg_destruct_time: new Date(0),
  ...more,
});
const ownConversations = [
  ...singleIds.slice(0, 15_000).flatMap((id) => {
    const [, one, other] = id.split('_');
    return [conversationOf(one, id, { user_id: other }), conversationOf(other, id, { user_id: one })];
  }),
  ...memberships.map(([number, person]) => conversationOf(person, `sg_${groupIds[number]}`, { group_id: groupIds[number] })),
];
const known = new Set();
const distinctConversations = ownConversations.filter(({ owner_user_id, conversation_id }) => {
  const pair = `${owner_user_id} ${conversation_id}`;
  return !known.has(pair) && known.add(pair);
});
for (let number = 0; number < distinctConversations.length; number += 150)
  Object.assign(distinctConversations[number], {
    is_msg_destruct: true,
    msg_destruct_time: 604_800,
    latest_msg_destruct_time: new Date(ago(30)),
  });
await insertEach(conversation, distinctConversations.length, (number) => distinctConversations[number]);
const conversationsOf = grouped(distinctConversations, ({ owner_user_id }) => owner_user_id);
await insertEach(conversationVersion, 8_000, (number) =>
  versionLog(people[number], (conversationsOf.get(people[number]) ?? []).map(({ conversation_id }) => conversation_id), below(700 * DAY)),
);
const conversationIds = [...groupIds.map((id) => `sg_${id}`), ...singleIds.slice(0, 15_000)];
await insertEach(seq, conversationIds.length, (number) => ({
  conversation_id: conversationIds[number],
  max_seq: between(1, 400),
  min_seq: 0,
}));
await insertEach(seqUser, distinctConversations.length, (number) => ({
  user_id: distinctConversations[number].owner_user_id,
  conversation_id: distinctConversations[number].conversation_id,
  min_seq: 0,
  max_seq: 0,
  read_seq: between(1, 400),
}));

// A hundred slots a document; those that are not yet written are null.
const message = (conversationId, number, time) => ({
  msg: {
    send_id: choose(people),
    recv_id: conversationId.startsWith('si') ? choose(people) : '',
    group_id: conversationId.startsWith('sg') ? conversationId.slice(3) : '',
    client_msg_id: token(32),
    server_msg_id: token(32),
    sender_platform_id: 2,
    sender_nickname: words(2),
    sender_face_url: '',
    session_type: conversationId.startsWith('si') ? 1 : 3,
    msg_from: 100,
    content_type: 101,
    content: JSON.stringify({ content: words(between(3, 20)) }),
    seq: number + 1,
    send_time: time,
    create_time: time,
    status: 2,
    is_read: false,
    options: { history: true, persistent: true, unreadCount: true },
    offline_push: null,
    at_user_id_list: null,
    attached_info: '',
    ex: '',
  },
  revoke: null,
  del_list: null,
  is_read: false,
});
const busy = [...groupIds.slice(0, 120).map((id) => `sg_${id}`), ...singleIds.slice(0, 1_200)];
const docIds = busy.flatMap((id, number) => Array.from({ length: number < 120 ? 6 : 1 }, (_, place) => [id, place, number < 120 && place < 5 ? 100 : heavyTailed(3, 100, 0.7)]));
await insertEach(
  msg,
  docIds.length,
  (number) => {
    const [id, place, filled] = docIds[number];
    const started = now - (docIds.length - number) * 0.1 * DAY;
    return {
      _id: at(started),
      doc_id: `${id}:${place}`,
      msgs: Array.from({ length: 100 }, (_, slot) =>
        slot < filled ? message(id, place * 100 + slot, Math.floor(started + slot * 60_000)) : { msg: null, revoke: null, del_list: null, is_read: false },
      ),
    };
  },
  100,
);
await insertEach(cache, 2_000, (number) => ({
  key: `TOKEN:${people[number]}:2`,
  value: token(120),
  expire_at: new Date(now + between(1, 30) * DAY),
}));
await insertEach(commands, 9_000, (number) => ({
  userID: people[(number * 11) % 3_000],
  type: between(1, 4),
  uuid: token(20),
  createTime: Math.floor(ago(600) / 1_000),
  value: words(20),
  ex: '',
}));
await insertEach(log, 4_000, (number) => ({
  ...dated(now - (4_000 - number) * 0.1 * DAY),
  log_id: token(20),
  platform: 'iOS',
  user_id: people[below(3_000)],
  url: `https://example.com/${token(20)}`,
  file_name: `${word()}.log`,
  system_type: 'iOS 18',
  version: '3.8.3',
  ex: '',
}));
const objects = await insertEach(object, 12_000, (number) => ({
  ...dated(now - (12_000 - number) * 0.05 * DAY),
  name: `${choose(people)}/${token(24)}.jpg`,
  engine: 'minio',
  key: `openim/data/hash/${token(32)}`,
  size: between(2_000, 3_000_000),
  content_type: 'image/jpeg',
  group: number % 3 === 0 ? 'msg-picture' : 'msg-file',
}));

// What the server sends for a page of a list: how many there are, and the page.
const page = async (collection, filter, { sort, number = 1, size = 20, projection } = {}) => {
  const total = await collection.countDocuments(filter);
  if (total === 0) return [];
  const cursor = collection.find(filter, { projection }).skip((number - 1) * size).limit(size);
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
  await cache.find({ key: { $in: [`TOKEN:${me}:2`] }, $or: [{ expire_at: { $gt: new Date() } }, { expire_at: null }] }).toArray();
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
  const joined = await member.find({ user_id: me }, { projection: { _id: 0, group_id: 1 } }).sort(memberSort).toArray();
  const ids = joined.map(({ group_id }) => group_id);
  for (const id of ids.slice(0, 8)) await changesSince(memberVersion, id, 3);
  if (ids.length > 0)
    await group
      .find({ group_id: { $in: ids }, status: { $ne: 2 } }, { projection: { _id: 0, group_id: 1 } })
      .sort({ group_name: 1, create_time: 1 })
      .toArray();
  if (login % 2 === 0) await friend.find({ owner_user_id: me }, { projection: { _id: 0, friend_user_id: 1 } }).sort(friendSort).toArray();
  if (login % 2 === 0) await friendRequest.countDocuments({ to_user_id: me, handle_result: 0 });
  if (login % 4 === 0) await page(friendRequest, { to_user_id: me }, { sort: { create_time: -1 } });
  if (login % 5 === 0) await page(friendRequest, { from_user_id: me }, { sort: { create_time: -1 } });
  if (login % 4 === 0) await page(groupRequest, { user_id: me }, { sort: { req_time: -1 } });
  if (login % 4 === 0) {
    const managed = await member
      .find({ user_id: me, role_level: { $in: [100, 60] } }, { projection: { _id: 0, group_id: 1 } })
      .toArray();
    if (managed.length > 0)
      await page(groupRequest, { group_id: { $in: managed.map(({ group_id }) => group_id) } }, { sort: { req_time: -1 } });
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
  await msg.updateOne({ doc_id: `${id}:${place}` }, { $set: { [`msgs.${slot}`]: message(id, place * 100 + slot, Date.now()) } });
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
          msgs: { $map: { input: Array.from({ length: 20 }, (_, index) => index), as: 'index', in: { $arrayElemAt: ['$msgs', '$$index'] } } },
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
  await groupRequest.updateOne({ group_id: groupIds[number], user_id: me }, { $set: { handle_msg: '', handle_result: 1 } });
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
  for (const { group_id } of await member.find({ user_id: mine }).toArray()) await logChange(memberVersion, group_id, [mine]);
  await user.updateOne({ user_id: mine }, { $set: { nickname: words(2) } });
  const changed = await conversation.find({ user_id: mine }, { projection: { _id: 0, owner_user_id: 1, conversation_id: 1 } }).toArray();
  await conversation.updateMany({ user_id: mine }, { $set: { ex: word() } });
  for (const { owner_user_id, conversation_id } of changed) await logChange(conversationVersion, owner_user_id, [conversation_id]);
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
  await page(log, { create_time: { $gte: new Date(now - 7 * DAY), $lte: new Date() } }, { sort: { create_time: -1 } });
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
    await conversation.updateOne({ owner_user_id, conversation_id }, { $set: { latest_msg_destruct_time: new Date() } });
  const old = await object
    .find({ engine: 'minio', create_time: { $lt: new Date(now - 590 * DAY) }, group: { $in: ['msg-picture', 'msg-file'] } })
    .limit(50)
    .toArray();
  for (const { name, key } of old) {
    await object.countDocuments({ engine: 'minio', key });
    await object.deleteOne({ engine: 'minio', name: { $in: [name] } });
  }
}
for (let upload = 0; upload < 60; upload += 1) {
  const { name } = choose(objects);
  await object.findOne({ name });
  const fresh = `${choose(people)}/${token(24)}.jpg`;
  await object.updateOne(
    { name: fresh, engine: 'minio' },
    { $set: { key: `openim/data/hash/${token(32)}`, size: 100, content_type: 'image/jpeg', group: 'msg-file', create_time: new Date() } },
    { upsert: true },
  );
}
await client.close();
