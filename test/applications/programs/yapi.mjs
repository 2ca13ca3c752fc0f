import { MongoClient, ObjectId } from 'mongodb';
import { below, between, choose, heavyTailed, idAt, insertEach, token, uri, word, words } from './support.mjs';

const client = await MongoClient.connect(uri);
const database = client.db();
const [users, groups, projects, logs, collections, categories, cases, interfaces, avatars, tokens, follows] = [
  'user',
  'group',
  'project',
  'log',
  'interface_col',
  'interface_cat',
  'interface_case',
  'interface',
  'avatar',
  'token',
  'follow',
].map((name) => database.collection(name));
const [mocks, scripts, mockCases, counters] = ['statis_mock', 'adv_mock', 'adv_mock_case', 'identitycounters'].map(
  (name) => database.collection(name),
);

// The indexes of its installation.
await users.createIndexes([{ key: { username: 1 } }, { key: { email: 1 }, unique: true }]);
await projects.createIndexes([{ key: { uid: 1 } }, { key: { name: 1 } }, { key: { group_id: 1 } }]);
await logs.createIndexes([{ key: { uid: 1 } }, { key: { typeid: 1, type: 1 } }]);
await collections.createIndexes([{ key: { uid: 1 } }, { key: { project_id: 1 } }]);
await categories.createIndexes([{ key: { uid: 1 } }, { key: { project_id: 1 } }]);
await cases.createIndexes([{ key: { uid: 1 } }, { key: { col_id: 1 } }, { key: { project_id: 1 } }]);
await interfaces.createIndexes([{ key: { uid: 1 } }, { key: { path: 1, method: 1 } }, { key: { project_id: 1 } }]);
await groups.createIndexes([{ key: { uid: 1 } }, { key: { group_name: 1 } }]);
await avatars.createIndex({ uid: 1 });
await tokens.createIndex({ project_id: 1 });
await follows.createIndexes([{ key: { uid: 1 } }, { key: { project_id: 1 } }]);
await counters.createIndex({ field: 1, model: 1 }, { unique: true });

const USERS = 3_000;
const GROUPS = 120;
const PROJECTS = 1_500;
const now = Math.floor(Date.now() / 1_000);
const ago = (days) => now - below(days * 86_400);
const METHODS = ['GET', 'POST', 'PUT', 'DELETE'];

await insertEach(users, USERS, (number) => ({
  _id: 11 + number,
  username: words(1),
  password: token(40),
  email: `user${number}@example.com`,
  passsalt: token(12),
  study: true,
  role: number === 0 ? 'admin' : 'member',
  type: 'site',
  add_time: ago(900),
  up_time: ago(100),
}));
const anybody = () => 11 + below(USERS);
const member = () => {
  const uid = anybody();
  return { _id: new ObjectId(), uid, role: 'dev', username: words(1), email: `user${uid - 11}@example.com` };
};
await insertEach(groups, GROUPS, (number) => ({
  _id: 11 + number,
  uid: anybody(),
  group_name: words(2),
  group_desc: words(6),
  type: 'public',
  members: Array.from({ length: between(3, 40) }, member),
  custom_field1: { enable: false },
  add_time: ago(900),
  up_time: ago(100),
}));
const allProjects = await insertEach(projects, PROJECTS, (number) => ({
  _id: 11 + number,
  uid: anybody(),
  name: words(2),
  basepath: `/${word()}`,
  switch_notice: true,
  desc: words(8),
  group_id: 11 + below(GROUPS),
  project_type: number % 4 === 0 ? 'public' : 'private',
  members: Array.from({ length: between(1, 12) }, () => ({ ...member(), email_notice: true })),
  env: [{ _id: new ObjectId(), name: 'local', domain: 'http://127.0.0.1', header: [], global: [] }],
  icon: 'code-o',
  color: 'blue',
  is_mock_open: false,
  strice: false,
  is_json5: false,
  tag: [],
  add_time: ago(900),
  up_time: ago(100),
}));
await insertEach(tokens, PROJECTS, (number) => ({ _id: 11 + number, project_id: 11 + number, token: token(64) }));

