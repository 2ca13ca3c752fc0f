/** `--state` on a real server of its own, beside the linted one. */
import { type Document } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunTarget } from '../../src/cli/run-settings.js';
import { RunState } from '../../src/cli/state.js';
import type { Message } from '../../src/cli/unsent-messages.js';
import type { Report } from '../../src/report/report.js';
import { runCaptured } from '../support/captured-io.js';
import { folderWith } from '../support/config-folder.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { runLinter } from '../support/faults/linter-process.js';
import { startHttpServer } from '../support/mongod/download-mirror.js';
import { findMongod } from '../support/mongod/find-mongod.js';
import { startLoggingServer, type LoggingServer } from '../support/workload/logging-server.js';

const BOUNDS = { timeout: 5_000, maxTime: 60_000, concurrency: 1 };

const client = sharedClient();
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
beforeEach(async () => void (await server.client.db('mongolint').dropDatabase()));

const stored = () => server.client.db('mongolint').collection('state').find().sort({ kind: 1, line: 1 }).toArray();

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
    const plugin = `export default { meta: { name: 'end', version: '1.0.0' }, formats: [{ name: 'it', description: 'x', extension: 'txt', render: () => process.kill(process.pid, 'SIGKILL') }] };`;
    const cwd = await folderWith({ 'end.mjs': plugin });
    const { code } = await runLinter({
      uri: sharedReplicaSetUri(),
      args: [
        '--update-baseline',
        '--include',
        `${other.databaseName}.*`,
        '--plugin',
        './end.mjs',
        '--format',
        'end/it=x',
      ],
      env: { MONGOLINT_STATE: state },
      cwd,
    });
    expect(code).toBe(2);
    expect(await stored()).toEqual(kept);
  });

  it('that is damaged ends the run before it lints, and is left as it is', async () => {
    await lint(['--update-baseline']);
    const collection = server.client.db('mongolint').collection<Document & { _id: string }>('state');
    await collection.insertOne({ _id: 'mine', kind: 'history', target: '', line: '{"at":1}', savedAt: new Date() });
    const kept = await stored();
    const { exitCode, stdout, stderr } = await lint(['--update-baseline']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^The state at \S+ is damaged, or of a newer mongolint: history mine\. Remove it: /);
    expect(await stored()).toEqual(kept);
  });

  it('that names no database is refused, and nothing is written', async () => {
    const { exitCode, stderr } = await lint([], one, { MONGOLINT_STATE: server.uri });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^--state names no database/);
    const { databases } = await server.client.db('admin').admin().listDatabases({ nameOnly: true });
    expect(databases.map(({ name }) => name)).not.toContain('test');
  });

  it('is not left by what it holds of other targets', async () => {
    await lint(['--update-baseline']);
    const collection = server.client.db('mongolint').collection<Document & { _id: string }>('state');
    await collection.insertOne({ _id: 'theirs', kind: 'history', target: 'other', line: '?', savedAt: new Date() });
    expect((await lint([])).exitCode).toBe(0);
    expect((await stored()).map(({ _id }) => String(_id))).toContain('theirs');
  });

  it('keeps what was accepted while a run was under way', async () => {
    await lint(['--update-baseline']);
    const entry = (await stored()).find(({ kind }) => kind === 'baseline');
    const { fingerprint } = JSON.parse(String(entry?.['line'])) as { fingerprint: string };
    const args = ['accept', fingerprint, '--until', '2999-12-31', '--reason', 'known', '--owner', 'ann'];
    const early = await RunState.open(state, [{ uri: sharedReplicaSetUri() } as RunTarget], BOUNDS);
    expect((await runCaptured(args, { MONGOLINT_STATE: state }, await folderWith({}))).exitCode).toBe(0);
    await early.baseline.change((now) => (now ?? '').replace('"severity":"error"', '"severity":"warning"'));
    await early.save();
    await early.close();
    const lines = (await stored()).filter(({ kind }) => kind === 'baseline').map(({ line }) => String(line));
    expect(lines).toEqual([expect.stringMatching(/"severity":"warning".*"owner":"ann"/)]);
  });

  it('that is not there ends the run before it lints', async () => {
    const gone = 'mongodb://lint:s3cret@127.0.0.1:1/mongolint';
    const done = await lint(['--timeout', '500ms'], one, { MONGOLINT_STATE: gone });
    expect(done).toMatchObject({ exitCode: 2, stdout: '' });
    expect(done.stderr).toMatch(/^No usable server at 127\.0\.0\.1:1 within 500 ms: /);
    expect(done.stderr).not.toContain('s3cret');
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

async function webhook() {
  const hook = { isUp: true };
  const texts: string[] = [];
  const address = await startHttpServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (hook.isUp) texts.push((JSON.parse(body) as { text: string }).text);
      response.writeHead(hook.isUp ? 200 : 503).end();
    });
  });
  return { texts, hook, env: { MONGOLINT_NOTIFY: address } };
}

describe('news of jobs that share a state', () => {
  it('of two jobs at once comes once', async () => {
    const { texts, env } = await webhook();
    await Promise.all([0, 1].map(() => lint(['--update-baseline'], one, env)));
    expect(texts.filter((text) => text.includes('1 new finding') && !text.startsWith('('))).toHaveLength(1);
  });

  it('that a webhook refused is sent by the next job, marked, and once', async () => {
    const { texts, hook, env } = await webhook();
    hook.isUp = false;
    expect((await lint(['--update-baseline'], one, env)).stderr).toContain(
      'HTTP 503. It will be sent with the next run.',
    );
    hook.isUp = true;
    await lint([], one, env);
    await lint([], one, env);
    expect(texts.map((text) => text.slice(0, 6))).toEqual(['(from ']);
    expect((await stored()).map(({ kind }) => String(kind))).not.toContain('unsent');
  });

  it('is kept, and sent, by the first of two jobs that began at once', async () => {
    const target = { uri: sharedReplicaSetUri() } as RunTarget;
    const open = () => RunState.open(state, [target], BOUNDS);
    const [early, late] = [await open(), await open()];
    const news = [{ at: new Date().toISOString(), text: 'news' }];
    const [message] = await early.unsent.keep(news);
    expect(await late.unsent.keep(news)).toEqual([]);
    await early.save();
    await early.unsent.settle(message as Message);
    expect(await late.unsent.keep(news)).toEqual([]);
    await early.close();
    await late.close();
    const next = await open();
    expect(await next.unsent.waiting()).toEqual([]);
    // Of another night, the same is news.
    expect(await next.unsent.keep(news)).toHaveLength(1);
    await next.close();
  });
});

describe('a state whose server goes away during the run', () => {
  it('fails the run, which has reported', async () => {
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
    expect(stderr).toMatch(
      /^The report could not be kept in the state at \S+: .+\.\nThe state at \S+ could not be written: .+\.\n$/,
    );
  });
});
