import { readFile, readdir, writeFile } from 'node:fs/promises';
/**
 * The server for agents, asked by the client of the official SDK over stdio, as built and on a real server; its figures are
 * compared with those of explain() on that server.
 */
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type Document } from 'mongodb';
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { packageInfo, packageRoot } from '../../src/files/package-root.js';
import type { Report } from '../../src/report/report.js';
import { runCaptured } from '../support/captured-io.js';
import { folderWith } from '../support/config-folder.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';

const client = sharedClient();
const database = freshDatabase(client);
const NAMESPACE = `${database.databaseName}.orders`;
const SECRET = 's3cret';
const HOSTILE = 'x"); db.dropDatabase(); ("';
const DOCUMENTS = 4_000;

beforeAll(async () => {
  await database.collection('orders').insertMany(
    Array.from({ length: DOCUMENTS }, (_, number): Document => ({
      _id: number,
      customer: number % 400,
      status: 'SECRETVALUE',
      total: number,
      tags: Array.from({ length: number === 7 ? 3_000 : 2 }, (__, index) => `SECRETVALUE${index}`),
    })),
  );
  await database.collection('orders').createIndex({ customer: 1 });
  await database.collection(HOSTILE).insertOne({ deep: JSON.parse(`${'{"a":'.repeat(90)}1${'}'.repeat(90)}`) });
});

const CONFIG = `targets:
  - alias: shop
    uri: \${SHOP_URI}
    include: ['${database.databaseName}.*']
  - alias: gone
    uri: mongodb://lint:${SECRET}@127.0.0.1:1/
    timeout: 500
history: lengths.jsonl
showValues: true
formats: ['json=written.json']
`;

interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

let said = '';
afterEach(() => {
  const told = [SECRET, 'SECRETVALUE'].filter((secret) => said.includes(secret));
  said = '';
  if (told.length > 0) throw new Error(`It told ${told.join(' and ')}.`);
});

async function served(files: readonly string[] = [], config = CONFIG) {
  const folder = await folderWith({ 'mongolint.config.yaml': config });
  for (const file of files) await writeFile(join(folder, file), await readFile(join(evidenceFolder, file)));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(packageRoot(), 'dist/bundle/cli.js'), 'mcp', ...files],
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', SHOP_URI: sharedReplicaSetUri() },
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (data: Buffer) => (said += data.toString()));
  const agent = new Client({ name: 'test', version: '1.0.0' });
  await agent.connect(transport);
  onTestFinished(() => agent.close());
  const call = async (name: string, given: object = {}): Promise<Answer> => {
    const answer = await agent.callTool({ name, arguments: { ...given } }, undefined, { timeout: 200_000 });
    const [{ text }] = answer.content as [{ text: string }];
    said += text;
    return { text, isError: answer.isError === true };
  };
  const asked = async (name: string, given: object = {}) => {
    const { text, isError } = await call(name, given);
    expect({ isError, text: isError ? text : '' }).toEqual({ isError: false, text: '' });
    return JSON.parse(text) as never;
  };
  return { agent, folder, call, asked };
}

let evidenceFolder: string;
beforeAll(async () => {
  const { createTemporaryFolder } = await import('../../src/demo/embedded-mongod/embedded-mongod.js');
  const { tmpdir } = await import('node:os');
  const folder = await createTemporaryFolder(tmpdir());
  evidenceFolder = folder.path;
  const argv = ['collect', sharedReplicaSetUri(), '--include', `${database.databaseName}.*`, '--no-config'];
  for (const name of ['old.jsonl.gz', 'new.jsonl.gz']) {
    if (name === 'new.jsonl.gz') await database.collection('orders').createIndex({ total: 1 });
    const { exitCode, stderr } = await runCaptured([...argv, '--output', join(folder.path, name)]);
    if (exitCode !== 0) throw new Error(stderr);
  }
  await database.collection('orders').dropIndex('total_1');
  return () => folder.remove();
});

interface Line {
  readonly fingerprint: string;
  readonly check: string;
  readonly place: string;
}
interface Listed {
  readonly total: number;
  readonly next?: number;
  readonly items: readonly Line[];
}

