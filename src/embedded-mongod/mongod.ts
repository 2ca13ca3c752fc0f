import { execFile } from 'node:child_process';
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

const VERSION_LINE = /^db version v(\d+\.\d+\.\d+\S*)/m;

/**
 * Runs `path --version`.
 *
 * @throws Error whose message says in half a sentence why the file cannot be used as a mongod.
 */
export async function verifyMongod(path: string, environment?: Mongod['environment']): Promise<Mongod> {
  const { stdout } = await promisify(execFile)(path, ['--version'], {
    timeout: VERSION_LIMIT_MS,
    env: { ...process.env, ...environment },
  }).catch((error: unknown) => {
    throw new Error(`${path} ${reasonNotToRun(error)}`, { cause: error });
  });
  const version = VERSION_LINE.exec(stdout)?.[1];
  if (version === undefined) throw new Error(`${path} is not a mongod: it does not answer --version with one`);
  return environment === undefined ? { path, version } : { path, version, environment };
}

function reasonNotToRun(error: unknown): string {
  const { code, signal, killed, stderr } = error as { code?: unknown; signal?: unknown; killed?: unknown; stderr?: string };
  if (code === 'ENOENT') return 'does not exist';
  if (code === 'EACCES') return 'is not an executable file';
  if (killed === true) return `did not answer --version within ${VERSION_LIMIT_MS / 1000} s`;
  if (typeof signal === 'string') return `cannot run on this machine (${signal})`;
  const complaint = stderr?.trim().split('\n')[0];
  return `cannot run on this machine (${complaint || `exit code ${String(code)}`})`;
}
