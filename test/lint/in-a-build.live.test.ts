/** docs/in-a-build.md as it is written, but without a container engine: its server options, files, commands and outcome. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Db } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createTemporaryFolder } from '../../src/demo/embedded-mongod/embedded-mongod.js';
import { packageRoot } from '../../src/files/package-root.js';
import { reportSchema, type Report } from '../../src/report/report.js';
import { runCaptured, type CapturedRun } from '../support/captured-io.js';
import { findMongod } from '../support/mongod/find-mongod.js';
import { startLoggingServer, type LoggingServer } from '../support/workload/logging-server.js';

/** What production holds in the page's example. */
const PRODUCTION_DOCUMENTS = 20_000;

const PAGE = readFileSync(join(packageRoot(), 'docs/in-a-build.md'), 'utf8');
const BLOCKS = [...PAGE.matchAll(/^```\w*\n(.*?)^```$/gms)].map(([, text = '']) => text);
/** The blocks that begin with the name of a file. */
const FILES = new Map(
  BLOCKS.flatMap((text) => {
    const [, name] = /^(?:\/\/|#) (\S+\.\w+)\n/.exec(text) ?? [];
    return name === undefined ? [] : [[name, text] as const];
  }),
);

function argumentsOf(command: string): string[] {
  const block = BLOCKS.find((text) => text.startsWith(`${command} `));
  if (block === undefined) throw new Error(`The page has no command ${command}.`);
  return block.trim().replaceAll("'", '').split(' ').slice(1);
}

/** The command of the page that collects, and the one that uses what it wrote. */
const COLLECT = 'mongolint collect';
const AT_PRODUCTION = 'mongolint --config mongolint.production.yaml';

/** The findings that the page's tables list, with expected sizes and with production's: severity, check, collection, path. */
const [TABLE = [], PRODUCTION_TABLE = []] = PAGE.split("## 5. Production's own sizes").map((text) =>
  [...text.matchAll(/^\| (error|warning|info) \| `(.+)` \| `(.+)` \| `(.+)` \|$/gm)].map(([, ...row]) => row),
);

const rows = ({ findings }: Report) =>
  findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ severity, check, namespace, path }) => [severity, check, namespace, path]);

/** Production, whose operations are recorded as those of the build are. */
async function plantProduction(shop: Db): Promise<void> {
  const numbers = Array.from({ length: PRODUCTION_DOCUMENTS }, (_, number) => number);
  await shop
    .collection<{ _id: number }>('orders')
    .insertMany(numbers.map((_id) => ({ _id, email: `user${_id}@example.com` })));
  await shop.collection('orders').createIndex({ email: 1 });
  await shop.collection('payments').insertMany(numbers.map((order) => ({ order, amount: 10 + (order % 50) })));
  await shop.collection('countries').insertMany(['CH', 'DE', 'FR'].map((code) => ({ code })));
}