// A project has a handful of interfaces, few have a thousand.
const plan = allProjects.flatMap(({ _id: project }, number) => {
  const size = number < 8 ? 300 + 60 * number : heavyTailed(4, 200, 1.3);
  const groupsOfIt = 2 + Math.floor(size / 40);
  return Array.from({ length: size }, (_, place) => ({ project, place, category: `${project}/${place % groupsOfIt}` }));
});
const categoryIds = new Map(
  [...new Set(plan.map(({ category }) => category))].map((name, number) => [name, 11 + number]),
);
const categoriesOf = new Map();
await insertEach(categories, categoryIds.size, (number) => {
  const [name, id] = [...categoryIds][number];
  const project = Number(name.split('/')[0]);
  categoriesOf.set(project, [...(categoriesOf.get(project) ?? []), id]);
  return {
    _id: id,
    index: number % 10,
    name: words(2),
    project_id: project,
    uid: anybody(),
    add_time: ago(900),
    up_time: ago(100),
  };
});
const parameter = () => ({
  _id: new ObjectId(),
  name: word(),
  value: word(),
  example: '',
  desc: words(2),
  required: '1',
});
const body = () =>
  `{"type":"object","properties":{${Array.from({ length: 12 }, () => `"${word()}":{"type":"string","description":"${words(2)}"}`).join(',')}}}`;
const allInterfaces = await insertEach(interfaces, plan.length, (number) => {
  const { project, place, category } = plan[number];
  const path = `/${word()}/${word()}/${number}`;
  return {
    _id: 11 + number,
    edit_uid: 0,
    status: place % 3 === 0 ? 'done' : 'undone',
    type: place % 8 === 0 ? 'var' : 'static',
    req_body_is_json_schema: true,
    res_body_is_json_schema: true,
    api_opened: false,
    index: place,
    tag: [],
    title: words(3),
    path,
    method: METHODS[place % 4],
    catid: categoryIds.get(category),
    project_id: project,
    uid: anybody(),
    query_path: { path, params: [] },
    req_params: [],
    req_query: Array.from({ length: below(4) }, parameter),
    req_headers: Array.from({ length: below(3) }, parameter),
    req_body_form: [],
    desc: `<p>${words(10)}</p>`,
    markdown: words(10),
    res_body_type: 'json',
    res_body: body(),
    req_body_other: place % 4 === 0 ? '' : body(),
    add_time: ago(900),
    up_time: ago(100),
  };
});
const COLLECTIONS = 1_600;
await insertEach(collections, COLLECTIONS, (number) => ({
  _id: 11 + number,
  index: 0,
  test_report: '{}',
  name: words(2),
  project_id: 11 + (number % PROJECTS),
  desc: words(3),
  uid: anybody(),
  add_time: ago(600),
  up_time: ago(60),
}));
await insertEach(cases, 16_000, (number) => {
  const column = below(COLLECTIONS);
  const tested = choose(allInterfaces);
  return {
    _id: 11 + number,
    index: number % 10,
    mock_verify: false,
    enable_script: false,
    uid: anybody(),
    col_id: 11 + column,
    project_id: 11 + (column % PROJECTS),
    interface_id: tested._id,
    casename: words(2),
    case_env: 'local',
    req_params: [],
    req_headers: [],
    req_query: [],
    req_body_form: [],
    req_body_other: '{}',
    test_res_body: words(20),
    test_status: 'ok',
    add_time: ago(600),
    up_time: ago(60),
  };
});
await insertEach(follows, 5_000, (number) => {
  const followed = choose(allProjects);
  return {
    _id: 11 + number,
    uid: anybody(),
    projectid: followed._id,
    projectname: followed.name,
    icon: 'code-o',
    color: 'blue',
  };
});
await insertEach(scripts, 4_000, (number) => ({
  _id: 11 + number,
  enable: true,
  interface_id: allInterfaces[number * 3]._id,
  project_id: allInterfaces[number * 3].project_id,
  mock_script: `mockJson.code = ${number % 5};`,
  uid: String(anybody()),
  up_time: ago(60),
}));
await insertEach(mockCases, 8_000, (number) => {
  const mocked = choose(allInterfaces);
  return {
    _id: 11 + number,
    ip_enable: false,
    code: 200,
    delay: 0,
    case_enable: true,
    interface_id: mocked._id,
    project_id: mocked.project_id,
    name: words(2),
    headers: [],
    params: { id: String(below(100)) },
    uid: String(anybody()),
    res_body: body(),
    up_time: ago(60),
  };
});
const day = (seconds) => new Date(seconds * 1_000).toISOString().slice(0, 10);
await insertEach(mocks, 50_000, (number) => {
  const { _id: interface_id, project_id } = choose(allInterfaces);
  const time = now - (50_000 - number) * 150;
  return {
    _id: 11 + number,
    interface_id,
    project_id,
    group_id: allProjects[project_id - 11].group_id,
    time,
    ip: `10.0.0.${below(200)}`,
    date: day(time),
  };
});
const entry = (number) => {
  const changed = choose(allInterfaces);
  const add_time = now - (40_000 - number) * 400;
  const plain = {
    _id: 11 + number,
    uid: anybody(),
    username: word(),
    add_time,
    content: `<a href="/user">${word()}</a> ${words(8)}`,
  };
  if (number % 10 === 0) return { ...plain, type: 'group', typeid: 11 + below(GROUPS) };
  const project = number % 3 === 0 ? 11 + below(8) : changed.project_id;
  if (number % 2 === 0) return { ...plain, type: 'project', typeid: project };
  const { title, path, res_body } = changed;
  return {
    ...plain,
    type: 'project',
    typeid: project,
    data: {
      interface_id: changed._id,
      cat_id: changed.catid,
      current: { title, path, res_body },
      old: { title: words(3), path, res_body: body() },
    },
  };
};
await insertEach(logs, 40_000, entry);
await counters.insertMany(
  ['user', 'project', 'interface', 'log'].map((model) => ({ model, field: '_id', count: 100_000 })),
);
await insertEach(avatars, 900, (number) => ({
  _id: new ObjectId(idAt(ago(500) * 1_000)),
  uid: 11 + number * 3,
  basecode: token(3_000),
  type: 'image/png',
}));

