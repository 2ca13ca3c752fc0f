import { randomUUID } from 'node:crypto';
import { link, lstat, lutimes, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { readBounded } from '../../../bounded-file.js';
import { FileFault } from '../../../file-fault.js';
import { LintError } from '../../../lint-error.js';

/** How often a lock is renewed, in ms. */
const RENEWAL = 10_000;
/** A lock that was not renewed for so long, in ms, was left behind, wherever its process ran. */
const ABANDONED_AFTER = 6 * RENEWAL;

/** A lock that is empty for longer, in ms, will not be filled any more. */
const WRITING = 2_000;
const BETWEEN_LOOKS = 20;

/** The lock's own time may lie in the future. */
const LONGEST_WRITING = 10 * WRITING;
const MOST_BYTES = 4096;

const holderSchema = z.object({
  token: z.string(),
  pid: z.int(),
  host: z.string(),
  /** The processes among which `pid` is unique, if the system shows them; containers may share a host's name. */
  processes: z.string().nullable(),
  /** When the process started, as the system counts: in a container that is started again, each run may be process 1. */
  started: z.string().nullable().default(null),
});
type Holder = z.infer<typeof holderSchema>;

/** The holder of a lock whose content was never written. */
const NOBODY: Holder = { token: '', pid: 0, host: '', processes: null, started: null };

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
      started: await startOf(process.pid),
    };
    const begun = performance.now();
    while (!(await create(path, holder))) {
      const other = await read(path);
      if (other === null) continue;
      if (!(await isAbandoned(path, other, holder))) {
        if (other === NOBODY && performance.now() - begun < LONGEST_WRITING) {
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
      () => void lutimes(path, new Date(), new Date()).catch(() => undefined),
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

const FOREIGN = [SyntaxError, z.ZodError, FileFault];

/** A process that was killed while it wrote the lock left an empty one. */
async function read(path: string): Promise<Holder | null> {
  try {
    if ((await lstat(path)).isSymbolicLink()) throw new FileFault('it is a link');
    const text = await readBounded(path, MOST_BYTES);
    return text === '' ? NOBODY : holderSchema.parse(JSON.parse(text));
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    if (!FOREIGN.some((kind) => error instanceof kind)) throw error;
    throw new LintError(`${path} is not a lock of mongolint: give the history file another name.`, { cause: error });
  }
}

async function isAbandoned(path: string, other: Holder, own: Holder): Promise<boolean> {
  const comparable = other.host === own.host && other.processes === own.processes;
  if (comparable && !(await isAlive(other))) return true;
  const patience = other === NOBODY ? WRITING : ABANDONED_AFTER;
  try {
    return Date.now() - (await lstat(path)).mtimeMs > patience;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return true;
    throw error;
  }
}

async function isAlive({ pid, started }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // There is one, of another user.
    return isCode(error, 'EPERM');
  }
  const now = await startOf(pid);
  // Another process with the same number.
  return started === null || now === null || started === now;
}

/** Ticks since the machine was started; null if the system does not show them. */
async function startOf(pid: number): Promise<string | null> {
  const status = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // Behind the name, which is in parentheses and may hold anything. Source: proc(5), field 22.
  return status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? null;
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

/** Numbers of namespaces repeat from machine to machine, and so do names of hosts. */
async function processNamespace(): Promise<string | null> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'latin1');
    return `${await readlink('/proc/self/ns/pid')} ${boot.trim()}`;
  } catch {
    return null;
  }
}

function isCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}
