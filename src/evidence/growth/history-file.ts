import { open, readFile, realpath, rename } from 'node:fs/promises';
import { LintError } from '../../lint-error.js';
import { MS_PER_DAY } from '../../time-units.js';
import { HistoryLock } from './history-lock.js';
import { HISTORY_HEADER, parseHistoryLine, TORN_MARK, type HistoryRecord } from './history-record.js';

/** Growth longer ago says nothing of today's. */
export const HISTORY_DAYS = 90;
/** Days after which one record a day of each collection is enough. */
const FULL_DAYS = 7;
/** The file is rewritten once so large a share of its records can be removed. */
const REMOVABLE_SHARE = 0.1;
/** Readable by its owner only: it names collections and fields. */
const FILE_MODE = 0o600;

// A header line, then one line of JSON for each run. Lines are only appended, each in one write that reaches the disk
// before the run goes on; old ones are removed by renaming a new file. So a killed process loses only its own record.
export class HistoryFile {
  private constructor(
    private readonly path: string,
    private readonly lock: HistoryLock,
    /** In order of time. */
    readonly records: readonly HistoryRecord[],
    private exists: boolean,
  ) {}

  /** @throws LintError if the file, which need not exist, is locked, damaged, of a newer version or no history file */
  static async open(file: string): Promise<HistoryFile> {
    const path = await orLintError(file, () => resolved(file));
    const lock = await orLintError(file, () => HistoryLock.take(path));
    try {
      const content = await orLintError(file, () => readFile(path, 'utf8').catch(emptyWhereMissing));
      const { records, repair } = parse(content, file, lock.wasAbandoned);
      // Written at once: the run that found it may itself be killed.
      if (repair !== null) await orLintError(file, () => append(path, repair));
      return new HistoryFile(path, lock, records, content !== '');
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** @throws LintError if it can't be written, or another process took the file over */
  async add(record: HistoryRecord): Promise<void> {
    await orLintError(this.path, async () => {
      if (!(await this.lock.isHeld()))
        throw new Error('another run took it over, because this one was suspended too long');
      const line = JSON.stringify(record);
      const kept = keptRecords([...this.records, record], Date.parse(record.at));
      const removable = this.records.length + 1 - kept.length;
      if (!this.exists) await replace(this.path, [HISTORY_HEADER, line]);
      else await append(this.path, `${line}\n`);
      this.exists = true;
      if (removable > REMOVABLE_SHARE * this.records.length)
        await replace(this.path, [HISTORY_HEADER, ...kept.map((one) => JSON.stringify(one))]);
    });
  }

  async close(): Promise<void> {
    await this.lock.release();
  }
}

// All of the last days; before that one a day of each collection, since several clusters and runs on parts of one may
// share the file; nothing beyond `HISTORY_DAYS`.
function keptRecords(records: readonly HistoryRecord[], now: number): HistoryRecord[] {
  const kept = new Set<string>();
  return records.filter(({ at, collections }) => {
    const age = (now - Date.parse(at)) / MS_PER_DAY;
    if (age <= FULL_DAYS) return true;
    const day = Math.floor(Date.parse(at) / MS_PER_DAY);
    const before = kept.size;
    for (const { uuid } of collections) kept.add(`${day} ${uuid}`);
    return kept.size > before && age <= HISTORY_DAYS;
  });
}

/** A link is followed, so that renaming does not replace it. */
async function resolved(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return file;
    throw error;
  }
}

function emptyWhereMissing(error: unknown): string {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
  throw error;
}

/** @param mayBeTorn whether a process was killed while it held the file: only then may the last line be incomplete */
function parse(content: string, file: string, mayBeTorn: boolean): { records: HistoryRecord[]; repair: string | null } {
  if (content === '') return { records: [], repair: null };
  const lines = content.split('\n');
  const isWhole = lines.at(-1) === '';
  if (isWhole) lines.pop();
  const parsed = lines.map(parseHistoryLine);
  const newer = parsed.find((line) => line.kind === 'newer');
  if (newer !== undefined) {
    throw new LintError(
      `The history file ${file} was written by a newer mongolint (format ${newer.schemaVersion}): update this one, or give another file.`,
    );
  }
  if (parsed[0]?.kind !== 'header')
    throw new LintError(`${file} is not a history file of mongolint; it was not changed.`);
  const isTorn = !isWhole && parsed.at(-1)?.kind === 'unreadable';
  const damaged = parsed.findIndex(({ kind }, index) => {
    if (kind !== 'unreadable') return false;
    // A mark may itself be torn, so several unreadable lines may stand before one, or at the end.
    const next = parsed.slice(index + 1).find((line) => line.kind !== 'unreadable');
    return next === undefined ? !(isTorn && mayBeTorn) : next.kind !== 'torn-mark';
  });
  if (damaged >= 0) {
    const what = isTorn && damaged === parsed.length - 1 ? 'ends in the middle of a record' : 'is not a record';
    throw new LintError(
      `The history file ${file} is damaged: line ${damaged + 1} ${what}. Restore it from a backup or give another file; it was not changed.`,
    );
  }
  const records = parsed.flatMap((line) => (line.kind === 'record' ? [line.record] : []));
  return {
    records: records.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)),
    repair: isTorn ? `\n${TORN_MARK}\n` : isWhole ? null : '\n',
  };
}

/** Waits until the text is on disk, and removes what a full disk cut off. */
async function append(path: string, text: string): Promise<void> {
  const handle = await open(path, 'a');
  try {
    const { size } = await handle.stat();
    const bytes = Buffer.from(text);
    try {
      const { bytesWritten } = await handle.write(bytes);
      if (bytesWritten < bytes.length) throw new Error('the disk is full');
      await handle.sync();
    } catch (error) {
      await handle.truncate(size);
      throw error;
    }
  } finally {
    await handle.close();
  }
}

async function replace(path: string, lines: readonly string[]): Promise<void> {
  const draft = `${path}.new`;
  const handle = await open(draft, 'w', FILE_MODE);
  try {
    await handle.writeFile(`${lines.join('\n')}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, path);
}

async function orLintError<T>(file: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof LintError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? '';
    throw new LintError(`The history file ${file} can't be used: ${FILE_ERRORS[code] ?? (error as Error).message}.`, {
      cause: error,
    });
  }
}

const FILE_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EISDIR: 'it is a folder',
  ENOENT: 'its folder does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'its folder does not exist',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
};
