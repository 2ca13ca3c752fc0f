import { randomUUID } from 'node:crypto';
import { link, lstat, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { assertBounded, readBounded, readRegular } from './bounded-file.js';
import { FileFault, nullIfMissing } from './file-fault.js';
import { linkTarget, PRIVATE_MODE, replaceFile } from './file-replacement.js';

const MOST_BYTES = 4_096;

const holderSchema = z.object({ token: z.string(), pid: z.int(), host: z.string() });

/** A text that runs keep for each other, such as a baseline: in a file, or in a state. */
export interface KeptText {
  /** For people. */
  readonly name: string;
  /** Null if there is none yet. @throws FileFault or an error of the system */
  read(): Promise<string | null>;
  /**
   * Replaces it by what `change` makes of it as it is by then: nobody else writes between the two. Null leaves it as it is,
   * and of an empty text nothing is left.
   * @throws FileFault or an error of the system; it is then as it was
   */
  change(change: (now: string | null) => string | null): Promise<void>;
}

/** A lock that was left behind may be taken from the run that has just taken it over: that one begins again. */
const MOST_TRIES = 20;

/** A text in a file that is replaced as a whole. */
export class KeptFile implements KeptText {
  /**
   * @param name of the file, which need not exist
   * @param mode of a file that does not exist yet
   */
  constructor(
    readonly name: string,
    private readonly mostBytes: number,
    private readonly mode?: number,
    private readonly isNamed = true,
  ) {}

  /**
   * A file whose name follows from that of another one: nobody named it, so a link or a pipe in its place is somebody else's,
   * and a FileFault.
   */
  static beside(file: string, ending: string, mostBytes: number): KeptFile {
    return new KeptFile(`${file}${ending}`, mostBytes, PRIVATE_MODE, false);
  }

  async read(): Promise<string | null> {
    await this.assertOwn();
    return readBounded(this.name, this.mostBytes).catch(nullIfMissing);
  }

  async change(change: (now: string | null) => string | null): Promise<void> {
    await this.assertOwn();
    const path = await linkTarget(this.name);
    await assertBounded(path, this.mostBytes).catch(nullIfMissing);
    for (let tries = 1; !(await this.changeOnce(path, change)); tries += 1)
      if (tries === MOST_TRIES)
        throw new FileFault('other runs keep taking its lock over; run again when they are done');
  }

  /** @returns false if another run took the lock over meanwhile, so that nothing was written */
  private async changeOnce(path: string, change: (now: string | null) => string | null): Promise<boolean> {
    const lock = await FileLock.take(path);
    try {
      const after = change(await this.read());
      if (after === null) return true;
      if (!(await lock.isHeld())) return false;
      await (after === '' ? rm(path, { force: true }) : replaceFile(path, after, this.mode));
      return true;
    } finally {
      await lock.release();
    }
  }

  private async assertOwn(): Promise<void> {
    const status = this.isNamed ? null : await lstat(this.name).catch(nullIfMissing);
    if (status !== null && !status.isFile())
      throw new FileFault(status.isSymbolicLink() ? 'it is a link' : 'it is no file');
  }
}

/** In ms. What is done under a lock takes a fraction of a second, or the holder was killed or suspended. */
const ABANDONED_AFTER = 60_000;

const LONGEST_WAIT = 30_000;

const TRIES_EVERY = 20;

type Holder = z.infer<typeof holderSchema>;

/** Who may change a file, by a file FILE.lock beside it. One that was left behind is taken over. */
export class FileLock {
  private constructor(
    private readonly path: string,
    private readonly token: string,
  ) {}

  /** Waits for other holders. @throws FileFault if one does not release it, or something else is in its place */
  static async take(file: string): Promise<FileLock> {
    const path = `${file}.lock`;
    const holder: Holder = { token: randomUUID(), pid: process.pid, host: hostname() };
    const end = performance.now() + LONGEST_WAIT;
    while (!(await create(path, holder))) {
      const other = await read(path);
      const age = await ageOf(path);
      if (age === null) continue;
      if (isAbandoned(other, age)) {
        await takeAway(path, other, `${path}.${holder.token}`);
        continue;
      }
      if (performance.now() > end) {
        const by = other === null ? '' : ` (process ${other.pid} on ${other.host})`;
        throw new FileFault(`another run keeps it locked${by}; run again when it is done`);
      }
      await delay(TRIES_EVERY);
    }
    return new FileLock(path, holder.token);
  }

  /** It may have been taken away from a process that was suspended for long. */
  async isHeld(): Promise<boolean> {
    return (await read(this.path))?.token === this.token;
  }

  async release(): Promise<void> {
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

/** Null if it is gone, or not written yet. @throws FileFault if it is something else */
async function read(path: string): Promise<Holder | null> {
  try {
    if ((await lstat(path)).isSymbolicLink()) throw new FileFault('it is a link');
    const text = await readBounded(path, MOST_BYTES);
    return text === '' ? null : holderSchema.parse(JSON.parse(text));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    if (![SyntaxError, z.ZodError, FileFault].some((kind) => error instanceof kind)) throw error;
    throw new FileFault(`${path} beside it is not a lock of mongolint: remove it`);
  }
}

/** In ms since it was renewed; null if it is gone. */
async function ageOf(path: string): Promise<number | null> {
  const status = await lstat(path).catch(nullIfMissing);
  return status === null ? null : Date.now() - status.mtimeMs;
}

/** Its process has ended, or did not get done. Containers may share a host's name, and rarely within a minute their numbers. */
function isAbandoned(holder: Holder | null, age: number): boolean {
  if (age > ABANDONED_AFTER) return true;
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
    return String(readRegular(`/proc/${pid}/stat`, MOST_BYTES))
      .replace(/^.*\)/s, '')
      .startsWith(' Z');
  } catch {
    return false;
  }
}
