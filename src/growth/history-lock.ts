import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, lstat, lutimes, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { z } from 'zod';
import { readBounded } from '../bounded-file.js';
import { FileFault, nullIfMissing } from '../file-fault.js';
import { LintError } from '../lint-error.js';
import { HISTORY } from './limits.js';

const holderSchema = z.object({ token: z.string(), pid: z.int(), host: z.string() });
type Holder = z.infer<typeof holderSchema>;

/** Held until it is released, or is left behind: its holder renews it, and another run takes over what was not renewed for a minute. */
export class HistoryLock {
  private constructor(
    private readonly path: string,
    private readonly token: string,
    private readonly renewal: NodeJS.Timeout,
  ) {}

  /** @throws LintError if another process holds the lock, which lies beside the file as FILE.lock */
  static async take(file: string): Promise<HistoryLock> {
    const path = `${file}.lock`;
    const holder: Holder = { token: randomUUID(), pid: process.pid, host: hostname() };
    while (!(await create(path, holder))) {
      const other = await read(path);
      const age = await ageOf(path);
      if (age === null) continue;
      if (!isAbandoned(other, age)) {
        const by = other === null ? '' : ` (process ${other.pid} on ${other.host})`;
        throw new LintError(`The history file ${file} is in use by another run${by}; run again when it is done.`);
      }
      await takeAway(path, other, `${path}.${holder.token}`);
    }
    // A time that can't be set does not matter while the process lives on the same machine.
    const renew = () => void lutimes(path, new Date(), new Date()).catch(() => undefined);
    return new HistoryLock(path, holder.token, setInterval(renew, HISTORY.lock.renewal).unref());
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

/** Another run may have taken it away meanwhile, and hold a lock of its own there: that one is put back. */
async function takeAway(path: string, abandoned: Holder | null, aside: string): Promise<void> {
  if ((await rename(path, aside).catch(nullIfMissing)) === null) return;
  // If a third lock stands there by now, its holder finds out before it writes.
  if ((await read(aside))?.token !== abandoned?.token) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

/** @returns false if there is one */
async function create(path: string, holder: Holder): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(holder), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Null if it is gone, or not written yet. @throws LintError if it is something else */
async function read(path: string): Promise<Holder | null> {
  try {
    if ((await lstat(path)).isSymbolicLink()) throw new FileFault('it is a link');
    const text = await readBounded(path, HISTORY.lock.mostBytes);
    return text === '' ? null : holderSchema.parse(JSON.parse(text));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    if (![SyntaxError, z.ZodError, FileFault].some((kind) => error instanceof kind)) throw error;
    throw new LintError(`${path} is not a lock of mongolint: give the history file another name.`, { cause: error });
  }
}

/** In ms since it was renewed; null if it is gone. */
async function ageOf(path: string): Promise<number | null> {
  const status = await lstat(path).catch(nullIfMissing);
  return status === null ? null : Date.now() - status.mtimeMs;
}

/** Its process has ended, or did not renew it. Containers may share a host's name, but not within seconds of a renewal their numbers. */
function isAbandoned(holder: Holder | null, age: number): boolean {
  if (age > HISTORY.lock.abandonedAfter) return true;
  if (holder === null || holder.host !== hostname()) return false;
  try {
    process.kill(holder.pid, 0);
    return isZombie(holder.pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** A container whose first process collects no others keeps ended ones as zombies, which still take signals. */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    // The state follows the name, which is in parentheses and may hold any others.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').startsWith(' Z');
  } catch {
    return false;
  }
}
