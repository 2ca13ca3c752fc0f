import { MongoClient, ObjectId } from 'mongodb';
import { below, between, choose, heavyTailed, hex, idAt, insertEach, token, uri, word, words } from './support.mjs';

const client = await MongoClient.connect(uri);
const database = client.db();
const [
  users,
  projects,
  docs,
  contacts,
  notifications,
  tags,
  rooms,
  messages,
  chunks,
  labels,
  invites,
  projectLog,
  userLog,
] = [
  'users',
  'projects',
  'docs',
  'contacts',
  'notifications',
  'tags',
  'rooms',
  'messages',
  'projectHistoryChunks',
  'projectHistoryLabels',
  'projectInvites',
  'projectAuditLogEntries',
  'userAuditLogEntries',
].map((name) => database.collection(name));

const USERS = 4_000;
const PROJECTS = 9_000;
const DAY = 86_400_000;
const ago = (days) => new Date(Date.now() - below(days * DAY));
const id = (date) => new ObjectId(idAt(date.getTime()));

const allUsers = await insertEach(users, USERS, (number) => {
  const signUpDate = ago(1_200);
  const email = `user${number}@example.edu`;
  return {
    _id: id(signUpDate),
    email,
    emails: [{ email, createdAt: signUpDate, confirmedAt: signUpDate, reversedHostname: 'ude.elpmaxe' }],
    first_name: word(),
    last_name: word(),
    role: '',
    institution: '',
    hashedPassword: token(60),
    isAdmin: number === 0,
    signUpDate,
    lastActive: ago(200),
    lastLoggedIn: ago(200),
    loginCount: below(300),
    features: {
      collaborators: -1,
      versioning: true,
      dropbox: false,
      github: false,
      compileTimeout: 180,
      compileGroup: 'standard',
    },
    ace: {
      mode: 'none',
      theme: 'textmate',
      overallTheme: '',
      fontSize: 12,
      autoComplete: true,
      spellCheckLanguage: 'en',
      pdfViewer: 'pdfjs',
    },
    referal_id: hex(16),
    betaProgram: false,
    staffAccess: { publisherMetrics: false, adminMetrics: false },
  };
});
const anybody = () => choose(allUsers)._id;
const several = (most) => Array.from({ length: below(most + 1) }, anybody);
const file = (name, date) => ({ _id: id(date), name, created: date, rev: 0, linkedFileData: null, hash: hex(40) });
const folder = (name, date, depth) => ({
  _id: id(date),
  name,
  docs: Array.from({ length: depth === 0 ? between(1, 3) : below(4) }, (_, number) => ({
    _id: id(date),
    name: `${word()}${number}.tex`,
  })),
  fileRefs: Array.from({ length: below(6) }, (_, number) => file(`figure${number}.png`, date)),
  folders:
    depth < 4 ? Array.from({ length: depth === 0 ? below(4) : below(2) }, () => folder(word(), date, depth + 1)) : [],
});
const docsOf = ({ docs: own, folders }) => [...own, ...folders.flatMap(docsOf)];
const allProjects = await insertEach(projects, PROJECTS, (number) => {
  const made = ago(1_100);
  const root = folder('rootFolder', made, 0);
  return {
    _id: id(made),
    name: words(3),
    lastUpdated: ago(300),
    lastOpened: ago(300),
    active: number % 3 !== 0,
    owner_ref: number % 4 === 0 ? allUsers[below(60)]._id : anybody(),
    collaberator_refs: several(4),
    readOnly_refs: several(1),
    tokenAccessReadOnly_refs: [],
    tokenAccessReadAndWrite_refs: number % 10 === 0 ? several(6) : [],
    pendingEditor_refs: [],
    rootDoc_id: root.docs[0]._id,
    rootFolder: [root],
    version: between(1, 90),
    publicAccesLevel: number % 10 === 0 ? 'tokenBased' : 'private',
    compiler: 'pdflatex',
    spellCheckLanguage: 'en',
    deletedByExternalDataSource: false,
    description: '',
    archived: [],
    trashed: [],
    deletedDocs: [],
    imageName: 'texlive-full:2022.1',
    track_changes: {},
    tokens:
      number % 10 === 0
        ? {
            readOnly: token(12),
            readAndWrite: `${number}${token(12)}`,
            readAndWritePrefix: String(10_000_000 + number),
          }
        : {},
    overleaf: { history: { id: hex(24), display: true } },
  };
});
// Texts, as arrays of lines: chapters have hundreds, few have thousands.
const texts = allProjects
  .flatMap(({ _id: project, rootFolder }) => docsOf(rootFolder[0]).map((doc) => ({ project, doc })))
  .slice(0, 16_000);
