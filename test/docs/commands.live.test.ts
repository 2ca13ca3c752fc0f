/**
 * Every command that README, docs/ and the pages of checks print, run as printed by bash, page by page. Connection strings are
 * replaced by those of real servers. What needs npm, Docker, Kubernetes, systemd, mongosh, a release or the token of a build's
 * host is not run: its options of mongolint are looked up. The commands of docs/in-a-build.md run in
 * test/lint/in-a-build.live.test.ts.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.js';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import { packageRoot } from '../../src/files/package-root.js';
import { runCaptured } from '../support/captured-io.js';
import { folderWith } from '../support/config-folder.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { findMongod } from '../support/mongod/find-mongod.js';
import { filesBelow } from '../support/texts.js';
import { startLoggingServer, type LoggingServer } from '../support/workload/logging-server.js';

const run = promisify(execFile);

interface Page {
  readonly page: string;
  readonly lines: readonly string[];
}

const PAGES: readonly Page[] = ['README.md', ...filesBelow('docs', '.md'), ...filesBelow('checks', '.md')]
  .map((page) => ({ page, lines: linesOf(page) }))
  .filter(({ lines }) => lines.length > 0);

/** Its commands run elsewhere, with the files that it shows. */
const BUILD_PAGE = 'docs/in-a-build.md';

/** What a line that is not run begins with, in one of its parts, or what makes it so. */
const NOT_RUN =
  /^(?:npm|docker|kubectl|curl|chmod|install|cp|systemctl|journalctl|mongod|mongosh)\b|^mongolint comment\b/;

const isRun = (line: string) => !partsOf(line).some((part) => NOT_RUN.test(part));

const program = createProgram(
  { stdout: { write: () => true }, stderr: { write: () => true }, env: {}, cwd: () => '.' },
  () => {},
);

function blocksOf(page: string): { language: string; text: string }[] {
  const markdown = readFileSync(join(packageRoot(), page), 'utf8');
  return Array.from(markdown.matchAll(/^```(\w*)\n([^]*?)^```$/gm), ([, language = '', text = '']) => ({
    language,
    text,
  }));
}

function linesOf(page: string): string[] {
  return blocksOf(page)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.split('\n').filter((line) => line !== ''));
}

/** The commands of a line, without comments. */
function partsOf(line: string): string[] {
  return line
    .replace(/\s+#.*$/, '')
    .split(/&&|;/)
    .map((part) => part.trim());
}

/** The options in what follows the name of mongolint that neither it nor its command has. */
function unknownOptions(part: string): string[] {
  const [, rest] = /(?:^|\s)(?:\.\/)?mongolint (.+)$/.exec(part) ?? [];
  if (rest === undefined) return [];
  const command = program.commands.find((each) => each.name() === rest.split(' ')[0]) ?? program;
  const known = new Set(['--help', ...[program, command].flatMap(({ options }) => options.map(({ long }) => long))]);
  return (rest.match(/(?<=\s|^)--[a-z-]+/g) ?? []).filter((option) => !known.has(option));
}

describe.each(PAGES)('the commands of $page', ({ lines }) => {
  it('have options that mongolint has', () => {
    expect(lines.flatMap(partsOf).flatMap(unknownOptions)).toEqual([]);
  });
});

it('stand in blocks of the shell, on every page', () => {
  const elsewhere = ['README.md', ...filesBelow('docs', '.md'), ...filesBelow('checks', '.md')].flatMap((page) =>
    blocksOf(page)
      .filter(({ language }) => language !== 'sh')
      .flatMap(({ text }) => text.match(/^(?:mongolint|npm|npx|docker|kubectl) .*$/gm) ?? []),
  );
  expect(elsewhere).toEqual([]);
});

it('docs/in-a-build.md has those that its own test runs', () => {
  const lines = PAGES.find(({ page }) => page === BUILD_PAGE)?.lines ?? [];
  expect(lines.filter(isRun).map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
    'mongolint --format json=mongolint.json',
    'mongolint collect --include',
    'mongolint --config mongolint.production.yaml',
  ]);
});

async function installExamplePlugin(folder: string): Promise<void> {
  const plugin = join(folder, 'node_modules', 'mongolint-plugin-money');
  await cp(join(packageRoot(), 'examples', 'plugin-money'), plugin, { recursive: true });
  await run(process.execPath, [join(packageRoot(), 'node_modules', 'typescript', 'bin', 'tsc'), '-p', plugin]);
}

const SOURCE = `import { MongoClient } from 'mongodb';
const client = new MongoClient(process.env.MONGODB_URI);
const orders = client.db('shop').collection('orders');
await orders.findOne({ email: 'a@example.com' });
await client.close();
`;

const REPOSITORY =
  'git init --quiet --initial-branch main && git -c user.name=ann -c user.email=ann@example.com commit --quiet --allow-empty --message begin';

/** Sends the call to the process of the tests, which loads the code once. */
const COMMAND = `#!${process.execPath}
const { request } = require('node:http');
const [, , ...argv] = process.argv;
const sent = request({ port: process.env.DOCS_PORT, method: 'POST' }, async (answer) => {
  let text = '';
  for await (const part of answer) text += part;
  const { exitCode, stdout, stderr } = JSON.parse(text);
  process.stderr.write(stderr);
  process.stdout.write(stdout);
  process.exitCode = exitCode;
});
sent.end(JSON.stringify({ argv, env: process.env, cwd: process.cwd() }));
`;

