import type { Distribution } from '../../evidence/documents/document-profile.js';

/**
 * The bound that the lengths of arrays show:
 * - `fixed-length`: embeddings, matrices, one slot per hour.
 * - `few-lengths`: a handful of lengths, each many times: 768 and 1,536 dimensions, days of a year.
 * - `cap`: arrays pile up exactly at the maximum: `$push … $slice`, buckets closed at a count.
 * - `narrow-spread`: the longest are hardly longer than the median: buckets closed at an hour or a day.
 * - `separate-group`: the long arrays form a group of narrow spread, far from the short ones.
 */
export type LengthBound = 'fixed-length' | 'few-lengths' | 'cap' | 'narrow-spread' | 'separate-group';

export interface LengthBoundLimits {
  readonly fewLengths: number;
  readonly capArrays: number;
  readonly narrowRatio: number;
  /** Standard deviation over mean from which a spread is not narrow, however near the longest are to the median. */
  readonly dominantSpread: number;
}

/** Arrays per different length from which lengths are repeated, not chance. */
const ARRAYS_PER_LENGTH = 5;
/** Standard deviations by which the arrays at a cap outnumber those expected at any one length. */
const CAP_DEVIATIONS = 4;
/** Arrays from which the 99th percentile is not the longest array, so one outlier does not decide. */
const ARRAYS_FOR_P99 = 100;
const GROUP_ARRAYS = 5;
/** The shortest array of a separate group has at least this multiple of the longest below it. */
const GROUP_GAP = 2;
const SPREAD_ARRAYS = 5;

/** The bound that the lengths show, or null. @param longFrom elements from which an array is long; short arrays show no bound for long ones */
export function lengthBound(lengths: Distribution, longFrom: number, limits: LengthBoundLimits): LengthBound | null {
  if (lengths.count > 1 && lengths.min === lengths.max) return 'fixed-length';
  if (hasFewLengths(lengths, limits)) return 'few-lengths';
  if (hasCap(lengths, limits)) return 'cap';
  if (hasNarrowSpread(lengths, longFrom, limits)) return 'narrow-spread';
  return hasSeparateGroup(lengths, longFrom, limits) ? 'separate-group' : null;
}

function hasFewLengths(
  { count, distinct, countAtMax }: Distribution,
  { fewLengths, capArrays }: LengthBoundLimits,
): boolean {
  return distinct <= fewLengths && count >= distinct * ARRAYS_PER_LENGTH && countAtMax >= capArrays;
}

/** The pile at the maximum must stand out from the lengths just below, each of which holds a Poisson number of arrays. */
function hasCap({ max, countAtMax, buckets }: Distribution, { capArrays }: LengthBoundLimits): boolean {
  const top = buckets.slice(-2);
  const arraysBelow = top.reduce((sum, { count }) => sum + count, 0) - countAtMax;
  const lengthsBelow = max - (top[0]?.from ?? max);
  if (countAtMax < capArrays || lengthsBelow <= 0) return false;
  const expected = arraysBelow / lengthsBelow;
  // One array is at the maximum by definition.
  return countAtMax - 1 > expected + CAP_DEVIATIONS * Math.sqrt(expected);
}

function hasNarrowSpread(
  { count, mean, standardDeviation, median, p99, max }: Distribution,
  longFrom: number,
  { narrowRatio, dominantSpread }: LengthBoundLimits,
): boolean {
  if (count < SPREAD_ARRAYS) return false;
  if (max <= narrowRatio * median && standardDeviation < dominantSpread * mean) return true;
  return count >= ARRAYS_FOR_P99 && median >= longFrom && p99 <= narrowRatio * median;
}

function hasSeparateGroup(
  { count, max, p90, p95, p99, buckets }: Distribution,
  longFrom: number,
  { narrowRatio }: LengthBoundLimits,
): boolean {
  const gap = buckets.findLastIndex((bucket) => bucket.count === 0);
  const group = buckets.slice(gap + 1);
  const arrays = group.reduce((sum, bucket) => sum + bucket.count, 0);
  const shortest = group[0]?.from ?? 0;
  const longestBelow = buckets.slice(0, gap + 1).findLast((bucket) => bucket.count > 0)?.to ?? shortest;
  if (arrays < GROUP_ARRAYS || shortest < longFrom || shortest < GROUP_GAP * longestBelow) return false;
  // A quantile within the group shows its spread more finely than the bars do.
  const within = [p90, p95, p99][[0.1, 0.05, 0.01].findIndex((share) => arrays > share * count)];
  return within !== undefined && max <= narrowRatio * within;
}
