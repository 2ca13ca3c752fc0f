import { z } from 'zod';
import { LintError } from '../lint-error.js';
import type { Plain } from '../plain.js';
import { keptGrowthSchema } from './growth.js';
import { HISTORY_SCHEMA_VERSION } from './limits.js';

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

/**
 * The records in the text of a history file, as they stand there.
 *
 * @param file its name, for messages
 * @throws LintError if it is damaged, of a newer version or no history file
 */
export function parseHistory(text: string, file: string): HistoryRecord[] {
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
