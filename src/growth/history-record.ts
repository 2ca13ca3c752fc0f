import { z } from 'zod';
import type { Plain } from '../plain.js';
import { keptGrowthSchema } from './growth.js';
import { HISTORY_SCHEMA_VERSION } from './limits.js';

const recordSchema = z.object({
  schemaVersion: z.int(),
  at: z.iso.datetime(),
  /** Of the sketches' hashes: one for the whole file, made at random by the first run. */
  salt: z.string().optional(),
  /** The grade of a target's report, in a record of its own: it is known only once all is judged. */
  graded: z.object({ target: z.string(), grade: z.string() }).optional(),
  /** A collection that was dropped and created again has another UUID. */
  collections: z.array(keptGrowthSchema.extend({ namespace: z.string(), uuid: z.string() })),
});

/** Lengths, sizes, counts and salted hashes; never a value. */
export type HistoryRecord = Plain<typeof recordSchema>;

const HEADER_FILE = 'mongolint history';

export const HISTORY_HEADER = JSON.stringify({ file: HEADER_FILE, schemaVersion: HISTORY_SCHEMA_VERSION });

export type HistoryLine =
  | { readonly kind: 'header' }
  | { readonly kind: 'record'; readonly record: HistoryRecord }
  | { readonly kind: 'newer'; readonly schemaVersion: number }
  | { readonly kind: 'unreadable' };

export function parseHistoryLine(line: string): HistoryLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: 'unreadable' };
  }
  const marks = z.object({ schemaVersion: z.int(), file: z.string().optional() }).safeParse(value);
  if (!marks.success) return { kind: 'unreadable' };
  const { schemaVersion, file } = marks.data;
  if (schemaVersion > HISTORY_SCHEMA_VERSION) return { kind: 'newer', schemaVersion };
  if (file === HEADER_FILE) return { kind: 'header' };
  const record = recordSchema.safeParse(value);
  return record.success ? { kind: 'record', record: record.data } : { kind: 'unreadable' };
}
