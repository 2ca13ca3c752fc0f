import { quantile, sum, weightedQuantile } from 'simple-statistics';
import type { Interval } from './growth.js';
import { FILLING, RATES } from './limits.js';

/** Arrays that were seen, and how many there are in the whole collection. */
export interface SeenArrays {
  readonly lengths: readonly number[];
  readonly arrays: number;
}

/** Whether arrays grow up to some length and then no more: few of those that are as long as the longest growing ones grow. */
export function areFilling(growing: SeenArrays, all: SeenArrays): boolean {
  if (growing.lengths.length === 0) return true;
  const long = quantile([...growing.lengths], FILLING.longest);
  const asLong = ({ lengths, arrays }: SeenArrays) =>
    (arrays * lengths.filter((length) => length >= long).length) / Math.max(1, lengths.length);
  return asLong(growing) < FILLING.leastGrowing * asLong(all);
}

/**
 * How fast arrays grow, by what each gained. Fast arrays are seen more often than slow ones; the median counts each array once.
 *
 * @param gains of each array, in elements (or bytes) and days
 * @param together elements that come at once
 * @param chanceSeen that an array of such a rate is among those seen
 * @param leastError of the logarithm of the median
 */
export function fitRates(
  gains: readonly { readonly gained: number; readonly days: number }[],
  together: number,
  chanceSeen: (perDay: number) => number,
  leastError: number,
): { readonly median: Interval; readonly each: readonly number[]; readonly weights: readonly number[] } {
  const each = gains.map(({ gained, days }) => (Math.max(0, gained) + together / 2) / days);
  const weights = each.map((rate) => 1 / Math.max(1e-6, chanceSeen(rate)));
  const quantileAt = (share: number) => weightedQuantile([...each], weights, share);
  const gained = sum(gains.map((gain) => Math.max(0, gain.gained)));
  // A median is known less well than a mean by a quarter (of normal samples).
  const spread = (1.25 * Math.log(quantileAt(0.841) / quantileAt(0.159))) / 2 / Math.sqrt(gains.length);
  const error = Math.hypot(leastError, Math.sqrt(together / Math.max(together, gained)), spread);
  return { median: around(quantileAt(0.5), error), each, weights };
}

/** An interval that holds in 90 of 100 cases. @param error standard error of the logarithm */
export function around(estimate: number, error: number): Interval {
  const factor = Math.exp(RATES.standardErrors * error);
  return { low: estimate / factor, estimate, high: estimate * factor };
}
