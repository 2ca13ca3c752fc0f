import { z } from 'zod';
import { HISTORY_SCHEMA_VERSION } from './history-version.js';
import { QUANTILE_SHARES } from './quantile-summary.js';

const summarySchema = z.object({
  count: z.int().positive(),
  quantiles: z.array(z.number()).length(QUANTILE_SHARES.length).readonly(),
});

const sketchSchema = z.object({
  hashes: z.base64(),
  evenly: z.int().nonnegative(),
  sizes: z.array(z.number()).readonly(),
  lengths: z.array(z.object({ path: z.string(), values: z.array(z.number()).readonly() })).readonly(),
});

/** Days from the run until a limit is passed, as it told them. Absent in older records, or without growth. */
const forecastSchema = z.object({
  unit: z.enum(['elements', 'bytes']),
  limit: z.number(),
  days: z.number(),
  surelyDays: z.number().optional(),
});

const recordSchema = z.object({
  schemaVersion: z.int(),
  at: z.iso.datetime(),
  /** Of the sketches' hashes: one for the whole file, made at random by the first run. Absent in older records. */
  salt: z.string().optional(),
  /** The grade of a target's report, in a record of its own: it is known only once all is judged. */
  graded: z.object({ target: z.string(), grade: z.string() }).optional(),
  collections: z.array(
    z.object({
      namespace: z.string(),
      /** A collection that was dropped and created again has another UUID. */
      uuid: z.string(),
      documents: z.int().nonnegative(),
      /** Of all documents, uncompressed. Absent in older records, or if the server doesn't say. */
      bytes: z.number().nonnegative().optional(),
      complete: z.boolean(),
      sizes: summarySchema,
      sizeForecast: forecastSchema.optional(),
      arrays: z.array(
        z.object({
          path: z.string(),
          /** Elements per array of a document, over the sampled documents that hold any. */
          lengths: summarySchema,
          /** Elements per day of the typical active array, as this run measured them. */
          expected: z.object({ low: z.number(), high: z.number() }).optional(),
          /** Whether that of an earlier run has come true, if its time was up. */
          held: z.boolean().optional(),
          forecasts: z.array(forecastSchema).readonly().optional(),
          /** Whether 30 writes or more in the oplog showed that a third of the arrays are emptied, and lose more than half of what all gain. */
          emptied: z.literal(true).optional(),
        }),
      ),
      /** Documents that later runs recognise. Absent in older records, and where others are close in time. */
      sketch: sketchSchema.optional(),
    }),
  ),
});

/** Quantiles, sizes, counts and salted hashes; never a value. */
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
