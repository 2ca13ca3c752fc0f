import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddedMongod } from '../../src/demo/embedded-mongod/embedded-mongod.js';
import { OPTION_LIST } from '../../src/lint/options.js';
import { reportSchema, type Report } from '../../src/report/report.js';
import { runCaptured } from '../support/captured-io.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { ROOT_USER, startStandalone, startWithAuth } from '../support/servers.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The profiler's level at which it records everything, so that the workload is known. */
const ALL_OPERATIONS = 2;

/** Threads of which few have very many posts: an unbounded array in `posts`. */
function threads(): object[] {
  return Array.from({ length: 200 }, (_, index) => ({
    title: `thread ${index}`,
    posts: Array.from({ length: Math.ceil(4_000 / (index + 1)) }, (__, post) => ({ author: post, text: 'words' })),
  }));
}

async function lintJson(
  argv: readonly string[],
  env: Record<string, string> = {},
): Promise<{ exitCode: number; report: Report; stderr: string }> {
  const { exitCode, stdout, stderr } = await runCaptured([...argv, '--format', 'json'], env);
  if (stdout === '') throw new Error(`No report: ${stderr}`);
  return { exitCode, report: reportSchema.parse(JSON.parse(stdout)), stderr };
}

const unbounded = (report: Report) =>
  report.findings
    .filter(({ check }) => check === 'unbounded-array')
    .map(({ namespace, path }) => `${namespace} ${path}`);

describe('mongolint URI on a replica set', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  const include = ['--include', `${database.databaseName}.*`];

  beforeAll(async () => {
    await database.command({ profile: ALL_OPERATIONS });
    await database.collection('threads').insertMany(threads());
    await database.collection('plain').insertMany([{ a: 1 }, { a: 2 }]);
  });

  it('reports, and fails on findings', async () => {
    const { exitCode, report, stderr } = await lintJson([sharedReplicaSetUri(), ...include]);
    expect(unbounded(report)).toEqual([`${database.databaseName}.threads posts`]);
    expect(report.skipped).toEqual([]);
    expect(report.cluster).toMatchObject({ topology: 'replicaSet' });
    expect(report.summary).toMatchObject({ databases: 1, collections: 2, documentsSampled: 202 });
    expect(exitCode).toBe(1);
    expect(stderr).toBe('');
  });

  it.each(OPTION_LIST.flatMap(([name, spec]) => ('negated' in spec ? [`--no-${name}`] : [])))(
    'reports the same with %s',
    async (flag) => {
      const { exitCode, report } = await lintJson([sharedReplicaSetUri(), ...include, flag]);
      expect(unbounded(report)).toEqual([`${database.databaseName}.threads posts`]);
      expect(exitCode).toBe(1);
    },
  );

  it('takes the URI from the environment', async () => {
    const { report } = await lintJson(include, { MONGODB_URI: sharedReplicaSetUri() });
    expect(report.summary.collections).toBe(2);
  });

  it.each([
    ['--fail-on never', ['--fail-on', 'never'], 0],
    ['nothing found', ['--exclude', '*.threads'], 0],
    ['--max-warnings without warnings', ['--exclude', '*.threads', '--max-warnings', '0'], 0],
    ['--strict with nothing skipped', ['--exclude', '*.threads', '--strict'], 0],
    ['--strict when the time is up', ['--max-time', '1ms', '--strict'], 2],
  ])('exits as asked: %s', async (_, argv, expected) => {
    const { exitCode } = await runCaptured([sharedReplicaSetUri(), ...include, ...argv]);
    expect(exitCode).toBe(expected);
  });

  it('writes many reports of one scan', async () => {
    const folder = await temporaryFolder();
    const [json, table] = [join(folder, 'report.json'), join(folder, 'report.txt')];
    const { stdout, exitCode } = await runCaptured([
      sharedReplicaSetUri(),
      ...include,
      '--format',
      `json=${json}`,
      '--format',
      `table=${table}`,
    ]);
    expect(stdout).toBe('');
    expect(exitCode).toBe(1);
    expect(unbounded(reportSchema.parse(JSON.parse(await readFile(json, 'utf8'))))).toHaveLength(1);
    expect(await readFile(table, 'utf8')).toContain('unbounded-array');
  });

  it('keeps the other reports where one cannot be written', async () => {
    const { stdout, stderr, exitCode } = await runCaptured([
      sharedReplicaSetUri(),
      ...include,
      '--format',
      'json=/dev/full',
      '--format',
      'table',
    ]);
    expect(stdout).toContain('unbounded-array');
    expect(stderr).toMatch(/json report could not be written to \/dev\/full: [^\n]*\n/);
    expect(exitCode).toBe(2);
  });

  it.each([
    ['alone', []],
    ['beside a good one', include],
  ])('does not take a misspelt glob %s for a clean cluster', async (_, others) => {
    const { exitCode, stderr } = await runCaptured([sharedReplicaSetUri(), ...others, '--include', 'shpo.*']);
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      'No collection that the user can see matches --include shpo.*: globs match "database.collection", such as "shop.*". A database in the connection string is such a glob.\n',
    );
  });

  it('says what the time for the run cut off', async () => {
    const { stdout, stderr, exitCode } = await runCaptured([sharedReplicaSetUri(), ...include, '--max-time', '1ms']);
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('--max-time 1');
  });
});

