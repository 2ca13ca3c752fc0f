/**
 * A program's source beside the database that it works on, on a real server: which of its queries are reported though nobody
 * has sent them. The program itself does not run: a test sends the one query
 * that is recorded.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MongoClient } from 'mongodb';
import type { Log } from 'sarif';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.js';
import { runCaptured } from '../support/captured-io.js';
import { freshDatabase, sharedReplicaSetUri } from '../support/database.js';
import { switchProfilerOn } from '../support/profiled-workload.js';

const CHECK = 'unindexed-query';
const DOCUMENTS = 3_000;
const FEW = 60;

const DRIVER = `import { MongoClient } from 'mongodb';
const db = new MongoClient(process.env.URI).db();
`;
const FILE = 'src/shop.js';
const SOURCE = `${DRIVER}export const open = (status) => db.collection('orders').find({ status }).sort({ at: -1 }).limit(20).toArray();
export const howMany = (status) => db.collection('orders').countDocuments({ status });
export const last = () =>
  db
    .collection('orders')
    .find({ status: 'sent' })
    .sort({ at: -1 })
    .toArray();
export const oneOrder = (id) => db.collection('orders').findOne({ _id: id, status: 'open' });
export const ofCity = (city, name) => db.collection('customers').find({ city, name }).toArray();
export const setting = (name) => db.collection('settings').findOne({ name });
export const ofKind = (kind) => db.collection('events').find({ kind }).toArray();
export const session = (id) => db.collection('sessions').findOne({ _id: id });
export const absent = (status) => db.collection('missing').find({ status }).toArray();
`;
const TEST = `${DRIVER}export const clean = (note) => db.collection('orders').find({ note }).toArray();
`;
const lineOf = (text: string) => SOURCE.split('\n').findIndex((line) => line.includes(text)) + 1;
const [OPEN, HOW_MANY, LAST] = [lineOf('const open'), lineOf('const howMany'), lineOf(`.find({ status: 'sent' })`)];
const operationAt = (line: number | undefined) => ({ file: FILE, line, of: 'operation', certain: true });

const foundIn = ({ findings }: Report) =>
  findings.filter(({ check }) => check === CHECK).map(({ namespace, path }) => [namespace, path]);

const client = new MongoClient(sharedReplicaSetUri());
let folder: string;
const write = async (file: string, text: string) => {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), text);
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mongolint-unrecorded-'));
  await write('test/shop.test.js', TEST);
});
beforeEach(() => write(FILE, SOURCE));
afterAll(async () => {
  await client.close();
  await rm(folder, { recursive: true });
});

describe('queries of the source that nobody has sent', () => {
  const database = freshDatabase(client);
  const orders = `${database.databaseName}.orders`;

  beforeAll(async () => {
    const sizes = { orders: DOCUMENTS, customers: DOCUMENTS, events: DOCUMENTS, sessions: DOCUMENTS, settings: FEW };
    await database.createCollection('sessions', { clusteredIndex: { key: { _id: 1 }, unique: true } });
    for (const [name, size] of Object.entries(sizes))
      await database
        .collection<{ _id: number }>(name)
        .insertMany(
          Array.from({ length: size }, (_, number) => ({ _id: number, status: `status ${number % 9}`, at: number })),
        );
    await database.collection('customers').createIndex({ city: 1, at: 1 });
  });

  async function reported() {
    const target = [
      sharedReplicaSetUri(),
      '--include',
      `${database.databaseName}.*`,
      '--code',
      'src',
      '--code',
      'test',
    ];
    const formats = ['json', 'sarif', 'github'].flatMap((format) => ['--format', `${format}=${format}.out`]);
    const { stderr } = await runCaptured([...target, '--no-config', '--quiet', ...formats], {}, folder);
    expect(stderr).toBe('');
    const read = (format: string) => readFile(join(folder, `${format}.out`), 'utf8');
    return {
      report: JSON.parse(await read('json')) as Report,
      sarif: JSON.parse(await read('sarif')) as Log,
      github: await read('github'),
    };
  }

  it('are an info at their lines if no index begins with a field of theirs', async () => {
    const { report, sarif, github } = await reported();
    expect(report.code).toMatchObject({ unreadFiles: 0, places: 9, withCollection: 9, complete: 9 });
    const found = report.findings.filter(({ check, namespace }) => check === CHECK && namespace === orders);
    expect(found).toMatchObject([
      { severity: 'info', namespace: orders, path: 'at, status', evidence: { collectionDocuments: DOCUMENTS } },
      { severity: 'info', namespace: orders, path: 'status', evidence: { collectionDocuments: DOCUMENTS } },
    ]);
    expect(found.map(({ locations }) => locations)).toEqual([[OPEN, LAST].map(operationAt), [operationAt(HOW_MANY)]]);
    const results =
      sarif.runs[0]?.results?.filter(
        ({ ruleId, message }) => ruleId === CHECK && message.text?.startsWith(`${orders} `),
      ) ?? [];
    expect(results.map(({ locations }) => locations?.[0]?.physicalLocation)).toMatchObject([
      { artifactLocation: { uri: FILE }, region: { startLine: OPEN } },
      { artifactLocation: { uri: FILE }, region: { startLine: HOW_MANY } },
    ]);
    // Of those with an index, those of others, and those of tests: none.
    expect(new Set(foundIn(report).map(([namespace]) => namespace))).toEqual(
      new Set([orders, `${database.databaseName}.events`]),
    );
    for (const line of [OPEN, HOW_MANY])
      expect(github).toMatch(new RegExp(`^::notice title=[^\\n]*,file=${FILE},line=${line}::`, 'm'));
  });

  it('are too small to tell on a small collection', async () => {
    const { report } = await reported();
    expect(report.skipped.filter(({ check }) => check === CHECK)).toEqual([
      {
        check: CHECK,
        namespace: `${database.databaseName}.settings`,
        reason: 'too-small',
        detail: expect.stringContaining(`In the source, ${FILE}:${lineOf('const setting')} searches`) as string,
      },
    ]);
  });

  it('give way to what is recorded of them, with its cost', async () => {
    const events = `${database.databaseName}.events`;
    expect(foundIn((await reported()).report)).toContainEqual([events, 'kind']);
    await switchProfilerOn(database);
    for (let kind = 0; kind < 20; kind += 1) await database.collection('events').find({ kind }).toArray();
    await database.command({ profile: 0 });
    const { findings } = (await reported()).report;
    expect(findings.filter(({ namespace }) => namespace === events)).toMatchObject([
      { check: 'collection-scan', locations: [operationAt(lineOf('const ofKind'))] },
    ]);
  });

  it('are nothing once an index begins with a field of theirs, and come back without it', async () => {
    const before = foundIn((await reported()).report);
    const name = await database.collection('orders').createIndex({ status: 1, at: -1 });
    const indexed = (await reported()).report;
    expect(foundIn(indexed).filter(([namespace]) => namespace === orders)).toEqual([]);
    expect(indexed.checks).toContainEqual(expect.objectContaining({ check: CHECK, judged: 1 }));
    await database.collection('orders').dropIndex(name);
    expect(foundIn((await reported()).report)).toEqual(before);
    await database.collection('orders').createIndex({ at: 1 });
    expect(foundIn((await reported()).report).filter(([namespace]) => namespace === orders)).toEqual([
      [orders, 'status'],
    ]);
  });

  it('are suppressed by a comment at their line', async () => {
    await write(FILE, SOURCE.replace('export const howMany', `// mongolint-ignore ${CHECK}: for administrators\n$&`));
    const { report } = await reported();
    const suppressed = report.findings.filter(({ suppressed: by }) => by !== undefined);
    expect(suppressed).toMatchObject([{ check: CHECK, path: 'status', suppressed: { reason: 'for administrators' } }]);
  });
});
