import { z } from 'zod';
import { HISTORY_SCHEMA_VERSION } from './history-version.js';
import { QUANTILE_SHARES } from './quantile-summary.js';

const summarySchema = z.object({
  count: z.int().positive(),
  quantiles: z.array(z.number()).length(QUANTILE_SHARES.length).readonly(),
});

const recordSchema = z.object({
  schemaVersion: z.int(),
  at: z.iso.datetime(),
  collections: z.array(
    z.object({
      namespace: z.string(),
      /** A collection that was dropped and created again has another UUID. */
      uuid: z.string(),
      documents: z.int().nonnegative(),
      complete: z.boolean(),
      sizes: summarySchema,
      arrays: z.array(
        z.object({
          path: z.string(),
          /** Elements per array of a document, over the sampled documents that hold any. */
          lengths: summarySchema,
        }),
      ),
    }),
  ),
});

/** Quantiles, sizes and counts; never a value. */
export type HistoryRecord = z.infer<typeof recordSchema>;
export type RecordedCollection = HistoryRecord['collections'][number];

const HEADER_FILE = 'mongolint history';

export const HISTORY_HEADER = JSON.stringify({ file: HEADER_FILE, schemaVersion: HISTORY_SCHEMA_VERSION });

export type HistoryLine =
  | { readonly kind: 'header' | 'torn-mark' }
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
  const marks = z
    .object({ schemaVersion: z.int(), file: z.string().optional(), tornBefore: z.boolean().optional() })
    .safeParse(value);
  if (!marks.success) return { kind: 'unreadable' };
  const { schemaVersion, file, tornBefore } = marks.data;
  if (schemaVersion > HISTORY_SCHEMA_VERSION) return { kind: 'newer', schemaVersion };
  if (file === HEADER_FILE) return { kind: 'header' };
  if (tornBefore === true) return { kind: 'torn-mark' };
  const record = recordSchema.safeParse(value);
  return record.success ? { kind: 'record', record: record.data } : { kind: 'unreadable' };
}
