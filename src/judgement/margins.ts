import type { StorageStatistics } from '../inventory/storage.js';
import type { Distribution, DocumentEvidence, QuantileName } from '../profile/document-profile.js';
import {
  correlationInterval,
  LEAST_SEEN,
  LINE_DEVIATIONS,
  shareInterval,
  type Interval,
} from '../profile/sampling/confidence.js';

/** How much of a collection a sample shows. A figure crosses a line only if its confidence interval does. */
export interface SeenPart {
  /** The share of the documents, 0 to 1; 1 if the collection was read whole. */
  readonly share: number;
  /** Whether other documents are seen each time, so that one or two extremes are seen by chance. */
  readonly byChance: boolean;
}

/** On each side of an interval that is printed: it holds in 95 % of all cases. */
export const STATED_RISK = 0.025;

export const WHOLE: SeenPart = { share: 1, byChance: false };

/** The part of a collection that its sample shows; hardly any if the collection's size is not known. */
export function seenPart({ sample, profile }: DocumentEvidence, storage: StorageStatistics | undefined): SeenPart {
  if (sample.complete) return WHOLE;
  const count = storage?.count ?? Infinity;
  const share = Math.min(1, profile.documents / Math.max(1, count));
  return { share, byChance: sample.method === 'random-cursor' || sample.method === 'random-sort' };
}

/** What a quantile of the whole collection surely reaches. */
export function quantileAtLeast(
  distribution: Pick<Distribution, QuantileName | 'intervals'>,
  quantile: QuantileName,
  { share }: SeenPart,
): number {
  return narrowed(distribution[quantile], distribution.intervals[quantile][0], share);
}

/** What a quantile of the whole collection surely does not exceed. */
export function quantileAtMost(
  distribution: Pick<Distribution, QuantileName | 'intervals'>,
  quantile: QuantileName,
  { share }: SeenPart,
): number {
  return narrowed(distribution[quantile], distribution.intervals[quantile][1], share);
}

export function largestAtLeast(
  { max, fifthLargest }: Pick<Distribution, 'max' | 'fifthLargest'>,
  { byChance }: SeenPart,
) {
  return byChance ? fifthLargest : max;
}

export function isSeenAgain(hits: number, { byChance }: SeenPart): boolean {
  return !byChance || hits >= LEAST_SEEN;
}

/** Within which a share of the whole collection lies, 0 to 1, if `hits` of `trials` have the property. */
export function shareWithin(hits: number, trials: number, { share }: SeenPart, risk?: number): Interval {
  const seen = trials === 0 ? 0 : hits / trials;
  if (share >= 1) return [seen, seen];
  const [low, high] = shareInterval(hits, trials, risk);
  return [narrowed(seen, low, share), narrowed(seen, high, share)];
}

/** Within which a rank correlation of the whole collection lies, -1 to 1. */
export function correlationWithin(correlation: number, pairs: number, { share }: SeenPart): Interval {
  const [low, high] = correlationInterval(correlation, pairs);
  return [narrowed(correlation, low, share), narrowed(correlation, high, share)];
}

/** How many different ones such a sample surely shows: their variance is at most their mean (Efron and Stein, 1981). */
export function countAtLeast(count: number, { share }: SeenPart): number {
  return narrowed(count, count - LINE_DEVIATIONS * Math.sqrt(count), share);
}

/** How many different ones there surely are at most in such samples: their variance is at most the number seen once (as above). */
export function countAtMost(count: number, seenOnce: number, { share }: SeenPart): number {
  return narrowed(count, count + LINE_DEVIATIONS * Math.sqrt(Math.max(1, seenOnce)), share);
}

/** The mean of shares that do not exceed `max`: their variance is at most mean × (max − mean) (Bhatia and Davis, 2000). */
export function meanShareAtLeast(
  { mean, max }: { readonly mean: number; readonly max: number },
  count: number,
  { share }: SeenPart,
): number {
  const error = Math.sqrt(Math.max(0, mean * (max - mean)) / Math.max(1, count));
  return narrowed(mean, mean - LINE_DEVIATIONS * error, share);
}

/** The standard deviation over the mean; its error is that of normally distributed values. */
export function spreadAtLeast(
  { count, mean, standardDeviation }: Pick<Distribution, 'count' | 'mean' | 'standardDeviation'>,
  { share }: SeenPart,
): number {
  const spread = standardDeviation / Math.max(Number.MIN_VALUE, mean);
  const error = spread * Math.sqrt((0.5 + spread ** 2) / Math.max(1, count));
  return narrowed(spread, spread - LINE_DEVIATIONS * error, share);
}

/** A bound holds for what was not seen; what was seen is known. */
function narrowed(figure: number, bound: number, share: number): number {
  return figure + (bound - figure) * (1 - share);
}
