import { weightedQuantile, sum } from 'simple-statistics';
import type { Interval } from './growth.js';
import { FINISHED, RATES } from './limits.js';

/** What one array gained in a time, in elements (or bytes) and days. */
interface Gain {
  readonly gained: number;
  readonly days: number;
}

interface FittedRates {
  /** Of the arrays that grow, per day. */
  readonly median: Interval;
  /** Of each that was seen. */
  readonly each: readonly number[];
}

/** The arrays of the sample, with those that grow among them. */
export interface SampledArrays {
  readonly lengths: readonly number[];
  /** In the whole collection. */
  readonly arrays: number;
  /** When the documents were created, in ms since 1970; empty if unknown. */
  readonly created: readonly number[];
}

export interface GrowingArrays {
  readonly lengths: readonly number[];
  readonly weights: readonly number[];
  /** An estimate of how many there are. */
  readonly arrays: number;
}

/**
 * Whether arrays grow for some time and then no more: those that grow are shorter than the others, or most of those that came as
 * far as they did grow no more and are about as long.
 */
export function areFilling({ lengths, weights, arrays }: GrowingArrays, all: SampledArrays): boolean {
  if (all.lengths.length === 0) return false;
  const typical = weightedQuantile([...lengths], [...weights], 0.5);
  if (typical < FINISHED.fillingShare * middleOf(all.lengths)) return true;
  const line = weightedQuantile([...lengths], [...weights], 0.25);
  const longer = all.lengths.filter((length) => length > line);
  if (longer.length === 0) return false;
  const others = (all.arrays * longer.length) / all.lengths.length;
  return (0.75 * arrays) / others < FINISHED.leastGrowing && typical < FINISHED.leastLonger * middleOf(longer);
}

/** The median, the lower of two: as that of weighted lengths. */
function middleOf(lengths: readonly number[]): number {
  const weights = lengths.map(() => 1);
  return weightedQuantile([...lengths], weights, 0.5);
}

/** Whether many arrays share the greatest length, but few of those that grow: they stop there. */
export function isHeldByCap(growing: readonly number[], { lengths }: Pick<SampledArrays, 'lengths'>): boolean {
  const longest = Math.max(...lengths);
  const atLongest = lengths.filter((length) => length === longest).length;
  if (atLongest < Math.max(FINISHED.cap.fewest, FINISHED.cap.share * lengths.length)) return false;
  const ownLongest = Math.max(...growing);
  if (ownLongest > longest) return false;
  const least = Math.min(...growing);
  const asLong = lengths.filter((length) => length >= least).length;
  const share = growing.filter((length) => length === ownLongest).length / growing.length;
  return share < (FINISHED.cap.ofWritten * atLongest) / Math.max(1, asLong);
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
