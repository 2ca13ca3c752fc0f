import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/package-root.js';
import { freshDatabase, sharedReplicaSetUri } from '../support/database.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const COMMAND = join(packageRoot(), 'dist/bundle/cli.cjs');

const client = new MongoClient(sharedReplicaSetUri());
afterAll(() => client.close());
const database = freshDatabase(client);
/** Ninety levels are an error. */
beforeAll(() => database.collection('deep').insertOne({ a: JSON.parse(`${'{"a":'.repeat(90)}1${'}'.repeat(90)}`) }));

/** A folder with a configuration and a plugin, both modules, and one for caches. */
async function preparedFolder(): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'caches'), { mode: 0o700 });
  await writeFile(join(folder, 'mongolint.config.mjs'), 'export default { plugins: ["./plugin.mjs"] };\n');
  await writeFile(join(folder, 'plugin.mjs'), 'export default { meta: { name: "own", version: "1.0.0" } };\n');
  return folder;
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function runIn(folder: string, env: Record<string, string> = {}, uri = sharedReplicaSetUri()): Promise<Ended> {
  const { NODE_COMPILE_CACHE: _, NODE_DISABLE_COMPILE_CACHE: __, ...inherited } = process.env;
  const argv = [uri, '--include', `${database.databaseName}.*`, '--format', 'compact', '--timeout', '2000'];
  return promisify(execFile)(process.execPath, [COMMAND, ...argv], {
    cwd: folder,
    env: { ...inherited, XDG_CACHE_HOME: join(folder, 'caches'), ...env },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }),
  );
}

const filesIn = async (folder: string) =>
  (await readdir(join(folder, 'caches'), { recursive: true })).filter((name) => name.includes('run.cjs'));
const keptIn = async (folder: string) => join(folder, 'caches', (await filesIn(folder))[0] as string);
const FOUND = { code: 1, stdout: expect.stringContaining('.deep') };

describe('the code that the built command keeps', () => {
  it('is one file, written by the first run, left alone by the second; both find the same', async () => {
    const folder = await preparedFolder();
    const first = await runIn(folder);
    expect(first).toMatchObject(FOUND);
    expect(await filesIn(folder)).toHaveLength(1);
    const before = await stat(await keptIn(folder));
    expect(before.size).toBeGreaterThan(100_000);
    expect((await runIn(folder)).stdout).toBe(first.stdout);
    const after = await stat(await keptIn(folder));
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
  });

  it('is not used if it is spoiled, but written again', async () => {
    const folder = await preparedFolder();
    const first = await runIn(folder);
    const good = await readFile(await keptIn(folder));
    await writeFile(await keptIn(folder), good.subarray(0, good.length / 2));
    expect((await runIn(folder)).stdout).toBe(first.stdout);
    expect((await stat(await keptIn(folder))).size).toBeGreaterThan(good.length / 2);
  });

  it.each([
    ['Node’s own cache is switched off', { NODE_DISABLE_COMPILE_CACHE: '1' }],
    ['there is no folder for caches', { XDG_CACHE_HOME: '/nonexistent' }],
  ])('is none if %s, and the same is found', async (_, env) => {
    const folder = await preparedFolder();
    expect(await runIn(folder, env)).toMatchObject(FOUND);
    expect(await filesIn(folder)).toEqual([]);
  });

  it('is none in a folder that others can write to', async () => {
    const folder = await preparedFolder();
    await chmod(join(folder, 'caches'), 0o777);
    expect(await runIn(folder)).toMatchObject(FOUND);
    expect(await filesIn(folder)).toEqual([]);
  });

  it('is none after a run that failed', async () => {
    const folder = await preparedFolder();
    expect(await runIn(folder, {}, 'mongodb://127.0.0.1:1')).toMatchObject({ code: 2, stdout: '' });
    expect(await filesIn(folder)).toEqual([]);
  });

  it('serves a configuration and a plugin that fail to load as well', async () => {
    const folder = await preparedFolder();
    await runIn(folder);
    await writeFile(join(folder, 'plugin.mjs'), 'export default {');
    expect(await runIn(folder)).toMatchObject({ code: 2, stderr: expect.stringContaining('"./plugin.mjs"') });
  });
});
