import {
  DAY,
  EVENTS,
  SEGMENTS,
  VALUES,
  allTasks,
  appId,
  appUserOf,
  apps,
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
} from './countly-data.mjs';
import { below, choose, heavyTailed, hex, skewed, token, word } from './support.mjs';

// Its driver sends `count`, which reads no document if there is no condition.
const count = (collection, query = {}) => database.command({ count: collection.collectionName, query });
const upsert = { upsert: true };
const month = '2026:11';
const id = appId;

// Requests of the SDKs: sessions, events, consents.
for (let call = 0; call < 700; call += 1) {
  await apps.findOne({ key });
  const user = appUserOf();
  await users.findOne({ _id: user._id });
  await users.updateOne({ _id: user._id }, { $set: { ls: seconds(now), lac: seconds(now) }, $inc: { sc: 1 } }, upsert);
  await requests.insertOne(request(now));
  if (call % 3 === 0) {
    const day = String(1 + below(28));
    const add = { [`d.${day}.t`]: 1, [`d.${day}.${country()}.t`]: 1, [`d.${day}.${below(24)}.t`]: 1 };
    await usage.updateOne({ _id: `${id}_${month}_0` }, { $set: { m: month, a: id }, $inc: add }, upsert);
  }
  if (call % 4 === 0) {
    await eventList.findOne({ _id: (await apps.findOne({ key }))._id }, { projection: { list: 1, segments: 1 } });
    const event = of(`events${choose(EVENTS)}`);
    const segment = choose(SEGMENTS);
    const value = choose(VALUES[segment]);
    await event.findOne({ _id: `no-segment_${month}_a` }, { projection: { meta_v2: 1 } });
    await event.updateOne(
      { _id: `no-segment_${month}_a` },
      { $set: { [`meta_v2.${segment}.${value}`]: true } },
      upsert,
    );
    await event.updateOne({ _id: `${segment}_${month}_a` }, { $inc: { [`d.${1 + below(28)}.${value}.c`]: 1 } }, upsert);
  }
  if (call % 14 === 0) await consents.insertOne(consent(Date.now()));
}
// Crashes are reported.
for (let call = 0; call < 160; call += 1) {
  const number = skewed(2_400);
  const report = { _id: crashId(), ...crashOf(number, seconds(Date.now())) };
  const { group, uid } = report;
  await crashUsers.findOneAndUpdate(
    { group, uid },
    { $set: { group, uid, last: report.ts }, $inc: { reports: 1 } },
    upsert,
  );
  await crashes.insertOne(report);
  await crashUsers.findOneAndUpdate({ group: 0, uid }, { $set: { group: 0, uid }, $inc: { crashes: 1 } }, upsert);
  const add = {
    reports: 1,
    [`device.${report.device}`]: 1,
    [`os_version.${report.os_version}`]: 1,
    [`app_version.${report.app_version}`]: 1,
    [`custom.build.${report.custom.build}`]: 1,
    [`custom.screen.${report.custom.screen}`]: 1,
  };
  await groups.findOneAndUpdate(
    { groups: { $elemMatch: { $eq: group } } },
    { $set: { lastTs: report.ts }, $setOnInsert: { _id: group }, $inc: add, $addToSet: { groups: group } },
    upsert,
  );
  await groups.updateOne({ _id: 'meta' }, { $inc: { reports: 1, [`os.${report.os}`]: 1 } });
  const day = `d.${1 + below(28)}`;
  await crashData.updateOne(
    { _id: `any**any**${id}_${month}_0` },
    { $set: { m: month, a: id }, $inc: { [`${day}.cr`]: 1, [`${day}.${below(24)}.cr`]: 1 } },
    upsert,
  );
}

