import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { MongoClient, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FEW_OPEN_FILES, plantSmallCollections } from '../../bench/bench-data.js';
import { SUPERVISED_BY } from '../../src/cli/run-news.js';
import type { Report } from '../../src/report/report.js';
import { runBuilt } from '../support/faults/built-command.js';
import { expectFaultHandled } from '../support/faults/expect-fault-handled.js';
import { useFaultyShop } from '../support/faults/faulty-shop.js';
import { runLinter, SHORT_LIMITS } from '../support/faults/linter-process.js';
import { SENTINEL } from '../support/faults/shop.js';
import { startEmbeddedServer, type EmbeddedServer } from '../support/mongod/embedded-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';

// Item 9 of "Hostile input": what happens around a run. One after another: most change the server for all.
const faulty = useFaultyShop();
const admin = () => faulty.shop.client.db('admin');

describe('item 9: a server at its connection limit', () => {
  const LIMIT = 12;
  /** Connections that the test's client has at most: its pool of one, and those that watch the server, which come and go. */
  const OWN = 4;
  let server: EmbeddedServer;
  let client: MongoClient;
  beforeAll(async () => {
    server = await startEmbeddedServer({ replicaSet: false, args: ['--maxConns', String(LIMIT)] });
    client = await new MongoClient(server.uri, { maxPoolSize: 1 }).connect();
    await client
      .db('shop')
      .collection('threads')
      .insertMany(
        Array.from({ length: 100 }, (_, index) => ({
          posts: Array.from({ length: Math.ceil(3_000 / (index + 1)) }, () => 'x'),
        })),
      );
  });
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  it.each([0, 1, 3, 5])('that has room for %i more says so, or is linted', async (room) => {
    const { connections } = await client.db('admin').command({ serverStatus: 1 });
    const { current } = connections as { readonly current: number };
    const taken = Array.from({ length: LIMIT - current - room }, () => {
      const socket = connect(Number(new URL(server.uri).port), '127.0.0.1');
      return once(socket, 'connect').then(() => socket);
    });
    const sockets = await Promise.all(taken);
    const args = ['--fail-on', 'info'];
    const { code, stdout, stderr } = await runLinter({ uri: server.uri, limits: SHORT_LIMITS, args });
    for (const socket of sockets) socket.destroy();
    expect(stderr).toMatch(room === 0 ? /^No usable server at / : /^(?!.*a bug in mongolint)/s);
    // What it could not judge is no pass.
    const findings = stdout === '' ? 0 : (JSON.parse(stdout) as Report).findings.length;
    expect({ code, findings }).toEqual(code === 2 ? { code, findings } : { code: 1, findings: 1 });
    // Connections that were closed are counted for a while.
    await vi.waitUntil(
      async () => {
        const status = await client.db('admin').command({ serverStatus: 1 });
        return (status['connections'] as { readonly current: number }).current <= Math.max(current, OWN);
      },
      { timeout: 30_000, interval: 100 },
    );
  });
});

describe('item 9: an index build in progress', () => {
  it('is waited for by nobody', async () => {
    const building = await faulty.shop.client.db('admin').command({
      configureFailPoint: 'hangAfterStartingIndexBuild',
      mode: 'alwaysOn',
    });
    expect(building['ok']).toBe(1);
    const build = faulty.shop.client.db('shop').collection('orders').createIndex({ total: 1 });
    try {
      await faulty.lint({ exit: [1], keeps: ['shop.threads'], report: true });
    } finally {
      await admin().command({ configureFailPoint: 'hangAfterStartingIndexBuild', mode: 'off' });
      await build;
      await faulty.shop.client.db('shop').collection('orders').dropIndex('total_1');
    }
  });
});

describe('item 9: sustained writes', () => {
  it('cost no finding', async () => {
    const over = new AbortController();
    const orders = faulty.shop.client.db('shop').collection<Document>('written');
    const writing = (async () => {
      for (let number = 0; !over.signal.aborted; number += 1) {
        await orders.insertMany(Array.from({ length: 100 }, () => ({ number, text: SENTINEL })));
        await orders.updateMany({ number: number - 1 }, { $set: { text: `${SENTINEL} again` } });
        if (number % 20 === 0) await orders.deleteMany({});
      }
    })();
    try {
      await faulty.lint({ exit: [1], report: true });
    } finally {
      over.abort();
      await writing;
      await orders.drop();
    }
  });
});

describe('item 9: 5,000 collections, which take longer than --max-time', () => {
  const COLLECTIONS = 5_000;
  let server: EmbeddedServer;
  beforeAll(async () => {
    server = await startEmbeddedServer({ args: [FEW_OPEN_FILES] });
    const client = await MongoClient.connect(server.uri);
    await plantSmallCollections(client.db('many'), COLLECTIONS, 1);
    await client.close();
  }, 1_800_000);
  afterAll(() => server?.stop());

  it('are each read, or said to be unread once', async () => {
    const argv = [server.uri, '--include', 'many.*', '--max-time', '30s', '--format', 'json', '--no-config'];
    const limits = { maxTime: 30_000, timeout: 60_000 };
    const { code, stdout, stderr, wasKilled } = await runLinter({ uri: server.uri, argv, limits });
    expect({ wasKilled, stderr: stdout === '' ? stderr : '' }).toEqual({ wasKilled: false, stderr: '' });
    const { collections, skipped } = JSON.parse(stdout) as Report;
    const read = collections.filter(({ sampled }) => sampled?.documents === 1).length;
    const unread = skipped.filter(({ check, reason }) => check === '*' && reason === 'max-time');
    const counted = unread.reduce((sum, { count = 1 }) => sum + count, 0);
    // A fast machine reads them all.
    expect({ code, collections: collections.length, accounted: read + counted }).toEqual({
      code: read < COLLECTIONS ? 2 : 0,
      collections: COLLECTIONS,
      accounted: COLLECTIONS,
    });
    expect(stderr).not.toMatch(/bug in mongolint/);
  });
});

