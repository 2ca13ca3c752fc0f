import type { UnderstoodCode } from '../code/understood-code.js';
import { LintError } from '../lint-error.js';
import { absent, present, type Absent, type Evidence } from '../presence.js';
import { MS_PER_MINUTE } from '../time-units.js';
import type { SourceFolder } from './option.js';

/** In ms, of the source alone. */
const LONGEST = 10 * MS_PER_MINUTE;

/** The share of the run's time: operations are read after the source, whose lines their comments name. */
const SHARE = 0.5;

export type SourceFolders = readonly (string | SourceFolder)[];

/** What the source says, once it is read. */
export interface SourceReading {
  readonly code: Promise<Evidence<UnderstoodCode>>;
}

interface SourceBounds {
  /** In ms, of the run. */
  readonly maxTime: number;
  readonly interruption?: AbortSignal | undefined;
}

/** Reads source that several targets share once: what `sourceIn` returns for the same folders is kept. */
export function sharedSource(): typeof sourceIn {
  const read = new Map<string, ReturnType<typeof sourceIn>>();
  return (folders = [], bounds) => {
    const key = JSON.stringify(folders);
    const source = read.get(key) ?? sourceIn(folders, bounds);
    read.set(key, source);
    return source;
  };
}

/**
 * Begins to read the source in some folders, beside the run; null if there are none.
 *
 * @throws LintError if there is no source, or no parser
 */
export async function sourceIn(
  folders: SourceFolders = [],
  { maxTime, interruption }: SourceBounds,
): Promise<SourceReading | null> {
  if (folders.length === 0) return null;
  // Loaded only if asked for.
  const { beginReading } = await import('../code/source-process.js');
  const selected = folders.map((folder) =>
    typeof folder === 'string' ? { dir: folder, name: folder } : { name: folder.dir, ...folder },
  );
  const time = AbortSignal.timeout(Math.min(maxTime * SHARE, LONGEST));
  const until = AbortSignal.any([time, ...(interruption === undefined ? [] : [interruption])]);
  const { code } = await beginReading(selected, until);
  const unreadBecause = (error: unknown): Absent => {
    if (interruption?.aborted === true) return absent('interrupted', 'the source was still being read; run again.');
    if (time.aborted)
      return absent(
        'max-time',
        "reading the source took half of the run's time, and was ended; allow more time, or exclude files.",
      );
    return absent('fault', error instanceof LintError ? error.message : 'the source could not be read.', error);
  };
  return { code: code.then(present, unreadBecause) };
}
