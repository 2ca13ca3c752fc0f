import { createHash } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { below, between, choose, heavyTailed, hex, insertEach, uri, word, words } from './support.mjs';

export const client = await MongoClient.connect(uri);
const database = client.db();
const named = (name) => database.collection(name);
export const [tasks, models, projects] = ['task', 'model', 'project'].map(named);
export const [queues, users, urls] = ['queue', 'user', 'url_to_delete'].map(named);

// The indexes of its documents, under their default names.
const numeric = { locale: 'en_US', numericOrdering: true };
const index = (collection, ...keys) =>
  collection.createIndexes(
    keys.map((fields) => ({ key: Object.fromEntries(fields.split(' ').map((field) => [field, 1])) })),
  );
const text = (collection, name, weights) =>
  collection.createIndex(Object.fromEntries(Object.keys(weights).map((field) => [field, 'text'])), {
    name: `backend.${name}.main_text_index`,
    default_language: 'english',
    weights,
  });
await index(
  tasks,
  'created',
  'started',
  'completed',
  'active_duration',
  'parent',
  'project',
  'last_update',
  'status_changed',
  'models.input.model',
  'company name',
  'company status type',
  'company last_update system_tags',
  'company type system_tags status',
  'company project type system_tags status',
  'status last_update',
  'company tags',
  'company system_tags',
  'company project tags',
  'company project system_tags',
  'company user',
  'company project user',
  'company parent',
  'company project parent',
  'company type',
  'company project type',
);
await tasks.createIndex({ company: 1, project: 1 }, { collation: numeric });
await text(tasks, 'task', {
  name: 10,
  _id: 10,
  comment: 10,
  report: 10,
  'models.input.model': 2,
  'models.output.model': 2,
  'script.repository': 1,
  'script.entry_point': 1,
});
await index(
  models,
  'parent',
  'project',
  'task',
  'last_update',
  'company last_update',
  'company name',
  'company uri',
  'company tags',
  'company system_tags',
  'company project tags',
  'company project system_tags',
  'company user',
  'company project user',
  'company framework',
  'company project framework',
);
await text(models, 'model', { name: 10, _id: 10, comment: 10, parent: 5, task: 3, project: 3 });
await index(projects, 'parent', 'path', 'company name', 'company basename');
await text(projects, 'project', { name: 10, _id: 10, description: 10 });
await projects.createIndex({ name: 1, company: 1 }, { unique: true, sparse: true });
await queues.createIndex({ name: 1, company: 1 }, { unique: true });
await index(urls, 'company user task', 'company storage_type url', 'status retry_count storage_type');
await urls.createIndex({ url: 1, company: 1 }, { unique: true });

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const now = Date.now();
/** Most are not long ago, as more is run each month. */
const age = () => Math.floor(720 * DAY * (below(10_000) / 10_000) ** 1.6);
const md5 = (name) => createHash('md5').update(name).digest('hex');
const uuid = () => hex(32);
/** Whom all of a server of its own belongs to. The examples belong to nobody. */
export const company = 'd1bd92a3b039400cbafc60a7a5b1e52b';

export const allUsers = await insertEach(users, 46, () => ({
  _id: uuid(),
  company,
  name: words(2),
  given_name: word(),
  family_name: word(),
  created: new Date(now - below(720 * DAY)),
}));
const person = () => allUsers[heavyTailed(1, 46, 0.6) - 1]._id;

const project = (parent, basename, systemTags = []) => ({
  _id: uuid(),
  company,
  user: person(),
  name: parent === null ? basename : `${parent.name}/${basename}`,
  basename,
  description: words(below(14)),
  created: new Date(now - below(720 * DAY)),
  tags: [],
  system_tags: systemTags,
  last_update: new Date(now - below(200 * DAY)),
  featured: 9_999,
  parent: parent === null ? null : parent._id,
  path: parent === null ? [] : [...parent.path, parent._id],
});
const roots = Array.from({ length: 34 }, (_, number) => project(null, `${word()} ${number}`));
const below1 = Array.from({ length: 250 }, (_, number) => project(choose(roots), `${word()}-${number}`));
const below2 = Array.from({ length: 140 }, (_, number) =>
  project(
    choose(below1),
    number % 3 === 0 ? `.pipelines ${number}` : `${word()} ${number}`,
    number % 3 === 0 ? ['hidden', 'pipeline'] : [],
  ),
);
export const allProjects = [...roots, ...below1, ...below2];
export const topProjects = roots;
await insertEach(projects, allProjects.length, (number) => allProjects[number]);

