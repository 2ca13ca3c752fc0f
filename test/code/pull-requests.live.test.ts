/**
 * `service/`, of eight models of mongoose and fifteen endpoints, runs on a real server: in production with 12,000 documents a
 * collection, in builds with fixtures. Of each of the five pull requests in `pull-requests/`, its finding is at the line that was
 * labelled before the first run; without the pull request, nobody says it. The host of the comment is stood in for.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MongoClient, ObjectId, type Db } from 'mongodb';
import type { Log } from 'sarif';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';
import type { FindingLocation } from '../../src/finding.js';
import type { Report } from '../../src/report/report.js';
import { runCaptured } from '../support/captured-io.js';
import { startCommentHost } from '../support/comment-host.js';
import { freshDatabase, sharedReplicaSetUri } from '../support/database.js';
import { switchProfilerOn } from '../support/profiled-workload.js';

const run = promisify(execFile);
const HERE = join(packageRoot(), 'test/code');
const IN_PRODUCTION = 12_000;
const FIXTURES = 40;

/** What is expected, where, and of what. */
type Label = readonly [check: string, line: string, of: FindingLocation['of']];

/** By the source and production's evidence alone, and by the profile of the tests at production's size. */
const LABELS: Readonly<Record<string, { readonly source: Label; readonly profile: Label }>> = {
  'unindexed-join': {
    source: ['missing-lookup-index', 'src/endpoints/orders.js:10', 'join'],
    profile: ['missing-lookup-index', 'src/endpoints/orders.js:10', 'join'],
  },
  'array-without-a-bound': {
    source: ['uncapped-write', 'src/endpoints/products.js:19', 'push'],
    profile: ['uncapped-write', 'src/endpoints/products.js:19', 'push'],
  },
  // What a pull request deletes has no line any more.
  'dropped-index': {
    source: ['undeclared-index', 'src/models/order.js:3', 'schema'],
    profile: ['query-without-its-index', 'src/endpoints/users.js:15', 'operation'],
  },
  'search-without-case': {
    source: ['unindexed-query', 'src/endpoints/users.js:7', 'operation'],
    profile: ['case-insensitive-regex', 'src/endpoints/users.js:7', 'operation'],
  },
  'map-keyed-by-user': {
    source: ['uncapped-write', 'src/endpoints/products.js:20', 'push'],
    profile: ['uncapped-write', 'src/endpoints/products.js:20', 'push'],
  },
};

const uri = sharedReplicaSetUri();
const client = new MongoClient(uri);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mongolint-service-'));
  await symlink(join(packageRoot(), 'node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  await client.close();
  await rm(folder, { recursive: true });
});

/** A copy of the service, with a pull request if one is named. */
async function checkedOut(name: string, pullRequest?: string): Promise<string> {
  const own = join(folder, name);
  await cp(join(HERE, 'service'), own, { recursive: true });
  if (pullRequest !== undefined)
    await run('git', ['apply', join(HERE, 'pull-requests', `${pullRequest}.patch`)], { cwd: own });
  return own;
}

const id = (number: number) => new ObjectId(number.toString(16).padStart(24, '0'));
const name = (number: number) => `name ${number.toString(36).padStart(5, '0')}`;
const timeOf = (number: number) => new Date(1_700_000_000_000 + number * 60_000 + (number % 17) * 977);

async function plant(database: Db, documents: number): Promise<void> {
  const insert = (collection: string, make: (number: number) => object, count = documents) =>
    database
      .collection(collection)
      .insertMany(Array.from({ length: count }, (_, number) => ({ _id: id(number), ...make(number) })));
  await insert('users', (number) => ({ name: name(number), email: `${number}@example.com` }));
  await insert('categories', (number) => ({ title: `category ${number}`, position: number }), 30);
  await insert('products', (number) => ({ title: name(number), category: id(number % 30), price: number, views: 0 }));
  await insert('orders', (number) => ({ customer: id(number % 3_000), at: timeOf(number), total: number % 90 }));
  await insert('invoices', (number) => ({ order: id(number), total: number % 90 }));
  await insert('payments', (number) => ({
    order: id(number),
    provider: 'card',
    at: timeOf(number),
    amount: number % 70,
  }));
  await insert('reviews', (number) => ({ product: id(number % 4_000), at: timeOf(number), text: name(number) }));
  await insert('votes', (number) => ({ review: id(number % 900), user: id(number), stars: number % 6 }));
}

/** What the service sends if every endpoint is called, on a database that has documents. */
async function drive(own: string, database: Db, documents: number): Promise<void> {
  await plant(database, documents);
  await switchProfilerOn(database);
  await run(process.execPath, ['test/endpoints.js', uri, database.databaseName], { cwd: own });
  await database.command({ profile: 0 });
}