describe('mongolint URI on a standalone', () => {
  let server: EmbeddedMongod;
  beforeAll(async () => {
    server = await startStandalone();
    const client = new MongoClient(server.uri);
    await client.db('shop').command({ profile: ALL_OPERATIONS });
    await client.db('shop').collection('threads').insertMany(threads());
    await client.close();
  });
  afterAll(() => server.stop());

  it('reports', async () => {
    const { exitCode, report } = await lintJson([server.uri]);
    expect(report.cluster).toMatchObject({ topology: 'standalone', name: null, readFrom: 'primary' });
    expect(unbounded(report)).toEqual(['shop.threads posts']);
    // A standalone has no oplog, and documents that were just made tell nothing of growth.
    const others = report.skipped.filter(({ reason }) => reason !== 'unsupported');
    expect(others).toMatchObject([{ check: 'fast-growing-array', reason: 'insufficient', namespace: 'shop.threads' }]);
    expect(exitCode).toBe(1);
  });
});

describe('mongolint URI with authentication', () => {
  let server: EmbeddedMongod;
  const uriOf = (user: string, password = 'pass-word') => {
    const uri = new URL(server.uri.replace('mongodb:', 'http:'));
    return `mongodb://${user}:${password}@${uri.host}/?authSource=admin`;
  };

  beforeAll(async () => {
    server = await startWithAuth();
    const client = new MongoClient(server.uri);
    for (const name of ['shop', 'crm']) await client.db(name).command({ profile: ALL_OPERATIONS });
    await client.db('shop').collection('threads').insertMany(threads());
    await client
      .db('crm')
      .collection('leads')
      .insertMany([{ name: 'a' }]);
    const admin = client.db('admin');
    const user = (name: string, roles: unknown[]) => admin.command({ createUser: name, pwd: 'pass-word', roles });
    await user('shop-reader', [{ role: 'read', db: 'shop' }]);
    await user('monitor', ['clusterMonitor', 'readAnyDatabase']);
    await user('nobody', []);
    await admin.command({
      createRole: 'onlyFind',
      privileges: [{ resource: { db: 'shop', collection: 'threads' }, actions: ['find'] }],
      roles: [],
    });
    await user('finder', ['onlyFind']);
    await client.close();
  });
  afterAll(() => server.stop());

  it('lints the one database that the user may read, and says that there may be others', async () => {
    const { exitCode, report } = await lintJson([uriOf('shop-reader')]);
    expect(report.collections.map(({ namespace }) => namespace)).toEqual(['shop.threads']);
    expect(unbounded(report)).toEqual(['shop.threads posts']);
    expect(report.skipped.filter(({ check }) => check === '*')).toEqual([
      { check: '*', reason: 'privilege', detail: expect.stringContaining('listDatabases') },
    ]);
    expect(report.skipped).toContainEqual({
      check: 'collection-scan',
      reason: 'privilege',
      detail: expect.stringContaining('the profiler of shop'),
    });
    expect(exitCode).toBe(1);
  });

  it('is not strict about what it could not see, unless asked', async () => {
    const argv = [uriOf('shop-reader'), '--fail-on', 'never'];
    expect((await runCaptured(argv)).exitCode).toBe(0);
    expect((await runCaptured([...argv, '--strict'])).exitCode).toBe(3);
  });

  it('lints everything as clusterMonitor and readAnyDatabase', async () => {
    const { exitCode, report } = await lintJson([uriOf('monitor')]);
    expect(report.collections.map(({ namespace }) => namespace)).toEqual(['crm.leads', 'shop.threads']);
    // A standalone has no oplog, and documents that were just made tell nothing of growth.
    const others = report.skipped.filter(({ reason }) => reason !== 'unsupported');
    expect(others).toMatchObject([{ check: 'fast-growing-array', reason: 'insufficient', namespace: 'shop.threads' }]);
    expect(exitCode).toBe(1);
  });

  it('judges what a user can who may only find', async () => {
    const { report } = await lintJson([uriOf('finder')]);
    const reasons = report.skipped.map(({ check, reason }) => `${check} ${reason}`);
    expect(report.collections).toMatchObject([
      { namespace: 'shop.threads', documents: null, sampled: { documents: 200 } },
    ]);
    expect(reasons).toContain('* privilege');
    expect(reasons).toContain('bucket-candidate privilege');
    // Every document was read, so what is in them is judged without sizes.
    expect(reasons).not.toContain('oversized-document privilege');
    expect(report.skipped.map(({ detail }) => detail).join('\n')).toContain('collStats on shop.threads');
  });

  it('could not lint as a user without any privilege', async () => {
    const { exitCode, stdout, stderr } = await runCaptured([uriOf('nobody')]);
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^A password given as an argument[^\n]*\n[^\n]*read[^\n]*\n$/);
  });

  it('says that the password is wrong, without it', async () => {
    const { exitCode, stdout, stderr } = await runCaptured([], { MONGODB_URI: uriOf('monitor', 'wr0ng-password') });
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^Authentication failed on 127\.0\.0\.1:\d+: check user, password, authSource[^\n]*\n$/);
    expect(stderr).not.toContain('wr0ng');
  });

  it('says that the server wants a user', async () => {
    const { exitCode, stderr } = await runCaptured([], { MONGODB_URI: uriOf('x').replace('x:pass-word@', '') });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^[^\n]*authenti[^\n]*\n$/i);
  });

  it('warns of a password in an argument, and prints none in a trace', async () => {
    const { stderr } = await runCaptured([uriOf('monitor', 'wr0ng-password'), '--verbose']);
    expect(stderr).toContain('visible to other users');
    expect(stderr).toContain('    at ');
    expect(stderr).not.toContain('wr0ng');
    expect(stderr).not.toContain(ROOT_USER.password);
  });
});

