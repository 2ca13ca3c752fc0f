import { randomBytes } from 'node:crypto';
import { assertBounded, readBounded } from '../../../bounded-file.js';
import { FileFault, fileFault, nullIfMissing } from '../../../file-fault.js';
import { linkTarget, PRIVATE_MODE, replaceFile } from '../../../file-replacement.js';
import { LintError } from '../../../lint-error.js';
import { terminalJson } from '../../../terminal-text.js';
import { MS_PER_DAY } from '../../../time-units.js';
import { HistoryLock } from './history-lock.js';
import { HISTORY_HEADER, parseHistoryLine, type HistoryRecord } from './history-record.js';
import { thinSketches, type Entry } from './history-sketches.js';

/** Growth longer ago says nothing of today's. */
export const HISTORY_DAYS = 90;
/** Days after which one record a day of each collection is enough. */
const FULL_DAYS = 7;
/** Hundreds of runs over thousands of collections; beyond 512 MB Node can't hold it as one text. */
const MOST_BYTES = 256 * 1024 * 1024;

const SALT_BYTES = 16;
/** Between runs. After longer ones the clock may be wrong. */
const LONGEST_PAUSE_DAYS = 2 * HISTORY_DAYS;

// A header line, then one line of JSON for each run, rewritten whole at the end of a run.
export class HistoryFile {
  private constructor(
    private readonly path: string,
    private readonly lock: HistoryLock,
    private readonly entries: readonly Entry[],
  ) {
    const salt = entries.findLast(({ record }) => record.salt !== undefined)?.record.salt;
    this.salt = salt ?? randomBytes(SALT_BYTES).toString('hex');
  }

  /** @throws LintError if the file, which need not exist, is locked, damaged, of a newer version or no history file */
  static async open(file: string): Promise<HistoryFile> {
    const path = await orLintError(file, () => linkTarget(file));
    await orLintError(file, () => assertBounded(path, MOST_BYTES).catch(nullIfMissing));
    const lock = await orLintError(file, () => HistoryLock.take(path));
    try {
      const content = await orLintError(file, () => readBounded(path, MOST_BYTES).catch(nullIfMissing));
      return new HistoryFile(path, lock, parse(content ?? '', file));
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** Those of earlier runs, in order of time. */
  get records(): readonly HistoryRecord[] {
    return this.entries.map(({ record }) => record);
  }

  /** Of the hashes in this file's sketches: that of the latest record, or a new one. */
  readonly salt: string;

  /**
   * Adds the record of this run; at most once.
   *
   * @throws LintError if it can't be written, or another process took the file over
   */
  async add(record: HistoryRecord): Promise<void> {
    await orLintError(this.path, async () => {
      if (!(await this.lock.isHeld()))
        throw new FileFault('another run took it over, because this one was suspended too long');
      const entries = [...this.entries, { record, line: JSON.stringify(record) }].sort(inOrderOfTime);
      const kept = thinSketches(keptEntries(entries, Date.parse(record.at)));
      const lines = [HISTORY_HEADER, ...withinBounds(kept.map(({ line }) => terminalJson(line)))];
      await replaceFile(this.path, `${lines.join('\n')}\n`, PRIVATE_MODE);
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
  const before = entries.findLast(({ record }) => Date.parse(record.at) < now);
  const latestBefore = before === undefined ? now : Date.parse(before.record.at);
  // One run whose clock is a year ahead deletes nothing.
  const isAhead = now - latestBefore > LONGEST_PAUSE_DAYS * MS_PER_DAY;
  const oldest = (isAhead ? latestBefore : now) - HISTORY_DAYS * MS_PER_DAY;
  return entries.filter(({ record: { at, graded, collections } }) => {
    const age = (now - Date.parse(at)) / MS_PER_DAY;
    if (age <= FULL_DAYS) return true;
    const day = Math.floor(Date.parse(at) / MS_PER_DAY);
    const known = kept.size;
    for (const { uuid } of collections) kept.add(`${day} ${uuid}`);
    if (graded !== undefined) kept.add(`${day} grade ${graded.target}`);
    return kept.size > known && Date.parse(at) >= oldest;
  });
}

/** Without the oldest that the next run could not read. */
function withinBounds(lines: readonly string[]): readonly string[] {
  let bytes = HISTORY_HEADER.length;
  const first = lines.findLastIndex((line) => (bytes += Buffer.byteLength(line) + 1) > MOST_BYTES);
  return lines.slice(first + 1);
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
  return entries.sort(inOrderOfTime);
}

function inOrderOfTime(one: Entry, other: Entry): number {
  return Date.parse(one.record.at) - Date.parse(other.record.at);
}

async function orLintError<T>(file: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof LintError) throw error;
    throw new LintError(`The history file ${file} can't be used: ${fileFault(error)}.`, { cause: error });
  }
}
