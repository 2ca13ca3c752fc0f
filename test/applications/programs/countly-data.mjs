import { createHash } from 'node:crypto';
import { MongoClient, ObjectId } from 'mongodb';
import {
  below,
  between,
  choose,
  heavyTailed,
  hex,
  idAt,
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
const appId = '5f1a7c3e9b2d4e6f8a0c1b3d';
const of = (name) => database.collection(name);
const [users, crashes, groups, crashUsers] = ['app_users', 'app_crashes', 'app_crashgroups', 'app_crashusers'].map(
  (name) => of(name + appId),
);
const [consents, changes, requests] = ['consent_history', 'metric_changes', 'logs'].map((name) => of(name + appId));
const [logs, tasks, team, apps] = ['systemlogs', 'long_tasks', 'members', 'apps'].map(of);
const [crashData, usage, eventList] = ['crashdata', 'users', 'events'].map(of);

// The indexes that each application gets as it is created, and those of the plugins' install.js.
const index = (collection, ...keys) => collection.createIndexes(keys.map((key) => ({ key })));
await index(users, { ls: -1 }, { uid: 1 }, { sc: 1 }, { lac: -1 }, { tsd: 1 }, { did: 1 });
await index(changes, { ts: 1, 'cc.o': 1 }, { uid: 1 });
await index(
  groups,
  { name: 1 },
  { os: 1 },
  { reports: 1 },
  { users: 1 },
  { lastTs: 1 },
  { latest_version: 1 },
  { groups: 1 },
  { is_hidden: 1 },
);
await index(crashUsers, { group: 1, uid: 1 }, { uid: 1 });
await crashUsers.createIndex({ group: 1, crashes: 1, fatal: 1 }, { sparse: true });
await index(crashes, { group: 1, ts: -1 }, { uid: 1 }, { name: 'text' });
await index(consents, { device_id: 1 }, { uid: 1 }, { type: 1 }, { ts: 1 });
await index(logs, { ts: 1 }, { a: 1 }, { user_id: 1 }, { app_id: 1 });
await database.createCollection(`logs${appId}`, { capped: true, size: 10_000_000, max: 1_000 });

const DAY = 86_400_000;
const now = Date.now();
const seconds = (time) => Math.floor(time / 1_000);
const ago = (days) => now - below(days * DAY);

const DEVICES = some(
  260,
  (number) => `${choose(['SM-', 'Pixel ', 'iPhone', 'Redmi '])}${token(3).toUpperCase()}${number}`,
);
const VERSIONS = some(24, (number) => `${2 + Math.floor(number / 8)}:${number % 8}:${number % 3}`);
const SYSTEMS = some(30, (number) => `${8 + Math.floor(number / 3)}:${number % 3}`);
const COUNTRIES = ['US', 'DE', 'IN', 'BR', 'TR', 'JP', 'FR', 'GB', 'ES', 'IT', 'MX', 'ID'];
const device = () => DEVICES[skewed(260)];
const version = () => VERSIONS[23 - skewed(24)];
const system = () => SYSTEMS[29 - skewed(30)];
const country = () => COUNTRIES[skewed(12)];

await apps.insertOne({
  _id: new ObjectId(appId),
  name: 'Shop',
  key: hex(40),
  type: 'mobile',
  timezone: 'Europe/Berlin',
  country: 'DE',
  seq: 20_000,
  created_at: seconds(now - 900 * DAY),
});
const key = (await apps.findOne({})).key;
const allMembers = await insertEach(team, 60, () => ({
  full_name: words(2),
  username: `${word()}${below(900)}`,
  email: `${word()}${below(9_000)}@example.com`,
  api_key: hex(32),
  global_admin: false,
  permission: { _: { a: [], u: [[appId]] } },
}));
const member = () => allMembers[skewed(60)];

const appUser = (number) => ({
  _id: hex(40),
  uid: number.toString(36),
  did: `${hex(8)}-${hex(4)}-${hex(4)}-${hex(12)}`,
  d: device(),
  p: choose(['Android', 'Android', 'iOS']),
  pv: system(),
  av: version(),
  cc: country(),
  cty: word(),
  la: choose(['en', 'de', 'tr']),
  src: choose(['org', 'play', 'store']),
  sc: heavyTailed(1, 4_000, 0.9),
  tsd: heavyTailed(20, 400_000, 0.8),
  fs: seconds(ago(800)),
  ls: seconds(ago(90)),
  lac: seconds(ago(90)),
  consent: { sessions: true, events: random() < 0.8, crashes: random() < 0.9, location: random() < 0.4 },
  custom: { plan: choose(['free', 'pro']), visits: below(900) },
});
const allUsers = await insertEach(users, 16_000, appUser);
const appUserOf = () => (random() < 0.1 ? allUsers[skewed(16_000)] : choose(allUsers));
await insertEach(changes, 6_000, () => {
  const { uid } = appUserOf();
  return { uid, ts: ago(300), cd: new Date(ago(300)), av: { o: version(), n: version() } };
});

// Crashes: a report each, the group of all with the same stack, and who had them.
const exceptions = ['NullPointerException', 'IllegalStateException', 'OutOfMemoryError', 'IndexOutOfBounds', 'SIGSEGV'];
const stacks = some(2_400, () =>
  [`java.lang.${choose(exceptions)}: ${words(3)}`]
    .concat(some(between(6, 26), () => `at com.shop.${word()}.${word()}(${word()}.java:${below(900)})`))
    .join('\n'),
);
const hashes = stacks.map(() => hex(40));
const crashOf = (number, ts) => {
  const { uid, p } = appUserOf();
  return {
    os: p,
    os_version: system(),
    manufacture: choose(['Samsung', 'Google', 'Apple', 'Xiaomi']),
    device: device(),
    resolution: choose(['1080x2400', '1440x3200', '750x1334']),
    app_version: version(),
    cpu: choose(['arm64-v8a', 'x86_64']),
    ram_current: below(4_000),
    ram_total: 4_000,
    bat_current: below(100),
    bat_total: 100,
    orientation: choose(['portrait', 'landscape']),
    root: 0,
    online: 1,
    background: below(2),
    error: stacks[number],
    run: below(9_000),
    custom: { build: token(7), screen: word() },
    cd: new Date(ts * 1_000),
    nonfatal: number % 4 === 0,
    not_os_specific: false,
    group: hashes[number],
    uid,
    ts,
    session: below(9),
  };
};
const allCrashes = (await insertEach(crashes, 12_000, () => crashOf(skewed(2_400), seconds(ago(200))))).map(
  (report) => ({
    ...report,
    number: hashes.indexOf(report.group),
  }),
);
const counted = (values) => {
  const counts = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
};
const grouped = (reports, by) => {
  const byKey = new Map();
  for (const report of reports) byKey.set(by(report), [...(byKey.get(by(report)) ?? []), report]);
  return byKey;
};
const ofGroup = grouped(allCrashes, ({ number }) => number);
await groups.insertOne({
  _id: 'meta',
  reports: 12_000,
  crashes: 2_400,
  users: 9_000,
  os: { Android: 8_000, iOS: 4_000 },
});
await insertEach(groups, 2_400, (number) => {
  const reports = ofGroup.get(number) ?? [];
  const all = (field) => counted(reports.map((report) => report[field]));
  return {
    _id: hashes[number],
    groups: [hashes[number]],
    os: choose(['Android', 'iOS']),
    lastTs: Math.max(0, ...reports.map((report) => report.ts)),
    startTs: seconds(ago(400)),
    name: stacks[number].split('\n')[0],
    error: stacks[number],
    nonfatal: number % 4 === 0,
    reports: reports.length,
    users: new Set(reports.map((report) => report.uid)).size,
    loss: below(900),
    is_new: number % 9 === 0,
    is_resolved: number % 5 === 0,
    ...(number % 40 === 0 ? { is_hidden: true } : {}),
    latest_version: version(),
    lrid: hex(24),
    os_version: all('os_version'),
    manufacture: all('manufacture'),
    device: all('device'),
    resolution: all('resolution'),
    app_version: all('app_version'),
    cpu: all('cpu'),
    orientation: all('orientation'),
    custom: {
      build: counted(reports.map((report) => report.custom.build)),
      screen: counted(reports.map((report) => report.custom.screen)),
    },
    root: { no: reports.length },
    online: { yes: reports.length },
    ram: { total: below(9_000), count: reports.length, min: 1, max: 99 },
    ...(number % 50 === 0
      ? { comments: some(between(1, 4), () => ({ _id: hex(40), text: words(9), author: word(), time: ago(90) })) }
      : {}),
  };
});
const had = [...grouped(allCrashes, ({ group, uid }) => `${group} ${uid}`).values()];
await insertEach(crashUsers, had.length, (number) => {
  const [{ group, uid, ts }] = had[number];
  return { group, uid, last: ts, sessions: below(90), reports: had[number].length };
});
const affected = [...new Set(allCrashes.map(({ uid }) => uid))];
await insertEach(crashUsers, affected.length, (number) => ({
  group: 0,
  uid: affected[number],
  crashes: between(1, 5),
  fatal: between(0, 3),
}));

// Who did what, who allowed what, and reports that took long.
const ACTIONS = ['app_updated', 'crash_resolved', 'export_app_user', 'logged_in', 'dashboard_edited', 'user_updated'];
const action = () => ACTIONS[skewed(6)];
const systemLog = (time) => {
  const { _id, email } = member();
  const a = random() < 0.16 ? 'task_manager_task_created' : action();
  const i =
    a === 'task_manager_task_created'
      ? JSON.stringify({ ts: time, status: 'running', type: 'drill', name: words(3), app_id: appId })
      : { app_id: appId, before: { name: words(2) }, after: { name: words(2) }, update: { name: words(2) } };
  return {
    a,
    i,
    ts: seconds(time),
    cd: new Date(time),
    u: email,
    ip: `10.0.${below(255)}.${below(255)}`,
    ...(typeof i === 'string' ? {} : { app_id: appId }),
    user_id: String(_id),
  };
};
await logs.insertOne({ _id: 'meta_v2', action: Object.fromEntries(ACTIONS.map((name) => [name, true])) });
await insertEach(logs, 12_000, (number) => systemLog(now - (12_000 - number) * 500_000));
const FEATURES = ['sessions', 'events', 'crashes', 'location', 'views', 'push'];
const consent = (ts) => {
  const { uid, did, p, pv, d, av, sc } = appUserOf();
  const given = random() < 0.7;
  const change = { [choose(FEATURES)]: given };
  const both = random() < 0.15;
  return {
    before: { sessions: true },
    after: { sessions: true, ...change },
    change,
    type: both ? ['i', 'o'] : given ? 'i' : 'o',
    ts,
    cd: new Date(ts),
    device_id: did,
    uid,
    p,
    pv,
    d,
    av,
    sc,
  };
};
await insertEach(consents, 9_000, (number) => consent(now - (9_000 - number) * 900_000));
const TYPES = ['drill', 'funnels', 'tableExport', 'formulas', 'dbviewer'];
const requestOf = () =>
  JSON.stringify({
    uri: 'http://localhost/o',
    method: 'POST',
    json: { app_id: appId, query: words(6), period: '30days' },
  });
const task = (number) => {
  const start = now - (2_600 - number) * 3_000_000;
  return {
    _id: hex(40),
    ts: start,
    start,
    end: start + below(90_000),
    status: number % 60 === 0 ? 'errored' : number % 900 === 1 ? 'running' : 'completed',
    type: TYPES[skewed(5)],
    meta: JSON.stringify({ event: word() }),
    name: words(3),
    view: `#/drill/task/${hex(6)}`,
    request: requestOf(),
    app_id: appId,
    creator: String(member()._id),
    global: number % 3 > 0,
    autoRefresh: number % 12 === 0,
    r_hour: null,
    manually_create: number % 5 === 0,
    report_name: words(3),
    report_desc: words(8),
    period_desc: '30days',
    taskgroup: false,
    hasData: true,
    errormsg: '',
    data: JSON.stringify({ data: some(heavyTailed(60, 12_000, 0.9), () => [word(), below(90_000)]) }),
  };
};
const allTasks = await insertEach(tasks, 2_600, task, 200);

// Sums of a month, by day and hour; those of events also by the values of their segments.
const HOURS = some(24, String);
const months = some(24, (number) => `${2025 + Math.floor(number / 12)}:${(number % 12) + 1}`);
const days = (make) => Object.fromEntries(some(28, (number) => [String(number + 1), make()]));
const hourly = () => ({
  cr: below(900),
  crf: below(90),
  crnf: below(90),
  ...Object.fromEntries(HOURS.map((hour) => [hour, { cr: below(40), crf: below(9) }])),
});
await insertEach(
  crashData,
  24 * 20,
  (number) => ({
    _id: `${choose(['Android', 'iOS', 'any'])}**${VERSIONS[number % 24]}**${appId}_${months[number % 24]}_${number}`,
    m: months[number % 24],
    a: appId,
    d: days(hourly),
  }),
  100,
);
await insertEach(
  usage,
  24 * 4,
  (number) => ({
    _id: `${appId}_${months[number % 24]}_${Math.floor(number / 24)}`,
    m: months[number % 24],
    a: appId,
    d: days(() => ({
      t: below(9_000),
      u: below(900),
      n: below(90),
      ...Object.fromEntries(COUNTRIES.map((code) => [code, { t: below(900), u: below(90) }])),
    })),
  }),
  24,
);
const NAMES = ['add_to_cart', 'checkout', 'login', 'purchase', 'search', 'view_item'];
const EVENTS = NAMES.map((name) =>
  createHash('sha1')
    .update(name + appId)
    .digest('hex'),
);
const SEGMENTS = ['screen', 'product', 'button'];
const VALUES = Object.fromEntries(
  SEGMENTS.map((segment) => [segment, some(segment === 'product' ? 900 : 40, () => `${word()}_${token(4)}`)]),
);
const POSTFIXES = 'abcdefgh'.split('');
for (const event of EVENTS) {
  await insertEach(of(`events${event}`), 24 * POSTFIXES.length, (number) => {
    const postfix = number % POSTFIXES.length;
    const month = months[Math.floor(number / POSTFIXES.length)];
    const meta = Object.fromEntries(
      SEGMENTS.map((segment) => {
        const values = VALUES[segment].filter((_, at) => at % POSTFIXES.length === postfix);
        return [segment, Object.fromEntries(values.map((value) => [value, true]))];
      }),
    );
    return {
      _id: `no-segment_${month}_${POSTFIXES[postfix]}`,
      m: month,
      s: 'no-segment',
      meta_v2: { segments: Object.fromEntries(SEGMENTS.map((segment) => [segment, true])), ...meta },
    };
  });
  await insertEach(
    of(`events${event}`),
    24 * SEGMENTS.length,
    (number) => {
      const segment = SEGMENTS[number % SEGMENTS.length];
      const values = VALUES[segment].slice(0, 12);
      return {
        _id: `${segment}_${months[Math.floor(number / SEGMENTS.length)]}_a`,
        m: months[Math.floor(number / SEGMENTS.length)],
        s: segment,
        d: days(() => Object.fromEntries(values.map((value) => [value, { c: below(90), s: below(900) }]))),
      };
    },
    100,
  );
}
await eventList.insertOne({
  _id: new ObjectId(appId),
  list: NAMES,
  segments: Object.fromEntries(NAMES.map((name) => [name, SEGMENTS])),
});
const request = (time) => {
  const { did, d, p } = appUserOf();
  return {
    ts: time,
    reqts: time,
    d: { id: did, d, p },
    l: { cc: country() },
    v: version(),
    t: { session: { begin_session: '1' } },
    q: JSON.stringify({ app_key: key, device_id: did, begin_session: 1, metrics: words(20) }),
    s: { version: '24.4.0', name: 'java-native-android' },
    h: { host: 'localhost' },
    m: 'POST',
    b: false,
    c: false,
    res: '{"result":"Success"}',
    p: false,
  };
};
await insertEach(requests, 1_000, () => request(ago(3)));
const crashId = () => new ObjectId(idAt(now));

export {
  DAY,
  EVENTS,
  SEGMENTS,
  VALUES,
  affected,
  allTasks,
  allUsers,
  appId,
  appUserOf,
  apps,
  changes,
  client,
  consent,
  consents,
  country,
  crashData,
  crashId,
  crashOf,
  crashUsers,
  crashes,
  database,
  eventList,
  groups,
  hashes,
  key,
  logs,
  member,
  now,
  of,
  request,
  requestOf,
  requests,
  seconds,
  systemLog,
  task,
  tasks,
  team,
  usage,
  users,
};