// The dashboard: crashes.
const SHOWN = {
  name: 1,
  os: 1,
  error: 1,
  users: 1,
  lastTs: 1,
  reports: 1,
  latest_version: 1,
  is_resolved: 1,
  nonfatal: 1,
};
const COLUMNS = ['lastTs', 'lastTs', 'reports', 'users', 'name'];
const listOfCrashes = async (filter, column) => {
  await count(groups);
  await count(groups, filter);
  await groups
    .find(filter, { projection: SHOWN })
    .sort({ [column]: -1 })
    .skip((heavyTailed(1, 30, 1.3) - 1) * 10)
    .limit(10)
    .toArray();
};
const shown = { is_hidden: { $ne: true } };
for (let visit = 0; visit < 150; visit += 1) {
  if (visit % 3 === 0) await listOfCrashes(shown, choose(COLUMNS));
  if (visit % 3 === 1)
    await listOfCrashes({ is_resolved: false, is_resolving: { $ne: true }, ...shown }, choose(COLUMNS));
  if (visit % 7 === 0)
    await listOfCrashes({ name: { $regex: `.*${word().slice(0, 4)}.*`, $options: 'i' }, ...shown }, 'lastTs');
  if (visit % 10 === 0) await groups.findOne({ _id: 'meta' });
  const group = hashes[skewed(2_400)];
  await count(users);
  await groups.findOne({ groups: group });
  await crashes
    .find({ group }, { projection: { binary_crash_dump: 0 } })
    .sort({ ts: -1 })
    .limit(100)
    .toArray();
  if (visit % 4 === 0) {
    const mine = { group: { $ne: 0 }, uid: appUserOf().uid };
    await count(crashUsers, mine);
    await crashUsers
      .find(mine, { projection: { _id: 0 } })
      .sort({ last: -1 })
      .limit(10)
      .toArray();
  }
  if (visit % 6 === 0) await groups.updateOne({ _id: group }, { $set: { is_resolved: true, is_new: false } });
  if (visit % 30 === 0) {
    await count(crashUsers, { group: 0, crashes: { $gt: 0 } });
    await count(crashUsers, { group: 0, crashes: { $gt: 0 }, fatal: { $gt: 0 } });
  }
}
// Reports that may take long: whether the same is running, the list of all, and their results.
const mineOrAll = () => [{ global: { $ne: false } }, { creator: String(member()._id) }];
for (let visit = 0; visit < 170; visit += 1) {
  await tasks.findOne(
    { request: requestOf(), $and: [{ $or: [{ status: 'running' }, { status: 'rerunning' }] }, { $or: mineOrAll() }] },
    { projection: { status: 1 } },
  );
  await tasks.findOne({ _id: choose(allTasks)._id }, { projection: { _id: 0, status: 1 } });
  if (visit % 3 === 0) {
    const query = {
      manually_create: visit % 6 === 0,
      $and: [{ app_id: id }, { $or: mineOrAll() }],
      subtask: { $exists: false },
    };
    await count(tasks, query);
    await tasks
      .find(query, { projection: { data: 0 } })
      .sort({ end: -1 })
      .limit(10)
      .toArray();
  }
  if (visit % 5 === 0) await tasks.findOne({ _id: choose(allTasks)._id });
  if (visit % 8 > 0) continue;
  const { data, status, ...started } = task(2_600);
  const { _id, ...fields } = started;
  await tasks.updateOne({ _id }, { $set: { ...fields, status: 'running' } }, upsert);
  await tasks.updateOne({ _id }, { $set: { status, data } });
  await logs.insertOne(systemLog(Date.now()));
}
// Who allowed what, and who did what.
for (let visit = 0; visit < 90; visit += 1) {
  const search = `.*${hex(5)}.*`;
  const did = visit % 2 === 0 ? { did: { $regex: search, $options: 'i' } } : {};
  await count(users);
  await count(users, did);
  await users
    .find(did, { projection: { did: 1, d: 1, av: 1, consent: 1, lac: 1, uid: 1, appUserExport: 1 } })
    .sort({ lac: -1 })
    .limit(10)
    .toArray();
  const ts = { $gt: now - 30 * DAY, $lt: now };
  await count(consents);
  await count(consents, { ts });
  await consents.find({ ts }).sort({ ts: -1 }).limit(10).toArray();
  if (visit % 2 > 0) continue;
  await count(logs);
  await logs
    .find({})
    .sort({ ts: -1 })
    .skip((heavyTailed(1, 20, 1.2) - 1) * 10)
    .limit(10)
    .toArray();
  await logs.findOne({ _id: 'meta_v2' }, { projection: { _id: 0 } });
  const byAction = { a: choose(['app_updated', 'user_updated', 'dashboard_edited']) };
  if (visit % 6 === 0) await logs.find(byAction).sort({ ts: -1 }).limit(10).toArray();
  await requests.find({}).limit(1_000).toArray();
  await users
    .find({}, { projection: { lac: 1, _id: 0 } })
    .sort({ lac: -1 })
    .limit(1)
    .toArray();
  await team.find({ global_admin: true }, { projection: { full_name: 1, username: 1 } }).toArray();
  await usage.find({ _id: { $in: [0, 1, 2, 3].map((zero) => `${id}_${month}_${zero}`) } }).toArray();
  await logs.insertOne({ ...systemLog(Date.now()), ip: token(9) });
}
await client.close();
