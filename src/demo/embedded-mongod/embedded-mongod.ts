import { spawn } from 'node:child_process';
import { lstat, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DryMongoBinary, MongoMemoryReplSet, MongoMemoryServer } from 'mongodb-memory-server-core';
import { fileFault, nullIfMissing } from '../../files/file-fault.js';
import { LintError } from '../../lint-error.js';

const WRITABLE_BY_OTHERS = 0o022;

// Outlives this process: standard input ends even with SIGKILL. It retries, because mongodb-memory-server lets a server
// write for up to 2 s more.
const REMOVAL_SCRIPT = `
function remove(attempts) {
  try {
    require('node:fs').rmSync(process.argv[1], { recursive: true, force: true });
  } catch (error) {
    if (attempts === 0) throw error;
    setTimeout(remove, 200, attempts - 1);
  }
}
process.stdin.resume().on('end', () => remove(50));
`;

export type ProgressListener = (message: string) => void;

export interface EmbeddedMongod {
  readonly uri: string;
  /** Removes the data too. May be called more than once. */
  stop(): Promise<void>;
}

export interface MemoryServerLibrary {
  readonly DryMongoBinary: typeof DryMongoBinary;
  readonly MongoMemoryReplSet: typeof MongoMemoryReplSet;
  readonly MongoMemoryServer: typeof MongoMemoryServer;
}

export type MemoryServer = MongoMemoryReplSet | MongoMemoryServer;

const LIBRARY = 'mongodb-memory-server-core';

export const MONGOD_ARGUMENTS: readonly string[] = [
  // In GB; the default is half of the machine's memory, and with the least of 0.25 writes of 15 MB fail under load.
  '--wiredTigerCacheSizeGB=1',
  // In MB; the default is 5 % of the disk.
  '--oplogSize=64',
  '--setParameter=diagnosticDataCollectionEnabled=false',
  // A killed server leaves its socket behind in /tmp.
  ...(process.platform === 'win32' ? [] : ['--nounixsocket']),
];

// In ms. Once profiling is off, entries of a busy machine would count as its slow operations alone.
const NEVER_SLOW = ['--slowms', '600000'];

/** A machine that is busy with other servers takes longer than the library's 10 s. */
export const LAUNCH_LIMIT_MS = 60_000;

/** @throws LintError if mongodb-memory-server is not installed, or finds and downloads no server that starts */
export function startEmbeddedMongod(onProgress: ProgressListener): Promise<EmbeddedMongod> {
  return startMemoryServer(({ MongoMemoryReplSet }, dbPath) => {
    onProgress(
      process.env['MONGOMS_SYSTEM_BINARY'] ? 'starting MongoDB' : 'starting MongoDB (the first start downloads it)',
    );
    return new MongoMemoryReplSet({
      instanceOpts: [{ dbPath, launchTimeout: LAUNCH_LIMIT_MS }],
      replSet: { storageEngine: 'wiredTiger', ip: '127.0.0.1', args: [...MONGOD_ARGUMENTS, ...NEVER_SLOW] },
    });
  });
}

// Whatever ends this process, the library ends the server, and its data is removed.
export async function startMemoryServer(
  create: (library: MemoryServerLibrary, dataFolder: string) => MemoryServer,
): Promise<EmbeddedMongod> {
  verifyDownloads();
  const library = await loadLibrary();
  await prepareDownloads(library.DryMongoBinary);
  const folder = await createTemporaryFolder(tmpdir()).catch((error: unknown) => {
    throw new LintError(`No folder for MongoDB's data can be made in ${tmpdir()}: ${fileFault(error)}.`, {
      cause: error,
    });
  });
  const dataFolder = join(folder.path, 'data');
  await mkdir(dataFolder);
  const server = create(library, dataFolder);
  const stop = async () => {
    await server.stop({ doCleanup: true, force: true });
    await folder.remove();
  };
  try {
    await withoutWarnings(() => server.start());
  } catch (error) {
    await stop();
    throw new LintError(
      `MongoDB did not start: ${inOneLine((error as Error).message)}. Set MONGOMS_SYSTEM_BINARY to the path of a mongod that runs here.`,
      { cause: error },
    );
  }
  let stopped: Promise<void> | undefined;
  return { uri: server.getUri(), stop: () => (stopped ??= stop()) };
}

/** The library then compares the archive's checksum with the published one, and at each use the server's own. */
export function verifyDownloads(): void {
  process.env['MONGOMS_MD5_CHECK'] ??= 'true';
  process.env['MONGOMS_VALIDATE_BINARY_CHECKSUM'] ??= 'true';
}

/** It is not installed with mongolint: it brings 40 packages and a second driver. */
async function loadLibrary(): Promise<MemoryServerLibrary> {
  try {
    return await import('mongodb-memory-server-core');
  } catch (error) {
    // Plug'n'Play leaves the prefix out.
    if (!/^(?:ERR_)?MODULE_NOT_FOUND$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new LintError(
      `The demo needs the package ${LIBRARY}. Install it beside mongolint: npm install ${LIBRARY}@11`,
      { cause: error },
    );
  }
}

/** The library prints the stack of an error that it also throws. */
async function withoutWarnings(start: () => Promise<void>): Promise<void> {
  const { warn } = console;
  // oxlint-disable-next-line no-console -- nothing is printed
  console.warn = () => undefined;
  try {
    await start();
  } finally {
    // oxlint-disable-next-line no-console -- nothing is printed
    console.warn = warn;
  }
}

/** Without the credentials that an address in it may carry. */
function inOneLine(text: string): string {
  return text
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\/\/[^/\s]*@/g, '//')
    .replace(/\.$/, '');
}

export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Creates a folder that is removed when this process ends, even by SIGKILL. `parent` must exist. */
export async function createTemporaryFolder(parent: string): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(parent, 'mongolint-'));
  const removal = spawn(process.execPath, ['-e', REMOVAL_SCRIPT, path], {
    // Its own process group: the Ctrl-C that ends this process must not end it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  removal.unref();
  (removal.stdin as Socket).unref();
  // If somebody kills that process, `remove` still works.
  removal.on('error', () => undefined);
  removal.stdin.on('error', () => undefined);
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      removal.kill('SIGKILL');
    },
  };
}

/**
 * Prepares the folder in which mongodb-memory-server keeps what it downloads, and runs. It writes through links, and waits
 * for pipes without end: what is neither a file nor a folder is removed.
 *
 * @throws LintError if others may write there
 */
async function prepareDownloads(library: typeof DryMongoBinary): Promise<void> {
  if (process.env['MONGOMS_SYSTEM_BINARY']) return;
  const [, binary] = await library.generateDownloadPath(await library.generateOptions());
  const folder = dirname(binary);
  const status = await lstat(folder).catch(nullIfMissing);
  if (status === null) return;
  const isOwn = process.getuid === undefined || [0, process.getuid()].includes(status.uid);
  if (!status.isDirectory() || !isOwn || (process.getuid !== undefined && (status.mode & WRITABLE_BY_OTHERS) !== 0))
    throw new LintError(
      `The demo would run a MongoDB from ${folder}, which others may write to: set MONGOMS_DOWNLOAD_DIR to a folder of your own.`,
    );
  const entries = await readdir(folder, { withFileTypes: true });
  const unusable = entries.filter((entry) => !entry.isFile() && !entry.isDirectory());
  await Promise.all(unusable.map(({ name }) => rm(join(folder, name), { force: true })));
}