describe('mongolint without a server', () => {
  let silent: Server;
  beforeAll(async () => {
    // Accepts connections and never answers: a server that hangs.
    silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void silent.close());

  it.each([
    [
      'nobody listening',
      ['mongodb://127.0.0.1:1/', '--timeout', '5000'],
      /^No usable server at 127\.0\.0\.1:1 within 5000 ms: .*ECONNREFUSED/,
    ],
    [
      'a name that does not resolve',
      ['mongodb://nowhere.invalid/', '--timeout', '500ms'],
      /^No usable server at nowhere\.invalid: no address is known for nowhere\.invalid:27017 /,
    ],
    ['an SRV name that does not resolve', ['mongodb+srv://nowhere.invalid/', '--timeout', '500ms'], /nowhere\.invalid/],
    ['not a URI', ['localhost'], /^This is not a MongoDB connection string\. Write it as .* lists the commands\.\n$/],
    ['another scheme', ['postgres://db'], /^This is not a MongoDB connection string: /],
    [
      'an unknown option in the URI',
      ['mongodb://localhost/?colour=red'],
      /^The connection string can't be used: .*colour/,
    ],
    ['a bad port', ['mongodb://localhost:99999'], /./],
  ])('one line and exit code 2: %s', async (_, argv, expected) => {
    const { exitCode, stdout, stderr } = await runCaptured(argv);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toMatch(expected);
  });

  it('gives up on a server that does not answer', async () => {
    const { port } = silent.address() as { port: number };
    const { exitCode, stderr } = await runCaptured([
      `mongodb://127.0.0.1:${port}/?directConnection=true`,
      '--timeout',
      '500ms',
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^No usable server at 127\.0\.0\.1:\d+ within 500 ms: [^\n]+\n$/);
  });

  it('says in three lines how to give a URI', async () => {
    const { exitCode, stdout, stderr } = await runCaptured([]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toHaveLength(3);
    expect(stderr).toContain('MONGODB_URI');
  });

  it.each([
    ['an unknown option', ['mongodb://localhost', '--colour', 'red']],
    ['an option of a later version', ['mongodb://localhost', '--no-such-thing']],
    ['an unknown format', ['mongodb://localhost', '--format', 'pdf']],
    ['two reports to stdout', ['mongodb://localhost', '--format', 'json', '--format', 'table']],
    ['a number that is none', ['mongodb://localhost', '--sample-size', 'many']],
    ['a number out of range', ['mongodb://localhost', '--concurrency', '0']],
    ['a severity that is none', ['mongodb://localhost', '--fail-on', 'fatal']],
    ['a glob that is none', ['mongodb://localhost', '--exclude', '[']],
    ['two URIs', ['mongodb://localhost', 'mongodb://otherhost']],
    ['an unknown check', ['explain', 'no-such-check']],
    ['an option of the lint run for the demo', ['demo', '--include', 'shop.*']],
    ['an option of the lint run for the catalogue', ['--strict', 'checks']],
  ])('refuses %s', async (_, argv) => {
    const { exitCode, stdout, stderr } = await runCaptured(argv);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).not.toBe('');
    expect(stderr).not.toContain('    at ');
  });

  it('says in one line which option has a broken glob, and what is wrong with it', async () => {
    const { stderr } = await runCaptured(['mongodb://localhost', '--exclude', '[']);
    expect(stderr).toBe(
      'error: option \'--exclude <glob>\': its value is invalid. The glob lacks a "]"; write "\\" before a bracket that stands for itself.\n',
    );
  });

  it('prints help in the columns that there are', async () => {
    const [narrow, wide] = await Promise.all(
      ['80', '160'].map(async (columns) => (await runCaptured(['--help'], { COLUMNS: columns })).stdout.split('\n')),
    );
    expect(Math.max(...(narrow ?? []).map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(narrow?.length).toBeGreaterThan(wide?.length ?? Infinity);
  });

  it('prints help and version and exits 0', async () => {
    expect(await runCaptured(['--help'])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Exit codes') });
    expect(await runCaptured(['--version'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });
});