describe('a build that follows docs/in-a-build.md', () => {
  let server: LoggingServer;
  let folder: string;
  let remove: (() => Promise<void>) | undefined;
  let env: Record<string, string>;

  const run = (file: string) =>
    promisify(execFile)(process.execPath, [file], { cwd: folder, env: { ...process.env, ...env } });
  const lint = async (command = 'mongolint') => {
    const { exitCode, stderr } = await runCaptured(argumentsOf(command), env, folder);
    expect(stderr).toMatch(exitCode === 0 ? /^$/ : /^[^\n]+\nSee mongolint\.json\.\n$/);
    return { exitCode, report: reportSchema.parse(JSON.parse(readFileSync(join(folder, 'mongolint.json'), 'utf8'))) };
  };

  beforeAll(async () => {
    const temporary = await createTemporaryFolder(tmpdir());
    folder = temporary.path;
    remove = () => temporary.remove();
    await symlink(join(packageRoot(), 'node_modules'), join(folder, 'node_modules'));
    for (const name of [
      'record-operations.mjs',
      'mongolint.config.yaml',
      'seed.mjs',
      'test.mjs',
      'fix.mjs',
      'mongolint.production.yaml',
    ])
      await writeFile(join(folder, name), FILES.get(name) ?? '');
    server = await startLoggingServer(await findMongod(), argumentsOf('mongod'));
    env = { MONGODB_URI: `${server.uri}shop_test` };
  });
  afterAll(async () => {
    await server?.stop();
    await remove?.();
  });

  it('records every operation, of databases that are created later too, and keeps enough of them', async () => {
    expect(await server.client.db('later').command({ profile: -1 })).toMatchObject({ was: 2, slowms: 0 });
    await run('seed.mjs');
    await run('record-operations.mjs');
    await run('test.mjs');
    const recorded = server.client.db('shop_test').collection('system.profile');
    expect(await recorded.countDocuments({ ns: { $in: ['shop_test.orders', 'shop_test.countries'] } })).toBe(30);
  });

  it('fails with the findings of the page, at the sizes that are expected', async () => {
    const { exitCode, report } = await lint();
    expect(exitCode).toBe(1);
    expect(TABLE).toHaveLength(2);
    expect(rows(report)).toEqual(TABLE);
    expect(report.findings[0]).toMatchObject({
      message: expect.stringContaining('60 documents here, 5,000,000 expected'),
      judgedAt: { documents: 5_000_000, from: 'expect' },
    });
    expect(report.skipped.filter(({ reason }) => reason === 'too-small')).toMatchObject([
      { check: 'collection-scan', namespace: 'shop_test.countries' },
    ]);
  });

  it('counts nothing that an earlier branch left in the log of the server', async () => {
    const payments = server.client.db('shop_test').collection('payments');
    for (let number = 0; number < 10; number += 1) await payments.findOne({ removedSince: number });
    await run('record-operations.mjs');
    await run('test.mjs');
    expect(rows((await lint()).report)).toEqual(TABLE);
  });

  it('passes with the indexes', async () => {
    await run('fix.mjs');
    expect(await lint()).toMatchObject({ exitCode: 0, report: { summary: { findings: { error: 0, warning: 0 } } } });
  });

  it('is told that everything is too small without expected sizes', async () => {
    const collections = server.client.db('shop_test');
    for (const name of ['orders', 'payments']) await collections.collection(name).dropIndexes();
    const { expect: _, ...config } = parse(FILES.get('mongolint.config.yaml') ?? '') as Record<string, unknown>;
    await writeFile(join(folder, 'mongolint.config.yaml'), JSON.stringify(config));
    const { exitCode, report } = await lint();
    expect([exitCode, rows(report)]).toEqual([0, []]);
    const tooSmall = report.skipped.filter(({ reason }) => reason === 'too-small');
    expect(tooSmall.map(({ check, namespace }) => `${check} ${namespace}`).sort()).toEqual([
      'collection-scan shop_test.countries',
      'collection-scan shop_test.orders',
      'missing-lookup-index shop_test.payments',
    ]);
  });

  describe('with evidence of production', () => {
    let production: LoggingServer;
    let collected: CapturedRun;

    beforeAll(async () => {
      production = await startLoggingServer(await findMongod(), argumentsOf('mongod'));
      const uri = { MONGODB_URI: `${production.uri}shop` };
      await plantProduction(production.client.db('shop'));
      await promisify(execFile)(process.execPath, ['test.mjs'], { cwd: folder, env: { ...process.env, ...uri } });
      collected = await runCaptured(argumentsOf(COLLECT), uri, folder);
    });
    afterAll(async () => {
      await production?.stop();
    });

    it("fails with the findings of the page, at production's sizes", async () => {
      expect(collected.exitCode).toBe(0);
      const { exitCode, report } = await lint(AT_PRODUCTION);
      expect(exitCode).toBe(1);
      expect(PRODUCTION_TABLE).toHaveLength(2);
      expect(rows(report)).toEqual(PRODUCTION_TABLE);
      for (const finding of report.findings.filter(({ severity }) => severity === 'warning'))
        expect(finding).toMatchObject({
          message: expect.stringContaining('60 documents here, 20,000 in production'),
          judgedAt: { documents: PRODUCTION_DOCUMENTS, from: 'production' },
        });
    });

    it('passes with the indexes', async () => {
      await run('fix.mjs');
      const { exitCode, report } = await lint(AT_PRODUCTION);
      expect([exitCode, rows(report)]).toEqual([0, []]);
    });
  });

  it('loses what was recorded with its database, but not from the log', async () => {
    const database = server.client.db('shop_test');
    await database.dropDatabase();
    expect(await database.collection('system.profile').countDocuments()).toBe(0);
    expect(readFileSync(server.logPath, 'utf8')).toContain('"find":"countries"');
  });
});

describe('the workflows of docs/in-a-build.md', () => {
  it.each(['.github/workflows/production-evidence.yml', 'production-evidence.gitlab-ci.yml'])(
    '%s collects as the page does',
    (name) => {
      const { parsed, text } = { parsed: parse(FILES.get(name) ?? '') as unknown, text: FILES.get(name) ?? '' };
      expect(parsed).toBeTypeOf('object');
      expect(text.replaceAll("'", '')).toContain(`npx mongolint ${argumentsOf(COLLECT).join(' ')}`);
    },
  );

  it('start the server with the options of the page', () => {
    const options = argumentsOf('mongod').join(' ');
    expect(FILES.get('.github/workflows/mongolint.yml')).toContain(`mongod ${options}`);
    const gitlab = parse(FILES.get('.gitlab-ci.yml') ?? '') as { mongolint: { services: { command: string[] }[] } };
    expect(gitlab.mongolint.services[0]?.command.join(' ')).toContain(`mongod ${options}`);
  });
});
