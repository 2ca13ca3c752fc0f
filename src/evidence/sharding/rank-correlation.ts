import { sampleRankCorrelation } from 'simple-statistics';
import { compareBson } from '../../profile/bson-order.js';

export interface OrderedValue {
  readonly inserted: number;
  readonly value: unknown;
}

export interface PooledCorrelation {
  /** Spearman's, -1 to 1; null if nothing varies. */
  readonly correlation: number | null;
  /** Pairs beyond the first of each group: how many observations could have shown another order. */
  readonly pairs: number;
}

/** Of ranks, because values may be of any type and counters need not grow evenly; equal ones share their mean rank. */
export function rankCorrelation(pairs: readonly OrderedValue[]): number | null {
  const correlation = sampleRankCorrelation(
    pairs.map(({ inserted }) => inserted),
    positions(pairs.map(({ value }) => value)),
  );
  return Number.isFinite(correlation) ? correlation : null;
}

/** Each group weighs by its pairs beyond the first: shows order *within* groups, whatever the order between them. */
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
