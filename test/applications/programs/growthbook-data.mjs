import { MongoClient, ObjectId } from 'mongodb';
import { below, between, choose, heavyTailed, hex, insertEach, token, uri, word, words } from './support.mjs';

const client = await MongoClient.connect(uri);
const database = client.db();
const of = (name) => database.collection(name);
const [audits, events, experiments, snapshots] = ['audits', 'events', 'experiments', 'experimentsnapshots'].map(of);
const [features, revisions, metrics, queries] = ['features', 'featurerevisions', 'metrics', 'queries'].map(of);
const [organizations, users, connections, usage] = ['organizations', 'users', 'sdkconnections', 'realtimeusages'].map(
  of,
);
const [sdkLogs, hookLogs, chunks] = ['sdkwebhooklogs', 'eventwebhooklogs', 'sqlresultchunks'].map(of);

// The indexes of its schemas.
const index = (collection, ...keys) => collection.createIndexes(keys.map((key) => ({ key })));
const unique = (collection, ...keys) => collection.createIndexes(keys.map((key) => ({ key, unique: true })));
for (const collection of [audits, events, snapshots, queries, organizations, users, sdkLogs, hookLogs])
  await unique(collection, { id: 1 });
await index(audits, { organization: 1 });
await index(events, { organizationId: 1, dateCreated: -1 });
await index(
  experiments,
  { organization: 1 },
  { organization: 1, datasource: 1 },
  { organization: 1, project: 1 },
  { organization: 1, trackingKey: 1 },
);
await experiments.createIndex({ 'nextScheduledStatusUpdate.date': 1 }, { sparse: true });
await index(
  snapshots,
  { experiment: 1, dateCreated: -1 },
  { organization: 1, experiment: 1, status: 1, dateCreated: -1 },
);
for (const collection of [features, metrics]) await unique(collection, { id: 1, organization: 1 });
await index(features, { organization: 1, project: 1 }, { organization: 1, targetingProjects: 1 });
await unique(revisions, { organization: 1, featureId: 1, version: 1 });
await index(revisions, { organization: 1, status: 1 });
await revisions.createIndex({ organization: 1, id: 1 }, { partialFilterExpression: { id: { $exists: true } } });
await revisions.createIndex({ scheduledPublishAt: 1 }, { sparse: true });
await index(metrics, { organization: 1 }, { organization: 1, datasource: 1 });
await index(queries, { organization: 1 }, { status: 1 }, { organization: 1, datasource: 1, status: 1, createdAt: -1 });
await index(organizations, { 'members.id': 1 });
await unique(users, { email: 1 });
await unique(connections, { id: 1 }, { key: 1 });
await index(connections, { organization: 1 });
await unique(usage, { organization: 1, hour: 1 });
await index(sdkLogs, { eventWebHookId: 1 });
await index(hookLogs, { eventWebHookId: 1 });
await unique(chunks, { organization: 1, queryId: 1, chunkNumber: 1 });

const DAY = 86_400_000;
const now = Date.now();
const ago = (days) => new Date(now - below(days * DAY));
const id = (prefix) => `${prefix}_${token(16)}`;
const dated = (date) => ({ dateCreated: date, dateUpdated: date });

// Of three thousand organizations one has most of the data.
const people = await insertEach(users, 9_000, (number) => ({
  id: id('u'),
  name: words(2),
  email: `${word()}.${number}@example.com`,
  passwordHash: token(128),
  superAdmin: false,
  verified: true,
  dateCreated: ago(900),
}));
const membersFrom = (first, count) =>
  people.slice(first, first + count).map((person) => ({
    id: person.id,
    role: choose(['admin', 'engineer', 'analyst', 'readonly']),
    limitAccessByEnvironment: false,
    environments: [],
    projectRoles: [],
    teams: [],
    dateCreated: ago(700),
    lastLoginDate: ago(30),
  }));
