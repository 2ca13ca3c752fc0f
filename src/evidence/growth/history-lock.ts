import { randomUUID } from 'node:crypto';
import { link, readFile, readlink, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { LintError } from '../../lint-error.js';

/** How often a lock is renewed, in ms. */
const RENEWAL = 10_000;
/** A lock that was not renewed for so long, in ms, was left behind, wherever its process ran. */
const ABANDONED_AFTER = 6 * RENEWAL;

/** A lock that is empty for longer, in ms, will not be filled any more. */
const WRITING = 2_000;
const BETWEEN_LOOKS = 20;

interface Holder {
  readonly token: string;
  readonly pid: number;
  readonly host: string;
  /** The processes among which `pid` is unique, if the system shows them; containers may share a host's name. */
  readonly processes: string | null;
}

/** The holder of a lock whose content was never written. */
const NOBODY: Holder = { token: '', pid: 0, host: '', processes: null };

/** Held until it is released or its process ends. */
export class HistoryLock {
  private constructor(
    private readonly path: string,
    private readonly token: string,
    private readonly renewal: NodeJS.Timeout,
  ) {}

  /** @throws LintError if another process holds the lock, which lies beside the file as FILE.lock */
  static async take(file: string): Promise<HistoryLock> {
    const path = `${file}.lock`;
    const holder: Holder = {
      token: randomUUID(),
      pid: process.pid,
      host: hostname(),
      processes: await processNamespace(),
    };
    while (!(await create(path, holder))) {
      const other = await read(path);
      if (other === null) continue;
      if (!(await isAbandoned(path, other, holder))) {
        if (other === NOBODY) {
          await setTimeout(BETWEEN_LOOKS);
          continue;
        }
        throw new LintError(
          `The history file ${file} is in use by another run (process ${other.pid} on ${other.host}); run again when it is done.`,
        );
      }
      await takeAway(path, other);
    }
    // A time that can't be set does not matter while the process lives on the same machine.
    const renewal = setInterval(
      () => void utimes(path, new Date(), new Date()).catch(() => undefined),
      RENEWAL,
    ).unref();
    return new HistoryLock(path, holder.token, renewal);
  }

  /** It may have been taken away from a process that was suspended for long. */
  async isHeld(): Promise<boolean> {
    return (await read(this.path))?.token === this.token;
  }

  async release(): Promise<void> {
    clearInterval(this.renewal);
    if (await this.isHeld()) await rm(this.path, { force: true });
  }
}

/** @returns false if there is one */
async function create(path: string, holder: Holder): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(holder), { flag: 'wx' });
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** A process that was killed while it wrote the lock left an empty one. */
async function read(path: string): Promise<Holder | null> {
  try {
    const text = await readFile(path, 'utf8');
    return text === '' ? NOBODY : (JSON.parse(text) as Holder);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    if (!(error instanceof SyntaxError)) throw error;
    throw new LintError(`${path} is not a lock of mongolint: give the history file another name.`, { cause: error });
  }
}

async function isAbandoned(path: string, other: Holder, own: Holder): Promise<boolean> {
  const comparable = other.host === own.host && other.processes === own.processes;
  if (comparable && !isAlive(other.pid)) return true;
  const patience = other === NOBODY ? WRITING : ABANDONED_AFTER;
  try {
    return Date.now() - (await stat(path)).mtimeMs > patience;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return true;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // There is one, of another user.
    return isCode(error, 'EPERM');
  }
}

// Another process may have removed it at the same moment and hold a lock of its own by now: what was moved aside is
// checked, and put back if it was that one.
async function takeAway(path: string, abandoned: Holder): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return;
    throw error;
  }
  const moved = await read(aside);
  // If a third lock stands there by now, the moved one is lost, and its holder finds out before it writes.
  if (moved?.token !== abandoned.token) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

async function processNamespace(): Promise<string | null> {
  try {
    return await readlink('/proc/self/ns/pid');
  } catch {
    return null;
  }
}

function isCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}