describe('mongolint mcp', () => {
  it('tells what it is, and offers only what there is to ask', async () => {
    const { agent } = await served();
    expect(agent.getServerVersion()).toMatchObject(packageInfo());
    const { tools } = await agent.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['lint', 'findings', 'explain', 'top_shapes']);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    expect(tools[0]?.inputSchema.properties).toMatchObject({ target: { enum: ['shop', 'gone'] } });
  });

  it('lints a target by its name, lists findings by page, and explains one; it writes nothing', async () => {
    const { agent, folder, asked, call } = await served();
    expect(await call('findings', { of: 'shop' })).toEqual({
      isError: true,
      text: 'shop has not been linted in this session: call lint first.',
    });
    const summary = await asked('lint', { target: 'shop' });
    expect(summary).toMatchObject({ server: { topology: 'replicaSet' }, collections: 2, documentsSampled: 1_001 });
    const all: Line[] = [];
    const totals = new Set<number>();
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const { items, total, next }: Listed = await asked('findings', { of: 'shop', limit: 1, offset });
      expect(items).toHaveLength(1);
      all.push(...items);
      totals.add(total);
      offset = next;
    }
    expect([...totals]).toEqual([all.length]);
    expect(new Set(all.map(({ fingerprint }) => fingerprint)).size).toBe(all.length);
    const nested = all.find(({ check }) => check === 'deep-nesting');
    expect(nested?.place).toContain(HOSTILE);
    // As reports print it.
    const explained = await asked('explain', { of: 'shop', fingerprint: nested?.fingerprint.slice(0, 7) });
    expect(explained).toMatchObject({
      check: 'deep-nesting',
      severity: 'error',
      steps: expect.arrayContaining([{ text: expect.stringContaining('deep.a') }]),
    });
    expect(await asked('findings', { of: 'shop', check: 'deep-nesting', severity: 'info' })).toMatchObject({
      total: 0,
    });
    expect(await asked('top_shapes', { of: 'shop' })).toMatchObject({ total: expect.any(Number) });
    expect(await readdir(folder)).toEqual(['mongolint.config.yaml']);
    const { resources } = await agent.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('mongolint://checks/deep-nesting');
    const { contents } = await agent.readResource({ uri: 'mongolint://checks/deep-nesting' });
    expect(contents).toMatchObject([{ text: expect.stringMatching(/^# /) }]);
    expect(await asked('explain', { check: 'deep-nesting' })).toMatchObject({
      page: (contents[0] as Document)['text'],
    });
  });

  it('takes no connection string and no file from the client, and tells no password', async () => {
    const { agent, call } = await served();
    for (const target of [`mongodb://lint:${SECRET}@127.0.0.1:1/`, '/etc/passwd', 'constructor']) {
      for (const [name, given] of [
        ['lint', { target }],
        ['findings', { of: target }],
      ] as const)
        // The SDK names the value that its schema refuses.
        expect(await agent.callTool({ name, arguments: given })).toMatchObject({ isError: true });
    }
    expect(await call('lint', { target: 'gone' })).toEqual({
      isError: true,
      text: expect.stringMatching(/^gone: No usable server at 127\.0\.0\.1:1 within 500 ms: /),
    });
    await expect(agent.readResource({ uri: 'mongolint://checks/../../package' })).rejects.toThrow('no page');
    expect(await call('explain', { check: '../README' })).toMatchObject({ isError: true });
  });

  it('judges files of evidence and compares them, without any target', async () => {
    const { asked } = await served(['old.jsonl.gz', 'new.jsonl.gz'], 'checks: {}\n');
    expect(await asked('findings', { of: 'old.jsonl.gz', limit: 50 })).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ check: 'deep-nesting' })]),
    });
    expect(await asked('compare', { old: 'old.jsonl.gz', new: 'new.jsonl.gz', limit: 50 })).toMatchObject({
      changes: {
        items: expect.arrayContaining([
          expect.objectContaining({ change: 'differs', subject: 'index', namespace: NAMESPACE }),
        ]),
      },
    });
  });

  it('refuses a report with values of documents', async () => {
    const { folder } = await served();
    const argv = [sharedReplicaSetUri(), '--include', `${database.databaseName}.*`, '--no-config', '--format', 'json'];
    const report = JSON.parse((await runCaptured(argv)).stdout) as Report;
    const [first, ...others] = report.findings;
    expect(first).toBeDefined();
    const withIds = { ...first, evidence: { ...first?.evidence, ids: ['"a"'] } };
    await writeFile(join(folder, 'saved.json'), JSON.stringify(report));
    await writeFile(join(folder, 'values.json'), JSON.stringify({ ...report, findings: [withIds, ...others] }));
    for (const name of ['saved.json', 'values.json'])
      await writeFile(join(evidenceFolder, name), await readFile(join(folder, name)));
    const { call } = await served(['saved.json', 'values.json'], 'checks: {}\n');
    expect(await call('findings', { of: 'saved.json' })).toMatchObject({ isError: false });
    expect(await call('findings', { of: 'values.json' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('--show-values'),
    });
  });

  it('says in a sentence what is missing', async () => {
    expect(await runCaptured(['mcp'], {}, await folderWith({}))).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(/^mongolint needs a connection string\./),
    });
    expect(await runCaptured(['mcp', 'none.jsonl'], {}, await folderWith({}))).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: "none.jsonl can't be read: there is no such file.\n",
    });
  });
});

