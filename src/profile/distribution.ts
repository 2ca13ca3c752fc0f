import type { Distribution, DistributionBucket } from './document-profile.js';
import { LEAST_SEEN, rankInterval, type Interval } from './sampling/confidence.js';
import { bucketOf, bucketStart, type Histogram } from './histogram.js';

const MOST_BARS = 10;

/** Bars are geometric from this ratio of the maximum to the 10th percentile: equal bars would flatten the tail. */
const GEOMETRIC_FROM_RATIO = 20;

const MOST_OF_A_BUCKET = 0.5;

type FilledBuckets = readonly { readonly bucket: number; readonly count: number }[];

const QUANTILES = [0.5, 0.9, 0.95, 0.99] as const;

// The smallest value that at least `share` (0 to 1) of the values do not exceed: nearest rank; 0 without values. Exact
// below 256 and at the maximum; in between the start of the value's bucket, at most 1/128 too low.
export function quantile(histogram: Histogram, share: number): number {
  return valuesAt(histogram, [...histogram.filled()], [rankOf(histogram, share)])[0] as number;
}

function rankOf({ count }: Histogram, share: number): number {
  return Math.max(1, Math.ceil(share * count));
}

/** In one pass, whatever the order of the ranks. */
function valuesAt(histogram: Histogram, filled: FilledBuckets, ranks: readonly number[]): number[] {
  const values = ranks.map(() => histogram.max);
  if (histogram.min === histogram.max) return values;
  const firstAtMax = histogram.count - histogram.countAtMax + 1;
  const order = ranks.map((_, index) => index).sort((one, other) => (ranks[one] as number) - (ranks[other] as number));
  let next = 0;
  let seen = 0;
  for (const { bucket, count } of filled) {
    seen += count;
    for (; next < order.length; next += 1) {
      const rank = ranks[order[next] as number] as number;
      if (rank > seen || rank >= firstAtMax) break;
      values[order[next] as number] = Math.max(histogram.min, bucketStart(bucket));
    }
  }
  return values;
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
  const quantiles = QUANTILES.map((share) => [rankOf(histogram, share), ...rankInterval(count, share)]);
  const [median, p90, p95, p99] = groupsOf(valuesAt(histogram, filled, quantiles.flat()));
  const [fifthLargest] = valuesAt(histogram, filled, [Math.max(1, count + 1 - LEAST_SEEN)]);
  return {
    count,
    sum,
    min,
    max,
    mean: portion(sum),
    standardDeviation: Math.sqrt(portion(histogram.squaredDeviations)),
    median: median.value,
    p90: p90.value,
    p95: p95.value,
    p99: p99.value,
    intervals: { median: median.interval, p90: p90.interval, p95: p95.interval, p99: p99.interval },
    fifthLargest: fifthLargest ?? max,
    mode: mode.value,
    shareAtMode: portion(mode.count),
    countAtMax,
    shareAtMax: portion(countAtMax),
    distinct: mode.buckets,
    ...(group !== undefined && { separateGroup: group }),
    buckets: bars(histogram, filled),
  };
}

interface Quantile {
  readonly value: number;
  readonly interval: Interval;
}

/** Value, low and high, of each. */
function groupsOf(values: readonly number[]): [Quantile, Quantile, Quantile, Quantile] {
  return QUANTILES.map((_, index) => {
    const [value = 0, low = 0, high = 0] = values.slice(3 * index);
    return { value, interval: [low, high] as const };
  }) as [Quantile, Quantile, Quantile, Quantile];
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
