import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A server binary that was run and told its version. */
export interface Mongod {
  /** Absolute path of the binary. */
  readonly path: string;
  /** Its version, as in "6.0.5". */
  readonly version: string;
  /** Environment variables that it needs beyond this process's own. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A busy machine may take seconds to load a binary of 140 MB; a hanging one must not hold up the search. */
const VERSION_LIMIT_MS = 30_000;

/**
 * Linux runs no file that is open for writing, and a process that was forked while a binary was being copied holds it open
 * until it has become another program.
 */
const WRITTEN_LIMIT_MS = 5_000;
const WRITTEN_INTERVAL_MS = 50;

const VERSION_LINE = /^db version v(\d+\.\d+\.\d+\S*)/m;

/**
 * Runs `path --version`.
 *
 * @throws Error whose message says in half a sentence why the file cannot be used as a mongod.
 */
export async function verifyMongod(path: string, environment?: Mongod['environment']): Promise<Mongod> {
  const stdout = await versionOutput(path, { ...process.env, ...environment }).catch((error: unknown) => {
    throw new Error(`${path} ${reasonNotToRun(error)}`, { cause: error });
  });
  const version = VERSION_LINE.exec(stdout)?.[1];
  if (version === undefined) throw new Error(`${path} is not a mongod: it does not answer --version with one`);
  return environment === undefined ? { path, version } : { path, version, environment };
}

async function versionOutput(path: string, env: NodeJS.ProcessEnv): Promise<string> {
  const started = performance.now();
  for (;;) {
    try {
      return (await promisify(execFile)(path, ['--version'], { timeout: VERSION_LIMIT_MS, env })).stdout;
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
