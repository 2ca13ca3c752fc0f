import {
  allModels,
  allProjects,
  allQueues,
  allTasks,
  allUsers,
  client,
  company,
  hashed,
  mainProject,
  model,
  models,
  projects,
  queues,
  running,
  secondProject,
  summary,
  task,
  tasks,
  topProjects,
  urls,
  users,
  waiting,
} from './clearml-data.mjs';
import { below, choose, heavyTailed, hex, word } from './support.mjs';

const numeric = { locale: 'en_US', numericOrdering: true };
const anyCompany = { $in: [company, ''] };
const ownOrPublic = { $in: ['', company] };
const DAY = 86_400_000;

// Somebody's window is open on one of the projects; most are on two of them.
const viewed = () => (below(100) < 45 ? mainProject : below(100) < 30 ? secondProject : choose(allProjects));
async function withChildren(ids) {
  const children = await projects.find({ path: { $in: ids } }, { projection: { _id: 1 } }).toArray();
  return [...new Set([...ids, ...children.map(({ _id }) => _id)])];
}
const COLUMNS = [
  'type',
  'name',
  'tags',
  'system_tags',
  'status',
  'project',
  'user',
  'started',
  'last_update',
  'last_iteration',
];
const columns = Object.fromEntries(
  [...COLUMNS, 'company', 'comment', 'active_duration', 'parent'].map((name) => [name, 1]),
);
async function namesOf(found) {
  const owners = [...new Set(found.map(({ user }) => user))];
  await users.find({ _id: { $in: owners }, company: anyCompany }, { projection: { name: 1 } }).toArray();
  const ids = [...new Set(found.map(({ project }) => project))];
  await projects.find({ _id: { $in: ids }, company: anyCompany }, { projection: { name: 1 } }).toArray();
}

/** tasks.get_all_ex as the table of experiments sends it, when it is opened and at each refresh. */
async function tableOfTasks(refresh) {
  const project = { $in: await withChildren([viewed()._id]) };
  const conditions = { project, system_tags: { $nin: ['archived'], $ne: 'hidden' }, company: anyCompany };
  const size = choose([15, 15, 15, 30, 60]);
  if (refresh % 8 === 5) {
    // By a metric that is a column of the table.
    const [[metric, variants]] = Object.entries(choose(running).last_metrics);
    const path = `last_metrics.${metric}.${Object.keys(variants)[0]}.value`;
    const cursor = tasks.find(conditions, {
      projection: { ...columns, [path]: 1 },
      collation: numeric,
      allowDiskUse: true,
    });
    return namesOf(
      await cursor
        .sort({ [path]: -1, _id: 1 })
        .limit(size)
        .toArray(),
    );
  }
  const status = refresh % 6 === 1 ? { status: { $in: ['completed', 'failed'] } } : {};
  const cursor = tasks.find({ ...conditions, ...status }, { projection: columns, allowDiskUse: true });
  return namesOf(await cursor.sort({ last_update: -1, _id: 1 }).limit(size).toArray());
}

const archived = { $in: ['archived', '$system_tags'] };
const statistics = [
  { $project: { project: 1, status: 1, system_tags: 1, started: 1, completed: 1 } },
  {
    $addFields: {
      system_tags: { $cond: { if: { $ne: [{ $type: '$system_tags' }, 'array'] }, then: [], else: '$system_tags' } },
      status: { $ifNull: ['$status', 'unknown'] },
    },
  },
];
const runtime = (shown) => ({
  $sum: {
    $cond: {
      if: { $and: ['$started', '$completed', { $gt: ['$completed', '$started'] }, shown] },
      then: { $floor: { $divide: [{ $subtract: ['$completed', '$started'] }, 1_000] } },
      else: 0,
    },
  },
});
/** projects.get_all_ex with the statistics of each project on the page, and of all below it. */
async function pageOfProjects(page) {
  const shown = await projects
    .find({ parent: { $in: [null] }, system_tags: { $ne: 'hidden' }, company: anyCompany })
    .sort({ featured: 1, last_update: -1, _id: 1 })
    .skip(page * 17)
    .limit(17)
    .toArray();
  const ids = shown.map(({ _id }) => _id);
  const children = await projects.find({ path: { $in: ids }, system_tags: { $nin: ['hidden'] } }).toArray();
  const $match = { company: ownOrPublic, project: { $in: [...ids, ...children.map(({ _id }) => _id)] } };
  await tasks
    .aggregate([
      { $match },
      ...statistics,
      { $group: { _id: { project: '$project', status: '$status', archived }, count: { $sum: 1 } } },
      {
        $group: {
          _id: '$_id.project',
          counts: { $push: { status: '$_id.status', count: '$count', archived: '$_id.archived' } },
        },
      },
    ])
    .toArray();
  const active = { $not: archived };
  const group = {
    _id: '$project',
    active: runtime(active),
    active_max_task_started: { $max: { $cond: { if: active, then: '$started', else: new Date(0) } } },
  };
  await tasks
    .aggregate([{ $match: { ...$match, system_tags: { $nin: ['archived'] } } }, ...statistics, { $group: group }])
    .toArray();
}

