import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/files/package-root.js';
import type { Application } from './application.js';

const run = promisify(execFile);

const CACHE = join(packageRoot(), 'node_modules', '.cache');
/** Those of the applications, with what others start them by. */
export const PROGRAMS = join(packageRoot(), 'test', 'applications', 'programs');
/** In ms: a download on a slow link, thousands of requests on a busy machine. */
const LONGEST = 900_000;

export type InstalledPackages = Pick<Application, 'name' | 'packages'>;

/**
 * Installs packages beside a copy of the programs, so that these import them as the documentation does. Each has a folder of
 * its own: they want different drivers.
 *
 * @param cache the folder of folders, below the cache
 */
export async function install({ name, packages }: InstalledPackages, cache: string, programs: string): Promise<string> {
  const folder = join(CACHE, cache, name);
  const wanted = JSON.stringify({ private: true, dependencies: packages });
  const installed = await readFile(join(folder, 'installed.json'), 'utf8').catch(() => null);
  if (installed !== wanted) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), wanted);
    const quietly = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel', 'error'];
    await run('npm', ['install', '--prefix', folder, ...quietly], { cwd: folder, timeout: LONGEST });
    await writeFile(join(folder, 'installed.json'), wanted);
  }
  await cp(programs, join(folder, 'programs'), { recursive: true });
  return folder;
}

/**
 * Installs an application if it is not there in these versions, and runs its program.
 *
 * @param uri where its database is, with the database's name
 * @throws if the program fails, with what it printed
 */
export async function driveApplication(application: Application, uri: string): Promise<void> {
  const folder = await install(application, 'applications', PROGRAMS);
  await run(process.execPath, [join(folder, 'programs', `${application.name}.mjs`)], {
    cwd: folder,
    env: { ...process.env, MONGODB_URI: uri, DO_NOT_TRACK: '1', NODE_ENV: 'production' },
    timeout: LONGEST,
    maxBuffer: 64 * 1024 * 1024,
  });
}
