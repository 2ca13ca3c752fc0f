/**
 * A service that is driven on a real server with the profiler on, as tests of a build would, and five pull requests: each
 * finding is at the line of its fault. Judged without a server, the source alone shows the join.
 */
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MongoClient, ObjectId, type Db } from 'mongodb';
import type { Log } from 'sarif';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.js';
import { runCaptured } from '../support/captured-io.js';
import { faultOf, PULL_REQUESTS, SERVICE } from '../support/code/service.js';
import { freshDatabase, sharedReplicaSetUri } from '../support/database.js';
import { switchProfilerOn } from '../support/profiled-workload.js';

type Files = Readonly<Record<string, string>>;
/** The modules of the service as they are imported from a folder that is made here. */
type Store = Readonly<Record<string, (...given: unknown[]) => Promise<unknown>>>;

const DOCUMENTS = 12_000;
const POSTS = 30;
const VOTERS = 120;
/** Few posts have most of the comments. */
const commentsOf = (post: number) => 10 + post * post;

const uri = sharedReplicaSetUri();
const client = new MongoClient(uri);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mongolint-service-'));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  await client.close();
  await rm(folder, { recursive: true });
});

async function written(name: string, files: Files): Promise<string> {
  const own = join(folder, name.replaceAll(' ', '-'));
  for (const [file, text] of Object.entries({ ...files, 'package.json': '{ "type": "module" }' })) {
    await mkdir(dirname(join(own, file)), { recursive: true });
    await writeFile(join(own, file), text);
  }
  return own;
}

const names = (number: number) => `name ${number.toString(36).padStart(6, '0')}`;

async function plant(database: Db): Promise<void> {
  const numbers = Array.from({ length: DOCUMENTS }, (_, number) => number);
  const insert = (collection: string, documents: object[]) => database.collection(collection).insertMany(documents);
  await insert(
    'users',
    numbers.map((number) => ({ _id: number, name: names(number) }) as object),
  );
  await insert(
    'orders',
    numbers.map((number) => ({ _id: number, customer: number % 3_000, at: new Date(number * 60_000) })),
  );
  await insert(
    'invoices',
    numbers.map((order) => ({ order, total: order % 90 })),
  );
  await insert(
    'payments',
    numbers.map((order) => ({ order, amount: order % 70 })),
  );
  await insert(
    'posts',
    Array.from({ length: POSTS }, (_, number) => ({ _id: number, title: names(number), reads: 0 })),
  );
  await insert('comments', [{ post: 0, text: 'first' }]);
}

/** Every endpoint, as tests of the service would call it. */
async function drive(own: string, database: Db): Promise<void> {
  const load = async (file: string) => (await import(pathToFileURL(join(own, file)).href)) as Store;
  const service = await load('src/database.js');
  await service['connect']?.(uri, database.databaseName);
  const [users, orders, posts] = [
    await load('src/stores/users.js'),
    await load('src/stores/orders.js'),
    await load('src/stores/posts.js'),
  ];
  for (const store of [users, orders, posts]) await store['createIndexes']?.();
  await switchProfilerOn(database);
  for (let number = 0; number < 20; number += 1) {
    await users['one']?.(number);
    await users['search']?.('name 0009b');
    await orders['one']?.(number);
    await orders['ofCustomer']?.(number);
    await orders['withInvoices']?.(number);
    await posts['one']?.(number % POSTS);
    await posts['read']?.(number % POSTS);
  }
  await database.command({ profile: 0 });
  for (let post = 0; post < POSTS; post += 1) {
    const comments = Array.from({ length: commentsOf(post) }, (_, number) => `comment ${number}`);
    await Promise.all(comments.map((text) => posts['comment']?.(post, text)));
    const voters = Array.from({ length: VOTERS }, () => new ObjectId().toHexString());
    await Promise.all(voters.map((voter) => posts['vote']?.(post, voter)));
  }
  await service['close']?.();
}

/** What a run writes of the service in a folder. */
async function reported(own: string, command: readonly string[]) {
  const formats = ['json', 'sarif', 'github'].flatMap((format) => ['--format', `${format}=${format}.out`]);
  const run = await runCaptured(
    [...command, '--code', 'src', '--code', 'test', '--no-config', '--quiet', ...formats],
    {},
    own,
  );
  expect(run.stderr).toBe('');
  const read = (format: string) => readFile(join(own, `${format}.out`), 'utf8');
  return {
    report: JSON.parse(await read('json')) as Report,
    sarif: JSON.parse(await read('sarif')) as Log,
    github: await read('github'),
  };
}

const severe = ({ findings }: Report) =>
  findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ check, namespace, path }) => `${check} ${namespace} ${path}`);

describe('a service', () => {
  const production = freshDatabase(client);
  let evidence: string;

  beforeAll(async () => {
    await plant(production);
    const own = await written('as it is', SERVICE);
    await drive(own, production);
    evidence = join(folder, 'production.evidence.jsonl');
    const { exitCode, stderr } = await runCaptured(
      ['collect', uri, '--include', `${production.databaseName}.*`, '--output', evidence, '--quiet'],
      {},
      own,
    );
    if (exitCode !== 0 || stderr !== '') throw new Error(`Production could not be collected: ${stderr}`);
  });

  it('that is well designed has no finding above info, and each of its places is understood', async () => {
    const { report } = await reported(join(folder, 'as-it-is'), ['judge', evidence]);
    expect(severe(report)).toEqual([]);
    expect(report.code).toMatchObject({ unreadFiles: 0, places: 9, withCollection: 9, complete: 9 });
  });

  describe.each(Object.entries(PULL_REQUESTS))('with %s', (name, { change, check, of, isInSource }) => {
    const database = freshDatabase(client);
    const files = change(SERVICE);
    const { file, line } = faultOf(files);
    let own: string;
    beforeAll(async () => (own = await written(name, files)));

    it('gets its finding at the line of the fault, from the profile of its tests', async () => {
      await plant(database);
      await drive(own, database);
      const { report, sarif, github } = await reported(own, [uri, '--include', `${database.databaseName}.*`]);
      const found = report.findings.find((finding) => finding.check === check);
      expect(found?.locations ?? []).toContainEqual({ file, line, of, certain: true });
      const result = sarif.runs[0]?.results?.find(({ ruleId }) => ruleId === check);
      expect(result?.locations?.[0]?.physicalLocation).toMatchObject({
        artifactLocation: { uri: file },
        region: { startLine: line },
      });
      expect(github).toMatch(new RegExp(`^::(error|warning|notice) title=[^\\n]*,file=${file},line=${line}::`, 'm'));
    });

    it(`is ${isInSource ? 'seen' : 'not seen'} by the source and the evidence of production alone`, async () => {
      const { report } = await reported(own, ['judge', evidence]);
      const found = report.findings.find((finding) => finding.check === check);
      expect(found?.locations?.[0]).toEqual(isInSource ? { file, line, of, certain: true } : undefined);
      expect(found?.message.includes('No recording') ?? false).toBe(isInSource);
    });
  });
});
