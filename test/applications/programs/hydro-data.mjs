import { MongoClient, ObjectId } from 'mongodb';
import { below, between, choose, heavyTailed, hex, idAt, insertEach, token, uri, word, words } from './support.mjs';

const client = await MongoClient.connect(uri);
const database = client.db();
const of = (name) => database.collection(name);
const [documents, statuses, records, recordStats] = ['document', 'document.status', 'record', 'record.stat'].map(of);
const [users, members, domains, groups] = ['user', 'domain.user', 'domain', 'user.group'].map(of);
const [messages, tokens, counts, oplog] = ['message', 'token', 'opcount', 'oplog'].map(of);
const [files, tasks, history] = ['storage', 'task', 'record.history'].map(of);

// The indexes of its models.
const named = (name, key, options = {}) => ({ key, name, ...options });
const sparse = { sparse: true };
const unique = { unique: true };
const [PROBLEM, SOLUTION, DISCUSSION, REPLY, CONTEST, TRAINING] = [10, 11, 21, 22, 30, 40];
await documents.createIndexes([
  named('basic', { domainId: 1, docType: 1, docId: 1 }, unique),
  named('owner', { domainId: 1, docType: 1, owner: 1, docId: -1 }),
  named('search', { domainId: 1, docType: 1, search: 'text', title: 'text' }, sparse),
  named('sort', { domainId: 1, docType: 1, sort: 1, docId: 1 }),
  named('solution', { domainId: 1, docType: 1, parentType: 1, parentId: 1, vote: -1, docId: -1 }, sparse),
  named(
    'discussionSort',
    { docType: 1, domainId: 1, hidden: 1, pin: -1, docId: -1 },
    { partialFilterExpression: { docType: DISCUSSION } },
  ),
  named(
    'discussionNodeSort',
    { docType: 1, domainId: 1, hidden: 1, parentType: 1, parentId: 1, pin: -1, docId: -1 },
    sparse,
  ),
  named('hiddenDoc', { domainId: 1, docType: 1, hidden: 1, docId: -1 }, sparse),
  named('contest', { domainId: 1, docType: 1, pids: 1 }, sparse),
  named('contestRule', { domainId: 1, docType: 1, rule: 1, docId: -1 }, sparse),
  named('training', { domainId: 1, docType: 1, 'dag.pids': 1 }, sparse),
]);
await statuses.createIndexes([
  named('basic', { domainId: 1, docType: 1, docId: 1, uid: 1 }, unique),
  named('rp', { domainId: 1, docType: 1, docId: 1, status: 1, rid: 1, rp: 1 }, sparse),
  named('contestRuleOI', { domainId: 1, docType: 1, docId: 1, score: -1 }, sparse),
  named('contestRuleACM', { domainId: 1, docType: 1, docId: 1, accept: -1, time: 1 }, sparse),
  named('training', { domainId: 1, docType: 1, uid: 1, enroll: 1, docId: 1 }, sparse),
]);
await records.createIndexes([
  named('delete', { domainId: 1, pid: 1 }),
  named('basic', { domainId: 1, contest: 1, _id: -1 }),
  named('withUser', { domainId: 1, contest: 1, uid: 1, _id: -1 }),
  named('withProblem', { domainId: 1, contest: 1, pid: 1, _id: -1 }),
  named('withUserAndProblem', { domainId: 1, contest: 1, pid: 1, uid: 1, _id: -1 }),
  named('withStatus', { domainId: 1, contest: 1, status: 1, _id: -1 }),
]);
await recordStats.createIndexes([
  named('basic', { domainId: 1, pid: 1, uid: 1, _id: -1 }),
  named('time', { domainId: 1, pid: 1, uid: 1, time: 1 }),
  named('memory', { domainId: 1, pid: 1, uid: 1, memory: 1 }),
  named('length', { domainId: 1, pid: 1, uid: 1, length: 1 }),
]);
await history.createIndexes([named('basic', { rid: 1, _id: -1 })]);
await users.createIndexes([named('uname', { unameLower: 1 }, unique), named('mail', { mailLower: 1 }, unique)]);
await members.createIndexes([
  named('uid', { domainId: 1, uid: 1 }, unique),
  named('rp', { domainId: 1, rp: -1, uid: 1 }, sparse),
]);
await groups.createIndexes([named('name', { domainId: 1, name: 1 }, unique), named('uid', { domainId: 1, uids: 1 })]);
await domains.createIndexes([named('lower', { lower: 1 }, unique), named('host', { host: 1 }, sparse)]);
await messages.createIndexes([named('to', { to: 1, _id: -1 }), named('from', { from: 1, _id: -1 })]);
const ttl = { expireAfterSeconds: 0 };
await tokens.createIndexes([
  named('basic', { uid: 1, tokenType: 1, updateAt: -1 }, sparse),
  named('expire', { expireAt: -1 }, ttl),
]);
await counts.createIndexes([
  named('expire', { expireAt: -1 }, ttl),
  named('unique', { op: 1, ident: 1, expireAt: 1 }, unique),
]);
await files.createIndexes([
  named('path', { path: 1 }),
  named('autoDelete', { path: 1, autoDelete: 1 }, sparse),
  named('link', { link: 1 }, sparse),
]);
await tasks.createIndexes([named('task', { type: 1, subType: 1, priority: -1 })]);

