import type { Distribution } from '../../evidence/documents/document-profile.js';

/**
 * What keeps the lengths of an array within bounds, as far as the lengths themselves show it.
 *
 * - `fixed-length`: every array has the same length: embeddings, matrices, one slot per hour.
 * - `few-lengths`: a handful of lengths, each many times: 768 and 1,536 dimensions, days of a year.
 * - `cap`: arrays pile up exactly at the maximum: `$push … $slice`, buckets closed at a count.
 * - `narrow-spread`: the longest are hardly longer than the median: buckets closed at an hour or a day.
 * - `separate-group`: the long arrays are a group of their own, of narrow spread, with nothing between them and the
 *   short ones: buckets or vectors that only some documents have.
 */
export type LengthBound = 'fixed-length' | 'few-lengths' | 'cap' | 'narrow-spread' | 'separate-group';

/** What `lengthBound` judges by. */
export interface LengthBoundLimits {
  /** Different lengths at most for "a few lengths". */
  readonly fewLengths: number;
  /** Arrays of exactly the maximum length that make a cap. */
  readonly capArrays: number;
  /** How many times the median the longest array may have for a narrow spread. */
  readonly narrowRatio: number;
  /** Standard deviation over mean from which lengths vary too widely for it, however near the longest are to the median. */
  readonly dominantSpread: number;
}

/** Arrays per different length from which lengths count as repeated rather than met by chance. */
const ARRAYS_PER_LENGTH = 5;
/** Standard deviations by which the arrays at the maximum outnumber those expected at any one length where there is a cap. */
const CAP_DEVIATIONS = 4;
/** Arrays from which the 99th percentile is another array than the longest, so that one freak does not decide. */
const ARRAYS_FOR_P99 = 100;
/** Arrays in a group of long arrays from which its spread means something. */
const GROUP_ARRAYS = 5;
/** Times that a separate group's shortest array has the length of the longest below it. */
const GROUP_GAP = 2;
/** Arrays from which a narrow spread means something. */
const SPREAD_ARRAYS = 5;

/**
 * The bound that the lengths show, or null where they show none: either there is none, or there are too few arrays.
 *
 * @param longFrom elements from which an array is long at all; what all arrays below it do shows no bound for long ones
 */
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

/**
 * Some arrays of the maximum length prove nothing where lengths are crowded: the pile at the maximum must stand out from
 * the lengths just below it, of which each holds a Poisson number of arrays if nothing stops them.
 */
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
  // A quantile that lies within the group tells its spread more finely than the bars do.
  const within = [p90, p95, p99][[0.1, 0.05, 0.01].findIndex((share) => arrays > share * count)];
  return within !== undefined && max <= narrowRatio * within;
}
