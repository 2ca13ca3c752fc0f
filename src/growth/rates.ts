import { sum, weightedQuantile } from 'simple-statistics';
import { RATES } from './limits.js';
import type { Interval } from './growth.js';

/** What one array gained in a time, in elements (or bytes) and days. */
export interface Gain {
  readonly gained: number;
  readonly days: number;
}

export interface FittedRates {
  /** Of the arrays that grow, per day. */
  readonly median: Interval;
  /** Of each that was seen. */
  readonly each: readonly number[];
}

/**
 * How fast arrays grow, by what each gained. Fast arrays are seen more often than slow ones; the median counts each array once.
 *
 * @param together elements that come at once
 * @param chanceSeen that an array of such a rate is among those seen
 * @param leastError of the logarithm of the median
 */
export function fitRates(
  gains: readonly Gain[],
  together: number,
  chanceSeen: (perDay: number) => number,
  leastError: number,
): FittedRates {
  const each = gains.map(({ gained, days }) => (Math.max(0, gained) + together / 2) / days);
  const weights = each.map((rate) => 1 / Math.max(1e-6, chanceSeen(rate)));
  const [low, estimate, high] = [0.159, 0.5, 0.841].map((share) => weightedQuantile(each, weights, share)) as [
    number,
    number,
    number,
  ];
  const byChance = Math.sqrt(together / Math.max(together, sum(gains.map(({ gained }) => Math.max(0, gained)))));
  // A median is known less well than a mean by a quarter (of normal samples).
  const error = Math.hypot(leastError, byChance, (1.25 * Math.log(high / low)) / 2 / Math.sqrt(gains.length));
  return { median: around(estimate, error), each };
}

/** An interval that holds in 90 of 100 cases. @param error standard error of the logarithm */
export function around(estimate: number, error: number): Interval {
  const factor = Math.exp(RATES.standardErrors * error);
  return { low: estimate / factor, estimate, high: estimate * factor };
}
