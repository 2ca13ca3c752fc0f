import { MongoClient } from 'mongodb';
import { below, between, choose, heavyTailed, insertEach, token, uri, word, words } from './support.mjs';

const client = await MongoClient.connect(uri);
const database = client.db();
const [users, boards, swimlanes, lists, cards, activities, comments, checklists, items, fields] = [
  'users',
  'boards',
  'swimlanes',
  'lists',
  'cards',
  'activities',
  'card_comments',
  'checklists',
  'checklistItems',
  'customFields',
].map((name) => database.collection(name));

const USERS = 6_000;
const BOARDS = 600;
const CARDS = 22_000;
const DAY = 86_400_000;
const ago = (days) => new Date(Date.now() - below(days * DAY));
const userIds = Array.from({ length: USERS }, () => token(17));
const boardIds = Array.from({ length: BOARDS }, () => token(17));
const dates = (days) => {
  const createdAt = ago(days);
  return { createdAt, modifiedAt: new Date(createdAt.getTime() + below(DAY)) };
};

const membersOf = boardIds.map((_, board) =>
  Array.from({ length: between(2, 30) }, () => (board < 100 && below(2) === 0 ? below(200) : below(USERS))),
);
const COLOURS = ['green', 'yellow', 'orange', 'red', 'purple', 'blue'];
const allBoards = await insertEach(boards, BOARDS, (board) => ({
  _id: boardIds[board],
  title: words(2),
  slug: word(),
  archived: board % 15 === 0,
  type: 'board',
  permission: board % 20 === 0 ? 'public' : 'private',
  color: 'belize',
  stars: below(5),
  labels: COLOURS.map((color) => ({ _id: token(6), color, name: word() })),
  members: [...new Set(membersOf[board])].map((user, number) => ({
    userId: userIds[user],
    isAdmin: number === 0,
    isActive: true,
    isNoComments: false,
    isCommentOnly: false,
    isWorker: false,
  })),
  watchers: [],
  subtasksDefaultBoardId: null,
  allowsSubtasks: true,
  allowsChecklists: true,
  description: words(10),
  sort: board,
  ...dates(900),
}));
const allFields = await insertEach(fields, 500, (number) => ({
  _id: token(17),
  boardIds: [boardIds[number]],
  name: word(),
  type: ['text', 'number', 'date', 'checkbox'][number % 4],
  settings: {},
  showOnCard: true,
  ...dates(900),
}));
const lanes = await insertEach(swimlanes, 1_000, (number) => ({
  _id: token(17),
  title: words(1),
  boardId: boardIds[number % BOARDS],
  archived: false,
  sort: Math.floor(number / BOARDS),
  type: 'swimlane',
  ...dates(900),
}));
const allLists = await insertEach(lists, 4_200, (number) => ({
  _id: token(17),
  title: words(2),
  boardId: boardIds[number % BOARDS],
  swimlaneId: '',
  archived: false,
  sort: Math.floor(number / BOARDS),
  starred: false,
  wipLimit: { value: 1, enabled: false, soft: false },
  type: 'list',
  ...dates(900),
}));
const laneOf = new Map(lanes.map(({ _id, boardId }) => [boardId, _id]));
const listsOf = new Map();
for (const { _id, boardId } of allLists) listsOf.set(boardId, [...(listsOf.get(boardId) ?? []), _id]);
const VALUES = {
  text: () => words(2),
  number: () => below(1_000),
  date: () => ago(60),
  checkbox: () => below(2) === 0,
};
const fieldOf = new Map(allFields.map((field) => [field.boardIds[0], field]));
const allCards = await insertEach(cards, CARDS, (number) => {
  // Some boards are used for years.
  const board = boardIds[number % 3 === 0 ? below(30) : below(BOARDS)];
  const field = fieldOf.get(board);
  return {
    _id: token(17),
    title: words(4),
    members: number % 3 === 0 ? [userIds[below(USERS)]] : [],
    assignees: [userIds[below(USERS)]],
    labelIds: number % 2 === 0 ? [token(6)] : [],
    customFields: field === undefined ? [] : [{ _id: field._id, value: VALUES[field.type]() }],
    archived: number % 4 === 0,
    parentId: '',
    linkedId: '',
    coverId: '',
    boardId: board,
    listId: choose(listsOf.get(board)),
    swimlaneId: laneOf.get(board),
    type: 'cardType-card',
    cardNumber: number,
    description: words(between(5, 60)),
    requestedBy: '',
    assignedBy: '',
    spentTime: 0,
    isOvertime: false,
    userId: userIds[below(USERS)],
    subtaskSort: -1,
    sort: number,
    dateLastActivity: ago(300),
    ...dates(800),
  };
});
const KINDS = ['createCard', 'moveCard', 'joinMember', 'addChecklist', 'archivedCard', 'setCustomField'];
const activity = (number, card = choose(allCards)) => ({
  _id: token(17),
  userId: userIds[below(USERS)],
  type: 'card',
  activityType: KINDS[number % KINDS.length],
  boardId: card.boardId,
  listId: card.listId,
  cardId: card._id,
  swimlaneId: card.swimlaneId,
  cardTitle: card.title,
  ...(number % 6 === 0 ? { commentId: token(17), activityType: 'addComment' } : {}),
  ...(number % 6 === 3 ? { checklistId: token(17) } : {}),
  ...dates(700),
});
const allActivities = await insertEach(activities, 50_000, (number) => activity(number));
await insertEach(comments, 10_000, () => {
  const card = choose(allCards);
  return {
    _id: token(17),
    boardId: card.boardId,
    cardId: card._id,
    text: words(15),
    userId: userIds[below(USERS)],
    ...dates(700),
  };
});
const allChecklists = await insertEach(checklists, 9_000, (number) => {
  const card = choose(allCards);
  return {
    _id: token(17),
    cardId: card._id,
    boardId: card.boardId,
    title: words(2),
    sort: number % 3,
    hideCheckedChecklistItems: false,
    ...dates(700),
  };
});
await insertEach(items, 40_000, (number) => {
  const list = allChecklists[number % allChecklists.length];
  return {
    _id: token(17),
    title: words(5),
    sort: Math.floor(number / allChecklists.length),
    isFinished: number % 2 === 0,
    checklistId: list._id,
    cardId: list.cardId,
    boardId: list.boardId,
    ...dates(700),
  };
});
// One in three reads the tray never or seldom.
const notifications = (user) =>
  Array.from({ length: user % 3 === 0 ? heavyTailed(20, 4_000, 0.7) : below(6) }, () => ({
    activity: choose(allActivities)._id,
    read: below(4) === 0 ? ago(60) : null,
  }));
