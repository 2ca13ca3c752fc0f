import { readFile, realpath } from 'node:fs/promises';
import { replaceFile } from '../../file-replacement.js';
import { LintError } from '../../lint-error.js';
import { MS_PER_DAY } from '../../time-units.js';
import { HistoryLock } from './history-lock.js';
import { HISTORY_HEADER, parseHistoryLine, type HistoryRecord } from './history-record.js';

/** Growth longer ago says nothing of today's. */
export const HISTORY_DAYS = 90;
/** Days after which one record a day of each collection is enough. */
const FULL_DAYS = 7;
/** Readable by its owner only: it names collections and fields. */
const FILE_MODE = 0o600;

/** A record, and the line it was read from: it may hold keys of a later minor version. */
interface Entry {
  readonly record: HistoryRecord;
  readonly line: string;
}

// A header line, then one line of JSON for each run, rewritten whole at the end of a run.
export class HistoryFile {
  private constructor(
    private readonly path: string,
    private readonly lock: HistoryLock,
    private readonly entries: readonly Entry[],
    private readonly isNew: boolean,
  ) {}

  /** @throws LintError if the file, which need not exist, is locked, damaged, of a newer version or no history file */
  static async open(file: string): Promise<HistoryFile> {
    const path = await orLintError(file, () => resolved(file));
    const lock = await orLintError(file, () => HistoryLock.take(path));
    try {
      const content = await orLintError(file, () => readFile(path, 'utf8').catch(nullIfMissing));
      return new HistoryFile(path, lock, parse(content ?? '', file), content === null);
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** Those of earlier runs, in order of time. */
  get records(): readonly HistoryRecord[] {
    return this.entries.map(({ record }) => record);
  }

  /**
   * Adds the record of this run; at most once.
   *
   * @throws LintError if it can't be written, or another process took the file over
   */
  async add(record: HistoryRecord): Promise<void> {
    await orLintError(this.path, async () => {
      if (!(await this.lock.isHeld()))
        throw new Error('another run took it over, because this one was suspended too long');
      const kept = keptEntries([...this.entries, { record, line: JSON.stringify(record) }], Date.parse(record.at));
      const lines = [HISTORY_HEADER, ...kept.map(({ line }) => line)];
      await replaceFile(this.path, `${lines.join('\n')}\n`, this.isNew ? FILE_MODE : undefined);
    });
  }

  async close(): Promise<void> {
    await this.lock.release();
  }
}

// All of the last days; before that one a day of each collection, since several clusters and runs on parts of one may
// share the file; nothing beyond `HISTORY_DAYS`.
function keptEntries(entries: readonly Entry[], now: number): Entry[] {
  const kept = new Set<string>();
  return entries.filter(({ record: { at, collections } }) => {
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

function nullIfMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}

/** @returns what the file holds, in order of time */
function parse(content: string, file: string): Entry[] {
  if (content === '') return [];
  const lines = content.split('\n');
  const isWhole = lines.at(-1) === '';
  if (isWhole) lines.pop();
  const parsed = lines.map(parseHistoryLine);
  // Versions that appended to the file left half a record if they were killed.
  if (!isWhole && parsed.at(-1)?.kind === 'unreadable') parsed.pop();
  const newer = parsed.find((line) => line.kind === 'newer');
  if (newer !== undefined) {
    throw new LintError(
      `The history file ${file} was written by a newer mongolint (format ${newer.schemaVersion}): update this one, or give another file.`,
    );
  }
  if (parsed[0]?.kind !== 'header')
    throw new LintError(`${file} is not a history file of mongolint; it was not changed.`);
  const damaged = parsed.findIndex(({ kind }, index) => {
    // Versions that appended to the file marked what a killed process had left.
    const next = parsed.slice(index).find((line) => line.kind !== 'unreadable');
    return kind === 'unreadable' && next?.kind !== 'torn-mark';
  });
  if (damaged >= 0) {
    throw new LintError(
      `The history file ${file} is damaged: line ${damaged + 1} is not a record. Restore it from a backup or give another file; it was not changed.`,
    );
  }
  const entries = parsed.flatMap((line, index) =>
    line.kind === 'record' ? [{ record: line.record, line: lines[index] as string }] : [],
  );
  return entries.sort((a, b) => Date.parse(a.record.at) - Date.parse(b.record.at));
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
