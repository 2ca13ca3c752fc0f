import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { MongoClient, type Document } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.js';
import { folderWith } from '../support/config-folder.js';
import { PATIENT, runBuilt, type BuiltCommandOptions } from '../support/faults/built-command.js';
import { useFaultyShop } from '../support/faults/faulty-shop.js';
import { startHttpServer } from '../support/mongod/download-mirror.js';
import { startEmbeddedServer, type EmbeddedServer } from '../support/mongod/embedded-server.js';
import { command } from '../support/wire/phases.js';
import { swallow } from '../support/wire/reply-treatments.js';
import { WireProxy } from '../support/wire/wire-proxy.js';

// Classes 4 and 5 of "Each input costs only itself", of what `--state` keeps.
const faulty = useFaultyShop();
let server: EmbeddedServer;
let client: MongoClient;
let state: string;
beforeAll(async () => {
  server = await startEmbeddedServer({ replicaSet: false });
  client = await new MongoClient(server.uri).connect();
  const uri = new URL(server.uri);
  uri.pathname = '/mongolint';
  state = uri.href;
});
afterAll(async () => {
  await client?.close();
  await server?.stop();
});
beforeEach(async () => void (await client.db('mongolint').dropDatabase()));

const collection = () => client.db('mongolint').collection<Document & { _id: string }>('state');
const stored = () => collection().find().sort({ _id: 1 }).toArray();

async function run(argv: readonly string[], options: Partial<BuiltCommandOptions> = {}) {
  const cwd = options.cwd ?? (await folderWith(PATIENT));
  const env = { MONGODB_URI: faulty.shop.uri, MONGOLINT_STATE: state, TMPDIR: cwd, ...options.env };
  const result = await runBuilt(argv, { ...options, cwd, env });
  // Whatever happens, no file of the state is left, and none is named.
  expect(result.stderr).not.toContain(cwd);
  expect((await readdir(cwd)).filter((name) => name.startsWith('mongolint-'))).toEqual([]);
  return result;
}

it('a state without a database is refused before anything is written: 2', async () => {
  const { code, stderr } = await run(['--update-baseline'], { env: { MONGOLINT_STATE: server.uri } });
  expect(code).toBe(2);
  expect(stderr).toMatch(/--state names no database/);
  const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
  expect(databases.map(({ name }) => name)).not.toContain('test');
});

describe('a state whose server stops answering ends the run within its timeouts, with 2', () => {
  it.each(['find', 'createIndexes', 'create', 'update'])('at %s', async (name) => {
    const proxy = await WireProxy.start({ uri: state, faults: [{ on: command(name), reply: swallow() }] });
    const { code, stderr, wasKilled } = await run(['--update-baseline', '--timeout', '15000'], {
      env: { MONGOLINT_STATE: proxy.uri },
    });
    await proxy.stop();
    expect({ code, wasKilled }).toEqual({ code: 2, wasKilled: false });
    expect(stderr).toMatch(/^The state at /m);
  });
});

const lineOf = (kind: string, text: unknown) => ({
  _id: `id-of-${kind}`,
  kind,
  target: '',
  line: text,
  savedAt: new Date(),
});
describe('a damaged state is left as it was, and the error has kind and id: 2', () => {
  it.each([
    ['baseline', '{"check":"x"}'],
    ['baseline', 'not JSON'],
    ['history', '{"schemaVersion":1}'],
    ['declared', '{"target":"","kind":"other"}'],
    ['declared', ']'],
    ['unsent', '{'],
  ])('%s: %s', async (kind, text) => {
    await run([]);
    await collection().insertOne(lineOf(kind, text));
    const before = await stored();
    const { code, stdout, stderr } = await run(['--update-baseline']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`${kind} id-of-${kind}`);
    expect(await stored()).toEqual(before);
  });

  it('a number in place of a text', async () => {
    await run([]);
    await collection().insertOne(lineOf('history', 5), { bypassDocumentValidation: true });
    const { code, stderr } = await run([]);
    expect(code).toBe(2);
    expect(stderr).toContain('history id-of-history');
  });

  it.each(['explain', 'accept'])('a report, of %s', async (name) => {
    const { stdout } = await run(['--format', 'json']);
    const [finding] = (JSON.parse(stdout) as Report).findings;
    const report = (await stored()).find(({ kind }) => kind === 'report');
    await collection().updateOne({ _id: report?._id as string }, { $set: { line: 'bm8gZ3ppcA==' } });
    const terms = name === 'accept' ? ['--until', '2999-12-31', '--reason', 'r', '--owner', 'o'] : [];
    const { code, stderr } = await run([name, finding?.fingerprint as string, ...terms]);
    expect(code).toBe(2);
    expect(stderr).toContain(`report ${report?._id}`);
    expect(stderr).not.toMatch(/bug/);
  });
});

/** A line of a history, with so many bytes that nobody knows. */
const nightOf = (bytes: number) =>
  JSON.stringify({ schemaVersion: 1, at: '2026-01-01T00:00:00.000Z', collections: [], pad: 'x'.repeat(bytes) });

const many = (count: number, of: (index: number) => Document) =>
  collection().insertMany(
    Array.from(
      { length: count },
      (_, index) =>
        ({ _id: `other-${index}`, kind: 'history', target: 'other', savedAt: new Date(), ...of(index) }) as never,
    ),
    { ordered: false },
  );

