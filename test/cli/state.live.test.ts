/** `--state` on a real server of its own, beside the linted one. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient, type Document } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunTarget } from '../../src/cli/run-settings.js';
import { RunState } from '../../src/cli/state.js';
import type { Report } from '../../src/report/report.js';
import { runCaptured } from '../support/captured-io.js';
import { folderWith } from '../support/config-folder.js';
import { freshDatabase, sharedReplicaSetUri } from '../support/database.js';
import { runLinter } from '../support/faults/linter-process.js';
import { startHttpServer } from '../support/mongod/download-mirror.js';
import { findMongod } from '../support/mongod/find-mongod.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startLoggingServer, type LoggingServer } from '../support/workload/logging-server.js';

/** In bytes. Source: PATH_MAX of Linux and of macOS, less the end of a text. */
const LONGEST_PATH = process.platform === 'darwin' ? 1_023 : 4_095;

const client = new MongoClient(sharedReplicaSetUri());
afterAll(() => client.close());
const [one, other] = [freshDatabase(client), freshDatabase(client)];
let server: LoggingServer;
let state: string;

beforeAll(async () => {
  const deep = JSON.parse(`${'{"a":'.repeat(90)}1${'}'.repeat(90)}`) as Document;
  for (const database of [one, other]) await database.collection('deep').insertOne({ deep });
  server = await startLoggingServer(await findMongod(), []);
  state = `${server.uri}mongolint`;
});
afterAll(() => server?.stop());
beforeEach(async () => {
  // Other tests on this machine keep copies of their own.
  vi.stubEnv('TMPDIR', await temporaryFolder());
  await server.client.db('mongolint').dropDatabase();
});

afterEach(() => {
  vi.unstubAllEnvs();
});

const stored = () => server.client.db('mongolint').collection('state').find().sort({ kind: 1, line: 1 }).toArray();

const copies = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('mongolint-state-'));

async function lint(argv: readonly string[], database = one, env: Record<string, string> = {}) {
  const all = ['--include', `${database.databaseName}.*`, '--format', 'json', ...argv];
  return runCaptured(all, { MONGODB_URI: sharedReplicaSetUri(), MONGOLINT_STATE: state, ...env }, await folderWith({}));
}

