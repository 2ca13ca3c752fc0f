import { weightedQuantile } from 'simple-statistics';
import { burstsOf } from './bursts.js';
import type { DrawnArray } from './drawn-arrays.js';
import { STANDARD_ERRORS, type Estimate } from './estimate.js';
import { arrivals, type GrowthRates } from './growth-rates.js';
import { RateMixture, type FittedRates } from './rate-mixture.js';

/** Groups of arrays that are left out in turn, to see how far an estimate rests on them (the jackknife). */
const GROUPS = 12;
/** Relative: no mixture is quite the true one. */
const MODEL_ERROR = 0.05;

export interface DrawnRates extends FittedRates {
  readonly perDay: Estimate;
  /** Elements that come together. */
  readonly burst: number;
}

/** @param share of the arrays' writes that were drawn */
export function fitRates(arrays: readonly DrawnArray[], share: number): DrawnRates {
  const { size, days } = burstsOf(arrays, share);
  const counted = arrays.map(({ gained, times }, index) => ({
    days: days[index] as number,
    // Half of its burst comes after a write, whatever the time since.
    gained: Math.max(0, gained - (size - 1) / 2),
    draws: times.length,
  }));
  const mixture = new RateMixture(counted, Math.max(...arrays.map((array) => array.days)), size);
  const fitted = mixture.fit();
  const groups = Math.min(GROUPS, arrays.length);
  const without = Array.from({ length: groups }, (_, left) =>
    Math.log(mixture.medianWithout(fitted, (index) => index % groups === left) / fitted.median),
  );
  const center = without.reduce((sum, one) => sum + one, 0) / groups;
  const byArrays = Math.sqrt((without.reduce((sum, one) => sum + (one - center) ** 2, 0) * (groups - 1)) / groups);
  // Of few arrays, none can be left out: then the elements that they gained say it.
  const byChance = 1 / Math.sqrt(Math.max(1, counted.reduce((sum, { gained }) => sum + gained, 0) / size));
  const factor = Math.exp(STANDARD_ERRORS * Math.hypot(Math.max(byArrays, byChance), MODEL_ERROR));
  const perDay = { low: fitted.median / factor, estimate: fitted.median, high: fitted.median * factor };
  return { ...fitted, perDay, burst: size };
}

/** Of the median array that is written to, and of the longest. */
export function ratesOf(arrays: readonly DrawnArray[], { perDay, weights, rates }: DrawnRates): GrowthRates {
  const lengths = arrays.map(({ now }) => now);
  const quantile = (share: number) => weightedQuantile(lengths, [...weights], share) as number;
  const margin = STANDARD_ERRORS * Math.sqrt(0.25 / effectiveCount(weights));
  const at = arrays.reduce((best, { now }, index) => (now > (lengths[best] as number) ? index : best), 0);
  const { now, gained, days } = arrays[at] as DrawnArray;
  const rate = rates[at] as number;
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
        low: Math.min(rate, arrivals(gained + 1, -STANDARD_ERRORS) / days),
        estimate: rate,
        high: Math.max(rate, arrivals(gained + 1, STANDARD_ERRORS) / days),
      },
    },
  };
}

/** Quantiles of 0 and of 1 are not defined. */
const LEAST_SHARE = 1e-3;

/** Of as many equal weights would an estimate be as sure. */
function effectiveCount(weights: readonly number[]): number {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return sum ** 2 / weights.reduce((total, weight) => total + weight ** 2, 0);
}