describe('item 9: two runs with one history and one baseline', () => {
  it('leave both files whole', async () => {
    const cwd = await temporaryFolder();
    const env = { MONGODB_URI: faulty.shop.uri };
    const argv = ['--history', 'history', '--baseline', 'baseline', '--update-baseline', '--format', 'json'];
    const runs = await Promise.all([1, 2].map(() => runBuilt(argv, { cwd, env })));
    for (const { code, stderr } of runs)
      expect([0, code === 2 && /is in use by another run/.test(stderr) ? 2 : 0]).toContain(code);
    expect(runs.some(({ code }) => code === 0)).toBe(true);
    expect((await readdir(cwd)).sort()).toEqual(['baseline', 'history', 'history.declared.jsonl']);
    const after = await runBuilt(
      argv.filter((argument) => argument !== '--update-baseline'),
      { cwd, env },
    );
    expect({ code: after.code, stderr: after.stderr }).toEqual({ code: 0, stderr: '' });
  });
});

/** A clock that goes back by a day, and on by a year, each time it is asked. */
const JUMPING = `data:text/javascript,${encodeURIComponent(`
const { now } = Date; const Real = Date; let asked = 0;
const jumped = () => now() + (asked++ % 2 === 0 ? -86_400_000 : 365 * 86_400_000);
globalThis.Date = class extends Real { constructor(...of) { super(...(of.length === 0 ? [jumped()] : of)); } static now() { return jumped(); } };`)}`;

describe('item 9: a clock that jumps', () => {
  it('does not end a run early or late, and loses no finding', async () => {
    const cwd = await temporaryFolder();
    const result = await runLinter({
      uri: faulty.shop.uri,
      cwd,
      env: { NODE_OPTIONS: `--import=${JUMPING}` },
      args: ['--history', 'history'],
    });
    expectFaultHandled(result, faulty.healthy, { exit: [1], keeps: ['shop.threads'], report: true });
  });
});

describe('item 9: a secret', () => {
  const secret = 'SENTINEL-secret';
  const aws = { AWS_ACCESS_KEY_ID: 'AKIAXXXXXXXXXXXXXXXX', AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: secret };
  it.each([
    `mongodb://127.0.0.1:1/?tls=true&tlsCertificateKeyFile=key.pem&tlsCertificateKeyFilePassword=${secret}`,
    `mongodb://AKIAXXXXXXXXXXXXXXXX:${secret}@127.0.0.1:1/?authMechanism=MONGODB-AWS&authMechanismProperties=AWS_SESSION_TOKEN:${secret}`,
    `mongodb://127.0.0.1:1/?proxyHost=127.0.0.1&proxyPort=1&proxyUsername=me&proxyPassword=${secret}`,
    `mongodb://127.0.0.1:1/?authMechanism=MONGODB-AWS&authMechanismProperties=AWS_SESSION_TOKEN:${secret},SERVICE_NAME`,
    // The driver takes it from the environment.
    'mongodb://127.0.0.1:1/?authMechanism=MONGODB-AWS',
    `mongodb://127.0.0.1:1/?tlsCertificateKeyFilePassword=${secret}&tlsCertificateKeyFilePassword=${secret}`,
  ])('is printed nowhere: %s', async (uri) => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'key.pem'), 'not a key');
    for (const argv of [['--verbose'], ['--print-config'], ['--format', 'json', '--format', 'html=report.html']]) {
      const { code, stdout, stderr } = await runBuilt([...argv, '--timeout', '500ms'], {
        cwd,
        env: { MONGODB_URI: uri, ...aws },
      });
      expect(stdout + stderr).not.toContain(secret);
      expect(code).toBe(argv[0] === '--print-config' ? code : 2);
    }
    for (const file of await readdir(cwd)) expect(await readFile(join(cwd, file), 'utf8')).not.toContain(secret);
  });
});

/** In the process that is watched, once it connects. */
function later(code: string): string {
  return `--import=data:text/javascript,${encodeURIComponent(`if (process.env.${SUPERVISED_BY}) setTimeout(() => { ${code} }, 1500);`)}`;
}

describe('item 9: a crash', () => {
  it.each([
    { how: 'of the process', options: later('process.abort()') },
    {
      how: 'because the heap is full',
      options: `--max-old-space-size=100 ${later("const all = []; for (;;) all.push([...'x'.repeat(1_000)]);")}`,
    },
  ])('$how leaves no dump of its own, and tells no secret', async ({ options }) => {
    const cwd = await temporaryFolder();
    // Its connection never becomes one.
    const uri = `mongodb://me:${SENTINEL}@10.255.255.1:1`;
    const env = { MONGODB_URI: uri, TMPDIR: cwd, NODE_OPTIONS: options };
    const { code, stdout, stderr } = await runBuilt(['--timeout', '60000'], { cwd, env, shell: 'ulimit -c 0' });
    expect({ code, findings: stdout.includes('findings') }).toEqual({ code: 2, findings: false });
    expect(stderr).toContain('because it used up its memory, or crashed (SIGABRT). Nothing was found until then.');
    expect(stdout + stderr).not.toContain(SENTINEL);
    expect(await readdir(cwd)).toEqual([]);
  });
});
