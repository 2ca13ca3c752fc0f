/**
 * A program that sends the same query from two lines of its source, driven on a real server with the profiler on: with the
 * preload, the finding is at the line that sent it; without, both may have. The built package is needed.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';
import type { Report } from '../../src/report/report.js';
import { runCaptured } from '../support/captured-io.js';
import { freshDatabase, sharedReplicaSetUri } from '../support/database.js';
import { switchProfilerOn } from '../support/profiled-workload.js';

const DOCUMENTS = 12_000;

const SOURCE = `import { MongoClient } from 'mongodb';

const [uri, name, ...called] = process.argv.slice(2);
const client = new MongoClient(uri);
const orders = client.db(name).collection('orders');
const ENDPOINTS = {
  list: (customer) => orders.find({ customer }).toArray(),
  export: (customer) =>
    orders
      .find({ customer })
      .toArray(),
  close: (customer) => orders.updateMany({ ref: customer }, { $set: { closed: true } }),
  reopen: (customer) => orders.updateMany({ ref: customer }, { $set: { closed: true } }),
  joined: (customer) => orders.aggregate([{ $match: { buyer: customer } }]).toArray(),
  others: (customer) => orders.aggregate([{ $match: { buyer: customer } }], { comment: 'card 4111' }).toArray(),
};
for (let round = 0; round < 20; round += 1) for (const each of called) await ENDPOINTS[each](round);
await client.close();
`;
const lineOf = (text: string) => SOURCE.split('\n').findIndex((line) => line.includes(text)) + 1;
const [LIST, EXPORT, CLOSE, REOPEN] = ['list:', '      .find(', 'close:', 'reopen:'].map(lineOf);

const uri = sharedReplicaSetUri();
const client = new MongoClient(uri);
let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'mongolint-comments-')));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'src/orders.js'), SOURCE);
});
afterAll(async () => {
  await client.close();
  await rm(folder, { recursive: true });
});

describe('the lines of findings', () => {
  const database = freshDatabase(client);
  beforeAll(async () => {
    await database
      .collection('orders')
      .insertMany(Array.from({ length: DOCUMENTS }, (_, number) => ({ customer: number, ref: number, buyer: number })));
  });

  /** The lines of the finding on a field, and all that was written, of a run over what these endpoints sent. */
  async function found(endpoints: readonly string[], field: string, preload = true) {
    await switchProfilerOn(database);
    const anchor = pathToFileURL(join(packageRoot(), 'dist/bundle/anchor.js')).href;
    await promisify(execFile)(
      process.execPath,
      [...(preload ? ['--import', anchor] : []), 'src/orders.js', uri, database.databaseName, ...endpoints],
      { cwd: folder },
    );
    await database.command({ profile: 0 });
    const { stdout, stderr } = await runCaptured(
      [uri, '--include', `${database.databaseName}.*`, '--code', 'src', '--no-config', '--quiet', '--format', 'json'],
      {},
      folder,
    );
    expect(stderr).toBe('');
    const { findings } = JSON.parse(stdout) as Report;
    const ofField = findings.filter(({ check, path }) => check === 'collection-scan' && path === `${field}_1`);
    const lines = ofField.flatMap(({ locations = [] }) =>
      locations.filter(({ of }) => of === 'operation').map(({ line, certain }) => `${line}${certain ? '' : '?'}`),
    );
    return { lines, stdout };
  }

  it('are those that comments name', async () => {
    expect((await found(['list'], 'customer')).lines).toEqual([`${LIST}`]);
    expect((await found(['export'], 'customer')).lines).toEqual([`${EXPORT}`]);
    expect((await found(['reopen'], 'ref')).lines).toEqual([`${REOPEN}`]);
  });

  it('are both that sent it', async () => {
    expect((await found(['list', 'export'], 'customer')).lines).toEqual([`${LIST}?`, `${EXPORT}?`]);
  });

  it('are alternatives without comments', async () => {
    expect((await found(['list'], 'customer', false)).lines).toHaveLength(2);
    expect((await found(['reopen'], 'ref', false)).lines).toEqual([`${CLOSE}?`, `${REOPEN}?`]);
  });

  it('are alternatives if the program gives comments of its own, which nothing prints', async () => {
    const { lines, stdout } = await found(['others'], 'buyer');
    expect(lines).toHaveLength(2);
    expect(stdout).not.toContain('4111');
  });
});
