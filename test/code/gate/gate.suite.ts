/**
 * Pull requests of `service/`, each through a build as docs/in-a-build.md has it, on one server that stays up: ten with faults of
 * ten kinds, of which nine have to stop at their lines, and five harmless ones, which have to pass.
 */
import { execFile } from 'node:child_process';
import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ObjectId, type Db } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createTemporaryFolder } from '../../../src/demo/embedded-mongod/embedded-mongod.js';
import { packageRoot } from '../../../src/files/package-root.js';
import { reportSchema, type Report } from '../../../src/report/report.js';
import { runCaptured } from '../../support/captured-io.js';
import { findMongod } from '../../support/mongod/find-mongod.js';
import { startLoggingServer, type LoggingServer } from '../../support/workload/logging-server.js';
import { PULL_REQUESTS, type PullRequest } from './pull-requests.js';

const SERVICE = join(packageRoot(), 'test/code/service');
const DATABASE = 'shop_test';
const FIXTURES = 40;

const id = (number: number) => new ObjectId(number.toString(16).padStart(24, '0'));
const name = (number: number) => `name ${number.toString(36).padStart(5, '0')}`;
const timeOf = (number: number) => new Date(1_700_000_000_000 + number * 60_000);

async function seed(database: Db): Promise<void> {
  await database.dropDatabase();
  const insert = (collection: string, make: (number: number) => object, count = FIXTURES) =>
    database
      .collection(collection)
      .insertMany(Array.from({ length: count }, (_, number) => ({ _id: id(number), ...make(number) })));
  await insert('users', (number) => ({ name: name(number), email: `${number}@example.com` }));
  await insert('categories', (number) => ({ title: `category ${number}`, position: number }), 5);
  await insert('products', (number) => ({ title: name(number), category: id(number % 5), price: number, views: 0 }));
  await insert('orders', (number) => ({ customer: id(number % 20), at: timeOf(number), total: number % 90 }));
  await insert('invoices', (number) => ({ order: id(number), total: number % 90 }));
  await insert('payments', (number) => ({
    order: id(number),
    provider: 'card',
    at: timeOf(7 * number + 3),
    amount: 5,
  }));
  await insert('reviews', (number) => ({ product: id(number % 20), at: timeOf(number), text: name(number) }));
  await insert('votes', (number) => ({ review: id(number % 9), user: id(number), stars: number % 6 }));
}

async function fileOfPage(file: string): Promise<string> {
  const page = await readFile(join(packageRoot(), 'docs/in-a-build.md'), 'utf8');
  const [, text] = new RegExp(`^\`\`\`\\w*\\n((?://|#) ${file}\\n[^]*?)^\`\`\`$`, 'm').exec(page) ?? [];
  if (text === undefined) throw new Error(`The page has no ${file}.`);
  return text;
}

describe('the gate', () => {
  let server: LoggingServer;
  let folder: string;
  let remove: (() => Promise<void>) | undefined;
  const rows: string[] = [];

  beforeAll(async () => {
    const temporary = await createTemporaryFolder(tmpdir());
    folder = temporary.path;
    remove = () => temporary.remove();
    await symlink(join(packageRoot(), 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'record-operations.mjs'), await fileOfPage('record-operations.mjs'));
    server = await startLoggingServer(await findMongod(), ['--profile', '2', '--slowms', '0']);
  });
  afterAll(async () => {
    process.stdout.write(
      `\n| pull request | labelled | exit code | said |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`,
    );
    await server?.stop();
    await remove?.();
  });

  /** The build of a pull request: what its steps print and write. */
  async function built({ edits }: Pick<PullRequest, 'edits'>) {
    const own = join(folder, 'checkout');
    await rm(own, { recursive: true, force: true });
    await cp(SERVICE, own, { recursive: true });
    for (const [file, before, after] of edits) {
      const text = await readFile(join(own, file), 'utf8');
      if (text.split(before).length !== 2) throw new Error(`${file} has not once: ${before}`);
      await writeFile(
        join(own, file),
        text.replace(before, () => after),
      );
    }
    const config = parse(await fileOfPage('mongolint.config.yaml')) as Record<string, unknown>;
    await writeFile(join(own, 'mongolint.config.yaml'), JSON.stringify({ ...config, code: ['src', 'test'] }));
    await seed(server.client.db(DATABASE));
    const env = { MONGODB_URI: `${server.uri}${DATABASE}` };
    const node = (...given: readonly string[]) =>
      promisify(execFile)(process.execPath, given, { cwd: own, env: { ...process.env, ...env } });
    await node(join(folder, 'record-operations.mjs'));
    await node('test/endpoints.js', server.uri, DATABASE);
    const { exitCode, stderr } = await runCaptured(['--format', 'json=mongolint.json'], env, own);
    expect(stderr).toMatch(exitCode === 0 ? /^$/ : /^[^\n]+\nSee mongolint\.json\.\n$/);
    const report = reportSchema.parse(JSON.parse(await readFile(join(own, 'mongolint.json'), 'utf8')));
    const lineOf = async ({ file, line }: NonNullable<PullRequest['fault']>) => {
      const at = (await readFile(join(own, file), 'utf8')).split('\n').findIndex((each) => each.includes(line));
      return `${file}:${at + 1}`;
    };
    return { exitCode, findings: failing(report), lineOf };
  }

  it('lets the service pass as it is', async () => {
    const { exitCode, findings } = await built({ edits: [] });
    rows.push(`| none | | ${exitCode} | ${findings.join('; ')} |`);
    expect({ exitCode, findings }).toEqual({ exitCode: 0, findings: [] });
  });

  it.each(PULL_REQUESTS.map((each) => [each.name, each] as const))('%s', async (called, pullRequest) => {
    const { exitCode, findings, lineOf } = await built(pullRequest);
    const { fault } = pullRequest;
    const label = fault === undefined ? '' : `${fault.check} ${await lineOf(fault)}`;
    rows.push(`| ${called} | ${label} | ${exitCode} | ${findings.join('; ')} |`);
    const isStopped = fault !== undefined && fault.missed === undefined;
    expect({ exitCode, findings }).toEqual({ exitCode: Number(isStopped), findings: isStopped ? [label] : [] });
  });
});

/** From a warning on: the check and its certain line, or its namespace if no line is certain. */
function failing({ findings }: Report): readonly string[] {
  return findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ check, namespace, locations = [] }) => {
      const [first] = locations;
      return first?.certain === true ? `${check} ${first.file}:${first.line}` : `${check} of ${namespace}`;
    });
}
