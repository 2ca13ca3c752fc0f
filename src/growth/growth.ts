import { z } from 'zod';
import type { Plain } from '../plain.js';
import { evidenceSchema } from '../presence.js';
import { CONFIDENCES } from '../severity.js';

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

const intervalSchema = z.strictObject({ low: z.number(), estimate: z.number(), high: z.number() });

/** Of a typical array or document, and of the largest: its length or size now, and what it gains a day, in 90 of 100 cases between two figures. */
const ratesSchema = z.strictObject({
  typical: z.strictObject({ value: z.number(), perDay: intervalSchema }),
  largest: z.strictObject({ value: z.number(), perDay: intervalSchema }),
});

/** What the ages of the documents show. `spanDays`: between the 5th and the 95th percentile. */
export const ageGrowthSchema = z.strictObject({
  verdict: z.enum(GROWTH_VERDICTS),
  because: z.enum(AGE_REASONS),
  windowDays: z.number(),
  documents: z.number(),
  correlation: z.number().describe("Spearman's, of age and length."),
  rates: ratesSchema.nullable(),
});

const oplogGrowthSchema = z.strictObject({
  verdict: z.enum(GROWTH_VERDICTS),
  because: z.enum(OPLOG_REASONS),
  windowDays: z.number(),
  writes: z.int().nonnegative().describe('Writes to such arrays that were read.'),
  rewrites: z.number().exactOptional().describe('Those among them that wrote the array whole, or cut it.'),
  share: z.number().describe('Share of the entries in the window that was read.'),
  documents: z.number().describe('Documents among those writes that are still there.'),
  longest: z.number(),
  appendedPerDay: z.number().nullable().describe('Elements a day over the whole collection; null if unknown.'),
  lifetimeDays: z
    .number()
    .nullable()
    .describe('After which written documents are deleted; null if that does not show.'),
  byChance: z.literal(true).exactOptional().describe('Present if another run would draw other entries.'),
  rates: ratesSchema.nullable().describe('Of the arrays that are written to.'),
});

const historyGrowthSchema = z.strictObject({
  verdict: z.enum(GROWTH_VERDICTS),
  because: z.enum(HISTORY_REASONS),
  windowDays: z.number(),
  runs: z.number(),
  documents: z.number().describe('Recognised in the first and in the last of these runs.'),
  rates: ratesSchema.nullable(),
});

const source = z.enum(GROWTH_SOURCES);

/** Growth that a source shows and none contradicts. */
const measuredSchema = z.strictObject({
  source: source.describe('Whose figures these are.'),
  sources: z.array(source).describe('Those that show it, this one first.'),
  disagreeing: z.array(source).describe('Those that show growth at a rate too far from this one.'),
  confidence: z.enum(CONFIDENCES),
  windowDays: z.number(),
  rates: ratesSchema,
  lifetimeDays: z.number().nullable().describe('Days that documents live or are surely expected to; null if unknown.'),
  byChance: z.literal(true).exactOptional().describe('Present if the rates are of entries drawn at random.'),
});

const days = z.union([z.number(), z.literal(Infinity)]);
const range = z.strictObject({ earliest: days, latest: days }).nullable();

/** When a limit is passed. Of a limit that was passed, all are 0; of one that is never passed, infinite. */
const forecastSchema = z.strictObject({
  unit: z.enum(['elements', 'bytes']),
  limit: z.number(),
  typical: range.describe('Days until half of them have passed it; null without an honest forecast.'),
  largest: range,
  expectedDays: days.describe('Days until the first of the two, kept from run to run while the evidence allows it.'),
  surelyDays: days.describe('The same at the lowest rate of the interval.'),
});

const numbers = z.array(z.number());

/** What a history or a file keeps of a collection, for later runs to compare with: counts, lengths, salted hashes. */
export const keptGrowthSchema = z.object({
  documents: z.number(),
  sketch: z
    .object({
      hashes: z.string().describe('Of 40 bits each, in Base64. The salt is not in a file of evidence.'),
      chosenByHash: z
        .number()
        .exactOptional()
        .describe(
          'So many of them are chosen by their hashes, as all are if it is absent; the others have the longest arrays.',
        ),
      sizes: numbers,
      lengths: z.array(z.object({ path: z.string(), values: numbers })),
    })
    .exactOptional(),
  told: z
    .array(z.object({ path: z.string().nullable(), limit: z.number(), days: z.number(), surely: z.number() }))
    .exactOptional()
    .describe('Days until limits, as this run told them; the path is null for documents as a whole.'),
});

const window = z.strictObject({
  days: z.number(),
  from: z.string().describe('For ages, the field that shows them.'),
});
const sourceWindow = evidenceSchema(window);

/** The evidence `growth`: what each source says, and what they say together. */
export const growthSchema = z.strictObject({
  arrays: z.array(
    z.strictObject({
      path: z.string(),
      age: ageGrowthSchema.nullable(),
      oplog: oplogGrowthSchema.nullable(),
      history: historyGrowthSchema.nullable(),
      growth: measuredSchema.nullable(),
      forecasts: z.array(forecastSchema),
    }),
  ),
  sizes: z.strictObject({
    age: ageGrowthSchema.nullable(),
    history: historyGrowthSchema.nullable(),
    growth: measuredSchema.nullable(),
    forecast: forecastSchema.nullable(),
  }),
  sources: z.strictObject({ age: sourceWindow, oplog: sourceWindow, history: sourceWindow }),
  earlierCount: z
    .strictObject({ documents: z.number(), daysAgo: z.number() })
    .exactOptional()
    .describe('Documents in the earliest run of the last 90 days.'),
  carried: keptGrowthSchema.exactOptional(),
});

export type Interval = Plain<typeof intervalSchema>;
export type GrowthRates = Plain<typeof ratesSchema>;
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