const widths = (user) =>
  Object.fromEntries(
    Array.from({ length: user % 4 === 0 ? between(1, 30) : 0 }, () => choose(boardIds)).map((board) => [
      board,
      Object.fromEntries(listsOf.get(board).map((list) => [list, 270 + below(100)])),
    ]),
  );
await insertEach(
  users,
  USERS,
  (user) => ({
    _id: userIds[user],
    username: `${word()}${user}`,
    emails: [{ address: `user${user}@example.com`, verified: true }],
    services: {
      password: { bcrypt: token(60) },
      resume: { loginTokens: Array.from({ length: below(3) }, () => ({ when: ago(90), hashedToken: token(44) })) },
    },
    profile: {
      fullname: words(2),
      initials: 'ab',
      boardView: 'board-view-swimlanes',
      listSortBy: '-modifiedAt',
      templatesBoardId: '',
      emailBuffer: [],
      starredBoards: user % 5 === 0 ? [choose(boardIds)] : [],
      invitedBoards: [],
      notifications: notifications(user),
      listWidths: widths(user),
    },
    isAdmin: user === 0,
    loginDisabled: false,
    authenticationMethod: 'password',
    orgs: [],
    teams: [],
    ...dates(900),
  }),
  200,
);

// The indexes that its models and its server ensure; some are in both. They are built last, which is faster.
const index = (collection, ...keys) => collection.createIndexes(keys.map((key) => ({ key })));
await index(
  users,
  { modifiedAt: -1 },
  { createdAt: -1 },
  { loginDisabled: 1, createdAt: -1 },
  { isAdmin: 1, createdAt: -1 },
  { 'orgs.orgId': 1, createdAt: -1 },
  { 'services.accounts-lockout.unlockTime': 1 },
);
// Those of the accounts package.
await users.createIndexes([
  { key: { username: 1 }, unique: true, sparse: true },
  { key: { 'emails.address': 1 }, unique: true, sparse: true },
  { key: { 'services.resume.loginTokens.hashedToken': 1 }, unique: true, sparse: true },
]);
await index(boards, { modifiedAt: -1 }, { 'members.userId': 1 }, { sort: 1 }, { archived: 1, 'members.userId': 1 });
await boards.createIndex({ _id: 1, 'members.userId': 1 }, { unique: true });
await index(swimlanes, { modifiedAt: -1 }, { boardId: 1 });
await index(lists, { modifiedAt: -1 }, { updatedAt: 1, deleted: 1 }, { boardId: 1 }, { archivedAt: -1 });
await index(
  cards,
  { modifiedAt: -1 },
  { updatedAt: 1, deleted: 1 },
  { boardId: 1, createdAt: -1 },
  { boardId: 1, listId: 1 },
  { boardId: 1, archived: 1 },
  { parentId: 1 },
  { swimlaneId: 1 },
  { listId: 1 },
  { type: 1 },
  { listId: 1, sort: 1 },
  { swimlaneId: 1, sort: 1 },
  { boardId: 1, cardNumber: 1 },
);
await index(
  activities,
  { createdAt: -1 },
  { modifiedAt: -1 },
  { updatedAt: 1, deleted: 1 },
  { cardId: 1, createdAt: -1 },
  { boardId: 1, createdAt: -1 },
  { checklistId: 1 },
);
for (const field of ['commentId', 'attachmentId', 'customFieldId'])
  await activities.createIndex({ [field]: 1 }, { partialFilterExpression: { [field]: { $exists: true } } });