const menuFields = {
  title: 1,
  uid: 1,
  path: 1,
  method: 1,
  project_id: 1,
  catid: 1,
  edit_uid: 1,
  status: 1,
  add_time: 1,
  up_time: 1,
  index: 1,
  tag: 1,
};
const baseInfo = { path: 1, method: 1, uid: 1, title: 1, project_id: 1, cat_id: 1, status: 1 };
const nextId = async (model) =>
  (await counters.findOneAndUpdate({ field: '_id', model }, { $inc: { count: 7 } }, { returnDocument: 'after' })).count;
const writeLog = async (project, data) =>
  logs.insertOne({
    _id: await nextId('log'),
    uid: anybody(),
    username: word(),
    type: 'project',
    typeid: project,
    content: words(8),
    add_time: now,
    data,
  });

// An afternoon. Somebody opens a project, reads its menu and an interface, and looks at what changed.
for (let visit = 0; visit < 30; visit += 1) {
  const uid = anybody();
  const { _id: project, group_id: group } = visit % 3 === 0 ? allProjects[below(8)] : choose(allProjects);
  await users.findOne({ _id: uid });
  await projects
    .find({
      $or: [
        { 'members.uid': uid, project_type: 'private' },
        { uid, project_type: 'private' },
        { project_type: 'public' },
      ],
    })
    .project({ group_id: 1 })
    .toArray();
  await groups
    .find({
      $or: [
        { 'members.uid': uid, type: 'public' },
        { type: 'public', uid },
      ],
    })
    .toArray();
  await projects.find({ group_id: group }).sort({ _id: -1 }).toArray();
  await projects.findOne({ _id: project });
  for (const { _id: category } of await categories.find({ project_id: project }).sort({ index: 1 }).toArray())
    await interfaces.find({ catid: category }).project(menuFields).sort({ index: 1 }).toArray();
  await interfaces.find({ project_id: project }).sort({ title: 1 }).skip(0).limit(20).project(menuFields).toArray();
  await interfaces.countDocuments({ project_id: project });
  await interfaces.findOne({ _id: choose(allInterfaces)._id });
  await logs.find({ type: 'project', typeid: project }).sort({ add_time: -1 }).skip(0).limit(10).toArray();
  await logs.countDocuments({ type: 'project', typeid: project });
  await follows.find({ uid }).toArray();
  await avatars.findOne({ uid });
}
// Testers open the collections of a project.
for (let visit = 0; visit < 30; visit += 1) {
  const project = 11 + below(PROJECTS);
  for (const { _id: column } of await collections.find({ project_id: project }).toArray())
    for (const { interface_id } of await cases.find({ col_id: column }).toArray())
      await interfaces.findOne({ _id: interface_id }, { projection: baseInfo });
}
// Programs call the mock server, and the open API with a token.
for (let call = 0; call < 150; call += 1) {
  const { _id: id, project_id: project, path, method } = choose(allInterfaces);
  await projects.findOne({ _id: project });
  const found = await interfaces.find({ project_id: project, path, method }).toArray();
  if (found.length === 0 || call % 10 === 0)
    await interfaces.find({ project_id: project, type: 'var', method }).project({ _id: 1, path: 1 }).toArray();
  await mockCases.find({ interface_id: id }).toArray();
  await scripts.findOne({ interface_id: id });
  await mocks.insertOne({
    _id: 200_000 + call,
    interface_id: id,
    project_id: project,
    group_id: 11,
    time: now,
    ip: '10.0.0.1',
    date: day(now),
  });
  if (call % 2 === 0) await tokens.findOne({ token: token(64) }, { projection: { project_id: 1 } });
}
// Changes: a check for a repeated path, the document, the log, and who follows.
for (let change = 0; change < 60; change += 1) {
  const { _id: id, project_id: project, path, method, catid, title } = choose(allInterfaces);
  await interfaces.countDocuments({ project_id: project, path, method });
  await interfaces.updateOne({ _id: id }, { $set: { title: words(3), up_time: now } });
  await writeLog(project, { interface_id: id, cat_id: catid, current: { title }, old: { title } });
  await projects.updateOne({ _id: project }, { $set: { up_time: now } });
  await follows.find({ projectid: project }).toArray();
}
for (let removal = 0; removal < 12; removal += 1) {
  const { _id: id } = allInterfaces[below(allInterfaces.length)];
  await cases.deleteMany({ interface_id: id });
  await interfaces.deleteOne({ _id: id });
}
for (let upload = 0; upload < 10; upload += 1)
  await avatars.updateOne(
    { uid: anybody() },
    { $set: { type: 'image/png', basecode: token(3_000) } },
    { upsert: true },
  );
// The search box, and somebody who adds members by name.
for (let search = 0; search < 25; search += 1) {
  const text = new RegExp(word(), 'i');
  await groups.find({ group_name: text }).limit(10).toArray();
  await projects.find({ name: text }).limit(10).toArray();
  await interfaces
    .find({ $or: [{ title: text }, { path: text }] })
    .limit(10)
    .toArray();
  await users
    .find({ $or: [{ email: text }, { username: text }] }, { projection: { passsalt: 0, password: 0 } })
    .limit(10)
    .toArray();
}
// Administrators open the statistics.
for (let visit = 0; visit < 6; visit += 1) {
  await groups.countDocuments({ type: 'public' });
  await projects.countDocuments({});
  await interfaces.countDocuments({});
  await cases.countDocuments({});
  await mocks.countDocuments({});
  await mocks
    .aggregate([
      { $match: { date: { $gt: day(now - 30 * 86_400), $lte: day(now) } } },
      { $group: { _id: '$date', count: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ])
    .toArray();
  for (let group = 0; group < 20; group += 1) await mocks.countDocuments({ group_id: 11 + group });
}
await client.close();