/** What the scripts of a project report, and what they are called with. */
const vocabularies = new Map(
  allProjects.map(({ _id }) => [
    _id,
    {
      metrics: Array.from({ length: between(2, 11) }, () => ({
        metric: `${word()} ${choose(['loss', 'accuracy', 'lr', 'f1'])}`,
        variants: choose([['train', 'val'], ['train', 'val', 'test'], ['series']]),
      })),
      arguments: Array.from({ length: between(5, 20) }, () => `${word()}_${choose(['rate', 'size', 'path', 'dim'])}`),
    },
  ]),
);
const monitors = [':monitor:machine', ':monitor:gpu'].map((metric) => ({
  metric,
  variants: ['cpu_usage', 'memory_free_gb', 'disk_write_mbs'],
}));

/** The summary of a series: its last value, its extremes and its mean. */
export function summary(metric, variant) {
  const [value, iteration] = [below(100_000) / 100_000, below(50_000)];
  return {
    metric,
    variant,
    value,
    min_value: value / 2,
    min_value_iteration: below(iteration + 1),
    max_value: value * 2,
    max_value_iteration: below(iteration + 1),
    first_value: value * 1.5,
    first_value_iteration: 0,
    count: iteration + 1,
    mean_value: Math.round(value * 100) / 100,
  };
}
export const hashed = md5;

function metricsOf(vocabulary, status) {
  if (status === 'created' || status === 'queued') return {};
  const reported = [...monitors, ...vocabulary.metrics.slice(0, between(1, vocabulary.metrics.length))];
  return Object.fromEntries(
    reported.map(({ metric, variants }) => [
      md5(metric),
      Object.fromEntries(variants.map((variant) => [md5(variant), summary(metric, variant)])),
    ]),
  );
}

const parameter = (section, name) => ({
  section,
  name,
  value: String(below(100_000) / 1_000),
  type: 'float',
  description: '',
});
const sectionOf = (section, names) => Object.fromEntries(names.map((name) => [name, parameter(section, name)]));
const statuses = [
  ['completed', 62],
  ['failed', 14],
  ['stopped', 13],
  ['created', 6],
  ['published', 5],
].flatMap(([status, share]) => Array.from({ length: share }, () => status));
const SYSTEM_TAGS = [[], [], ['development'], ['development'], ['archived'], ['development', 'archived'], ['hidden']];

// Two projects have half of the tasks.
const projectOfTask = () =>
  below(100) < 38 ? below1[0] : below(100) < 22 ? below1[1] : allProjects[heavyTailed(1, 420, 0.5) - 1];
export const [mainProject, secondProject] = below1;
const queueIds = Array.from({ length: 14 }, uuid);
export const waiting = queueIds[0];

export function task(created, status, { _id: of } = projectOfTask()) {
  const started =
    status === 'created' || status === 'queued' ? {} : { started: new Date(created + below(300) * MINUTE) };
  const duration = heavyTailed(5, 4_000, 0.7) * MINUTE;
  const ended = new Date(Math.min(now, created + 300 * MINUTE + duration));
  const { arguments: names, metrics } = vocabularies.get(of);
  const lastMetrics = metricsOf({ metrics }, status);
  return {
    _id: uuid(),
    company,
    user: person(),
    name: words(between(2, 5)),
    type: choose(['training', 'training', 'training', 'testing', 'inference', 'data_processing', 'controller']),
    status,
    status_reason: status === 'failed' ? words(8) : '',
    status_message: '',
    status_changed: ended,
    comment: words(below(10)),
    created: new Date(created),
    ...started,
    ...(['completed', 'failed', 'stopped', 'published'].includes(status) ? { completed: ended } : {}),
    active_duration: Math.floor(duration / 1_000),
    project: of,
    parent: below(3) === 0 ? parents[below(parents.length)] : null,
    output: { destination: '' },
    execution: {
      parameters: {},
      artifacts: {},
      ...(status === 'queued' ? { queue: waiting } : {}),
    },
    tags: below(4) === 0 ? [choose(['baseline', 'ablation', 'best', 'rerun', 'v2'])] : [],
    system_tags: choose(SYSTEM_TAGS),
    script: {
      binary: 'python',
      repository: `https://git.example.com/${word()}/${word()}.git`,
      branch: choose(['main', 'master', word()]),
      version_num: hex(40),
      entry_point: `${word()}.py`,
      working_dir: '.',
      requirements: { pip: words(heavyTailed(6, 60)) },
      diff: below(3) === 0 ? words(heavyTailed(40, 1_800, 0.9)) : '',
    },
    last_worker: `${word()}:gpu${below(8)}`,
    last_update: ended,
    last_change: ended,
    last_iteration: below(50_000),
    last_metrics: lastMetrics,
    unique_metrics: Object.values(lastMetrics).flatMap((variants) =>
      Object.values(variants).map(({ metric, variant }) => `${metric}/${variant}`),
    ),
    metric_stats: Object.fromEntries(
      Object.values(lastMetrics).map((variants) => {
        const [{ metric }] = Object.values(variants);
        return [
          md5(metric),
          { metric, event_stats_by_type: { training_stats_scalar: { last_update: ended.getTime() } } },
        ];
      }),
    ),
    hyperparams: { Args: sectionOf('Args', names), General: sectionOf('General', names.slice(0, 3)) },
    configuration: {},
    runtime: {},
    models: { input: [], output: [] },
    container: { image: '', arguments: '', setup_shell_script: '' },
  };
}
const parents = Array.from({ length: 260 }, uuid);