const allOrganizations = await insertEach(organizations, 3_000, (number) => {
  const size = number === 0 ? 1_400 : Math.min(900, heavyTailed(1, 300, 0.9));
  return {
    // The same in each run, so that a sample of them is, too.
    _id: new ObjectId(hex(24)),
    id: id('org'),
    name: words(2),
    ownerEmail: choose(people).email,
    url: '',
    dateCreated: ago(900),
    members: membersFrom(below(9_000 - size), size),
    invites:
      number % 5 === 0 ? [{ email: 'new@example.com', key: token(32), role: 'analyst', dateCreated: ago(9) }] : [],
    settings: { environments: [{ id: 'dev' }, { id: 'production' }], statsEngine: 'bayesian' },
    connections: number % 40 === 0 ? { slack: { team: token(10), token: token(40) } } : {},
  };
});
const [main, ...others] = allOrganizations.map((one) => one.id);
const owner = () => (below(20) < 17 ? main : others[below(60)]);
const byId = new Map(people.map((person) => [person.id, person]));
const member = () => byId.get(allOrganizations[0].members[heavyTailed(1, 1_300, 0.5) - 1].id);
const sources = Array.from({ length: 5 }, () => id('ds'));
const projects = Array.from({ length: 12 }, () => id('prj'));
const allMetrics = await insertEach(metrics, 1_800, () => ({
  id: id('met'),
  organization: owner(),
  datasource: choose(sources),
  name: words(3),
  description: words(12),
  type: choose(['binomial', 'count', 'revenue']),
  sql: words(80),
  tags: [word()],
  projects: [choose(projects)],
  status: 'active',
  ...dated(ago(700)),
}));
const variation = (key) => ({ id: id('var'), key: String(key), name: word(), description: words(6), screenshots: [] });
const allExperiments = await insertEach(experiments, 2_400, (number) => ({
  id: id('exp'),
  organization: owner(),
  trackingKey: `${word()}-${number}`,
  project: choose(projects),
  owner: choose(people).id,
  datasource: number % 40 === 0 ? '' : choose(sources),
  exposureQueryId: 'user_id',
  name: words(4),
  hypothesis: words(20),
  description: words(50),
  status: number < 180 ? 'running' : choose(['draft', 'stopped', 'stopped', 'stopped']),
  archived: number % 4 === 3,
  autoSnapshots: true,
  ...(number < 180 ? { nextSnapshotAttempt: new Date(now + (below(24) - 1) * 3_600_000) } : {}),
  lastSnapshotAttempt: ago(400),
  ...(number % 200 === 0 ? { nextScheduledStatusUpdate: { type: 'start', date: new Date(now + below(9 * DAY)) } } : {}),
  goalMetrics: Array.from({ length: 4 }, () => choose(allMetrics).id),
  tags: [word()],
  variations: [variation(0), variation(1)],
  phases: Array.from({ length: between(1, 3) }, () => ({
    name: 'Main',
    dateStarted: ago(400),
    condition: '',
    coverage: 1,
    variationWeights: [0.5, 0.5],
    namespace: { enabled: false, name: '', range: [0, 1] },
    reason: words(8),
  })),
  hasVisualChangesets: number % 9 === 0,
  type: number % 60 === 0 ? 'holdout' : 'standard',
  ...dated(ago(700)),
}));
const metricResult = () => ({
  value: below(90_000),
  cr: below(100) / 100,
  users: below(90_000),
  ci: [0.1, 0.3],
  chanceToWin: 0.5,
});
const queriesOf = (count, status) => Array.from({ length: count }, () => ({ name: word(), query: id('qry'), status }));
await insertEach(snapshots, 7_000, (number) => {
  const { id: experiment, organization, goalMetrics, phases } = allExperiments[heavyTailed(2, 2_399, 0.5)];
  const status = number < 8 ? 'running' : number % 30 === 0 ? 'error' : 'success';
  const analyses = [
    {
      settings: { dimensions: [], statsEngine: 'bayesian', pValueCorrection: null },
      status: 'success',
      results: [
        {
          name: 'All',
          srm: 0.4,
          variations: [0, 1].map(() => ({
            users: below(90_000),
            metrics: Object.fromEntries(goalMetrics.map((metric) => [metric, metricResult()])),
          })),
        },
      ],
    },
  ];
  return {
    id: id('snp'),
    organization,
    experiment,
    phase: phases.length - 1,
    dimension: null,
    type: number % 20 === 0 ? 'exploratory' : 'standard',
    dateCreated: number < 8 ? new Date(now - below(3_600_000)) : ago(300),
    runStarted: ago(300),
    status,
    triggeredBy: 'schedule',
    queries: queriesOf(8, status === 'running' ? 'running' : 'succeeded'),
    settings: {
      goalMetrics,
      manual: false,
      queryFilter: words(20),
      datasourceId: choose(sources),
      segment: words(150),
    },
    analyses,
  };
});
const rule = () => ({
  id: id('fr'),
  type: choose(['force', 'rollout', 'experiment']),
  description: words(5),
  condition: `{"country":"${word()}"}`,
  value: choose(['true', 'false']),
  enabled: true,
});
const allFeatures = await insertEach(features, 3_200, (number) => ({
  id: `${word()}-${number}`,
  organization: owner(),
  project: choose(projects),
  owner: choose(people).name,
  description: words(30),
  valueType: 'boolean',
  defaultValue: 'false',
  version: between(1, 12),
  archived: number % 6 === 0,
  tags: [word()],
  environmentSettings: {
    dev: { enabled: true, rules: [rule()] },
    production: { enabled: true, rules: [rule(), rule()] },
  },
  ...dated(ago(700)),
}));
const versions = allFeatures.flatMap((feature) =>
  Array.from({ length: feature.version }, (_, number) => ({ feature, version: number + 1 })),
);
await insertEach(revisions, versions.length, (number) => {
  const { feature, version } = versions[number];
  const draft = version === feature.version && number % 30 === 0;
  return {
    organization: feature.organization,
    featureId: feature.id,
    version,
    baseVersion: version - 1,
    ...(number % 2 === 0 ? { id: id('rev') } : {}),
    status: draft ? 'draft' : 'published',
    comment: words(6),
    createdBy: { type: 'dashboard', id: choose(people).id },
    defaultValue: 'false',
    rules: { dev: [rule()], production: [rule(), rule()] },
    log: [{ action: 'edit rule', subject: word(), value: words(20), timestamp: ago(300) }],
    ...dated(ago(500)),
  };
});
const of3 = ['experiment', 'feature', 'metric'];
const lists = { experiment: allExperiments, feature: allFeatures, metric: allMetrics };
const about = () => {
  const object = choose(of3);
  const list = lists[object];
  return { object, one: list[heavyTailed(1, list.length - 1, 0.5)] };
};
const audit = (date) => {
  const { object, one } = about();
  const { id: user, email, name } = member();
  return {
    id: id('aud'),
    organization: one.organization,
    user: { id: user, email, name },
    event: `${object}.update`,
    entity: { object, id: one.id, name: one.name },
    details: JSON.stringify({ pre: words(between(30, 120)), post: words(between(30, 120)) }),
    dateCreated: date,
  };
};
await insertEach(audits, 36_000, (number) => audit(new Date(now - (36_000 - number) * 900_000)));
const event = (date) => {
  const { object, one } = about();
  return {
    id: id('event'),
    version: '1',
    event: `${object}.${choose(['updated', 'created', 'updated'])}`,
    object,
    objectId: one.id,
    dateCreated: date,
    organizationId: one.organization,
    data: {
      event: `${object}.updated`,
      object,
      data: { object: { name: words(3), text: words(100) } },
      projects: [],
      tags: [],
    },
  };
};
await insertEach(events, 24_000, (number) => event(new Date(now - (24_000 - number) * 1_200_000)));
const texts = Array.from({ length: 900 }, () => words(160));
const query = (date, status) => ({
  id: id('qry'),
  organization: owner(),
  datasource: choose(sources),
  language: 'sql',
  query: choose(texts),
  status,
  queryType: choose(['experimentMetric', 'experimentResults', 'metricAnalysis']),
  createdAt: date,
  startedAt: date,
  heartbeat: date,
  finishedAt: date,
  hasChunkedResults: true,
  dependencies: [],
  statistics: { executionDurationMs: below(90_000), bytesProcessed: below(900_000) },
});
const allQueries = await insertEach(queries, 20_000, (number) =>
  query(
    new Date(now - (20_000 - number) * 400_000),
    number > 19_994 ? 'running' : number % 25 === 0 ? 'failed' : 'succeeded',
  ),
);
await insertEach(chunks, 8_000, (number) => ({
  id: id('sqlres'),
  organization: allQueries[number].organization,
  queryId: allQueries[number].id,
  chunkNumber: 0,
  numRows: 40,
  data: {
    variation: Array.from({ length: 40 }, () => below(2)),
    users: Array.from({ length: 40 }, () => below(9_000)),
  },
  ...dated(ago(200)),
}));
const allConnections = await insertEach(connections, 400, () => ({
  id: id('sdk'),
  organization: owner(),
  name: words(2),
  languages: ['javascript'],
  environment: 'production',
  projects: [],
  key: `sdk-${token(16)}`,
  ...dated(ago(600)),
}));
const hooks = Array.from({ length: 30 }, () => ({ id: id('wh'), organization: owner() }));
const hook = () => hooks[heavyTailed(1, 29, 0.6)];
const answered = (one, date) => ({
  organizationId: one.organization,
  dateCreated: date,
  responseCode: 200,
  responseBody: words(20),
  result: 'success',
});
const sdkLog = (date) => {
  const one = hook();
  const payload = {
    features: Object.fromEntries(Array.from({ length: 25 }, () => [token(8), { defaultValue: false }])),
  };
  return {
    id: `swhl-${token(32)}`,
    webhookId: one.id,
    webhookRequestId: id('req'),
    payload: { text: JSON.stringify(payload) },
    ...answered(one, date),
  };
};
await insertEach(sdkLogs, 9_000, () => sdkLog(ago(300)));
const hookLog = (date) => {
  const one = hook();
  return {
    id: `ewhl-${token(32)}`,
    event: 'feature.updated',
    eventWebHookId: one.id,
    url: 'https://example.com',
    method: 'POST',
    payload: { text: words(60) },
    ...answered(one, date),
  };
};
await insertEach(hookLogs, 9_000, () => hookLog(ago(300)));
await insertEach(usage, 2_000, (number) => ({
  organization: number % 2 === 0 ? main : others[Math.floor(number / 2) % 60],
  hour: new Date(now - Math.floor(number / 2) * 3_600_000).toISOString().slice(0, 13) + (number % 2),
  features: Object.fromEntries(
    Array.from({ length: between(20, 120) }, () => [
      choose(allFeatures).id,
      { realtime: below(90), used: below(900), skipped: 0 },
    ]),
  ),
}));

export {
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
};