describe('--state', () => {
  it('keeps the baseline and the history from run to run, with a schema, a TTL and an index', async () => {
    const first = await lint(['--update-baseline']);
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await stored()).map(({ kind }) => kind as string)).toEqual([
      'baseline',
      'declared',
      'declared',
      'history',
      'report',
      'run',
    ]);
    const second = await lint([]);
    expect(second.exitCode).toBe(0);
    expect(JSON.parse(second.stdout)).toMatchObject({ summary: { baseline: { new: 0, known: 1 } } });
    const collection = server.client.db('mongolint').collection('state');
    expect(await collection.indexes()).toMatchObject([
      { key: { _id: 1 } },
      { key: { kind: 1, target: 1 } },
      { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
    ]);
    await expect(collection.insertOne({ kind: 'other' })).rejects.toThrow('validation');
    const documents = await stored();
    const stay = documents.filter(({ expiresAt }) => expiresAt === undefined).map(({ kind }) => kind as string);
    expect(stay).toEqual(['baseline']);
    expect(await copies()).toEqual([]);
  });

  it('serves mongolint accept', async () => {
    await lint(['--update-baseline']);
    const entry = (await stored()).find(({ kind }) => kind === 'baseline');
    const { fingerprint } = JSON.parse(String(entry?.['line'])) as { fingerprint: string };
    const args = ['accept', fingerprint, '--until', '2999-12-31', '--reason', 'known', '--owner', 'ann'];
    expect(await runCaptured(args, { MONGOLINT_STATE: state }, await folderWith({}))).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(
        `^Accepted until 2999-12-31: ${fingerprint}, deep-nesting on .*, in the state\\.\n$`,
      ),
      stderr: '',
    });
    expect(JSON.parse((await lint([])).stdout)).toMatchObject({ summary: { baseline: { accepted: 1 } } });
  });

  it('keeps the last report of a job, for explain and accept; none of a run that shows values', async () => {
    const first = JSON.parse((await lint([])).stdout) as Report;
    const [{ fingerprint = '' } = {}] = first.findings;
    const env = { MONGOLINT_STATE: state };
    const explain = async () => runCaptured(['explain', fingerprint.slice(0, 7)], env, await folderWith({}));
    expect(await explain()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('ERROR  deep-nesting') });
    const terms = ['--until', '2999-12-31', '--reason', 'known', '--owner', 'ann'];
    const accept = ['accept', fingerprint.slice(0, 7), ...terms];
    expect(await runCaptured(accept, env, await folderWith({}))).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse((await lint([])).stdout)).toMatchObject({ summary: { baseline: { accepted: 1 } } });
    await lint(['--show-values']);
    expect((await explain()).exitCode).toBe(2);
  });

  it('compares what is declared with the run before, which another job may have been', async () => {
    await one.collection('deep').createIndex({ email: 1 });
    await lint([]);
    await one.collection('deep').dropIndex('email_1');
    expect(JSON.parse((await lint([])).stdout)).toMatchObject({
      drift: { differences: [{ name: 'email_1', in: 'old' }] },
    });
    expect(JSON.parse((await lint([])).stdout)).toMatchObject({ drift: { differences: [] } });
  });

  it('is safe with two jobs at once: each keeps what the other one wrote', async () => {
    const done = await Promise.all([lint(['--update-baseline']), lint(['--update-baseline'], other)]);
    expect(done.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    const lines = (await stored()).filter(({ kind }) => kind === 'baseline').map(({ line }) => String(line));
    for (const { databaseName } of [one, other]) expect(lines.join('\n')).toContain(databaseName);
  });

  it('is as it was after a job that was killed', async () => {
    await lint(['--update-baseline']);
    const kept = await stored();
    const { signal } = await runLinter({
      uri: sharedReplicaSetUri(),
      args: ['--update-baseline', '--include', `${other.databaseName}.*`],
      env: { MONGOLINT_STATE: state, TMPDIR: tmpdir() },
      // Once it has loaded the state, and has not written it back.
      meanwhile: async (linter) => {
        await expect.poll(copies, { interval: 5 }).toHaveLength(1);
        linter.kill('SIGKILL');
      },
    });
    expect(signal).toBe('SIGKILL');
    for (const name of await copies()) await rm(join(tmpdir(), name), { recursive: true });
    const after = await stored();
    const ids = new Set(after.map(({ _id }) => String(_id)));
    expect(kept.filter(({ _id }) => !ids.has(String(_id)))).toEqual([]);
    expect((await lint([])).exitCode).toBe(0);
  });

  it('that is not there ends the run before it lints', async () => {
    const gone = 'mongodb://lint:s3cret@127.0.0.1:1/mongolint';
    const done = await lint(['--timeout', '500'], one, { MONGOLINT_STATE: gone });
    expect(done).toMatchObject({ exitCode: 2, stdout: '' });
    expect(done.stderr).toMatch(/^No usable server at 127\.0\.0\.1:1 within 500 ms: /);
    expect(done.stderr).not.toContain('s3cret');
  });

  it('leaves no copy behind if they cannot all be written', async () => {
    // So deep that a folder can be made in it, and no file in that one.
    const length = LONGEST_PATH - '/mongolint-state-123456'.length;
    let deep = tmpdir();
    while (deep.length < length - 1) deep = join(deep, 'x'.repeat(Math.min(200, length - deep.length - 1)));
    await mkdir(deep, { recursive: true });
    vi.stubEnv('TMPDIR', deep);
    const done = await lint([]);
    expect(await copies()).toEqual([]);
    expect(done).toMatchObject({ exitCode: 2, stdout: '' });
    expect(done.stderr).toBe(`No copy of the state can be written to ${deep}: its name is too long.\n`);
  });

  it('is refused on a deployment that is linted, unless the user allows it', async () => {
    const own = new URL(sharedReplicaSetUri());
    own.pathname = `/${one.databaseName}_state`;
    const env = { MONGOLINT_STATE: own.href };
    const refused = await lint([], one, env);
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toBe(
      '--state is on a deployment that is linted: keep it elsewhere, or allow it with --state-on-linted.\n',
    );
    const allowed = await lint(['--state-on-linted', '--update-baseline'], one, env);
    await client.db(`${one.databaseName}_state`).dropDatabase();
    expect(allowed).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('takes the place of files', async () => {
    expect((await lint(['--baseline', 'b.jsonl'])).stderr).toBe(
      '--state keeps the baseline and the history: leave out --baseline and --history.\n',
    );
  });
});

/** A webhook that answers from its second message on. */
async function mutedWebhook() {
  const texts: string[] = [];
  const address = await startHttpServer((request, response) => {
    request.on('data', (chunk: Buffer) => texts.push((JSON.parse(chunk.toString()) as { text: string }).text));
    request.on('end', () => {
      if (texts.length > 1) response.end();
    });
  });
  return { texts, env: { MONGOLINT_NOTIFY: address } };
}

describe('news of jobs that share a state', () => {
  it('of two jobs at once is sent once, or the second message says that it may be one again', async () => {
    const texts: string[] = [];
    const address = await startHttpServer((request, response) => {
      request.on('data', (chunk: Buffer) => texts.push((JSON.parse(chunk.toString()) as { text: string }).text));
      request.on('end', () => response.end());
    });
    const env = { MONGOLINT_NOTIFY: address };
    await Promise.all([0, 1].map(() => lint(['--update-baseline'], one, env)));
    const news = texts.filter((text) => text.includes('1 new finding'));
    expect(news.filter((text) => !text.startsWith('(again, perhaps: '))).toHaveLength(1);
  });

  it('is marked by the job after one that was killed while it sent it', async () => {
    const { texts, env } = await mutedWebhook();
    const { signal } = await runLinter({
      uri: sharedReplicaSetUri(),
      args: ['--include', `${one.databaseName}.*`],
      env: { MONGOLINT_STATE: state, TMPDIR: tmpdir(), ...env },
      meanwhile: async (linter) => {
        await expect.poll(() => texts, { interval: 5, timeout: 60_000 }).toHaveLength(1);
        linter.kill('SIGKILL');
      },
    });
    expect(signal).toBe('SIGKILL');
    for (const name of await copies()) await rm(join(tmpdir(), name), { recursive: true });
    await lint([], one, env);
    expect(texts[1]).toMatch(/^\(again, perhaps: /);
    await lint([], one, env);
    // Without --update-baseline it is news of the next run, too.
    expect(texts[2]).toMatch(/^mongolint on /);
  });

  it('is not sent by a job that began before another one had sent it', async () => {
    const bounds = { timeout: 5_000, maxTime: 60_000, concurrency: 1 };
    const target = { uri: sharedReplicaSetUri() } as RunTarget;
    const open = () => RunState.open(state, [target], bounds, true);
    const [early, late] = [await open(), await open()];
    const id = early.idOf(null, 'news');
    expect(late.idOf(null, 'news')).toBe(id);
    expect(await early.claim(id)).toBe('new');
    expect(await late.claim(id)).toBe('begun');
    await early.settle(id, true);
    expect(await late.claim(id)).toBe('sent');
    expect([await early.close(), await late.close()]).toEqual([[], []]);
    const next = await open();
    expect(next.idOf(null, 'news')).not.toBe(id);
    await next.leave();
  });
});

describe('a state whose server goes away during the run', () => {
  it('fails the run, which has reported, and says where its files are', async () => {
    const away = await startLoggingServer(await findMongod(), []);
    const stopped = { done: false };
    const folder = await folderWith({
      'stop.mjs': `export default { meta: { name: 'stop', version: '1.0.0' }, formats: [{ name: 'it', description: 'x', extension: 'txt', render: () => globalThis.stopState() }] };`,
    });
    (globalThis as Record<string, unknown>)['stopState'] = async () => {
      await away.stop();
      stopped.done = true;
      return 'the report\n';
    };
    const argv = [
      '--include',
      `${one.databaseName}.*`,
      '--plugin',
      './stop.mjs',
      '--format',
      'stop/it',
      '--update-baseline',
    ];
    const env = { MONGODB_URI: sharedReplicaSetUri(), MONGOLINT_STATE: `${away.uri}mongolint` };
    const { exitCode, stdout, stderr } = await runCaptured([...argv, '--timeout', '2s'], env, folder);
    expect(stopped.done).toBe(true);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: 'the report\n' });
    const [, left = ''] =
      /^The report could not be kept in the state at \S+: .+\.\nThe state at \S+ could not be written: .+\. What this run kept is in (\S+)\.\n$/.exec(
        stderr,
      ) ?? [];
    expect((await readdir(left)).sort()).toEqual([
      'baseline.jsonl',
      'history-0.jsonl',
      'history-0.jsonl.declared.jsonl',
    ]);
    await rm(left, { recursive: true });
  });
});