const [DAY, MINUTE] = [86_400_000, 60_000];
const now = Date.now();
const ago = (days) => now - below(days * DAY);
const at = (time) => new ObjectId(idAt(time));
const [PEOPLE, PROBLEMS, RECORDS] = [12_000, 5_000, 60_000];
const SCHOOLS = ['school', 'club', 'camp'];

// One domain has nearly all; three have some hundred problems and members each.
await insertEach(domains, 4, (number) => {
  const _id = ['system', ...SCHOOLS][number];
  return { _id, lower: _id, owner: 2, name: words(2), roles: { teacher: '1023' }, bulletin: words(60) };
});
const address = () => [between(1, 220), below(256), below(256), below(256)].join('.');
await insertEach(users, PEOPLE, (number) => {
  const name = `${word()}${number}`;
  return {
    _id: number + 2,
    uname: name,
    unameLower: name,
    mail: `${name}@example.com`,
    mailLower: `${name}@example.com`,
    hash: hex(64),
    salt: hex(40),
    hashType: 'hydro',
    regat: new Date(ago(900)),
    ip: Array.from({ length: heavyTailed(1, 900, 0.9) }, address),
    loginat: new Date(ago(90)),
    loginip: address(),
    priv: number < 4 ? -1 : 4 + below(2) * 64,
    avatar: `gravatar:${name}@example.com`,
    codeLang: choose(['cc.cc17', 'py.py3', 'java']),
    unreadMsg: below(3),
  };
});
const person = () => heavyTailed(3, PEOPLE, 0.6);
const member = (domainId, uid, rp) => ({
  domainId,
  uid,
  join: true,
  role: uid % 300 === 0 ? 'teacher' : 'default',
  ...(uid % 3 === 0 ? { displayName: words(2) } : {}),
  ...(rp > 0 ? { rp, rank: uid, level: below(10) } : {}),
  nSubmit: below(300),
  nAccept: below(100),
});
await insertEach(members, PEOPLE, (number) => member('system', number + 2, number % 3 === 0 ? 0 : below(2_000)));
await insertEach(members, 1_500, (number) => member(SCHOOLS[number % 3], Math.floor(number / 3) * 7 + 2, below(300)));
await insertEach(groups, 120, (number) => ({
  domainId: choose(['system', ...SCHOOLS]),
  name: `class-${number}`,
  uids: Array.from({ length: between(10, 50) }, person),
}));
const cases = () =>
  Array.from({ length: between(4, 40) }, (_, number) => ({
    _id: `${number}.in`,
    name: `${number}.in`,
    size: below(90_000),
    etag: hex(32),
    lastModified: new Date(ago(500)),
  }));
