import { copyFile, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { findMongod } from '../../../src/demo/embedded-mongod/find-mongod.js';
import { cachedMongod, cacheFolder, fetchIntoCache } from '../../../src/demo/embedded-mongod/mongod-cache.js';
import type { MongodSource } from '../../../src/demo/embedded-mongod/mongod-source.js';
import type { Mongod } from '../../../src/demo/embedded-mongod/mongod.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { packageRoot } from '../../../src/package-root.js';

const noProgress = () => undefined;

let mongod: Mongod;
beforeAll(async () => {
  mongod = await findMongod();
});

/** A source that fetches a real mongod, and notes each time that it does. */
function copyingSource(folder: string, fetched: string[]): MongodSource {
  return {
    name: 'copy',
    find: () =>
      fetchIntoCache(folder, async ({ path: temporary }) => {
        fetched.push(temporary);
        await copyFile(mongod.path, join(temporary, 'mongod'));
        return join(temporary, 'mongod');
      }),
  };
}

describe('the cache', () => {
  it('has after the first use what was fetched, under its version, and nothing else', async () => {
    const folder = join(await temporaryFolder(), 'not', 'there', 'yet');
    const fetched: string[] = [];
    const sources = [cachedMongod(folder), copyingSource(folder, fetched)];
    const first = await findMongod({ sources });
    const second = await findMongod({ sources });
    expect(first).toEqual({ path: join(folder, `mongod-${mongod.version}`, 'mongod'), version: mongod.version });
    expect(second).toEqual(first);
    expect(fetched).toHaveLength(1);
    expect(await readdir(folder)).toEqual([`mongod-${mongod.version}`]);
  });

  it('serves two searches at once', async () => {
    const folder = await temporaryFolder();
    const sources = [cachedMongod(folder), copyingSource(folder, [])];
    const [one, other] = await Promise.all([findMongod({ sources }), findMongod({ sources })]);
    expect(one).toEqual(other);
    expect(await cachedMongod(folder).find(noProgress)).toEqual(one);
    expect(await readdir(folder)).toEqual([`mongod-${mongod.version}`]);
  });

  it('does not have a binary while it is being fetched', async () => {
    const folder = await temporaryFolder();
    await fetchIntoCache(folder, async ({ path: temporary }) => {
      await copyFile(mongod.path, join(temporary, 'mongod'));
      await expect(cachedMongod(folder).find(noProgress)).rejects.toThrow(`nothing in ${folder}`);
      return join(temporary, 'mongod');
    });
    expect(await cachedMongod(folder).find(noProgress)).toMatchObject({ version: mongod.version });
  });

  it('stays empty where the fetch fails or brings no mongod', async () => {
    const folder = await temporaryFolder();
    const brokenOff = fetchIntoCache(folder, async ({ path: temporary }) => {
      await writeFile(join(temporary, 'mongod'), 'half');
      throw new Error('connection lost');
    });
    await expect(brokenOff).rejects.toThrow('connection lost');
    const wrong = fetchIntoCache(folder, async ({ path: temporary }) => {
      await writeFile(join(temporary, 'mongod'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
      return join(temporary, 'mongod');
    });
    await expect(wrong).rejects.toThrow('cannot run on this machine');
    expect(await readdir(folder)).toEqual([]);
  });

  it('leaves a binary that the fetch found elsewhere where it is', async () => {
    const folder = await temporaryFolder();
    expect(await fetchIntoCache(folder, async () => mongod.path)).toEqual({
      path: mongod.path,
      version: mongod.version,
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it('replaces a broken binary of the same version', async () => {
    const folder = await temporaryFolder();
    const entry = join(folder, `mongod-${mongod.version}`);
    await mkdir(entry);
    await writeFile(join(entry, 'mongod'), '', { mode: 0o755 });
    await expect(cachedMongod(folder).find(noProgress)).rejects.toThrow(join(entry, 'mongod'));
    await findMongod({ sources: [cachedMongod(folder), copyingSource(folder, [])] });
    expect(await cachedMongod(folder).find(noProgress)).toEqual({
      path: join(entry, 'mongod'),
      version: mongod.version,
    });
  });

  it('prefers the newest version that works', async () => {
    const folder = await temporaryFolder();
    for (const entry of ['mongod-6.0.9', 'mongod-6.0.10', 'mongod-6.0.11', 'mongolint-abc']) {
      await mkdir(join(folder, entry));
      if (entry !== 'mongod-6.0.11') await symlink(mongod.path, join(folder, entry, 'mongod'));
    }
    const found = await cachedMongod(folder).find(noProgress);
    expect(found.path).toBe(join(folder, 'mongod-6.0.10', 'mongod'));
  });
});

describe('cacheFolder', () => {
  it('lies under node_modules in a checkout', async () => {
    expect(await cacheFolder({ XDG_CACHE_HOME: '/elsewhere' })).toBe(
      join(packageRoot(), 'node_modules', '.cache', 'mongolint'),
    );
  });

  it.each([
    { where: 'installed as a package', root: join('node_modules', 'mongolint'), block: false },
    { where: 'in a checkout that cannot be written to', root: 'checkout', block: true },
  ])('is the user’s where mongolint is $where', async ({ root, block }) => {
    const code = join(await temporaryFolder(), root, 'dist', 'src');
    await mkdir(code, { recursive: true });
    const installed = dirname(dirname(code));
    await writeFile(join(installed, 'package.json'), '{}');
    // A file where the folder should be: the tests may run as root, whom no mode keeps from writing.
    if (block) await writeFile(join(installed, 'node_modules'), '');
    expect(await cacheFolder({ XDG_CACHE_HOME: '/home/ada/cache' }, code)).toBe('/home/ada/cache/mongolint');
    expect(await cacheFolder({}, code)).toBe(join(homedir(), '.cache', 'mongolint'));
  });
});
