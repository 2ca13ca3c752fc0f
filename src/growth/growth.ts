import { z } from 'zod';
import { CONFIDENCES } from '../finding/severity.js';
import { ofKind } from '../names.js';
import type { Plain } from '../plain.js';
import { evidenceSchema } from '../presence-schema.js';

/**
 * `age`: within one sample, older documents have longer arrays. `oplog`: arrays are being appended to. `history`: the same
 * documents have longer arrays than in earlier runs.
 */
export const GROWTH_SOURCES = ['age', 'oplog', 'history'] as const;
export type GrowthSource = (typeof GROWTH_SOURCES)[number];

/** What a source says: it grows, it does not, or the source can't tell. */
export const GROWTH_VERDICTS = ['growing', 'not growing', 'unknown'] as const;

/** Why, in a word; `few`: too little to tell. */
export const AGE_REASONS = ['growing', 'few', 'level', 'plateau', 'step', 'born-longer'] as const;
export const OPLOG_REASONS = ['growing', 'few', 'replaced', 'capped', 'one-off', 'young'] as const;
export const HISTORY_REASONS = ['growing', 'few', 'unchanged', 'replaced', 'steps', 'young'] as const;

// Files of earlier versions have more fields: what none reads any more is accepted, and left out.
const intervalSchema = z.object({ low: z.number(), estimate: z.number(), high: z.number() });

/** For a typical array or document, and for the largest: its length or size now, and what it gains a day, in 90 of 100 cases between two figures. */
const ratesSchema = z.object({
  typical: z.object({ value: z.number(), perDay: intervalSchema }),
  largest: z.object({ value: z.number(), perDay: intervalSchema }),
});

const shownSchema = z.object({
  verdict: z.enum(GROWTH_VERDICTS),
  windowDays: z.number(),
  rates: ratesSchema.nullable(),
});

/** What the ages of the documents show: `windowDays` is between their 5th and their 95th percentile. */
export const ageGrowthSchema = shownSchema.extend({
  because: z.enum(AGE_REASONS),
  documents: z.number(),
  correlation: z.number().describe("Spearman's, of age and length."),
});

/** The rates are of the arrays that are written to. */
const oplogGrowthSchema = shownSchema.extend({
  because: z.enum(OPLOG_REASONS),
  writes: z.int().nonnegative().describe('Writes to such arrays that were read.'),
  rewrites: z.number().exactOptional().describe('Those among them that wrote the array whole, or cut it.'),
  share: z.number().describe('Share of the time in the window that was read.'),
  documents: z.number().describe('Documents among those writes that are still there.'),
  longest: z.number(),
  appendedPerDay: z.number().nullable().describe('Elements a day over the whole collection; null if unknown.'),
});

const historyGrowthSchema = shownSchema.extend({
  because: z.enum(HISTORY_REASONS),
  runs: z.number(),
  documents: z.number().describe('Recognised in the first and in the last of these runs.'),
});

const source = z.enum(GROWTH_SOURCES);

/** Growth that a source shows and none contradicts. */
const measuredSchema = z.object({
  source: source.describe('Whose figures these are.'),
  sources: z.array(source).describe('Those that show it, this one first.'),
  confidence: z.enum(CONFIDENCES),
  windowDays: z.number(),
  rates: ratesSchema,
  lifetimeDays: z.number().nullable().describe('Days that documents are expected to live; null if unknown.'),
});

const days = z.union([z.number(), z.literal(Infinity)]);
const range = z.object({ earliest: days, latest: days }).nullable();

/** When a limit is passed. Of a limit that was passed, all are 0; of one that is never passed, infinite. */
const forecastSchema = z.object({
  unit: z.enum(['elements', 'bytes']),
  limit: z.number(),
  typical: range.describe('Days until half of them have passed it; null without an honest forecast.'),
  largest: range,
  expectedDays: days.describe('Days until the first of the two; with earlier runs, as steady as the interval allows.'),
});

const numbers = z.array(z.number());

const sketchSchema = z.object({
  hashes: ofKind('no name', z.string().describe('Of 40 bits each, in Base64. The salt is not in a file of evidence.')),
  sizes: numbers,
  lengths: z.array(z.object({ path: z.string(), values: numbers })),
});

/** Days until a limit; of documents as a whole, the path is null. */
const keptForecastSchema = z.object({ path: z.string().nullable(), limit: z.number(), days: z.number() });

/** What a history or a file keeps of a collection, for later runs to compare with: counts, lengths, salted hashes. */
export const keptGrowthSchema = z.object({
  documents: z.number(),
  sketch: sketchSchema.exactOptional(),
  forecasts: z.array(keptForecastSchema).exactOptional(),
});

const window = { days: z.number(), from: z.string().describe('For ages, the field that shows them.') };
const sourceWindow = evidenceSchema(z.object(window));

/** The evidence `growth`: what each source says, and what they say together. */
export const growthSchema = z.object({
  arrays: z.array(
    z.object({
      path: z.string(),
      age: ageGrowthSchema.nullable(),
      oplog: oplogGrowthSchema.nullable(),
      history: historyGrowthSchema.nullable(),
      growth: measuredSchema.nullable(),
      forecasts: z.array(forecastSchema),
    }),
  ),
  sizes: z.object({
    age: ageGrowthSchema.nullable(),
    history: historyGrowthSchema.nullable(),
    growth: measuredSchema.nullable(),
    forecast: forecastSchema.nullable(),
  }),
  sources: z.object({ age: sourceWindow, oplog: sourceWindow, history: sourceWindow }),
  earlierCount: z
    .strictObject({ documents: z.number(), daysAgo: z.number() })
    .exactOptional()
    .describe('Documents in the earliest run of the last 90 days.'),
  carried: keptGrowthSchema.exactOptional(),
});

export type Interval = Plain<typeof intervalSchema>;
export type AgeGrowth = Plain<typeof ageGrowthSchema>;
export type OplogGrowth = Plain<typeof oplogGrowthSchema>;
export type HistoryGrowth = Plain<typeof historyGrowthSchema>;
export type MeasuredGrowth = Plain<typeof measuredSchema>;
export type LimitForecast = Plain<typeof forecastSchema>;
export type DayRange = NonNullable<LimitForecast['typical']>;
export type KeptGrowth = Plain<typeof keptGrowthSchema>;
export type GrowthEvidence = Plain<typeof growthSchema>;
export type ArrayGrowth = GrowthEvidence['arrays'][number];
export type SourceWindow = Extract<GrowthEvidence['sources']['age'], { present: true }>['value'];
export type EarlierCount = NonNullable<GrowthEvidence['earlierCount']>;
