import { mean, median, probit, quantile, weightedQuantile } from 'simple-statistics';
import { STANDARD_ERRORS, type Estimate } from '../rates/estimate.js';

export interface AgedValue {
  readonly age: number;
  readonly value: number;
}

export interface AgedSample {
  readonly unit: 'elements' | 'bytes';
  /** Of the collection's documents, those that are in it. */
  readonly share: number;
}

/** Days in which the typical array is written to, as it is for the other sources. */
const ACTIVE_DAYS = 7;
/** Standard deviations of a normal distribution between its quartiles. */
const QUARTILES = 2 * probit(0.75);

// Of what the older half gained per day of age, beyond what they were created with. A slow array counts for as much as it is
// likely to be written to; in the low end of the interval, all count.
export function medianRate(
  sorted: readonly AgedValue[],
  older: readonly AgedValue[],
  initial: Estimate,
  { unit, share }: AgedSample,
): Estimate {
  const rates = older.map(({ age, value }) => Math.max(0, value - initial.estimate) / age);
  const weights = rates.map((rate) => (unit === 'bytes' ? 1 : -Math.expm1(-rate * ACTIVE_DAYS)));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (sum === 0) return { low: 0, estimate: 0, high: 0 };
  const quantileOf = (part: number, ofWhich = weights) => weightedQuantile(rates, ofWhich, part) as number;
  const estimate = quantileOf(0.5);
  const count = sum ** 2 / weights.reduce((total, weight) => total + weight ** 2, 0);
  // The older half of a whole collection is half of it, so its median is nearer to that of all (W. Cochran, "Sampling
  // Techniques", section 2.6), as far as the arrays differ.
  const isSeen = unit === 'bytes' ? 0 : (share / 2) * shareByRates(sorted, older, initial.estimate);
  const margin = Math.min(0.5, STANDARD_ERRORS * Math.sqrt((0.25 * (1 - isSeen)) / count));
  const all = weights.map(() => 1);
  const lowest = quantileOf(0.5 - margin, all);
  const days = median(older.map(({ age }) => age));
  const rounding = (unit === 'bytes' ? 0 : 0.5) / days;
  return {
    low: Math.max(0, estimate - Math.hypot(estimate - lowest, (initial.high - initial.estimate) / days, rounding)),
    estimate,
    high: estimate + Math.hypot(quantileOf(0.5 + margin) - estimate, (initial.estimate - initial.low) / days, rounding),
  };
}

/** Of the variance of what they gained per day, that of their own rates: that of chance is the greater, the younger they are. */
function shareByRates(sorted: readonly AgedValue[], older: readonly AgedValue[], initial: number): number {
  const quarter = Math.floor(sorted.length / 4);
  if (quarter < FEWEST_IN_QUARTER) return 0;
  const [young, old] = [sorted.slice(quarter, 2 * quarter), sorted.slice(-quarter)];
  const varianceOf = (part: readonly AgedValue[]) => {
    const rates = part.map(({ age, value }) => (value - initial) / age);
    const [low, middle, high] = [0.25, 0.5, 0.75].map((at) => quantile(rates, at)) as [number, number, number];
    return ((high - low) / QUARTILES / middle) ** 2;
  };
  const perDay = (part: readonly AgedValue[]) => mean(part.map(({ age }) => 1 / age));
  const byAge = (varianceOf(young) - varianceOf(old)) / (perDay(young) - perDay(old));
  const byChance = Math.max(byAge, 1 / median(older.map(({ age, value }) => (value - initial) / age))) * perDay(older);
  return Math.max(0, 1 - byChance / varianceOf(older));
}

const FEWEST_IN_QUARTER = 10;
