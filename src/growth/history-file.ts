import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { fileFault } from '../files/file-fault.js';
import { PRIVATE_MODE } from '../files/file-replacement.js';
import { KeptFile, type KeptText } from '../files/kept-text.js';
import { LintError } from '../lint-error.js';
import type { Plain } from '../plain.js';
import { terminalJson } from '../text/terminal-text.js';
import { MS_PER_DAY } from '../time-units.js';
import { keptGrowthSchema } from './growth.js';
import { HISTORY, HISTORY_SCHEMA_VERSION } from './limits.js';
import type { KeptRun } from './measure-growth.js';
import { type Night, nightSchema } from './night.js';

const versionSchema = z.object({ schemaVersion: z.int() });

const recordSchema = versionSchema.extend({
  at: z.iso.datetime(),
  /** The salt of the sketches' hashes: one for the whole file, made at random by the first run. */
  salt: z.string().optional(),
  /** What the run came to, with the alias of its target, which is empty for the only one; absent if it did not come to its end. */
  night: nightSchema.omit({ at: true }).extend({ target: z.string() }).exactOptional(),
  /** A collection that was dropped and created again has another UUID. */
  collections: z.array(keptGrowthSchema.extend({ namespace: z.string(), uuid: z.string() })),
});

/** Lengths, sizes, counts and salted hashes; never a value. */
export type HistoryRecord = Plain<typeof recordSchema>;

const HEADER_FILE = 'mongolint history';
const headerSchema = z.object({ file: z.literal(HEADER_FILE) });
export const HISTORY_HEADER = JSON.stringify({ file: HEADER_FILE, schemaVersion: HISTORY_SCHEMA_VERSION });

export function historyIn(file: string): KeptText {
  return new KeptFile(file, HISTORY.mostBytes, PRIVATE_MODE);
}

// A header line, then one line of JSON for each run.
export class HistoryFile {
  private constructor(
    private readonly kept: KeptText,
    /** Those of earlier runs, in order of time. */
    readonly records: readonly HistoryRecord[],
  ) {
    const salt = records.findLast((record) => record.salt !== undefined)?.salt;
    this.salt = salt ?? randomBytes(16).toString('hex');
  }

  /** @throws LintError if the file, which need not exist, is damaged, of a newer version or no history file */
  static async open(place: string | KeptText): Promise<HistoryFile> {
    const kept = typeof place === 'string' ? historyIn(place) : place;
    return orLintError(kept, async () => {
      // One that can't be written fails now.
      await kept.change(() => null);
      return new HistoryFile(kept, recordsIn(await kept.read(), kept.name));
    });
  }

  /** The salt of the hashes in this file's sketches: that of the latest record, or a new one. */
  readonly salt: string;

  /** What earlier runs kept of a collection; sketches of another salt can't be compared. */
  runsOf(uuid: string): KeptRun[] {
    return this.records.flatMap(({ at, salt, collections }) => {
      const kept = salt === this.salt ? collections.find((one) => one.uuid === uuid) : undefined;
      return kept === undefined ? [] : [{ at: Date.parse(at), kept }];
    });
  }

  /** What the earlier runs of a target came to, in order of time. */
  nightsOf(target: string): Night[] {
    return this.records.flatMap(({ at, night }) => {
      if (night?.target !== target) return [];
      const { target: _, ...rest } = night;
      return [{ ...rest, at }];
    });
  }

  /** Adds to the record of a run what it came to; nothing if it has none. @throws LintError if it can't be written */
  static async conclude(kept: KeptText, target: string, { at, ...night }: Night): Promise<void> {
    await orLintError(kept, () =>
      kept.change((now) => {
        const lines = (now ?? '').split('\n');
        for (const [index, line] of lines.entries()) {
          const { data } = line.startsWith(beginningOf(at)) ? recordSchema.safeParse(parsedLine(line)) : {};
          // Two targets may have begun in one millisecond.
          if (data === undefined || (data.night !== undefined && data.night.target !== target)) continue;
          lines[index] = lineOf({ ...data, night: { ...night, target } });
          return lines.join('\n');
        }
        return null;
      }),
    );
  }