function lookupBy(foreignField: string): Document {
  return { $lookup: { from: 'orders', localField: 'total', foreignField, as: 'others' } };
}

/** What the server itself says of a query, by explain(). */
async function plannedBy(filter: Document, sort: Document = {}): Promise<{ examined: number; stages: string }> {
  const plan = await database.collection('orders').find(filter).sort(sort).explain('executionStats');
  return { examined: Number(plan['executionStats'].totalDocsExamined), stages: JSON.stringify(plan['queryPlanner']) };
}

describe('would_be_indexed', () => {
  it.each([
    ['an indexed field', { customer: '?number' }, { customer: 7 }, {}, 'served'],
    ['an unindexed field', { total: { $gt: '?number' } }, { total: { $gt: 3_990 } }, {}, 'scan'],
    [
      'an indexed and an unindexed field',
      { customer: '?number', total: '?number' },
      { customer: 7, total: 7 },
      {},
      'in part',
    ],
    ['the _id', { _id: '?number' }, { _id: 7 }, {}, 'served'],
    ['everything', {}, {}, {}, 'all documents'],
    ['everything in an order', {}, {}, { total: 1 }, 'all documents'],
    ['a script', { $where: '?javascript' }, { $where: 'this.total === 7' }, {}, 'no index can'],
  ])('answers for %s as explain() does on the server', async (_, filter, real, sort, use) => {
    const { asked } = await served(['old.jsonl.gz'], 'checks: {}\n');
    const answer: {
      use: string;
      documents: number;
      documentsExamined: number | null;
      advised: { command: Document }[];
    } = await asked('would_be_indexed', { evidence: 'old.jsonl.gz', namespace: NAMESPACE, filter, sort });
    expect(answer).toMatchObject({ use, documents: DOCUMENTS });
    const before = await plannedBy(real as Document, sort);
    expect(before.stages.includes('COLLSCAN')).toBe(use !== 'served' && use !== 'in part');
    expect(answer.documentsExamined ?? before.examined).toBe(before.examined);
    for (const { command } of answer.advised) {
      const { db, command: create } = command as { db: string; command: Document };
      await client.db(db).command(create);
      const after = await plannedBy(real as Document, sort);
      expect(after.stages).toContain(String(create['indexes'][0].name));
      await client.db(db).command({ dropIndexes: 'orders', index: create['indexes'][0].name });
    }
    expect(answer.advised.length > 0).toBe(use === 'scan' || use === 'in part' || Object.keys(sort).length > 0);
  });

  it('names the joins that no index serves', async () => {
    const { asked } = await served(['old.jsonl.gz'], 'checks: {}\n');
    const ask = (foreignField: string) =>
      asked('would_be_indexed', { evidence: 'old.jsonl.gz', namespace: NAMESPACE, pipeline: [lookupBy(foreignField)] });
    expect(await ask('total')).toMatchObject({
      unservedJoins: [{ namespace: NAMESPACE, path: 'total', documents: DOCUMENTS, why: 'unindexed' }],
    });
    expect(await ask('customer')).toMatchObject({ unservedJoins: [] });
  });

  it('says that a collection is unknown', async () => {
    const { call } = await served(['old.jsonl.gz'], 'checks: {}\n');
    expect(await call('would_be_indexed', { evidence: 'old.jsonl.gz', namespace: 'shop.none', filter: {} })).toEqual({
      isError: true,
      text: 'shop.none is not in the evidence, which has 2 collections.',
    });
  });
});