/** projects.get_hyper_parameters and get_unique_metric_variants: what may be a column of the table. */
async function columnsToChoose() {
  const project = { $in: await withChildren([viewed()._id]) };
  const $match = { company: ownOrPublic, project };
  await tasks
    .aggregate([
      { $match: { ...$match, hyperparams: { $exists: true, $gt: {} } } },
      { $project: { sections: { $objectToArray: '$hyperparams' } } },
      { $unwind: '$sections' },
      { $project: { section: '$sections.k', names: { $objectToArray: '$sections.v' } } },
      { $unwind: '$names' },
      { $group: { _id: { section: '$section', name: '$names.k' } } },
      { $sort: { '_id.section': 1, '_id.name': 1 } },
      { $skip: 0 },
      { $limit: 500 },
      { $group: { _id: 1, total: { $sum: 1 }, results: { $push: '$$ROOT' } } },
    ])
    .toArray();
  const names = { metric: '$variants.v.metric', variant: '$variants.v.variant' };
  await tasks
    .aggregate([
      { $match },
      { $project: { metrics: { $objectToArray: '$last_metrics' } } },
      { $unwind: '$metrics' },
      { $project: { metric: '$metrics.k', variants: { $objectToArray: '$metrics.v' } } },
      { $unwind: '$variants' },
      {
        $group: {
          _id: names,
          metrics: { $addToSet: { ...names, metric_hash: '$metric', variant_hash: '$variants.k' } },
        },
      },
      { $sort: { '_id.metric': 1, '_id.variant': 1 } },
    ])
    .toArray();
}

/** The filters above the table: each lists what the tasks of the project have. */
async function filters() {
  const project = { $in: await withChildren([viewed()._id]) };
  const found = await tasks.distinct('user', { company: anyCompany, project });
  await users.find({ _id: { $in: found } }, { projection: { name: 1 } }).toArray();
  await tasks.distinct('type', { company: anyCompany, project });
  // Those of a project are cached until somebody adds one.
  if (below(3) === 0) await tasks.distinct('tags', { company, project });
}

/** The search of the start page asks for tasks, models and projects by a part of their name or id. */
async function search() {
  const part = new RegExp(word().slice(0, 5), 'i');
  const $or = [{ name: part }, { _id: part }];
  const type = { $nin: ['annotation_manual', 'annotation', 'dataset_import'] };
  const notHidden = { $nin: ['archived', 'pipeline'], $ne: 'hidden' };
  const found = await tasks
    .find(
      { $or, type, system_tags: notHidden, company: anyCompany },
      { projection: { name: 1, created: 1, status: 1, type: 1, user: 1, project: 1, company: 1 } },
    )
    .limit(1_000)
    .toArray();
  await namesOf(found);
  await models
    .find(
      { $or, system_tags: { $nin: ['archived'] }, company: anyCompany },
      { projection: { name: 1, created: 1, user: 1 } },
    )
    .limit(1_000)
    .toArray();
  await projects
    .find({ $or, system_tags: { $ne: 'hidden' }, company: anyCompany }, { projection: { name: 1, created: 1 } })
    .limit(1_000)
    .toArray();
}

/** events.add_batch of a running task: what the SDK reports each few seconds. */
async function report(one) {
  const { _id } = one;
  const at = new Date();
  const [metric, variants] = choose(Object.entries(one.last_metrics));
  const [variant] = Object.keys(variants);
  const { metric: title, variant: series, value } = summary(variants[variant].metric, variants[variant].variant);
  const path = `last_metrics.${metric}.${variant}`;
  await tasks.findOne({ _id, 'unique_metrics.1999': { $exists: true } }, { projection: { unique_metrics: 1 } });
  await tasks.find({ _id: { $in: [_id] }, company }, { projection: { status: 1, started: 1 } }).toArray();
  await tasks.updateOne(
    { _id, company },
    {
      $set: {
        last_update: at,
        last_change: at,
        last_changed_by: one.user,
        active_duration: Math.floor((at - one.started) / 1_000),
        [`${path}.value`]: value,
        [`${path}.metric`]: title,
        [`${path}.variant`]: series,
        [`metric_stats.${hashed(title)}.event_stats_by_type.training_stats_scalar.last_update`]: at.getTime(),
      },
      $max: { last_iteration: below(60_000) },
      $addToSet: { unique_metrics: { $each: [`${title}/${series}`] } },
    },
  );
  const lower = { $or: [{ $lte: [`$${path}.min_value`, null] }, { $gt: [`$${path}.min_value`, value] }] };
  await tasks.updateOne({ _id }, [
    { $set: { [`${path}.min_value`]: { $cond: [lower, value, `$${path}.min_value`] } } },
  ]);
}

