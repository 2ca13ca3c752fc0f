import type { Distribution, DistributionBucket } from './document-profile.js';
import { bucketOf, bucketStart, type Histogram } from './histogram.js';
import { LEAST_SEEN, rankInterval, type Interval } from './sampling/confidence.js';

const MOST_BARS = 10;

/** Bars are geometric from this ratio of the maximum to the 10th percentile: equal bars would flatten the tail. */
const GEOMETRIC_FROM_RATIO = 20;

const MOST_OF_A_BUCKET = 0.5;

type FilledBuckets = readonly { readonly bucket: number; readonly count: number }[];

// The smallest value that at least `share` (0 to 1) of the values do not exceed: nearest rank; 0 without values. Exact
// below 256 and at the maximum; in between the start of the value's bucket, at most 1/128 too low.
export function quantile(histogram: Histogram, share: number): number {
  return valueAt(histogram, [...histogram.filled()], rankOf(histogram, share));
}

function rankOf({ count }: Histogram, share: number): number {
  return Math.max(1, Math.ceil(share * count));
}

/** @param rank from 1 */
function valueAt(histogram: Histogram, filled: FilledBuckets, rank: number): number {
  if (histogram.min === histogram.max || rank > histogram.count - histogram.countAtMax) return histogram.max;
  let seen = 0;
  for (const { bucket, count } of filled) {
    seen += count;
    if (seen >= rank) return Math.max(histogram.min, bucketStart(bucket));
  }
  return histogram.max;
}

/** The next value has at least this multiple of the one before where a group of values stands apart. */
const GROUP_GAP = 2;

function separateGroup(histogram: Histogram, filled: FilledBuckets): Distribution['separateGroup'] {
  let [count, sum, squares, min] = [0, 0, 0, 0];
  let before: number | null = null;
  let isSeparate = false;
  for (const { bucket, count: values } of filled) {
    const value = Math.max(histogram.min, bucketStart(bucket));
    if (before !== null && value >= GROUP_GAP * Math.max(1, before)) {
      [count, sum, squares, min] = [0, 0, 0, value];
      isSeparate = true;
    }
    count += values;
    sum += values * value;
    squares += values * value * value;
    before = value;
  }
  if (!isSeparate) return undefined;
  const mean = sum / count;
  return { count, min, spread: Math.sqrt(Math.max(0, squares / count - mean * mean)) / mean };
}

export function distributionOf(histogram: Histogram): Distribution {
  const { count, sum, min, max, countAtMax } = histogram;
  const filled = [...histogram.filled()];
  const portion = (part: number) => (count === 0 ? 0 : part / count);
  const mode = modeOf(histogram, filled);
  const group = separateGroup(histogram, filled);
  const at = (share: number) => valueAt(histogram, filled, rankOf(histogram, share));
  const interval = (share: number): Interval => {
    const [low, high] = rankInterval(count, share);
    return [valueAt(histogram, filled, low), valueAt(histogram, filled, high)];
  };
  return {
    count,
    sum,
    min,
    max,
    mean: portion(sum),
    standardDeviation: Math.sqrt(portion(histogram.squaredDeviations)),
    median: at(0.5),
    p90: at(0.9),
    p95: at(0.95),
    p99: at(0.99),
    intervals: { median: interval(0.5), p90: interval(0.9), p95: interval(0.95), p99: interval(0.99) },
    fifthLargest: valueAt(histogram, filled, Math.max(1, count + 1 - LEAST_SEEN)),
    mode: mode.value,
    shareAtMode: portion(mode.count),
    countAtMax,
    shareAtMax: portion(countAtMax),
    distinct: mode.buckets,
    ...(group !== undefined && { separateGroup: group }),
    buckets: bars(histogram, filled),
  };
}

function modeOf(histogram: Histogram, filled: FilledBuckets): { value: number; count: number; buckets: number } {
  const mode = { value: 0, count: 0, buckets: 0 };
  for (const { bucket, count } of filled) {
    mode.buckets += 1;
    if (count <= mode.count) continue;
    mode.count = count;
    mode.value = Math.max(histogram.min, bucketStart(bucket));
  }
  const maximumIsMode =
    bucketOf(mode.value) === bucketOf(histogram.max) && histogram.countAtMax >= mode.count * MOST_OF_A_BUCKET;
  return maximumIsMode ? { ...mode, value: histogram.max, count: histogram.countAtMax } : mode;
}

function bars(histogram: Histogram, filled: FilledBuckets): DistributionBucket[] {
  if (histogram.count === 0) return [];
  const starts = barStarts(histogram);
  const result = starts.map((from, index) => ({ from, to: (starts[index + 1] ?? histogram.max + 1) - 1, count: 0 }));
  let index = 0;
  for (const { bucket, count } of filled) {
    const value = Math.max(histogram.min, bucketStart(bucket));
    while (index + 1 < starts.length && value >= (starts[index + 1] as number)) index += 1;
    (result[index] as { count: number }).count += count;
  }
  return result;
}

/** Each bar begins at the start of a bucket, so that no bucket is split between two bars. */
function barStarts(histogram: Histogram): number[] {
  const { min, max } = histogram;
  const low = Math.max(1, min);
  const geometric = max >= GEOMETRIC_FROM_RATIO * Math.max(1, quantile(histogram, 0.1));
  const starts = [min];
  for (let bar = 1; bar < MOST_BARS; bar += 1) {
    const share = bar / MOST_BARS;
    const edge = Math.ceil(geometric ? low * (max / low) ** share : min + (max - min + 1) * share);
    const start = bucketStart(bucketOf(edge));
    if (start > (starts.at(-1) as number) && start <= max) starts.push(start);
  }
  return starts;
}
