import { mean, sum, weightedQuantile } from 'simple-statistics';
import { burstsOf, leftOfBurst } from './bursts.js';
import type { DrawnArray } from './drawn-arrays.js';
import { STANDARD_ERRORS, type Estimate } from '../rates/estimate.js';
import { arrivals, type GrowthRates } from '../rates/growth-rates.js';
import { RateMixture, type FittedRates } from '../rates/rate-mixture.js';
import { rateTrend } from './rate-trend.js';

export interface DrawnRates extends FittedRates {
  readonly perDay: Estimate;
  /** Elements that come together, by so many writes. */
  readonly burst: number;
  readonly writesPerBurst: number;
  /** Of an element, those that come with it: more than a burst has on average if bursts are unequal. */
  readonly together: number;
}

/** Elements of an element's write, from which writes of several are more than exceptions. */
const LEAST_IN_ONE_WRITE = 1.1;
/** Share of the writes that may be exceptions. */
const EXCEPTIONS = 0.01;

/** @param share of the arrays' writes that were drawn; `shareOfArrays`: of the arrays, those that were looked at */
export function fitRates(
  arrays: readonly DrawnArray[],
  share: number,
  windowDays: number,
  shareOfArrays = 1,
): DrawnRates {
  const { size: writesPerBurst, sizeError, days, clockError } = burstsOf(arrays, share, windowDays);
  const sets = withoutExceptions(arrays.flatMap(({ set }) => set));
  const perWrite = mean(sets);
  const inOneWrite = sum(sets.map((set) => set ** 2)) / sum(sets);
  const isSeveral = inOneWrite >= LEAST_IN_ONE_WRITE;
  const burst = writesPerBurst * perWrite;
  const together = writesPerBurst * inOneWrite;
  // The rest of its burst comes after a write, whatever the time since.
  const gains = withoutEach(
    arrays.map(({ gained }) => gained),
    perWrite * leftOfBurst(writesPerBurst, share),
  );
  const counted = gains.map((gained, index) => ({ days: days[index] as number, gained }));
  const activeDays = Math.max(...arrays.map((array) => array.days));
  const drawnPerBurst = share < 1 ? -Math.expm1(writesPerBurst * Math.log1p(-share)) : 1;
  const arraysPerSeen = (rate: number) =>
    Math.expm1((-rate / burst) * activeDays) / Math.expm1((-rate / burst) * activeDays * drawnPerBurst);
  const mixtureBy = (arraysPerCounted: (rate: number) => number) =>
    new RateMixture(counted, activeDays, together, arraysPerCounted);
  const mixture = mixtureBy(arraysPerSeen);
  const fitted = mixture.fit();
  // Writes that add more to faster arrays, as a job does each night, are not drawn more often for them.
  const apart = isSeveral ? ((1 - 1 / inOneWrite) * Math.log(mixtureBy(() => 1).fit().median / fitted.median)) / 2 : 0;
  const byArrays = errorAmong(errorOfAll(fitted, shareOfArrays), mixture.errorOf(fitted, 'gains'));
  // Of few arrays, none can be left out: then the elements that they gained say it.
  const gained = sum(counted.map((one) => one.gained));
  const byChance = 1 / Math.sqrt(Math.max(1, gained / together));
  const bySize = ((inOneWrite * sizeError) / 2 / Math.max(1, gained)) * counted.length;
  // By a clock that runs with the writes, the rate is the average one.
  const trend =
    clockError === null
      ? rateTrend(arrays, share, isSeveral ? together : writesPerBurst)
      : { sinceAverage: 0, error: clockError };
  const error = STANDARD_ERRORS * Math.hypot(Math.max(byArrays, byChance), bySize, trend.error);
  const factor = Math.exp(error + Math.abs(apart));
  const median = fitted.median * Math.exp(apart + trend.sinceAverage);
  const perDay = { low: median / factor, estimate: median, high: median * factor };
  return { ...fitted, perDay, burst, writesPerBurst, together };
}

/** The most that the largest of a hundred count as is what the next one sets: one import says nothing of the other writes. */
export function withoutExceptions(sets: readonly number[]): number[] {
  const most = sets.toSorted((a, b) => b - a)[Math.ceil(sets.length * EXCEPTIONS)] ?? Infinity;
  return sets.map((set) => Math.min(set, most));
}

/** Of the median of all that are written to, if they, too, had been drawn from others. */
function errorOfAll({ rates, weights }: FittedRates, shareOfArrays: number): number {
  const all = sum([...weights]) / shareOfArrays;
  const margin = Math.min(MOST_OF_MEDIAN, 0.5 / Math.sqrt(all));
  const [low, high] = [0.5 - margin, 0.5 + margin].map((part) => weightedQuantile([...rates], [...weights], part));
  return Math.log((high as number) / (low as number)) / 2;
}

// They are all there are, so what was seen of them is nearer to their median by that (W. Cochran, "Sampling Techniques",
// section 2.6). But even if all are seen, the median of a fitted distribution is not that of the arrays.
function errorAmong(ofAll: number, drawnFromOthers: number): number {
  return Math.sqrt(Math.max(drawnFromOthers ** 2 - ofAll ** 2, MEDIAN_BESIDE_MEAN * ofAll ** 2));
}

/** Of the variance of a normal sample's median, the part that its mean does not tell. */
const MEDIAN_BESIDE_MEAN = 1 - 2 / Math.PI;
/** Of all arrays, those on either side by which they differ as around the median. */
const MOST_OF_MEDIAN = 0.25;

/** Takes so much from each on average, and from none more than it has: from all others as much. */
function withoutEach(gains: readonly number[], average: number): number[] {
  const sorted = gains.toSorted((a, b) => a - b);
  let left = average * gains.length;
  let most = 0;
  for (const [index, gained] of sorted.entries()) {
    most = left / (gains.length - index);
    if (gained >= most) break;
    left -= gained;
  }
  return gains.map((gained) => Math.max(0, gained - most));
}

/** Of the median array that is written to, and of the longest. */
export function ratesOf(arrays: readonly DrawnArray[], { perDay, weights, rates, together }: DrawnRates): GrowthRates {
  const lengths = arrays.map(({ now }) => now);
  const quantile = (share: number) => weightedQuantile(lengths, [...weights], share) as number;
  const margin = STANDARD_ERRORS * Math.sqrt(0.25 / effectiveCount(weights));
  const at = arrays.reduce((best, { now }, index) => (now > (lengths[best] as number) ? index : best), 0);
  const { now, gained, days } = arrays[at] as DrawnArray;
  const rate = rates[at] as number;
  const arrived = (standardErrors: number) => (together * arrivals((gained + 1) / together, standardErrors)) / days;
  return {
    typical: {
      value: {
        low: quantile(Math.max(LEAST_SHARE, 0.5 - margin)),
        estimate: quantile(0.5),
        high: quantile(Math.min(1 - LEAST_SHARE, 0.5 + margin)),
      },
      perDay,
    },
    largest: {
      value: now,
      perDay: {
        low: Math.min(rate, arrived(-STANDARD_ERRORS)),
        estimate: rate,
        high: Math.max(rate, arrived(STANDARD_ERRORS)),
      },
    },
  };
}

/** Quantiles of 0 and of 1 are not defined. */
const LEAST_SHARE = 1e-3;

/** Of as many equal weights would an estimate be as sure. */
function effectiveCount(weights: readonly number[]): number {
  return sum([...weights]) ** 2 / sum(weights.map((weight) => weight ** 2));
}
