import { constants, existsSync } from 'node:fs';
import { access, mkdir, readdir, rename } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { type Mongod, verifyMongod } from './mongod.js';
import type { MongodSource } from './mongod-source.js';
import { createTemporaryFolder, type TemporaryFolder } from './temporary-folder.js';

const ENTRY_NAME = /^mongod-\d+\.\d+\.\d+\S*$/;

/**
 * The folder that keeps what was downloaded: `node_modules/.cache/mongolint` in a checkout of mongolint; where mongolint is
 * installed as a package or its checkout is read-only, `mongolint` in `$XDG_CACHE_HOME` or `~/.cache`.
 */
export async function cacheFolder(
  environment: NodeJS.ProcessEnv = process.env,
  codeFolder = import.meta.dirname,
): Promise<string> {
  const root = packageRoot(codeFolder);
  if (basename(dirname(root)) !== 'node_modules') {
    const folder = join(root, 'node_modules', '.cache', 'mongolint');
    if (await isWritable(folder)) return folder;
  }
  return join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'mongolint');
}

/** The source that looks through the cache, the newest version first. */
export function cachedMongod(folder: string): MongodSource {
  return {
    name: 'the cache',
    async find() {
      const entries = existsSync(folder) ? await readdir(folder) : [];
      const versions = entries.filter((entry) => ENTRY_NAME.test(entry));
      versions.sort((one, other) => other.localeCompare(one, 'en', { numeric: true }));
      const reasons: string[] = [];
      for (const version of versions) {
        try {
          return await verifyMongod(join(folder, version, executableName()));
        } catch (error) {
          reasons.push((error as Error).message);
        }
      }
      throw new Error(reasons.join(', ') || `nothing in ${folder}`);
    },
  };
}

/**
 * Runs `fetch` with an empty temporary folder, verifies the binary that it leaves there, and moves it into the cache. The
 * move is one rename, so that neither a second process nor a kill midway can leave a half binary behind. A binary that
 * `fetch` found elsewhere is verified and stays where it is.
 *
 * @throws what `fetch` throws, and Error where its binary cannot be used.
 */
export async function fetchIntoCache(
  folder: string,
  fetch: (temporary: TemporaryFolder) => Promise<string>,
): Promise<Mongod> {
  await mkdir(folder, { recursive: true });
  const temporary = await createTemporaryFolder(folder);
  try {
    const fetched = await fetch(temporary);
    if (relative(temporary.path, fetched).startsWith('..')) return await verifyMongod(fetched);
    const { version } = await verifyMongod(fetched);
    const path = join(folder, `mongod-${version}`, executableName());
    await mkdir(dirname(path), { recursive: true });
    await rename(fetched, path);
    return { path, version };
  } finally {
    await temporary.remove();
  }
}

/** The file name of a server on this platform. */
export function executableName(): string {
  return process.platform === 'win32' ? 'mongod.exe' : 'mongod';
}

function packageRoot(folder: string): string {
  const parent = dirname(folder);
  return parent === folder || existsSync(join(folder, 'package.json')) ? folder : packageRoot(parent);
}

async function isWritable(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
    return true;
  } catch {
    // Whatever forbids writing here (rights, a read-only file system), the user's folder is the answer to it.
    return false;
  }
}