const lines = (number) =>
  Array.from({ length: number % 150 === 0 ? between(1_500, 6_000) : heavyTailed(15, 1_200, 1) }, () =>
    below(5) === 0 ? '' : words(between(2, 7)),
  );
await insertEach(
  docs,
  texts.length,
  (number) => {
    const { project, doc } = texts[number];
    const archived = number % 3 === 0;
    return {
      _id: doc._id,
      project_id: project,
      rev: between(1, 60),
      version: between(1, 2_000),
      ...(archived ? { inS3: true } : { lines: lines(number), ranges: {} }),
      ...(number % 40 === 0 ? { deleted: true, deletedAt: ago(100), name: doc.name } : {}),
    };
  },
  250,
);
// Teachers share with each of their classes.
await insertEach(
  contacts,
  3_500,
  (number) => ({
    _id: id(ago(900)),
    user_id: allUsers[number]._id,
    contacts: Object.fromEntries(
      Array.from({ length: number % 30 === 0 ? between(150, 700) : heavyTailed(1, 80, 0.9) }, () => [
        anybody().toString(),
        { n: between(1, 9), ts: ago(400) },
      ]),
    ),
  }),
  500,
);
await insertEach(notifications, 9_000, (number) => ({
  _id: id(ago(300)),
  user_id: number % 3 === 0 ? allUsers[below(200)]._id : anybody(),
  key: `project-invite-${hex(24)}`,
  ...(number % 4 === 0
    ? {
        templateKey: 'notification_project_invite',
        messageOpts: { userName: word(), projectName: words(2), projectId: hex(24), token: hex(48) },
      }
    : {}),
}));
await insertEach(tags, 3_000, (number) => ({
  _id: id(ago(700)),
  user_id: allUsers[number % 1_500]._id.toString(),
  name: `${word()} ${number}`,
  project_ids: Array.from({ length: between(1, 12) }, () => choose(allProjects)._id.toString()),
}));
const allRooms = await insertEach(rooms, 9_000, (number) => {
  const project_id = number % 3 === 0 ? allProjects[below(100)]._id : allProjects[number]._id;
  const made = ago(500);
  return { _id: id(made), project_id, ...(number % 2 === 0 ? { thread_id: id(made) } : {}) };
});
await insertEach(messages, 30_000, (number) => {
  const made = ago(500);
  const room = number % 4 === 0 ? allRooms[below(60)] : choose(allRooms);
  return { _id: id(made), content: words(12), room_id: room._id, user_id: anybody(), timestamp: made.getTime() };
});
const versions = new Map();
await insertEach(chunks, 40_000, (number) => {
  const project = number % 4 === 0 ? allProjects[below(60)] : choose(allProjects);
  const startVersion = versions.get(project) ?? 0;
  const endVersion = startVersion + between(5, 90);
  versions.set(project, endVersion);
  return {
    _id: id(ago(700)),
    projectId: project._id,
    startVersion,
    endVersion,
    endTimestamp: ago(700),
    state: 'active',
    updatedAt: ago(700),
  };
});
await insertEach(labels, 3_000, () => ({
  _id: id(ago(500)),
  project_id: choose(allProjects)._id,
  comment: words(3),
  version: below(200),
  created_at: ago(500),
  user_id: anybody(),
}));
await insertEach(invites, 800, () => {
  const createdAt = ago(29);
  return {
    _id: id(createdAt),
    email: `${word()}@example.com`,
    tokenHmac: hex(64),
    sendingUserId: anybody(),
    projectId: choose(allProjects)._id,
    privileges: 'readAndWrite',
    createdAt,
    expires: new Date(createdAt.getTime() + 30 * DAY),
  };
});
const audit = (operation) => ({
  operation,
  initiatorId: anybody(),
  ipAddress: `10.0.${below(200)}.${below(200)}`,
  timestamp: ago(400),
  info: { userId: hex(24) },
});
await insertEach(projectLog, 20_000, () => ({
  _id: id(ago(400)),
  projectId: choose(allProjects)._id,
  ...audit('send-invite'),
}));
await insertEach(userLog, 12_000, () => ({ _id: id(ago(400)), userId: anybody(), ...audit('login') }));