  /** Adds the record of this run to those of others. @throws LintError if it can't be written */
  async add(record: HistoryRecord): Promise<void> {
    const { kept } = this;
    await orLintError(kept, () =>
      kept.change((now) => {
        const all = [...recordsIn(now, kept.name), record].sort(inOrderOfTime);
        const lines = thinned(all, Date.parse(record.at)).map(lineOf);
        return `${[HISTORY_HEADER, ...withinBounds(lines)].join('\n')}\n`;
      }),
    );
  }
}

/** Time first, by which a run finds its record without reading those of others. */
function lineOf({ schemaVersion, at, ...record }: HistoryRecord): string {
  return terminalJson(JSON.stringify({ schemaVersion, at, ...record }));
}

function beginningOf(at: string): string {
  return JSON.stringify({ schemaVersion: HISTORY_SCHEMA_VERSION, at }).slice(0, -1);
}

function recordsIn(text: string | null, name: string): HistoryRecord[] {
  return parseHistory(text ?? '', name).sort(inOrderOfTime);
}

/** All of the last week, and before it one a day of each collection; sketches of the latest runs, and one a day as long as they are compared. */
function thinned(records: readonly HistoryRecord[], at: number): HistoryRecord[] {
  // One run whose clock is years ahead deletes nothing.
  const before = Date.parse(records.findLast((record) => Date.parse(record.at) < at)?.at ?? '');
  const now = at - before > 2 * HISTORY.keptDays * MS_PER_DAY ? before : at;
  const [left, days] = [new Map<string, number>(), new Set<string>()];
  for (const { uuid } of records.flatMap(({ collections }) => collections)) left.set(uuid, (left.get(uuid) ?? 0) + 1);
  return records.flatMap(({ collections, ...record }) => {
    const age = (now - Date.parse(record.at)) / MS_PER_DAY;
    const kept = collections.flatMap(({ sketch, ...collection }) => {
      const newer = (left.get(collection.uuid) ?? 0) - 1;
      left.set(collection.uuid, newer);
      const day = `${record.at.slice(0, 'yyyy-mm-dd'.length)} ${collection.uuid}`;
      const isFirst = !days.has(day);
      days.add(day);
      if (age > HISTORY.fullDays && !(isFirst && age <= HISTORY.keptDays)) return [];
      const isCompared = newer < HISTORY.latest || (isFirst && age <= HISTORY.comparedDays + 1);
      return [{ ...collection, ...(isCompared && sketch !== undefined && { sketch }) }];
    });
    return kept.length > 0 || age <= HISTORY.fullDays ? [{ ...record, collections: kept }] : [];
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

async function orLintError<T>({ name }: KeptText, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof LintError) throw error;
    throw new LintError(`The history file ${name} can't be used: ${fileFault(error)}.`, { cause: error });
  }
}

/** @param file its name, for messages  @throws LintError if it is damaged, of a newer version or no history file */
function parseHistory(text: string, file: string): HistoryRecord[] {
  if (text === '') return [];
  const [header, ...lines] = text
    .split('\n')
    .filter((line) => line !== '')
    .map(parsedLine);
  const version = Math.max(...[header, ...lines].map((line) => versionSchema.safeParse(line).data?.schemaVersion ?? 0));
  if (version > HISTORY_SCHEMA_VERSION)
    throw new LintError(
      `The history file ${file} was written by a newer mongolint (format ${version}): update this one, or give another file.`,
    );
  if (!headerSchema.safeParse(header).success)
    throw new LintError(`${file} is not a history file of mongolint; it was not changed.`);
  return lines.map((line, index) => {
    const { data } = recordSchema.safeParse(line);
    if (data !== undefined) return data;
    throw new LintError(
      `The history file ${file} is damaged: line ${index + 2} is not a record. Restore it from a backup or give another file; it was not changed.`,
    );
  });
}

/** True for a line that a run of this version can read. */
export function isHistoryLine(line: string): boolean {
  const { data } = recordSchema.safeParse(parsedLine(line));
  return data !== undefined && data.schemaVersion <= HISTORY_SCHEMA_VERSION;
}

/** Undefined if it is no JSON. */
function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
