/** The collections of OpenIM, with the indexes that its server creates when it starts. */
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
const [seq, seqUser, msg, cache, commands] = ['seq', 'seq_user', 'msg', 'cache', 'userCommands'].map(of);
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
const friendsOf = people.map(() => [...new Set(Array.from({ length: heavyTailed(1, 300, 0.9) }, () => below(USERS)))]);
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
const logged = (id, version) => ({ e_id: id, state: 1, version, last_update: new Date(ago(700)) });
const versionLog = (id, entries, age) => ({
  _id: at(now - age),
  d_id: id,
  logs: entries.map((entry, place) => logged(entry, place + 1)),
  version: entries.length,
  deleted: 0,
  last_update: new Date(now - below(age)),
});
await insertEach(
  memberVersion,
  GROUPS,
  (number) => versionLog(groupIds[number], membersOf[number], ago(700) - now + 700 * DAY),
  100,
);
await insertEach(friendVersion, 8_000, (number) =>
  versionLog(
    people[number],
    friendsOf[number].map((place) => people[place]),
    below(700 * DAY),
  ),
);
await insertEach(joinVersion, 8_000, (number) =>
  versionLog(
    people[number],
    (groupsOf.get(people[number]) ?? []).map(([place]) => groupIds[place]),
    below(700 * DAY),
  ),
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
  ...memberships.map(([number, person]) =>
    conversationOf(person, `sg_${groupIds[number]}`, { group_id: groupIds[number] }),
  ),
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
// Of those with a few dozen conversations at most: their log has an entry for each.
const quiet = people.slice(0, 8_000).filter((person) => (conversationsOf.get(person) ?? []).length <= 40);
await insertEach(conversationVersion, quiet.length, (number) =>
  versionLog(
    quiet[number],
    (conversationsOf.get(quiet[number]) ?? []).map(({ conversation_id }) => conversation_id),
    below(700 * DAY),
  ),
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
const docIds = busy.flatMap((id, number) =>
  Array.from({ length: number < 120 ? 6 : 1 }, (_, place) => [
    id,
    place,
    number < 120 && place < 5 ? 100 : heavyTailed(3, 100, 0.7),
  ]),
);
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
        slot < filled
          ? message(id, place * 100 + slot, Math.floor(started + slot * 60_000))
          : { msg: null, revoke: null, del_list: null, is_read: false },
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

export {
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
};