// The indexes of its migrations, before those of October 2023. They are built last, which is faster.
const index = (collection, ...keys) => collection.createIndexes(keys.map((key) => ({ key })));
const ifPresent = (field) => ({
  key: { [field]: 1 },
  unique: true,
  partialFilterExpression: { [field]: { $exists: true } },
});
const regardlessOfCase = { locale: 'en', strength: 2 };
await users.createIndexes([
  { key: { email: 1 }, unique: true, name: 'email_case_insensitive', collation: regardlessOfCase },
  { key: { email: 1 }, unique: true, name: 'email_1' },
  { ...ifPresent('emails.email'), name: 'emails_email_1' },
  { ...ifPresent('emails.email'), name: 'emails_email_case_insensitive', collation: regardlessOfCase },
  ifPresent('overleaf.id'),
  {
    key: { 'thirdPartyIdentifiers.externalUserId': 1, 'thirdPartyIdentifiers.providerId': 1 },
    unique: true,
    sparse: true,
  },
  { key: { 'dropbox.access_token.uid': 1 }, unique: true, sparse: true },
  { key: { 'dropbox.access_token.oauth_token_secret': 1 }, name: 'has dropbox' },
  { key: { 'subscription.freeTrialDowngraded': 1 } },
  { key: { 'subscription.freeTrialExpiresAt': 1 } },
  { key: { signUpDate: 1 } },
  { key: { password: 1, email: 1 }, name: 'password_and_email' },
  { key: { referal_id: 1 } },
  { key: { auth_token: 1 } },
  { key: { owner_ref: 1 }, name: 'owner_ref' },
  { key: { holdingAccount: 1 } },
  { key: { 'emails.reversedHostname': 1 } },
]);
await projects.createIndexes([
  { key: { active: 1, lastOpened: 1 } },
  { key: { _id: 1, lastOpened: 1, active: 1 }, partialFilterExpression: { active: true } },
  ...['tokens.readOnly', 'tokens.readAndWritePrefix', 'tokens.readAndWrite', 'overleaf.history.id', 'overleaf.id'].map(
    ifPresent,
  ),
  ...[
    'publicAccesLevel',
    'owner_ref',
    'collaberator_refs',
    'readOnly_refs',
    'tokenAccessReadAndWrite_refs',
    'tokenAccessReadOnly_refs',
    'name',
  ].map((field) => ({ key: { [field]: 1 } })),
  { key: { 'collabratecUsers.user_id': 1 }, sparse: true },
]);
await index(docs, { project_id: 1 }, { project_id: 1, inS3: 1 }, { project_id: 1, deleted: 1, deletedAt: -1 });
await contacts.createIndex({ user_id: 1 }, { unique: true });
await notifications.createIndexes([
  { key: { expires: 1 }, expireAfterSeconds: 10 },
  { key: { key: 1 } },
  { key: { user_id: 1 } },
]);
await tags.createIndexes([{ key: { user_id: 1 } }, { key: { user_id: 1, name: 1 }, unique: true }]);
await index(rooms, { project_id: 1 });
await index(messages, { room_id: 1, timestamp: -1 });
await chunks.createIndexes([
  {
    key: { projectId: 1, startVersion: 1 },
    unique: true,
    partialFilterExpression: { state: { $in: ['active', 'closed'] } },
  },
  { key: { updatedAt: 1 }, name: 'deleted_updated_at', partialFilterExpression: { state: 'deleted' } },
]);
await index(labels, { project_id: 1 }, { user_id: 1 });
await invites.createIndexes([{ key: { expires: 1 }, expireAfterSeconds: 10 }, { key: { projectId: 1 } }]);
await index(projectLog, { projectId: 1 });
await index(userLog, { userId: 1 });