/** What a run writes of the service in a folder, its comment on the pull request included. */
async function reported(own: string, command: readonly string[]) {
  const formats = ['json', 'sarif', 'github', 'markdown'];
  const captured = await runCaptured(
    [
      ...command,
      '--code',
      'src',
      '--code',
      'test',
      '--no-config',
      '--quiet',
      ...formats.flatMap((format) => ['--format', `${format}=${format}.out`]),
    ],
    {},
    own,
  );
  expect(captured.stderr).toBe('');
  const read = (format: string) => readFile(join(own, `${format}.out`), 'utf8');
  return {
    report: JSON.parse(await read('json')) as Report,
    sarif: JSON.parse(await read('sarif')) as Log,
    github: await read('github'),
    comment: await commented(own),
  };
}

async function commented(own: string): Promise<string> {
  const host = await startCommentHost();
  try {
    const event = join(own, 'event.json');
    await writeFile(event, '{ "pull_request": { "number": 7 } }');
    const env = {
      GITHUB_API_URL: host.api,
      GITHUB_GRAPHQL_URL: `${host.api}/graphql`,
      GITHUB_REPOSITORY: 'a/b',
      GITHUB_EVENT_PATH: event,
      GITHUB_TOKEN: 'token',
    };
    expect(await runCaptured(['comment', 'markdown.out'], env, own)).toMatchObject({ exitCode: 0, stderr: '' });
    return host.comments[0]?.body ?? '';
  } finally {
    host.close();
  }
}

const said = ({ findings }: Report, [check, line]: Label) =>
  findings.filter(
    (finding) =>
      finding.check === check && (finding.locations ?? []).some((each) => `${each.file}:${each.line}` === line),
  );

/** Where the findings of a check are in each format, as the label says it. */
function found([check]: Label, { report, sarif, github, comment }: Awaited<ReturnType<typeof reported>>) {
  const [finding, ...others] = report.findings.filter((each) => each.check === check);
  const at = finding?.locations?.[0];
  const text = `${at?.file}:${at?.line}`;
  const physical = sarif.runs[0]?.results?.find(({ ruleId }) => ruleId === check)?.locations?.[0]?.physicalLocation;
  const annotations = [...github.matchAll(/^::\w+ title=([^\n]*?),file=([^,]*),line=(\d+)::/gm)];
  const titled = annotations.filter(([, title = '']) => finding !== undefined && title.includes(finding.title));
  return {
    others: others.length,
    json: [check, text, at?.of, at?.certain],
    sarif: `${physical?.artifactLocation?.uri}:${physical?.region?.startLine}`,
    github: titled.map(([, , file, line]) => `${file}:${line}`),
    isInComment: comment.includes(text),
  };
}

const labelled = ([check, line, of]: Label) => ({
  others: 0,
  json: [check, line, of, true],
  sarif: line,
  github: [line],
  isInComment: true,
});

describe('a service', () => {
  const production = freshDatabase(client);
  const build = freshDatabase(client);
  let own: string;
  let evidence: string;
  const atProduction = (database: Db) => [
    uri,
    '--include',
    `${database.databaseName}.*`,
    '--production',
    evidence,
    '--map',
    `${database.databaseName}=${production.databaseName}`,
  ];

  beforeAll(async () => {
    own = await checkedOut('as-it-is');
    await drive(own, production, IN_PRODUCTION);
    evidence = join(folder, 'production.evidence.jsonl');
    const { exitCode, stderr } = await runCaptured(
      ['collect', uri, '--include', `${production.databaseName}.*`, '--output', evidence, '--quiet'],
      {},
      own,
    );
    if (exitCode !== 0 || stderr !== '') throw new Error(`Production could not be collected: ${stderr}`);
    await drive(own, build, FIXTURES);
  });

  it.each(['source', 'profile'] as const)('as it is has none of the findings, by its %s', async (by) => {
    const { report } = await reported(own, by === 'source' ? ['judge', evidence] : atProduction(build));
    expect(report.code).toMatchObject({ unreadFiles: 0, places: 15, withCollection: 15, complete: 15 });
    expect(report.findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
    for (const labels of Object.values(LABELS)) expect(said(report, labels[by])).toEqual([]);
  });

  it('whose database lacks an index that it declares gets that at its line, and no more once it is built', async () => {
    const label: Label = ['missing-declared-index', 'src/models/order.js:9', 'index'];
    const here = [uri, '--include', `${build.databaseName}.*`];
    await build.collection('orders').dropIndex('customer_1_at_-1');
    const lacking = await reported(own, here);
    expect(found(label, lacking)).toEqual(labelled(label));
    const [finding] = said(lacking.report, label);
    for (const { db, command } of finding?.remedy.commands ?? []) await client.db(db).command(command);
    expect(said((await reported(own, here)).report, label)).toEqual([]);
  });

  describe.each(Object.entries(LABELS))('with the pull request %s', (pullRequest, { source, profile }) => {
    const database = freshDatabase(client);
    let changed: string;
    beforeAll(async () => (changed = await checkedOut(pullRequest, pullRequest)));

    it('gets its finding at its line, by the source and the evidence of production', async () => {
      expect(found(source, await reported(changed, ['judge', evidence]))).toEqual(labelled(source));
    });

    it('gets its finding at its line, by the profile of its tests, at the size of production', async () => {
      await drive(changed, database, FIXTURES);
      expect(found(profile, await reported(changed, atProduction(database)))).toEqual(labelled(profile));
    });
  });
});
