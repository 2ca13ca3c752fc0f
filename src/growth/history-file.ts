import { randomBytes, randomUUID } from 'node:crypto';
import { link, lstat, lutimes, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { z } from 'zod';
import { assertBounded, readBounded, readRegular } from '../bounded-file.js';
import { FileFault, fileFault, nullIfMissing } from '../file-fault.js';
import { linkTarget, PRIVATE_MODE, replaceFile } from '../file-replacement.js';
import { LintError } from '../lint-error.js';
import type { Plain } from '../plain.js';
import { terminalJson } from '../terminal-text.js';
import { MS_PER_DAY } from '../time-units.js';
import { keptGrowthSchema } from './growth.js';
import { HISTORY, HISTORY_SCHEMA_VERSION } from './limits.js';
import type { KeptRun } from './measure-growth.js';

const recordSchema = z.object({
  schemaVersion: z.int(),
  at: z.iso.datetime(),
  /** Of the sketches' hashes: one for the whole file, made at random by the first run. */
  salt: z.string().optional(),
  /** A collection that was dropped and created again has another UUID. */
  collections: z.array(keptGrowthSchema.extend({ namespace: z.string(), uuid: z.string() })),
});

/** Lengths, sizes, counts and salted hashes; never a value. */
export type HistoryRecord = Plain<typeof recordSchema>;

const HEADER_FILE = 'mongolint history';

const headerSchema = z.object({ file: z.literal(HEADER_FILE) });

export const HISTORY_HEADER = JSON.stringify({ file: HEADER_FILE, schemaVersion: HISTORY_SCHEMA_VERSION });

const holderSchema = z.object({ token: z.string(), pid: z.int(), host: z.string() });

type Holder = z.infer<typeof holderSchema>;

/** Held until it is released, or is left behind: its holder renews it, and another run takes over what was not renewed for a minute. */
class HistoryLock {
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

const SALT_BYTES = 16;

// A header line, then one line of JSON for each run, rewritten whole at the end of a run.
export class HistoryFile {
  private constructor(
    private readonly path: string,
    private readonly lock: HistoryLock,
    /** Those of earlier runs, in order of time. */
    readonly records: readonly HistoryRecord[],
  ) {
    const salt = records.findLast((record) => record.salt !== undefined)?.salt;
    this.salt = salt ?? randomBytes(SALT_BYTES).toString('hex');
  }

  /** @throws LintError if the file, which need not exist, is locked, damaged, of a newer version or no history file */
  static async open(file: string): Promise<HistoryFile> {
    const path = await orLintError(file, () => linkTarget(file));
    await orLintError(file, () => assertBounded(path, HISTORY.mostBytes).catch(nullIfMissing));
    const lock = await orLintError(file, () => HistoryLock.take(path));
    try {
      const content = await orLintError(file, () => readBounded(path, HISTORY.mostBytes).catch(nullIfMissing));
      return new HistoryFile(path, lock, parseHistory(content ?? '', file).sort(inOrderOfTime));
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** Of the hashes in this file's sketches: that of the latest record, or a new one. */
  readonly salt: string;

  /** What earlier runs kept of a collection; sketches of another salt can't be compared. */
  runsOf(uuid: string): KeptRun[] {
    return this.records.flatMap(({ at, salt, collections }) => {
      const kept = salt === this.salt ? collections.find((one) => one.uuid === uuid) : undefined;
      return kept === undefined ? [] : [{ at: Date.parse(at), kept }];
    });
  }

  /**
   * Adds the record of this run; at most once.
   *
   * @throws LintError if it can't be written, or another process took the file over
   */
  async add(record: HistoryRecord): Promise<void> {
    await orLintError(this.path, async () => {
      if (!(await this.lock.isHeld()))
        throw new FileFault('another run took it over, because this one was suspended too long');
      const records = keptRecords([...this.records, record].sort(inOrderOfTime), Date.parse(record.at));
      const lines = withinBounds(records.map((one) => terminalJson(JSON.stringify(one))));
      await replaceFile(this.path, `${[HISTORY_HEADER, ...lines].join('\n')}\n`, PRIVATE_MODE);
    });
  }

  async close(): Promise<void> {
    await this.lock.release();
  }
}

/** All of the last days; before that one a day of each collection. */
function keptRecords(records: readonly HistoryRecord[], now: number): HistoryRecord[] {
  const kept = new Set<string>();
  // One run whose clock is years ahead deletes nothing.
  const before = records.findLast(({ at }) => Date.parse(at) < now);
  const latest = before === undefined ? now : Date.parse(before.at);
  const oldest = (now - latest > 2 * HISTORY.keptDays * MS_PER_DAY ? latest : now) - HISTORY.keptDays * MS_PER_DAY;
  return withFewerSketches(records).filter(({ at, collections }) => {
    const time = Date.parse(at);
    if (now - time <= HISTORY.fullDays * MS_PER_DAY) return true;
    const day = Math.floor(time / MS_PER_DAY);
    const known = kept.size;
    for (const { uuid } of collections) kept.add(`${day} ${uuid}`);
    return kept.size > known && time >= oldest;
  });
}

/** Of each collection the sketches of its latest runs, and before those one a day as far as they are compared. */
function withFewerSketches(records: readonly HistoryRecord[]): HistoryRecord[] {
  const [left, days] = [new Map<string, number>(), new Set<string>()];
  const last = Date.parse(records.at(-1)?.at ?? '');
  for (const { uuid } of records.flatMap(({ collections }) => collections)) left.set(uuid, (left.get(uuid) ?? 0) + 1);
  return records.map(({ collections, ...record }) => {
    const time = Date.parse(record.at);
    const kept = collections.map((collection) => {
      const { sketch: _, ...rest } = collection;
      const newer = (left.get(collection.uuid) ?? 0) - 1;
      left.set(collection.uuid, newer);
      const day = `${Math.floor(time / MS_PER_DAY)} ${collection.uuid}`;
      const isOfNewDay = !days.has(day) && last - time <= (HISTORY.comparedDays + 1) * MS_PER_DAY;
      days.add(day);
      return newer < HISTORY.latest || isOfNewDay ? collection : rest;
    });
    return { ...record, collections: kept };
  });
}

/** Without the oldest that the next run could not read. */
function withinBounds(lines: readonly string[]): readonly string[] {
  let bytes = HISTORY_HEADER.length;
  const first = lines.findLastIndex((line) => (bytes += Buffer.byteLength(line) + 1) > HISTORY.mostBytes);
  return lines.slice(first + 1);
}

function inOrderOfTime(one: HistoryRecord, other: HistoryRecord): number {
  return Date.parse(one.at) - Date.parse(other.at);
}

async function orLintError<T>(file: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof LintError) throw error;
    throw new LintError(`The history file ${file} can't be used: ${fileFault(error)}.`, { cause: error });
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
    return String(readRegular(`/proc/${pid}/stat`, HISTORY.lock.mostBytes))
      .replace(/^.*\)/s, '')
      .startsWith(' Z');
  } catch {
    return false;
  }
}

/**
 * The records in the text of a history file, as they stand there.
 *
 * @param file its name, for messages
 * @throws LintError if it is damaged, of a newer version or no history file
 */
function parseHistory(text: string, file: string): HistoryRecord[] {
  if (text === '') return [];
  const [header, ...lines] = text
    .split('\n')
    .filter((line) => line !== '')
    .map(parsedLine);
  for (const line of [header, ...lines]) {
    const version = recordSchema.pick({ schemaVersion: true }).safeParse(line).data?.schemaVersion ?? 0;
    if (version <= HISTORY_SCHEMA_VERSION) continue;
    throw new LintError(
      `The history file ${file} was written by a newer mongolint (format ${version}): update this one, or give another file.`,
    );
  }
  if (!headerSchema.safeParse(header).success)
    throw new LintError(`${file} is not a history file of mongolint; it was not changed.`);
  return lines.map((line, index) => {
    const record = recordSchema.safeParse(line);
    if (record.success) return record.data;
    throw new LintError(
      `The history file ${file} is damaged: line ${index + 2} is not a record. Restore it from a backup or give another file; it was not changed.`,
    );
  });
}

/** Undefined if it is no JSON. */
function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
