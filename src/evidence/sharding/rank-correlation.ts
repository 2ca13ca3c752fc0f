import { sampleRankCorrelation } from 'simple-statistics';
import { compareBson } from '../documents/bson-order.js';

/** One document's place in the order of insertion, and its value. */
export interface OrderedValue {
  /** Time or position of the insertion; only the order counts. */
  readonly inserted: number;
  readonly value: unknown;
}

/** A correlation, and what it rests on. */
export interface PooledCorrelation {
  /** Spearman's, -1 to 1; null where nothing varies. */
  readonly correlation: number | null;
  /** Pairs beyond the first of each group: how many observations could have shown another order. */
  readonly pairs: number;
}

/**
 * Spearman's rank correlation of the values with the order of insertion, equal ones sharing their mean rank. Ranks rather
 * than the values themselves, since the latter may be of any type and a counter need not grow evenly.
 *
 * @returns -1 to 1, or null where the values or the times do not vary
 */
export function rankCorrelation(pairs: readonly OrderedValue[]): number | null {
  const correlation = sampleRankCorrelation(
    pairs.map(({ inserted }) => inserted),
    positions(pairs.map(({ value }) => value)),
  );
  return Number.isFinite(correlation) ? correlation : null;
}

/**
 * The mean of the groups' rank correlations, each weighed by its pairs beyond the first: how ordered values are *within*
 * groups, whatever the order between them.
 */
export function pooledRankCorrelation(groups: readonly (readonly OrderedValue[])[]): PooledCorrelation {
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

/** The place of each value among the different values, as the server orders them; equal values get the same one. */
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