/** queues.add_task and queues.get_next_task. */
async function enqueue() {
  const one = task(Date.now(), 'created');
  await projects.findOne({ _id: one.project, company: anyCompany }, { projection: { company: 1 } });
  await tasks.insertOne(one);
  await projects.updateMany({ _id: { $in: [one.project] } }, { $set: { last_update: new Date() } });
  await queues.findOne({ _id: waiting, company });
  const entry = { added: new Date(), task: one._id };
  await queues.updateOne(
    { _id: waiting, company, 'entries.task': { $ne: one._id } },
    { $push: { entries: entry }, $set: { last_update: new Date() } },
  );
  await queues.findOne({ _id: waiting });
  await tasks.updateOne(
    { _id: one._id, company, status: 'created' },
    { $set: { status: 'queued', enqueue_status: 'created', 'execution.queue': waiting, status_changed: new Date() } },
  );
}
async function nextTask(queue) {
  const before = await queues.findOneAndUpdate({ _id: queue, company }, { $pop: { entries: -1 } });
  const [entry] = before.entries;
  if (entry === undefined) return;
  await queues.updateOne({ _id: queue, company }, { $set: { last_update: new Date() } });
  await tasks.findOne({ _id: entry.task }, { projection: { company: 1, user: 1, status: 1 } });
}

/** A checkpoint is saved as a model, of the task that made it. */
async function saveModel() {
  const one = model(Date.now(), choose(running));
  await models.findOne({ company: anyCompany, uri: one.uri }, { projection: { _id: 1 } });
  await models.insertOne(one);
  await tasks.updateOne(
    { _id: one.task, company },
    { $push: { 'models.output': { name: one.name, model: one._id, updated: one.created } } },
  );
}

/** tasks.delete: its models, and who uses them. */
async function remove({ _id }) {
  await tasks.findOne({ _id, company });
  await tasks.countDocuments({ parent: _id, status: 'published' });
  const made = await models.find({ task: _id }, { projection: { ready: 1, uri: 1 } }).toArray();
  const ids = made.map((each) => each._id);
  await tasks.find({ 'models.input.model': { $in: ids } }, { projection: { models: 1 } }).toArray();
  await tasks.updateMany({ parent: _id }, { $set: { parent: `__DELETED__${_id}`, last_change: new Date() } });
  await models.deleteMany({ _id: { $in: ids } });
  await tasks.deleteOne({ _id });
}

/** models.get_all_ex: the models of all projects, or of one. */
async function pageOfModels(visit) {
  const project = visit % 3 === 0 ? { project: { $in: [viewed()._id] } } : {};
  const found = await models
    .find({ ...project, system_tags: { $nin: ['archived'] }, company: anyCompany }, { allowDiskUse: true })
    .sort({ last_update: -1, _id: 1 })
    .limit(15)
    .toArray();
  await namesOf(found);
}

// An hour.
for (let minute = 0; minute < 60; minute += 1) {
  for (const one of running.slice(0, 16)) await report(one);
  for (let poll = 0; poll < 9; poll += 1) await nextTask(choose(allQueues.slice(4))._id);
  for (let fetched = 0; fetched < 2; fetched += 1) await nextTask(waiting);
  for (let added = 0; added < 2; added += 1) await enqueue();
  await saveModel();
  for (let refresh = 0; refresh < 7; refresh += 1) await tableOfTasks(minute * 7 + refresh);
  for (let opened = 0; opened < 3; opened += 1) {
    const [one] = await tasks
      .find({ _id: choose(allTasks)._id, company: anyCompany })
      .limit(1)
      .toArray();
    await namesOf([one]);
  }
  await pageOfModels(minute);
  for (let poll = 0; poll < 3; poll += 1)
    await urls
      .find({
        status: { $ne: 'failed' },
        retry_count: { $lt: 3 },
        $or: [
          { last_failure_time: { $exists: false } },
          { last_failure_time: { $lt: new Date(Date.now() - 3_600_000) } },
        ],
        storage_type: { $in: ['fileserver', 's3', 'azure', 'gs'] },
      })
      .sort({ retry_count: 1 })
      .limit(1)
      .toArray();
  if (minute % 2 === 0) await pageOfProjects(heavyTailed(1, 2, 2) - 1);
  if (minute % 2 === 1) await filters();
  if (minute % 3 === 0) await columnsToChoose();
  if (minute % 3 === 1) await search();
  if (minute % 6 === 0) await remove({ _id: allTasks[4_000 + minute]._id });
  if (minute % 15 === 0)
    await tasks
      .find(
        { status: { $in: ['in_progress'] }, last_update: { $lt: new Date(Date.now() - 7_200_000 - DAY) } },
        { projection: { name: 1, status: 1, project: 1, last_update: 1 } },
      )
      .toArray();
  // A script asks for its project by name, and for a model by its id.
  await projects
    .find({ company: anyCompany, name: choose(topProjects).name }, { projection: { name: 1, path: 1 } })
    .toArray();
  await models.findOne({ _id: choose(allModels)._id, company: anyCompany });
  await users.findOne({ _id: choose(allUsers)._id });
  await tasks.findOne({ _id: hex(32), company: anyCompany }, { projection: { _id: 1 } });
}
await client.close();
