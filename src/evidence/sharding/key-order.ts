import { sampleRankCorrelation } from 'simple-statistics';
import { z } from 'zod';
import { groupedBy } from '../../grouped-by.js';
import type { ShardKey } from '../../inventory/sharding.js';
import type { Plain } from '../../plain.js';
import { bsonIdentity, compareBson } from '../../profile/bson-order.js';
import { commonKind, kindAndTime, VALUE_KINDS } from './value-kind.js';

/** How many values there are, and how evenly documents are spread over them. */
export const valueSpreadSchema = z.strictObject({
  sample: z.number(),
  /** Different values in the sample. */
  distinct: z.number(),
  /** Values of which the sample has one document: so many come and go from sample to sample. */
  seenOnce: z.number(),
  /** In the whole collection, at least: Chao's estimate, or the exact number of a complete sample. */
  estimatedDistinct: z.number(),
  /** The share of the most frequent value, 0 to 1. */
  mostCommonShare: z.number(),
  /** The shares of the most frequent values, 100 at most, 0 to 1 each, the most frequent first. */
  shares: z.array(z.number()),
  /** Equally frequent values that would be as likely to meet: the reciprocal of Simpson's index. */
  effectiveValues: z.number(),
});

export type ValueSpread = Plain<typeof valueSpreadSchema>;

export interface KeyRow {
  readonly inserted: number;
  /** Rows of different groups can't be put in order, such as those of different chunks by their RecordIds. */
  readonly group: string;
  readonly values: readonly unknown[];
}

/** What was measured of one field of a key, among documents that agree in the fields before it. */
export const fieldOrderSchema = z.strictObject({
  path: z.string(),
  hashed: z.boolean(),
  /** What nearly all values are; null if they are mixed. */
  kind: z.enum(VALUE_KINDS).nullable(),
  /** Spearman's, with the order of insertion, -1 to 1; null if one of them does not vary. */
  correlation: z.number().nullable(),
  /** The same for the time that the values carry; null if they carry none. */
  timeCorrelation: z.number().nullable(),
  pairs: z.number(),
  /** Effective number of different values of the key up to and including this field; see `ValueSpread`. */
  effectiveValues: z.number(),
});

export type FieldOrder = Plain<typeof fieldOrderSchema>;

const NEARLY_ALL = 0.9;

/** @param sample values of the key in a random sample, in case there are no rows */
export function fieldOrders(
  key: ShardKey,
  rows: readonly KeyRow[],
  sample: readonly (readonly unknown[])[] = rows.map(({ values }) => values),
): FieldOrder[] {
  const spreads = prefixSpreads(key, sample);
  let prefixes = rows.map(({ group }) => group);
  return key.map(({ path, hashed }, index) => {
    const values = rows.map((row) => row.values[index]);
    const carried = values.map(kindAndTime);
    const carriesTime = carried.filter(({ time }) => time !== null).length >= NEARLY_ALL * rows.length;
    const { correlation, pairs } = correlationWithin(prefixes, rows, values);
    const ofTime = carriesTime
      ? correlationWithin(
          prefixes,
          rows,
          carried.map(({ time }) => time),
        )
      : null;
    prefixes = prefixes.map((prefix, row) => `${prefix}\n${bsonIdentity(values[row])}`);
    return {
      path,
      hashed,
      kind: commonKind(carried.map(({ kind }) => kind)),
      correlation,
      timeCorrelation: ofTime?.correlation ?? null,
      pairs,
      effectiveValues: spreads[index] as number,
    };
  });
}

function prefixSpreads(key: ShardKey, sample: readonly (readonly unknown[])[]): number[] {
  let prefixes = sample.map(() => '');
  return key.map((_, index) => {
    prefixes = prefixes.map((prefix, row) => `${prefix}\n${bsonIdentity(sample[row]?.[index])}`);
    return valueSpread(prefixes, false).effectiveValues;
  });
}