const problem = (domainId, docId) => ({
  _id: at(ago(900)),
  domainId,
  docType: PROBLEM,
  docId,
  pid: `P${docId}`,
  sort: `P${String(docId).padStart(6, '0')}`,
  owner: person(),
  title: words(between(2, 4)),
  content: words(between(80, 300)),
  tag: [choose(['dp', 'graph', 'math', 'string', 'geometry', 'greedy']), choose(['easy', 'hard'])],
  hidden: docId % 12 === 0,
  nSubmit: below(3_000),
  nAccept: below(900),
  difficulty: between(1, 9),
  data: cases(),
  additional_file: [],
  config: 'time: 1s\nmemory: 256m\n',
  stats: { AC: below(900), WA: below(900), TLE: below(200), RE: below(90) },
});
await insertEach(documents, PROBLEMS, (number) => problem('system', number + 1));
for (const domainId of SCHOOLS) await insertEach(documents, 400, (number) => problem(domainId, number + 1));
const anyProblem = () => heavyTailed(2, PROBLEMS, 0.5);
const posted = (docType, rest) => {
  const _id = at(ago(700));
  return { _id, domainId: 'system', docType, docId: _id, owner: person(), content: words(between(20, 120)), ...rest() };
};
const under = (parentType, parentId) => ({ parentType, parentId });
await insertEach(documents, 2_500, () =>
  posted(SOLUTION, () => ({ ...under(PROBLEM, anyProblem()), vote: below(20), reply: [] })),
);
const discussions = await insertEach(documents, 1_500, (number) =>
  posted(DISCUSSION, () => ({
    ...(number % 3 === 0 ? under(20, choose(['Hydro', 'Help', 'Chat'])) : under(PROBLEM, anyProblem())),
    title: words(5),
    hidden: number % 30 === 0,
    pin: number % 300 === 0,
    highlight: false,
    nReply: below(9),
    views: below(900),
    sort: 100,
    updateAt: new Date(ago(90)),
  })),
);
await insertEach(documents, 8_000, () =>
  posted(REPLY, () => ({ ...under(DISCUSSION, choose(discussions).docId), reply: [], edited: false })),
);
const contests = await insertEach(documents, 450, (number) => {
  const begin = ago(800);
  return posted(CONTEST, () => ({
    title: words(3),
    rule: choose(['acm', 'oi', 'ioi', 'homework']),
    beginAt: new Date(begin),
    endAt: new Date(begin + 5 * 3_600_000),
    pids: Array.from({ length: between(4, 10) }, anyProblem),
    attend: below(300),
    assign: number % 4 === 0 ? [`class-${below(120)}`] : [],
    rated: number % 3 === 0,
  }));
});
await insertEach(documents, 300, () =>
  posted(TRAINING, () => ({
    title: words(3),
    pin: 0,
    dag: [{ _id: 1, title: word(), pids: [1, 2, 3, anyProblem()] }],
  })),
);
const solved = new Set();
const solvedBy = (uid, docId) => {
  const key = `${uid}/${docId}`;
  if (solved.has(key)) return null;
  solved.add(key);
  const status = choose([1, 1, 2, 3]);
  return {
    domainId: 'system',
    docType: PROBLEM,
    docId,
    uid,
    rid: at(ago(600)),
    status,
    score: status === 1 ? 100 : 40,
  };
};
const attempts = Array.from({ length: 60_000 }, () => solvedBy(person(), anyProblem())).filter(Boolean);
await insertEach(statuses, attempts.length, (number) => ({
  ...attempts[number],
  ...(number % 40 === 0 ? { star: true } : {}),
}));
const attended = contests.flatMap(({ docId, pids }) =>
  [...new Set(Array.from({ length: between(10, 60) }, person))].map((uid) => ({ docId, pids, uid })),
);
await insertEach(statuses, attended.length, (number) => {
  const { docId, pids, uid } = attended[number];
  const journal = Array.from({ length: between(1, 12) }, () => ({
    rid: at(ago(600)),
    pid: choose(pids),
    status: choose([1, 2, 3]),
    score: choose([0, 40, 100]),
    lang: 'cc.cc17',
  }));
  const accept = below(8);
  return {
    domainId: 'system',
    docType: CONTEST,
    docId,
    uid,
    attend: 1,
    journal,
    accept,
    time: below(18_000),
    score: accept * 100,
    rev: 9,
  };
});
const testCase = (number) => ({
  id: number,
  subtaskId: 1,
  score: 10,
  time: below(900),
  memory: below(90_000),
  status: 1,
  message: '',
});
const submission = (time, uid = person(), pid = anyProblem()) => ({
  _id: at(time),
  status: choose([1, 1, 2, 3, 7]),
  uid,
  code: words(between(30, 90)),
  lang: choose(['cc.cc17', 'py.py3', 'java']),
  pid,
  domainId: below(20) === 0 ? choose(SCHOOLS) : 'system',
  score: choose([0, 40, 100]),
  time: below(3_000),
  memory: below(90_000),
  judgeTexts: [],
  compilerTexts: [],
  testCases: Array.from({ length: between(4, 14) }, (_, number) => testCase(number)),
  judger: 1,
  judgeAt: new Date(time + 3_000),
  rejudged: false,
  progress: null,
  ...(below(4) === 0 ? { contest: choose(contests).docId } : {}),
});
const submitted = await insertEach(records, RECORDS, (number) => submission(now - (RECORDS - number) * 12 * MINUTE));
const accepted = submitted.filter(({ status }) => status === 1);
const statOf = ({ _id, domainId, pid, uid, time, memory, code, lang }) => ({
  _id,
  domainId,
  pid,
  uid,
  time,
  memory,
  length: code.length,
  lang,
});
await insertEach(recordStats, accepted.length, (number) => statOf(accepted[number]));
await insertEach(history, 2_000, () => ({
  rid: choose(submitted)._id,
  status: 2,
  judgeAt: new Date(ago(90)),
  testCases: [],
}));
await insertEach(messages, 15_000, (number) => ({
  // The same in each run, so that a sample of them is, too.
  _id: new ObjectId(hex(24)),
  from: number % 3 === 0 ? person() : 1,
  to: number % 500 === 0 ? [person(), person(), person()] : person(),
  content: words(20),
  flag: 1,
}));
const allTokens = await insertEach(tokens, 6_000, () => {
  const updateAt = ago(14);
  return {
    _id: token(32),
    tokenType: 0,
    uid: person(),
    createAt: new Date(updateAt),
    updateAt: new Date(updateAt),
    expireAt: new Date(updateAt + 30 * DAY),
    updateIp: address(),
    updateUa: words(8),
  };
});
const stored = (number) =>
  number % 6 === 0
    ? `submission/${person()}/${hex(16)}`
    : `problem/system/${anyProblem()}/testdata/${number}.${number % 2 === 0 ? 'in' : 'out'}`;
const allFiles = await insertEach(files, 30_000, (number) => ({
  _id: `${token(3)}/${token(24)}.in`,
  path: stored(number),
  meta: { 'Content-Type': 'text/plain' },
  size: below(90_000),
  etag: hex(32),
  lastModified: new Date(ago(500)),
  lastUsage: new Date(ago(30)),
  owner: 1,
  ...(number % 50 === 0 ? { link: `${token(3)}/${token(24)}.in` } : {}),
  ...(number % 800 === 0 ? { autoDelete: new Date(ago(7)) } : {}),
}));
const logged = () => ({
  _id: new ObjectId(),
  type: choose(['problem.edit', 'user.login', 'contest.edit']),
  time: new Date(ago(700)),
  domainId: 'system',
  ua: words(9),
  path: `/p/${anyProblem()}`,
  args: { pid: anyProblem() },
  operator: person(),
  operateIp: address(),
  json: true,
});
await insertEach(oplog, 12_000, logged);

export {
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
};
