import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createTemporaryFolder } from '../../../src/demo/embedded-mongod/embedded-mongod.js';
import { asReason, type ProgressListener } from './mongod.js';

/** Debian's packages of Wine, which runs Windows programs. apt compares them with the signed lists of the distribution. */
const PACKAGES = ['wine64', 'libwine', 'libz-mingw-w64'];

/** 100 MB at 170 KB/s. */
const DOWNLOAD_LIMIT_MS = 600_000;
/** It takes 12 s on two cores. */
const PREFIX_LIMIT_MS = 180_000;

/** A Wine that was unpacked without installing anything, with its own folder for what it writes. */
export interface Wine {
  /** Runs a Windows program, given as its first argument. */
  readonly loader: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Unpacks Wine into `folder`, unless it is there, without root.
 *
 * @throws Error that says in half a sentence what this machine lacks
 */
export async function findWine(folder: string, onProgress: ProgressListener): Promise<Wine> {
  const wine = wineIn(folder);
  if (isComplete(folder)) return wine;
  requireLinux();
  await requireCommands(['apt-get', 'dpkg-deb']);
  await mkdir(dirname(folder), { recursive: true });
  const temporary = await createTemporaryFolder(dirname(folder));
  try {
    onProgress('downloading Wine (100 MB) with apt-get');
    await unpackPackages(temporary.path);
    await rm(folder, { recursive: true, force: true });
    await rename(join(temporary.path, 'wine'), folder);
  } finally {
    await temporary.remove();
  }
  // Its registry names the folder, which therefore can't be renamed from here on.
  await run(wine.loader, ['wineboot', '-i'], {
    env: { ...process.env, ...wine.environment },
    timeout: PREFIX_LIMIT_MS,
  });
  await mkdir(join(folder, COMPLETE));
  return wine;
}

const COMPLETE = 'complete';

function isComplete(folder: string): boolean {
  return existsSync(join(folder, COMPLETE));
}

function wineIn(folder: string): Wine {
  const usr = join(folder, 'root', 'usr');
  const loader = join(usr, 'lib', 'wine', 'wine64');
  return {
    loader,
    environment: {
      WINELOADER: loader,
      WINESERVER: join(usr, 'lib', 'wine', 'wineserver64'),
      WINEDLLPATH: join(usr, 'lib', 'x86_64-linux-gnu', 'wine'),
      WINEPREFIX: join(folder, 'prefix'),
      WINEDEBUG: '-all',
      // It would otherwise offer to download .NET and a browser.
      WINEDLLOVERRIDES: 'mscoree=;mshtml=;winemenubuilder.exe=',
      // It leaves folders behind there.
      TMPDIR: join(folder, 'tmp'),
    },
  };
}

async function unpackPackages(folder: string): Promise<void> {
  await run('apt-get', ['download', ...PACKAGES], { cwd: folder, timeout: DOWNLOAD_LIMIT_MS });
  const [wine, archives] = [join(folder, 'wine'), (await readdir(folder)).filter((name) => name.endsWith('.deb'))];
  const root = join(wine, 'root');
  await mkdir(root, { recursive: true });
  for (const archive of archives) await run('dpkg-deb', ['-x', join(folder, archive), root]);
  const server = join(root, 'usr', 'lib', 'wine', 'wineserver');
  await rm(server, { force: true });
  await symlink('wineserver64', server);
  const libraries = join(wine, 'prefix', 'drive_c', 'windows', 'system32');
  await mkdir(libraries, { recursive: true });
  await mkdir(join(wine, 'tmp'));
  await copyFile(join(root, 'usr', 'x86_64-w64-mingw32', 'lib', 'zlib1.dll'), join(libraries, 'zlib1.dll'));
}

function requireLinux(): void {
  if (process.platform === 'linux' && process.arch === 'x64') return;
  throw new Error(`Wine runs it on Debian for x86-64, and this is ${process.platform} ${process.arch}`);
}

async function requireCommands(names: readonly string[]): Promise<void> {
  const missing: string[] = [];
  for (const name of names) {
    const found = await promisify(execFile)(name, ['--version']).then(
      () => true,
      () => false,
    );
    if (!found) missing.push(name);
  }
  if (missing.length > 0) throw new Error(`this machine has no ${missing.join(' and no ')}: it needs Debian or Ubuntu`);
}

async function run(command: string, args: readonly string[], options: Parameters<typeof execFile>[2] = {}) {
  await promisify(execFile)(command, args, options).catch((error: unknown) => {
    const { stderr = '', killed, code } = error as { stderr?: string; killed?: boolean; code?: unknown };
    const complaint = stderr.trim().split('\n').at(-1)?.replace(/^E: /, '');
    const hint = complaint?.startsWith('Unable to locate') ? '; run apt-get update' : '';
    const reason = killed === true ? 'not finished in time' : complaint || `code ${String(code)}`;
    throw new Error(`${command} ${args[0]} failed (${asReason(reason)})${hint}`);
  });
}