const QUEUED = 2_400;
export const allTasks = await insertEach(
  tasks,
  8_000,
  (number) => {
    const running = number >= 7_960;
    const status = running ? 'in_progress' : number < QUEUED / 2 ? 'queued' : choose(statuses);
    const one = task(now - (running || status === 'queued' ? below(2 * DAY) : age()), status);
    // Those that others come from are among them.
    return number % 30 === 5 && number < 30 * 260 ? { ...one, _id: parents[Math.floor(number / 30)] } : one;
  },
  500,
);
export const running = allTasks.filter(({ status }) => status === 'in_progress');

const entries = Array.from({ length: QUEUED }, (_, number) => ({
  task: number < QUEUED / 2 ? allTasks[number]._id : uuid(),
  added: new Date(now - (QUEUED - number) * MINUTE),
}));
export const allQueues = await insertEach(queues, 14, (number) => ({
  _id: queueIds[number],
  company,
  name: number === 0 ? 'sweeps' : `${word()}-${number}`,
  created: new Date(now - below(700 * DAY)),
  tags: [],
  system_tags: number === 1 ? ['default'] : [],
  entries: number === 0 ? entries : number < 4 ? entries.slice(0, number * 3) : [],
  last_update: new Date(now - below(DAY)),
  metadata: {},
}));

export function model(created, { _id: of, project: ofProject, user }) {
  return {
    _id: uuid(),
    company,
    user,
    name: `${words(2)} - epoch ${below(200)}`,
    parent: null,
    project: ofProject,
    created: new Date(created),
    task: of,
    comment: words(below(8)),
    tags: [],
    system_tags: below(5) === 0 ? ['archived'] : [],
    uri: `https://files.example.com/${word()}/${hex(32)}/models/${word()}.pt`,
    framework: choose(['PyTorch', 'PyTorch', 'TensorFlow', 'ScikitLearn', 'Keras']),
    design: {},
    labels:
      below(3) === 0 ? Object.fromEntries(['background', 'car', 'person'].map((label, number) => [label, number])) : {},
    ready: false,
    last_update: new Date(created + below(4_000) * MINUTE),
    last_change: new Date(created),
    metadata: {},
    last_iteration: 0,
    last_metrics: {},
    unique_metrics: [],
  };
}
export const allModels = await insertEach(models, 6_400, () => {
  const from = choose(allTasks);
  return model(Math.min(now, from.created.getTime() + DAY), from);
});
await tasks.bulkWrite(
  allModels.slice(0, 4_000).map(({ _id, task: of, name, created }) => ({
    updateOne: { filter: { _id: of }, update: { $push: { 'models.output': { name, model: _id, updated: created } } } },
  })),
  { ordered: false },
);
// What could not be deleted stays, as failed.
await insertEach(urls, 2_300, (number) => ({
  _id: uuid(),
  company,
  user: person(),
  url: `s3://${word()}/${hex(32)}/${word()}.${number}`,
  task: uuid(),
  created: new Date(now - below(400 * DAY)),
  storage_type: 's3',
  type: 'file',
  retry_count: 3,
  last_failure_time: new Date(now - below(300 * DAY)),
  last_failure_reason: 'Access denied',
  status: 'failed',
}));
