/** The answers of a real server as getMongoData.js writes them: their evidence is that of `collect`, as far as they go. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCaptured } from '../support/captured-io.js';
import { freshDatabase, sharedReplicaSetUri } from '../support/database.js';
import { getMongoDataSections, getMongoDataText, type AskedCollection } from '../support/getmongodata.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const MB = 1024 * 1024;
const ORDERS = 30_000;
const client = new MongoClient(sharedReplicaSetUri());
afterAll(() => client.close());

const byName = ({ value }: Document) => (value as Document[]).toSorted((a, b) => (a['name'] < b['name'] ? -1 : 1));
const usesOf = ({ indexUsage }: Document) =>
  Object.entries(indexUsage.value.nodes[0].indexes as Record<string, { accesses: number }>)
    .map(([index, { accesses }]) => [index, accesses])
    .toSorted();

const evidenceIn = async (folder: string, file: string): Promise<Record<string, Document>> => {
  const lines = (await readFile(join(folder, file), 'utf8')).trim().split('\n');
  const read = lines.map((line) => JSON.parse(line) as Document).filter(({ kind }) => kind === 'collection');
  return Object.fromEntries(read.map(({ collection, evidence }) => [collection.name, evidence as Document]));
};

describe('mongolint collect --from-getmongodata', () => {
  const database = freshDatabase(client);
  const name = database.databaseName;
  let text: string;

  async function asked(collection: string): Promise<AskedCollection> {
    const of = database.collection(collection);
    const pipeline = [
      { $indexStats: {} },
      {
        $group: {
          _id: '$key',
          stats: { $push: { accesses: '$accesses.ops', host: '$host', since: '$accesses.since' } },
        },
      },
      { $project: { key: '$_id', stats: 1, _id: 0 } },
    ];
    const uses = await of.aggregate<{ key: Document; stats: { since: Date }[] }>(pipeline).toArray();
    return {
      name: collection,
      statistics: await database.command({ collStats: collection, scale: MB }),
      indexes: await of.listIndexes().toArray(),
      uses: uses.map(({ key, stats }) => ({
        key,
        stats: stats.map((each) => ({ ...each, since: each.since.toUTCString() })),
      })),
    };
  }

  beforeAll(async () => {
    await database
      .collection('orders')
      .insertMany(
        Array.from({ length: ORDERS }, (_, number) => ({ number, secret: `hidden ${number}`, customer: number % 700 })),
      );
    await database.collection('orders').createIndexes([{ key: { customer: 1 } }, { key: { number: 1 }, unique: true }]);
    await database.collection('orders').find({ customer: 7 }).toArray();
    const fields = Array.from({ length: 52 }, (_, field) => ({ key: { [`field${field}`]: 1 } }));
    await database.collection('wide').createIndexes(fields);
    const hello = await client.db('admin').command({ hello: 1 });
    const databases = { [name]: [await asked('orders'), await asked('wide')] };
    const sections = getMongoDataSections({ version: '6.0.5', hello, databases });
    text = getMongoDataText(sections);
  });

  /** With the file. */
  async function folderWithFile(): Promise<string> {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'data.json'), text);
    await writeFile(join(folder, 'notes.txt'), 'Orders are slow.');
    return folder;
  }

  it('has the indexes, their uses and the counts that collect reads, and the same findings on them', async () => {
    const folder = await folderWithFile();
    const { exitCode, stdout, stderr } = await runCaptured(
      ['collect', '--from-getmongodata', 'data.json', '--output', 'file.evidence.jsonl'],
      {},
      folder,
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(stderr).toContain('Evidence of 2 collections is in file.evidence.jsonl');
    const read = await runCaptured(
      ['collect', sharedReplicaSetUri(), '--include', `${name}.*`, '--output', 'read.evidence.jsonl', '--quiet'],
      {},
      folder,
    );
    expect(read.exitCode).toBe(0);
    const [ofFile, ofServer] = [
      await evidenceIn(folder, 'file.evidence.jsonl'),
      await evidenceIn(folder, 'read.evidence.jsonl'),
    ];
    for (const collection of ['orders', 'wide']) {
      const [one, other] = [ofFile[collection]!, ofServer[collection]!];
      expect(byName(one['indexes'] as Document)).toEqual(byName(other['indexes'] as Document));
      expect(one['storage'].value.count).toBe(other['storage'].value.count);
      expect(usesOf(one)).toEqual(usesOf(other));
    }
    expect(ofFile['orders']!['storage'].value.size).toBe(
      Math.floor(ofServer['orders']!['storage'].value.size / MB) * MB,
    );
    expect(JSON.stringify(ofFile)).not.toContain('hidden 7');

    const argv = ['judge', 'file.evidence.jsonl', '--format', 'json', '--no-config'];
    const report = JSON.parse((await runCaptured(argv, {}, folder)).stdout) as {
      findings: Document[];
      skipped: Document[];
    };
    expect(report.findings).toMatchObject([
      { check: 'too-many-indexes', namespace: `${name}.wide`, severity: 'warning' },
    ]);
    const skipped = new Set(report.skipped.map(({ check }) => check as string));
    for (const check of ['unbounded-array', 'collection-scan', 'dangling-reference', 'redundant-index'])
      expect(skipped).toContain(check);
  });

  it('narrows to globs, and writes pseudonyms', async () => {
    const folder = await folderWithFile();
    const argv = [
      'collect',
      '--from-getmongodata',
      'data.json',
      '--output',
      'part.evidence.jsonl',
      '--include',
      '*.orders',
    ];
    const environment = { MONGOLINT_PSEUDONYMS_SECRET: 'a secret of some characters' };
    const { exitCode } = await runCaptured([...argv, '--pseudonyms', '--quiet'], environment, folder);
    expect(exitCode).toBe(0);
    const written = await readFile(join(folder, 'part.evidence.jsonl'), 'utf8');
    expect(written).not.toContain(name);
    expect(written).not.toContain('customer');
    expect(written.match(/^\{"kind":"collection"/gm)).toHaveLength(1);
  });

  it.each<[string, readonly string[], string]>([
    ['a file that is missing', ['--from-getmongodata', 'no.json'], 'There is no file '],
    ['a file of something else', ['--from-getmongodata', 'notes.txt'], "can't be used: it is no JSON, or was cut"],
    ['a folder', ['--from-getmongodata', '.'], "can't be used: it is a folder."],
    [
      'a connection string beside it',
      ['mongodb://x', '--from-getmongodata', 'data.json'],
      'leave out the connection string.',
    ],
    [
      'an option about a server',
      ['--from-getmongodata', 'data.json', '--deep'],
      '--from-getmongodata takes no option --deep.',
    ],
    ['globs without a match', ['--from-getmongodata', 'data.json', '--include', 'crm.*'], 'matches --include crm.*'],
  ])('refuses %s in one line', async (_, argv, line) => {
    const folder = await folderWithFile();
    const { exitCode, stdout, stderr } = await runCaptured(['collect', ...argv, '--output', 'x.jsonl'], {}, folder);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(line);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
