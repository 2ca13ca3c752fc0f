import { readdir } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LintError } from '../../../src/lint-error.js';
import { runCommand } from '../run-command.js';
import { temporaryFolder } from '../temporary-folder.js';
import { type EmbeddedServerOptions, startEmbeddedServer } from './embedded-server.js';
import { findMongod } from './find-mongod.js';
import { ownPort } from './own-port.js';

const ROOT_USER = { name: 'ad@', password: 'p:/ss?wörd' };
/** Code of the server's error Unauthorized. */
const UNAUTHORIZED = 13;

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

async function start(options: EmbeddedServerOptions = {}) {
  const server = await startEmbeddedServer(options);
  onTestFinished(() => server.stop());
  return server;
}

/** The code of the error with which a connection to a server fails; null where it is made. */
function connectionError(uri: string): Promise<string | null> {
  const { hostname, port } = new URL(uri);
  return new Promise((resolve) => {
    const socket = createConnection(Number(port), hostname);
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'));
    socket.once('connect', () => {
      socket.destroy();
      resolve(null);
    });
  });
}

/** Near the one that would have been next, and below those that systems give to whoever asks for any. */
function expectOwnPort(uri: string, before: number): void {
  expect(Math.abs(Number(new URL(uri).port) - before)).toBeLessThan(20);
  expect(before).toBeLessThan(32_748);
}

describe('startEmbeddedServer', () => {
  it('starts a replica set of one member, which takes writes with majority concern, on a port that no system gives to others', async () => {
    const before = ownPort();
    const server = await start();
    expectOwnPort(server.uri, before);
    expect(await runCommand(server.uri, { hello: 1 })).toMatchObject({
      isWritablePrimary: true,
      hosts: [expect.stringMatching(/^127\.0\.0\.1:/)],
    });
    expect((await runCommand(server.uri, { buildInfo: 1 }))['version']).toBe(server.version);
    const status = await runCommand(server.uri, { serverStatus: 1 });
    expect(status['storageEngine'].name).toBe('wiredTiger');
    expect(status['wiredTiger'].cache['maximum bytes configured']).toBe(1024 * 1024 * 1024);
  });

  it('starts a standalone of the binary and with the arguments that it is given, and writes nothing to the console', async () => {
    const mongod = await findMongod();
    // What it says is left alone.
    vi.stubEnv('MONGOMS_SYSTEM_BINARY', '/nowhere/mongod');
    const written = (['log', 'warn', 'error'] as const).map((method) => vi.spyOn(console, method));
    const before = ownPort();
    const { uri, version } = await start({
      mongod,
      replicaSet: false,
      args: ['--profile', '2', '--setParameter', 'cursorTimeoutMillis=12345'],
    });
    expectOwnPort(uri, before);
    const hello = await runCommand(uri, { hello: 1 });
    expect(hello).toMatchObject({ isWritablePrimary: true });
    expect(hello['setName']).toBeUndefined();
    expect(await runCommand(uri, { profile: -1 })).toMatchObject({ was: 2 });
    expect(await runCommand(uri, { getParameter: 1, cursorTimeoutMillis: 1 })).toMatchObject({
      cursorTimeoutMillis: 12_345,
    });
    expect(version).toBe(mongod.version);
    expect(process.env['MONGOMS_SYSTEM_BINARY']).toBe('/nowhere/mongod');
    for (const method of written) expect(method).not.toHaveBeenCalled();
  });

  it.each([{ replicaSet: true }, { replicaSet: false }])(
    'demands authentication with a root user, replica set $replicaSet',
    async (options) => {
      const { uri } = await start({ ...options, rootUser: ROOT_USER });
      expect(await runCommand(uri, { usersInfo: 1 })).toMatchObject({
        users: [{ user: ROOT_USER.name, roles: [{ role: 'root', db: 'admin' }] }],
      });
      const anonymous = uri.replace(/\/\/.*@/, '//').replace(/[?&]authSource=admin/, '');
      await expect(runCommand(anonymous, { listDatabases: 1 })).rejects.toMatchObject({ code: UNAUTHORIZED });
    },
  );

  it('listens on another port if that is taken', async () => {
    const taken = createServer();
    const port = ownPort() + 1;
    await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve));
    onTestFinished(() => void taken.close());
    const { uri } = await start({ replicaSet: false });
    expect(Number(new URL(uri).port)).not.toBe(port);
    expect(await runCommand(uri, { ping: 1 })).toMatchObject({ ok: 1 });
  });

  it.each([{}, { rootUser: ROOT_USER }])('leaves nothing behind when stopped, even twice: %o', async (options) => {
    const folder = await temporaryFolder();
    vi.stubEnv('TMPDIR', folder);
    const server = await startEmbeddedServer(options);
    expect(await readdir(folder)).not.toEqual([]);
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
    expect(await readdir(folder)).toEqual([]);
    expect(await connectionError(server.uri)).toBe('ECONNREFUSED');
  });

  it.each([{ replicaSet: true }, { replicaSet: true, rootUser: ROOT_USER }, { replicaSet: false }])(
    'that fails says why in one line, on the error alone, and leaves nothing behind: %o',
    async (options) => {
      const mongod = await findMongod();
      const folder = await temporaryFolder();
      vi.stubEnv('TMPDIR', folder);
      const written = (['log', 'warn', 'error'] as const).map((method) => vi.spyOn(console, method));
      const started = startEmbeddedServer({ ...options, mongod, args: ['--no-such-option'] });
      const error = await started.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(LintError);
      expect((error as Error).message).toMatch(
        /^MongoDB did not start: .+\. Set MONGOMS_SYSTEM_BINARY to the path of a mongod that runs here\.$/,
      );
      for (const method of written) expect(method).not.toHaveBeenCalled();
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it('that has no place for its data says so', async () => {
    const missing = `${await temporaryFolder()}/missing`;
    vi.stubEnv('TMPDIR', missing);
    const message = `No folder for MongoDB's data can be made in ${missing}: its folder does not exist.`;
    await expect(startEmbeddedServer()).rejects.toThrow(new LintError(message));
  });
});