// An afternoon: the list of projects.
const LIST = {
  name: 1,
  lastUpdated: 1,
  lastUpdatedBy: 1,
  publicAccesLevel: 1,
  archived: 1,
  trashed: 1,
  owner_ref: 1,
  tokens: 1,
};
for (let visit = 0; visit < 120; visit += 1) {
  const user = visit % 3 === 0 ? allUsers[below(60)]._id : anybody();
  await users.findOne({ _id: user });
  await projects.find({ owner_ref: user }, { projection: LIST }).toArray();
  for (const field of ['collaberator_refs', 'readOnly_refs'])
    await projects.find({ [field]: user }, { projection: LIST }).toArray();
  for (const field of ['tokenAccessReadAndWrite_refs', 'tokenAccessReadOnly_refs'])
    await projects.find({ [field]: user, publicAccesLevel: 'tokenBased' }, { projection: LIST }).toArray();
  await tags.find({ user_id: user.toString() }).toArray();
  await notifications.find({ user_id: user, templateKey: { $exists: true } }).toArray();
}
// Somebody opens a project, writes, talks, and looks at its history.
for (let visit = 0; visit < 200; visit += 1) {
  const project = visit % 2 === 0 ? allProjects[below(100)] : choose(allProjects);
  const { _id } = project;
  await projects.findOne({ _id });
  await docs
    .find({ project_id: _id, deleted: { $ne: true } })
    .project({ lines: 1, rev: 1 })
    .toArray();
  const [doc] = docsOf(project.rootFolder[0]);
  const text = await docs.findOne(
    { _id: doc._id, project_id: _id },
    { projection: { lines: 1, rev: 1, version: 1, ranges: 1 } },
  );
  if (text !== null)
    await docs.updateOne({ _id: doc._id, project_id: _id, rev: text.rev }, [
      { $set: { lines: { $literal: lines(1) } } },
      { $set: { rev: { $literal: text.rev + 1 } } },
      { $unset: 'inS3' },
    ]);
  await projects.updateOne({ _id }, { $set: { lastUpdated: new Date(), lastOpened: new Date() } });
  if (visit % 5 === 0)
    await projects.updateOne(
      { _id, 'rootFolder.0': { $exists: true } },
      { $push: { 'rootFolder.0.docs': { _id: id(new Date()), name: `${word()}.tex` } }, $inc: { version: 1 } },
    );
  const { value: room = null } = await rooms.findOneAndUpdate(
    { project_id: _id, thread_id: { $exists: false } },
    { $set: { project_id: _id } },
    { upsert: true, returnDocument: 'after', includeResultMetadata: true },
  );
  await messages.find({ room_id: room._id }).sort({ timestamp: -1 }).limit(50).toArray();
  await messages.insertOne({ content: words(10), room_id: room._id, user_id: anybody(), timestamp: Date.now() });
  const threads = await rooms.find({ project_id: _id, thread_id: { $exists: true } }).toArray();
  if (threads.length > 0) await messages.find({ room_id: { $in: threads.map((thread) => thread._id) } }).toArray();
  const latest = await chunks.findOne(
    { projectId: _id, state: { $in: ['active', 'closed'] } },
    { sort: { startVersion: -1 } },
  );
  if (latest !== null)
    await chunks.findOne(
      {
        projectId: _id,
        state: { $in: ['active', 'closed'] },
        startVersion: { $lte: latest.startVersion },
        endVersion: { $gte: latest.startVersion },
      },
      { sort: { startVersion: 1 } },
    );
  await labels.find({ project_id: _id }).toArray();
}
// Sharing: contacts of both, an invitation, a notification, the log.
for (let share = 0; share < 80; share += 1) {
  const [from, to] = [share % 2 === 0 ? allUsers[30 * below(100)]._id : anybody(), anybody()];
  const project = choose(allProjects)._id;
  for (const [user, other] of [
    [from, to],
    [to, from],
  ])
    await contacts.updateOne(
      { user_id: user },
      { $inc: { [`contacts.${other}.n`]: 1 }, $set: { [`contacts.${other}.ts`]: new Date() } },
      { upsert: true },
    );
  await contacts.findOne({ user_id: from });
  await invites.find({ projectId: project }).toArray();
  await invites.insertOne({
    email: 'new@example.com',
    tokenHmac: hex(64),
    sendingUserId: from,
    projectId: project,
    privileges: 'readAndWrite',
    createdAt: new Date(),
    expires: new Date(Date.now() + 30 * DAY),
  });
  const key = `project-invite-${hex(24)}`;
  await notifications.countDocuments({ user_id: to, key });
  await notifications.updateOne(
    { user_id: to, key },
    { $set: { user_id: to, key, templateKey: 'notification_project_invite', messageOpts: { projectName: words(2) } } },
    { upsert: true },
  );
  await projects.updateOne({ _id: project }, { $addToSet: { collaberator_refs: to } });
  await notifications.updateOne({ key }, { $unset: { templateKey: true } });
  await projectLog.insertOne({ projectId: project, ...audit('accept-invite') });
  await tags.updateOne(
    { user_id: from.toString(), name: 'shared' },
    { $addToSet: { project_ids: project.toString() } },
    { upsert: true },
  );
}
// What nobody opened for long is archived at night.
await projects
  .find({ lastOpened: { $not: { $gt: new Date(Date.now() - 200 * DAY) } }, active: true })
  .project({ _id: 1, lastOpened: 1 })
  .limit(50)
  .toArray();
await client.close();
