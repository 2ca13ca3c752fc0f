import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A server binary that was run and answered with its version. */
export interface Mongod {
  /** Absolute path of the binary. */
  readonly path: string;
  /** Its version, as in "6.0.5". */
  readonly version: string;
}

/** Hears, in a short phrase, what takes long. */
export type ProgressListener = (message: string) => void;

/** A busy machine may take seconds to load a binary of 140 MB; a hanging one must not hold up the search. */
const VERSION_LIMIT_MS = 30_000;

/**
 * Linux runs no file that is open for writing. A process that was forked while a binary was being copied holds it open
 * until it has become another program.
 */
const WRITTEN_LIMIT_MS = 5_000;
const WRITTEN_INTERVAL_MS = 50;

const VERSION_LINE = /^db version v(\d+\.\d+\.\d+\S*)/m;

/**
 * Runs `path --version`.
 *
 * @throws Error that says in half a sentence why the file cannot be used as a mongod
 */
export async function verifyMongod(path: string): Promise<Mongod> {
  const stdout = await versionOutput(path).catch((error: unknown) => {
    throw new Error(`${path} ${reasonNotToRun(error)}`, { cause: error });
  });
  const version = VERSION_LINE.exec(stdout)?.[1];
  if (version === undefined) throw new Error(`${path} is not a mongod: it does not answer --version with one`);
  return { path, version };
}

/** The SHA-256 of a file, in hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** The file name of a server on this platform. */
export function executableName(): string {
  return process.platform === 'win32' ? 'mongod.exe' : 'mongod';
}

/** A reason as others worded it, in one line, without the credentials that an address in it may carry. */
export function asReason(text: string): string {
  return text
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\/\/[^/\s]*@/g, '//');
}

async function versionOutput(path: string): Promise<string> {
  const started = performance.now();
  for (;;) {
    try {
      return (await promisify(execFile)(path, ['--version'], { timeout: VERSION_LIMIT_MS })).stdout;
    } catch (error) {
      if (!isBeingWritten(error) || performance.now() - started > WRITTEN_LIMIT_MS) throw error;
      await setTimeout(WRITTEN_INTERVAL_MS);
    }
  }
}

function isBeingWritten(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ETXTBSY';
}

function reasonNotToRun(error: unknown): string {
  const { code, signal, killed, stderr } = error as {
    code?: unknown;
    signal?: unknown;
    killed?: unknown;
    stderr?: string;
  };
  if (code === 'ENOENT') return 'does not exist';
  if (code === 'EACCES') return 'is not an executable file';
  if (isBeingWritten(error)) return 'is being written to by another process';
  if (killed === true) return `did not answer --version within ${VERSION_LIMIT_MS / 1000} s`;
  if (typeof signal === 'string') return `cannot run on this machine (${signal})`;
  const complaint = stderr?.trim().split('\n')[0];
  return `cannot run on this machine (${complaint || `exit code ${String(code)}`})`;
}
