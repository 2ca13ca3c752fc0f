import type { Distribution } from '../../profile/document-profile.js';

/**
 * The bound that the lengths of arrays show:
 * - `fixed-length`: embeddings, matrices, one slot per hour.
 * - `few-lengths`: a handful of lengths, each many times: 768 and 1,536 dimensions, days of a year.
 * - `cap`: arrays pile up exactly at the maximum: `$push … $slice`, buckets closed at a count.
 * - `narrow-spread`: the longest are hardly longer than the median: buckets closed at an hour or a day.
 * - `separate-group`: the long arrays form a group of narrow spread, far from the short ones.
 */
export type LengthBound = 'fixed-length' | 'few-lengths' | 'cap' | 'narrow-spread' | 'separate-group';

/** Different lengths up to which they are fixed by design. Judgement: vectors of two models, empty ones, leap years. */
const FEW_LENGTHS = 4;
/** Arrays of exactly the maximum length from which it is a cap. Judgement: two may be chance. */
const CAP_ARRAYS = 3;
/** Share of all arrays at exactly the maximum length from which it can be a cap, and of the long ones. Judgement. */
const CAP_SHARE = 0.01;
const CAP_SHARE_OF_LONG = 0.05;
/** Multiple of the median up to which the longest array shows a bound. Judgement: buckets of 15 % spread have 1.5, growth 2. */
const NARROW_RATIO = 1.5;
/**
 * Standard deviation over mean from which lengths vary widely, however near the longest are to the median. Judgement: arrays
 * that grow in documents of all ages have 0.58, hourly buckets 0.02 to 0.3.
 */
export const WIDE_SPREAD = 0.4;
/** Arrays per different length from which lengths are repeated, not chance. */
const ARRAYS_PER_LENGTH = 5;
/** Standard deviations by which the arrays at a cap outnumber those expected at any one length. */
const CAP_DEVIATIONS = 4;
/** Arrays from which the 99th percentile is not the longest array, so one outlier does not decide. */
const ARRAYS_FOR_P99 = 100;
const GROUP_ARRAYS = 5;
/**
 * Standard deviation over mean up to which a group of long arrays, whatever they hold, is made alike. Measurements of one
 * interval differ by less (hourly buckets: 0.02), popular parents by far more (a lognormal tail: from 0.4).
 */
const GROUP_SPREAD = 0.1;
const SPREAD_ARRAYS = 5;

/**
 * The bound that the lengths show, or null.
 * @param longFrom elements from which an array is long; short arrays show no bound for long ones
 * @param ofNumbers whether the elements are numbers: recordings and vectors come in kinds, parents with many children do not
 */
export function lengthBound(lengths: Distribution, longFrom: number, ofNumbers: boolean): LengthBound | null {
  if (lengths.count > 1 && lengths.min === lengths.max) return 'fixed-length';
  if (hasFewLengths(lengths)) return 'few-lengths';
  if (hasCap(lengths, longFrom)) return 'cap';
  if (hasNarrowSpread(lengths, longFrom)) return 'narrow-spread';
  return hasSeparateGroup(lengths, longFrom, ofNumbers) ? 'separate-group' : null;
}

function hasFewLengths({ count, distinct, countAtMax }: Distribution): boolean {
  return distinct <= FEW_LENGTHS && count >= distinct * ARRAYS_PER_LENGTH && countAtMax >= CAP_ARRAYS;
}

/**
 * The pile at the maximum must be a share of all arrays or of the long ones, and stand out from the lengths just below, each
 * of which holds a Poisson number of arrays.
 */
function hasCap(lengths: Distribution, longFrom: number): boolean {
  const { max, countAtMax, buckets } = lengths;
  if (!isShare(countAtMax, lengths, longFrom)) return false;
  const top = buckets.slice(-2);
  const arraysBelow = top.reduce((sum, { count }) => sum + count, 0) - countAtMax;
  const lengthsBelow = max - (top[0]?.from ?? max);
  if (countAtMax < CAP_ARRAYS || lengthsBelow <= 0) return false;
  const expected = arraysBelow / lengthsBelow;
  // One array is at the maximum by definition.
  return countAtMax - 1 > expected + CAP_DEVIATIONS * Math.sqrt(expected);
}

/** A share of all arrays or of the long ones, and not a handful that met by chance. */
function isShare(arrays: number, lengths: Distribution, longFrom: number): boolean {
  return arrays >= CAP_SHARE * lengths.count || arrays >= CAP_SHARE_OF_LONG * longArrays(lengths, longFrom);
}

/** About how many arrays are long. */
export function longArrays({ buckets }: Distribution, longFrom: number): number {
  return buckets.filter(({ to }) => to >= longFrom).reduce((sum, { count }) => sum + count, 0);
}

function hasNarrowSpread(
  { count, mean, standardDeviation, median, p99, max }: Distribution,
  longFrom: number,
): boolean {
  if (count < SPREAD_ARRAYS) return false;
  if (max <= NARROW_RATIO * median && standardDeviation < WIDE_SPREAD * mean) return true;
  return count >= ARRAYS_FOR_P99 && median >= longFrom && p99 <= NARROW_RATIO * median;
}

function hasSeparateGroup(lengths: Distribution, longFrom: number, ofNumbers: boolean): boolean {
  const { max, separateGroup } = lengths;
  if (separateGroup === undefined) return false;
  const { count, min, spread } = separateGroup;
  if (count < GROUP_ARRAYS || min < longFrom) return false;
  if (ofNumbers && max <= NARROW_RATIO * min) return true;
  return spread <= GROUP_SPREAD && isShare(count, lengths, longFrom);
}
