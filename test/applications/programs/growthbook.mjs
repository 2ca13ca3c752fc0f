import {
  DAY,
  allConnections,
  allExperiments,
  allFeatures,
  allMetrics,
  allQueries,
  audit,
  audits,
  chunks,
  client,
  connections,
  event,
  events,
  experiments,
  features,
  hook,
  hookLog,
  hookLogs,
  main,
  member,
  metrics,
  now,
  organizations,
  queries,
  query,
  revisions,
  sdkLog,
  sdkLogs,
  snapshots,
  sources,
  users,
} from './growthbook-data.mjs';
import { choose, heavyTailed, token, word } from './support.mjs';

// An hour. Each minute a job looks for what is stale, stalled and due; some look each ten minutes.
for (let minute = 0; minute < 60; minute += 1) {
  const stale = { status: 'running', heartbeat: { $lt: new Date(now - 70_000 - DAY) } };
  await queries
    .find(stale, { projection: { _id: 1, id: 1, organization: 1 } })
    .limit(20)
    .toArray();
  const stalled = { status: 'running', dateCreated: { $gt: new Date(now - DAY), $lt: new Date(now - 3_600_000) } };
  await snapshots.find(stalled).limit(50).toArray();
  const date = { $exists: true, $ne: null, $lte: new Date() };
  await experiments
    .find({ 'nextScheduledStatusUpdate.date': date })
    .project({ id: true, organization: true })
    .limit(100)
    .sort({ 'nextScheduledStatusUpdate.date': 1 })
    .toArray();
  if (minute % 10 > 0) continue;
  const due = {
    datasource: { $exists: true, $ne: '' },
    status: 'running',
    autoSnapshots: true,
    disableAutoSnapshots: { $ne: true },
    nextSnapshotAttempt: { $exists: true, $lte: new Date() },
    id: { $nin: [] },
  };
  await experiments
    .find(due)
    .project({ id: true, organization: true })
    .limit(100)
    .sort({ nextSnapshotAttempt: 1 })
    .toArray();
}
// Somebody opens the application: who they are, their organization, and what it defines.
const organization = main;
const inMain = { experiment: allExperiments, feature: allFeatures, metric: allMetrics };
const ours = Object.fromEntries(
  Object.entries(inMain).map(([name, all]) => [name, all.filter((one) => one.organization === main)]),
);
const request = async () => {
  const { id: user } = member();
  await users.findOne({ id: user });
  await organizations.findOne({ id: organization });
  return user;
};
const listed = { organization, archived: { $ne: true } };
for (let visit = 0; visit < 40; visit += 1) {
  const user = await request();
  await organizations.find({ members: { $elemMatch: { id: user } }, disabled: { $ne: true } }).toArray();
  await metrics.find({ organization }).toArray();
  if (visit % 2 === 0) await experiments.find({ ...listed, type: { $ne: 'holdout' } }).toArray();
  if (visit % 2 === 1) await features.find(listed).toArray();
  if (visit % 4 === 1)
    await revisions
      .find({ organization, status: { $in: ['draft', 'pending-review'] } }, { projection: { log: 0, rules: 0 } })
      .toArray();
}
const newest = { sort: { dateCreated: -1 } };
for (let visit = 0; visit < 120; visit += 1) {
  const user = await request();
  const one = ours.experiment[heavyTailed(1, ours.experiment.length - 1, 0.5)];
  await experiments.findOne({ organization, id: one.id });
  const latest = {
    organization,
    experiment: one.id,
    phase: one.phases.length - 1,
    dimension: null,
    type: { $ne: 'report' },
  };
  const [snapshot] = await snapshots.find({ ...latest, status: 'success' }, { ...newest, limit: 1 }).toArray();
  await snapshots.findOne(
    { ...latest, status: { $in: ['success', 'running', 'error'] } },
    { ...newest, projection: { id: 1, status: 1, error: 1, queries: 1 } },
  );
  if (snapshot !== undefined)
    await queries.find({ organization, id: { $in: snapshot.queries.map((each) => each.query) } }).toArray();
  const feature = ours.feature[heavyTailed(1, ours.feature.length - 1, 0.5)];
  await features.findOne({ organization, id: feature.id });
  await revisions
    .find({ organization, featureId: feature.id }, { projection: { log: 0 } })
    .sort({ version: -1 })
    .limit(5)
    .toArray();
  await revisions
    .find({ organization, featureId: feature.id, status: { $in: ['draft', 'approved', 'pending-review'] } })
    .toArray();
  if (visit % 2 > 0) continue;
  const { object, one: shown } = visit % 4 === 0 ? { object: 'experiment', one } : { object: 'feature', one: feature };
  const entity = { organization, 'entity.object': object, 'entity.id': shown.id };
  await audits.countDocuments(entity);
  await audits.find(entity, { ...newest, limit: 50 }).toArray();
  if (visit % 10 === 0)
    await audits.find({ organization, 'entity.object': 'feature' }, { ...newest, limit: 50 }).toArray();
  if (visit % 4 === 0)
    await audits
      .find({ 'user.id': user, organization }, { ...newest, limit: 10, projection: { details: 0 } })
      .toArray();
}
for (let visit = 0; visit < 30; visit += 1) {
  await request();
  const filter = visit % 3 === 0 ? { event: { $in: ['feature.updated', 'feature.created'] } } : {};
  const page = heavyTailed(1, 40, 0.8) - 1;
  await events
    .find({ organizationId: organization, ...filter })
    .sort({ dateCreated: -1 })
    .skip(page * 30)
    .limit(30)
    .toArray();
  await events.countDocuments({ organizationId: organization, ...filter });
  await events.find({ organizationId: organization }).sort({ dateCreated: -1 }).limit(50).toArray();
  const { id: webhook, organization: organizationId } = hook();
  await hookLogs.find({ eventWebHookId: webhook, organizationId }).sort({ dateCreated: -1 }).limit(10).toArray();
  await sdkLogs.find({ sdkWebHookId: webhook, organizationId }).sort({ dateCreated: -1 }).limit(10).toArray();
  await queries
    .find({ organization, datasource: choose(sources) })
    .limit(50)
    .sort({ createdAt: -1 })
    .toArray();
  const wanted = ours.experiment.slice(visit * 20, visit * 20 + 50).map((one) => one.id);
  await snapshots
    .aggregate([
      {
        $match: {
          organization,
          experiment: { $in: wanted },
          dimension: null,
          $or: [{ status: 'success' }, { results: { $exists: true, $type: 'array', $ne: [] } }],
        },
      },
      { $sort: { dateCreated: -1 } },
      { $group: { _id: { experiment: '$experiment', phase: '$phase' }, latestSnapshot: { $first: '$$ROOT' } } },
      { $replaceRoot: { newRoot: '$latestSnapshot' } },
    ])
    .toArray();
  if (visit % 2 > 0) continue;
  await organizations.findOne({ 'invites.key': token(32), disabled: { $ne: true } });
  const name = { $regex: word().slice(0, 4), $options: 'i' };
  await experiments
    .find({ organization, name, hasVisualChangesets: true })
    .limit(20)
    .sort({ dateUpdated: -1 })
    .toArray();
}
// SDKs ask for their payload; somebody changes a feature; results are refreshed.
for (let call = 0; call < 200; call += 1) {
  await connections.findOne({ key: choose(allConnections).key });
  if (call % 4 > 0) continue;
  const feature = choose(ours.feature);
  const date = new Date();
  await features.updateOne({ organization, id: feature.id }, { $set: { dateUpdated: date }, $inc: { version: 1 } });
  await audits.insertOne(audit(date));
  await events.insertOne(event(date));
  await hookLogs.insertOne(hookLog(date));
  await sdkLogs.insertOne(sdkLog(date));
  const { datasource, query: text } = choose(allQueries);
  await queries
    .find({
      organization,
      datasource,
      query: text,
      createdAt: { $gt: new Date(now - 3_600_000) },
      status: { $in: ['succeeded', 'running'] },
      cachedQueryUsed: { $exists: false },
    })
    .sort({ createdAt: -1 })
    .limit(1)
    .toArray();
  await queries.countDocuments({ organization, datasource, status: 'running' });
  const started = query(date, 'running');
  await queries.insertOne(started);
  await queries.updateOne(
    { organization: started.organization, id: started.id, status: 'running' },
    { $set: { status: 'succeeded' } },
  );
  await chunks
    .find({ organization, queryId: { $in: [choose(allQueries).id] } })
    .sort({ queryId: 1, chunkNumber: 1 })
    .toArray();
}
await client.close();