describe('a state that is large', () => {
  it('by lines of other targets is not loaded', async () => {
    await run([]);
    await many(150_000, () => ({ line: 'x' }));
    await many(0, () => ({})).catch(() => undefined);
    await collection().insertMany(
      Array.from(
        { length: 20 },
        (_, index) =>
          ({
            _id: `long-${index}`,
            kind: 'history',
            target: 'other',
            line: 'x'.repeat(10_000_000),
            savedAt: new Date(),
          }) as never,
      ),
    );
    const { code, stderr } = await run([]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  });

  it('by its own lines ends the run with 2, and says how many it may hold', async () => {
    await run([]);
    await collection().insertMany(
      Array.from(
        { length: 150_000 },
        (_, index) =>
          ({ _id: `own-${index}`, kind: 'history', target: '', line: nightOf(0), savedAt: new Date() }) as never,
      ),
    );
    const { code, stderr } = await run([]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/holds more than [\d,]+ lines/);
  });

  it('by bytes of its own ends the run with 2', async () => {
    await run([]);
    await collection().insertMany(
      Array.from(
        { length: 20 },
        (_, index) =>
          ({
            _id: `own-${index}`,
            kind: 'history',
            target: '',
            line: nightOf(10_000_000),
            savedAt: new Date(),
          }) as never,
      ),
    );
    const { code, stderr } = await run([]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/holds more than [\d,.]+ MB/);
  });
});

it('a run that fails writes nothing back', async () => {
  await run(['--update-baseline']);
  const before = await stored();
  expect((await run(['--update-baseline', '--include', 'nowhere.*'])).code).toBe(2);
  expect(
    (await run(['--update-baseline', '--timeout', '500ms'], { env: { MONGODB_URI: 'mongodb://127.0.0.1:1' } })).code,
  ).toBe(2);
  expect(await stored()).toEqual(before);
});

it('a server that goes away before the run has written: the report is there, and 2', async () => {
  const proxy = await WireProxy.start({ uri: state });
  const stop = { on: command('update'), before: () => proxy.shut() };
  proxy.faults = [stop];
  const { code, stdout, stderr } = await run(['--update-baseline', '--timeout', '15000', '--format', 'json'], {
    env: { MONGOLINT_STATE: proxy.uri },
  });
  await proxy.stop();
  expect(code).toBe(2);
  expect((JSON.parse(stdout) as Report).findings.length).toBeGreaterThan(0);
  expect(stderr).toMatch(/could not be written/);
});

it('six `accept` at once are six in the state', async () => {
  const { stdout } = await run(['--format', 'json']);
  const fingerprints = [
    ...new Set((JSON.parse(stdout) as Report).findings.map(({ fingerprint }) => fingerprint)),
  ].slice(0, 6);
  const done = await Promise.all(
    fingerprints.map((one) => run(['accept', one, '--until', '2999-12-31', '--reason', 'r', '--owner', 'o'])),
  );
  expect(done.map(({ code }) => code)).toEqual(fingerprints.map(() => 0));
  const lines = (await stored()).filter(({ kind }) => kind === 'baseline').map(({ line }) => String(line));
  expect(lines.filter((text) => text.includes('"accepted"'))).toHaveLength(fingerprints.length);
});

/** A webhook that takes what it is sent, or refuses it. */
async function webhook() {
  const hook = { texts: [] as string[], isUp: true, address: '' };
  hook.address = await startHttpServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (hook.isUp) hook.texts.push((JSON.parse(body) as { text: string }).text);
      response.writeHead(hook.isUp ? 200 : 503).end();
    });
  });
  return hook;
}

describe('a message', () => {
  it('of two jobs at once with the same news comes once', async () => {
    const hook = await webhook();
    const env = { MONGOLINT_NOTIFY: hook.address };
    await Promise.all([0, 1].map(() => run(['--update-baseline'], { env })));
    expect(hook.texts.filter((text) => !text.startsWith('('))).toHaveLength(1);
  });

  it('that was refused comes with the next run, marked, once', async () => {
    const hook = await webhook();
    const env = { MONGOLINT_NOTIFY: hook.address };
    hook.isUp = false;
    expect((await run(['--update-baseline'], { env })).stderr).toContain('HTTP 503');
    hook.isUp = true;
    await run([], { env });
    await run([], { env });
    expect(hook.texts.map((text) => text.slice(0, 4))).toEqual(['(of ']);
  });

  it('is sent after the state was written', async () => {
    let kinds: string[] = [];
    const address = await startHttpServer(async (_, response) => {
      kinds = (await stored()).map(({ kind }) => String(kind));
      response.end();
    });
    await run(['--update-baseline'], { env: { MONGOLINT_NOTIFY: address } });
    expect(kinds).toContain('baseline');
    expect(kinds).toContain('run');
  });
});

it('reports in the state are whole', async () => {
  await run([]);
  const report = (await stored()).find(({ kind }) => kind === 'report');
  expect(JSON.parse(gunzipSync(Buffer.from(String(report?.['line']), 'base64')).toString())).toHaveProperty('findings');
});

it('leaves nothing in the temporary folder', async () => {
  const cwd = await folderWith(PATIENT);
  await run(['--format', 'json=report.json'], { cwd });
  expect(await readdir(cwd)).toEqual([...Object.keys(PATIENT), 'report.json']);
  expect(JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8'))).toHaveProperty('findings');
});
