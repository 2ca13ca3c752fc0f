import { sampleRankCorrelation } from 'simple-statistics';
import { z } from 'zod';
import { groupedBy } from '../../grouped-by.js';
import type { ShardKey } from '../../inventory/sharding.js';
import type { Plain } from '../../plain.js';
import { bsonIdentity, compareBson } from '../../profile/bson-order.js';
import { commonKind, kindAndTime, VALUE_KINDS } from './value-kind.js';
import { valueSpread } from './value-spread.js';

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
