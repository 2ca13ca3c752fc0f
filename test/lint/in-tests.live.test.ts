/**
 * The recipes for test suites in docs/in-a-build.md as they stand there: they pass, and fail without their index. mongodb-memory-server is stood
 * in for by its core package, which is given a mongod in place of a download.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLinter, toHaveNoFindings } from '../../src/cli/create-linter.js';
import { createTemporaryFolder } from '../../src/demo/embedded-mongod/embedded-mongod.js';
import { packageRoot } from '../../src/files/package-root.js';
import { runCaptured } from '../support/captured-io.js';
import { findMongod } from '../support/mongod/find-mongod.js';
import { startLoggingServer, type LoggingServer } from '../support/workload/logging-server.js';

const PAGE = readFileSync(join(packageRoot(), 'docs/in-a-build.md'), 'utf8');
/** The blocks by the names of files with which they begin. */
const FILES = Array.from(
  PAGE.matchAll(/^```\w*\n(?:\/\/|#) ([\w-][\w.-]*\.\w+)\n(.*?)^```$/gms),
  ([, name = '', text = '']) => ({
    name,
    text,
  }),
);
const INDEX = /^.*create_?[iI]ndex\(.*\n/m;

const from = (name: string) => join(packageRoot(), 'node_modules', name);

let folder: string;
let remove: () => Promise<void>;
let server: LoggingServer;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  ({ path: folder, remove } = await createTemporaryFolder(tmpdir()));
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '.bin'), { recursive: true });
  for (const name of ['mongodb', 'vitest']) await symlink(from(name), join(modules, name));
  await symlink(from('mongodb-memory-server-core'), join(modules, 'mongodb-memory-server'));
  await symlink(packageRoot(), join(modules, 'mongolint'));
  await writeFile(
    join(modules, '.bin', 'mongolint'),
    `#!/bin/sh\nexec ${process.execPath} ${join(packageRoot(), 'dist/bundle/cli.js')} "$@"\n`,
    { mode: 0o755 },
  );
  for (const { name, text } of FILES) await writeFile(join(folder, name), text);
  const mongod = await findMongod();
  server = await startLoggingServer(mongod, ['--profile', '2', '--slowms', '0']);
  env = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    MONGOMS_SYSTEM_BINARY: mongod.path,
    MONGOMS_SYSTEM_BINARY_VERSION_CHECK: 'false',
    MONGODB_URI: server.uri,
  };
  const pip = ['-m', 'pip', 'install', '--quiet', '--target', join(folder, 'python'), 'pytest', 'pymongo'];
  await promisify(execFile)('python3', pip);
});
afterAll(async () => {
  await server?.stop();
  await remove?.();
});

async function run(command: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const options = { cwd: folder, env: { ...env, PYTHONPATH: join(folder, 'python') } };
  const done = await promisify(execFile)(command, args, options).catch(
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  return { code: 'code' in done ? done.code : 0, output: `${done.stdout}${done.stderr}` };
}

describe.each([
  ['orders.test.mjs', process.execPath, ['node_modules/vitest/vitest.mjs', 'run', 'orders.test.mjs']],
  ['payments.test.mjs', process.execPath, ['--test', 'payments.test.mjs']],
  ['test_shop.py', 'python3', ['-m', 'pytest', '-p', 'no:cacheprovider', 'test_shop.py']],
])('the recipe %s', (name, command, args) => {
  const text = FILES.find((file) => file.name === name)?.text ?? '';

  it('passes as it is written', async () => {
    const { code, output } = await run(command, ...args);
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  });

  it('fails without its index, and names the finding', async () => {
    expect(text).toMatch(INDEX);
    await server.client.db('shop_test_main').dropDatabase();
    await writeFile(join(folder, name), text.replace(INDEX, ''));
    const { code, output } = await run(command, ...args);
    expect(code).not.toBe(0);
    expect(output).toMatch(/error: shop_test_\w+\.orders (?:missing index )?email_1: .*collection-scan/);
  });
});

describe('at the sizes of production', () => {
  it('a * maps the database of a worker, one at a time', async () => {
    const production = server.client.db('shop').collection('orders');
    await production.insertMany(
      Array.from({ length: 20_000 }, (_, number) => ({ email: `user${number}@example.com` })),
    );
    await production.createIndex({ email: 1 });
    const collect = ['collect', '--include', 'shop.*', '--output', 'production.evidence.jsonl.gz', '--no-config'];
    expect(await runCaptured(collect, { MONGODB_URI: server.uri }, folder)).toMatchObject({ exitCode: 0 });
    const lint = await createLinter({ cwd: folder, config: 'mongolint.production.yaml' });
    const client = await new MongoClient(server.uri).connect();
    try {
      for (const worker of ['shop_test_1', 'shop_test_2']) {
        await client.db(worker).collection('orders').insertOne({ email: 'a' });
        await client.db(worker).collection('orders').createIndex({ email: 1 });
      }
      const report = await lint(server.uri, { include: ['shop_test_2.*'] });
      expect(report.production).toMatchObject({ collections: 1 });
      expect(toHaveNoFindings(report)).toMatchObject({ pass: true });
      await client.db('shop_test_2').collection('orders').dropIndex('email_1');
      await expect(lint(server.uri, { include: ['shop_test_*.*'], exclude: ['shop_test_main.*'] })).rejects.toThrow(
        'map: shop_test_1 and shop_test_2 are both shop in production: lint one at a time.',
      );
    } finally {
      await client.close();
    }
  });
});