describe('as they are printed', () => {
  const client = sharedClient();
  const state = freshDatabase(client);
  let server: LoggingServer;
  let scratch: LoggingServer;
  let host: Server;
  let evidence: readonly Buffer[];
  let staging: Buffer;
  let report: string;

  beforeAll(async () => {
    const mongod = await findMongod();
    [server, scratch] = await Promise.all([startLoggingServer(mongod), startLoggingServer(mongod)]);
    await plantShop();
    host = createServer(async (request, answer) => {
      let text = '';
      for await (const part of request) text += String(part);
      const { argv, env, cwd } = JSON.parse(text) as { argv: string[]; env: Record<string, string>; cwd: string };
      answer.end(JSON.stringify(await runCaptured(argv, env, cwd)));
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    const folder = await folderWith({}, (remove) => afterAll(remove as () => Promise<void>));
    const env = { MONGODB_URI: server.uri };
    // Not among what the commands lint.
    const stagingShop = server.client.db('shop_staging');
    await stagingShop.collection('orders').insertOne({ email: 'a@example.com' });
    await runCaptured(['collect', '--include', 'shop_staging.*', '--output', 'staging.jsonl.gz'], env, folder);
    staging = await readFile(join(folder, 'staging.jsonl.gz'));
    await stagingShop.dropDatabase();
    for (const name of ['older', 'newer']) await runCaptured(['collect', '--output', `${name}.jsonl.gz`], env, folder);
    evidence = await Promise.all(['older', 'newer'].map((name) => readFile(join(folder, `${name}.jsonl.gz`))));
    ({ stdout: report } = await runCaptured(['--format', 'json'], env, folder));
  });
  // Of tests at once, each would remove the folder of another one that ends later.
  const removals: (() => unknown)[] = [];
  afterAll(async () => {
    host?.close();
    await Promise.all([server?.stop(), scratch?.stop(), ...removals.map((remove) => remove())]);
  });

  async function plantShop(): Promise<void> {
    const shop = server.client.db('shop');
    const numbers = Array.from({ length: 1_200 }, (_, number) => number);
    await shop.collection<{ _id: number }>('orders').insertMany(
      numbers.map((_id) => ({
        _id,
        customer: _id % 300,
        email: `user${_id}@example.com`,
        createdAt: new Date(1_700_000_000_000 + _id * 60_000),
      })),
    );
    await shop.collection('payments').insertMany(numbers.map((order) => ({ order, amount: order % 50 })));
    await recordOperations(shop, async () => {
      for (const _id of numbers.slice(0, 5))
        await shop
          .collection<{ _id: number }>('orders')
          .aggregate([
            { $match: { _id } },
            { $lookup: { from: 'payments', localField: '_id', foreignField: 'order', as: 'payments' } },
          ])
          .toArray();
    });
  }

  /** A folder with the files that commands of a page name and do not write themselves. */
  async function folderOf(page: string): Promise<string> {
    const files = {
      'bin/mongolint': COMMAND,
      'bin/package.json': '{ "type": "commonjs" }',
      'package.json': '{ "type": "module" }',
      'src/orders.js': SOURCE,
      'test.js': SOURCE,
      'before.json': report,
      'after.json': report,
      'mongod.log': await readFile(server.logPath, 'utf8'),
    };
    const folder = await folderWith(files, (remove) => void removals.push(remove as () => Promise<void>));
    await run('chmod', ['+x', join(folder, 'bin', 'mongolint')]);
    await mkdir(join(folder, 'logs'));
    await writeFile(join(folder, 'logs', 'older.gz'), gzipSync(await readFile(server.logPath)));
    await mkdir(join(folder, 'node_modules'));
    await symlink(packageRoot(), join(folder, 'node_modules', 'mongolint'));
    await symlink(join(packageRoot(), 'node_modules', 'mongodb'), join(folder, 'node_modules', 'mongodb'));
    const [older, newer] = evidence as [Buffer, Buffer];
    await writeFile(join(folder, 'staging.evidence.jsonl.gz'), staging);
    for (const name of ['shop-1', 'march', 'release-41'])
      await writeFile(join(folder, `${name}.evidence.jsonl.gz`), older);
    for (const name of ['shop-2', 'april', 'production', 'release-42'])
      await writeFile(join(folder, `${name}.evidence.jsonl.gz`), newer);
    if (page === 'docs/configuration.md') await installExamplePlugin(folder);
    if (page === 'docs/code.md') await run('bash', ['-c', REPOSITORY], { cwd: folder });
    return folder;
  }

  /** The line with real servers in place of those that it names. */
  function withServers(line: string): string {
    return line.replaceAll(/mongodb:\/\/[^'"\s]+/g, (uri) => {
      if (uri.includes('tools.example.com')) return sharedReplicaSetUri().replace('/?', `/${state.databaseName}?`);
      return uri.includes(':27018') ? scratch.uri : server.uri;
    });
  }

  async function runLine(line: string, exports: readonly string[], folder: string) {
    const env = {
      PATH: `${join(folder, 'bin')}${delimiter}${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
      HOME: folder,
      TMPDIR: folder,
      MONGODB_URI: server.uri,
      SCHEMA_DATABASE: server.uri,
      DOCS_PORT: String((host.address() as AddressInfo).port),
    };
    const script = ['set -o pipefail', ...exports, withServers(line)].join('\n');
    const done = await run('bash', ['-c', script], { cwd: folder, env, maxBuffer: 1e8 }).catch(
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
    return { line, exitCode: 'code' in done ? done.code : 0, stderr: done.stderr };
  }

  it.concurrent.each(PAGES.filter(({ page }) => page !== BUILD_PAGE))(
    'those of $page succeed',
    async ({ page, lines }) => {
      const folder = await folderOf(page);
      const exports: string[] = [];
      for (const line of lines.filter(isRun)) {
        if (line.startsWith('export ')) exports.push(withServers(line));
        const { exitCode, stderr } = await runLine(line, exports, folder);
        // 1: there are findings.
        expect([0, 1], `${line}\n${stderr}`).toContain(exitCode);
      }
    },
  );
});