await index(comments, { modifiedAt: -1 }, { cardId: 1, createdAt: -1 }, { boardId: 1 });
await index(checklists, { modifiedAt: -1 }, { cardId: 1, createdAt: 1 }, { boardId: 1 }, { cardId: 1, sort: 1 });
await index(
  items,
  { modifiedAt: -1 },
  { updatedAt: 1, deleted: 1 },
  { checklistId: 1 },
  { cardId: 1 },
  { boardId: 1 },
  { checklistId: 1, sort: 1 },
);
await index(fields, { modifiedAt: -1 }, { boardIds: 1 });

// A day at work.
const visible = { username: 1, 'profile.fullname': 1, 'profile.avatarUrl': 1, 'profile.initials': 1 };
for (let visit = 0; visit < 150; visit += 1) {
  const user = visit % 2 === 0 ? 3 * below(60) : below(200);
  const userId = userIds[user];
  const boardId = visit % 3 === 0 ? boardIds[below(30)] : choose(boardIds);
  const me = await users.findOne({ _id: userId });
  await boards.find({ archived: false, 'members.userId': userId }).sort({ sort: 1 }).toArray();
  // The board, what is on it, and who.
  const board = await boards.findOne({ _id: boardId });
  await lists.find({ boardId, archived: false }).sort({ sort: 1 }).toArray();
  await swimlanes.find({ boardId, archived: false }).sort({ sort: 1 }).toArray();
  const shown = await cards.find({ boardId, archived: false }).toArray();
  const ids = shown.slice(0, 50).map(({ _id }) => _id);
  await checklists.find({ cardId: { $in: ids } }).toArray();
  await items.find({ cardId: { $in: ids } }).toArray();
  await comments.find({ cardId: { $in: ids } }).toArray();
  await fields.find({ boardIds: { $in: [boardId] } }).toArray();
  await users
    .find({ _id: { $in: (board?.members ?? []).map((member) => member.userId) } })
    .project(visible)
    .toArray();
  await activities
    .find({ boardId: { $in: [boardId] } })
    .sort({ createdAt: -1 })
    .limit(20)
    .toArray();
  // The tray of notifications.
  const told = me.profile.notifications.map((notification) => notification.activity);
  if (visit % 3 === 0 && told.length > 0) {
    const found = await activities.find({ _id: { $in: told } }).toArray();
    await cards.find({ _id: { $in: found.map(({ cardId }) => cardId) } }).toArray();
    await users
      .find({ _id: { $in: found.map((one) => one.userId) } })
      .project(visible)
      .toArray();
  }
  // A card is opened, moved and commented on; the members of its board are told.
  const card = shown[0] ?? choose(allCards);
  await cards.findOne({ _id: card._id });
  await activities
    .find({ cardId: { $in: [card._id] } })
    .sort({ createdAt: -1 })
    .limit(20)
    .toArray();
  await cards.updateOne(
    { _id: card._id },
    {
      $set: {
        listId: choose(listsOf.get(card.boardId)),
        sort: below(1_000),
        modifiedAt: new Date(),
        dateLastActivity: new Date(),
      },
    },
  );
  const done = activity(visit, card);
  await activities.insertOne(done);
  for (const { userId: watcher } of (board?.members ?? []).slice(0, 5))
    await users.updateOne(
      { _id: watcher },
      { $addToSet: { 'profile.notifications': { activity: done._id, read: null } } },
    );
  if (visit % 10 === 0) {
    const list = choose(listsOf.get(boardId));
    await users.updateOne({ _id: userId }, { $set: { [`profile.listWidths.${boardId}.${list}`]: 300 } });
  }
}
// Searches: for a member to add, on cards of one's boards, in checklists.
for (let search = 0; search < 30; search += 1) {
  const text = new RegExp(word(), 'i');
  await users
    .find({ $or: [{ username: text }, { 'profile.fullname': text }, { 'emails.address': text }] })
    .project({ ...visible, emails: 1, isAdmin: 1 })
    .toArray();
  if (search % 2 === 0) {
    const mine = allBoards.filter((_, board) => membersOf[board].includes(search)).map(({ _id }) => _id);
    await cards
      .find({
        boardId: { $in: mine },
        archived: false,
        $and: [{ $or: [{ title: text }, { description: text }, { customFields: { $elemMatch: { value: text } } }] }],
      })
      .limit(25)
      .toArray();
    await items.find({ title: text }).project({ cardId: 1, checklistId: 1 }).toArray();
  }
}
await users
  .find({ 'profile.notifications': { $exists: true, $ne: [] } })
  .project({ 'profile.notifications': 1 })
  .toArray();
await client.close();