function correlationWithin(
  prefixes: readonly string[],
  rows: readonly KeyRow[],
  values: readonly unknown[],
): PooledCorrelation {
  const ordered = rows.map(({ inserted }, index) => ({ inserted, value: values[index], prefix: prefixes[index] }));
  return pooledRankCorrelation([...groupedBy(ordered, ({ prefix }) => prefix).values()]);
}

interface OrderedValue {
  readonly inserted: number;
  readonly value: unknown;
}

interface PooledCorrelation {
  /** Spearman's, -1 to 1; null if nothing varies. */
  readonly correlation: number | null;
  /** Pairs beyond the first of each group: how many observations could have shown another order. */
  readonly pairs: number;
}

/** The correlation of ranks, because values may be of any type and counters need not grow evenly; equal ones share their mean rank. */
export function rankCorrelation(pairs: readonly OrderedValue[]): number | null {
  const correlation = sampleRankCorrelation(
    pairs.map(({ inserted }) => inserted),
    positions(pairs.map(({ value }) => value)),
  );
  return Number.isFinite(correlation) ? correlation : null;
}

/** Each group weighs by its pairs beyond the first: shows order *within* groups, whatever the order between them. */
function pooledRankCorrelation(groups: readonly (readonly OrderedValue[])[]): PooledCorrelation {
  let weighted = 0;
  let pairs = 0;
  for (const group of groups) {
    if (group.length < 2) continue;
    const correlation = rankCorrelation(group);
    if (correlation === null) continue;
    weighted += correlation * (group.length - 1);
    pairs += group.length - 1;
  }
  return { correlation: pairs === 0 ? null : weighted / pairs, pairs };
}

function positions(values: readonly unknown[]): number[] {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => compareBson(a.value, b.value));
  const found: number[] = Array.from({ length: values.length });
  let position = 0;
  for (const [place, { value, index }] of order.entries()) {
    if (place > 0 && compareBson(order[place - 1]?.value, value) !== 0) position += 1;
    found[index] = position;
  }
  return found;
}

// Simpson's index is estimated without bias, so that 1,000 values can tell 100 from 10,000. If no two are equal there
// are at least as many as pairs. Sources: E. H. Simpson, "Measurement of Diversity" (Nature, 1949); A. Chao,
// "Nonparametric Estimation of the Number of Classes in a Population" (Scandinavian Journal of Statistics, 1984).
const MOST_SHARES = 100;

export function valueSpread(identities: readonly string[], complete: boolean): ValueSpread {
  const counts = new Map<string, number>();
  for (const identity of identities) counts.set(identity, (counts.get(identity) ?? 0) + 1);
  const frequencies = [...counts.values()];
  const sample = identities.length;
  const pairs = (sample * (sample - 1)) / 2;
  const equalPairs = frequencies.reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
  return {
    sample,
    distinct: counts.size,
    seenOnce: frequencies.filter((count) => count === 1).length,
    estimatedDistinct: complete ? counts.size : chaoEstimate(frequencies),
    mostCommonShare: sample === 0 ? 0 : Math.max(...frequencies) / sample,
    shares: frequencies
      .toSorted((one, other) => other - one)
      .slice(0, MOST_SHARES)
      .map((count) => count / sample),
    effectiveValues: complete ? completeEffectiveValues(frequencies, sample) : pairs / Math.max(1, equalPairs),
  };
}

function chaoEstimate(frequencies: readonly number[]): number {
  const once = frequencies.filter((count) => count === 1).length;
  const twice = frequencies.filter((count) => count === 2).length;
  return Math.round(frequencies.length + (once * (once - 1)) / (2 * (twice + 1)));
}

function completeEffectiveValues(frequencies: readonly number[], sample: number): number {
  return sample === 0 ? 0 : 1 / frequencies.reduce((sum, count) => sum + (count / sample) ** 2, 0);
}
