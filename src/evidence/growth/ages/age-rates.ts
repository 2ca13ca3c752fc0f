import { median, quantile, standardDeviation } from 'simple-statistics';
import { medianRate, type AgedSample, type AgedValue } from './median-rate.js';
import { eitherOf, quantileWithInterval, SECOND_LOOK, STANDARD_ERRORS, type Estimate } from '../rates/estimate.js';
import { rateOfLargest, type Gain, type GrowthRates } from '../rates/growth-rates.js';

export type { AgedSample, AgedValue } from './median-rate.js';

/** The youngest documents, which show the value at creation: a tenth, and at least so many. */
const YOUNG_SHARE = 0.1;
const FEWEST_YOUNG = 10;
/** Of the young, those that most idle ones are no longer than. */
const ABOVE_SHARES = [0.8, 0.9, 0.95] as const;

// The typical rate is the median of what the older half gained per day of age. If the slope over all documents differs from
// it by more than chance, either may be the present rate.
export function ratesByAge(sorted: readonly AgedValue[], slope: Estimate, sample: AgedSample): GrowthRates {
  const young = youngOf(sorted);
  const initial = quantileWithInterval(
    young.map(({ age, value }) => Math.max(0, value - slope.estimate * age)),
    0.5,
  );
  const older = sorted.slice(Math.floor(sorted.length / 2));
  const rate = medianRate(sorted, older, initial, sample);
  const gains: Gain[] = older.map(({ age, value }) => ({
    value,
    gained: Math.max(0, value - initial.estimate),
    days: age,
  }));
  const perDay = areApart(rate, slope) ? eitherOf(rate, slope) : rate;
  const typical = {
    value: typicalValue(sorted, initial.estimate + rate.estimate * median(sorted.map(({ age }) => age))),
    perDay,
  };
  const largest = sorted.reduce((one, other) => (other.value > one.value ? other : one));
  const gain = { value: largest.value, gained: Math.max(0, largest.value - initial.estimate), days: largest.age };
  const ofLargest = rateOfLargest(gain, gains, perDay);
  // Chance may explain any part of the largest document's own growth in bytes: it may be a typical one.
  const low = sample.unit === 'bytes' ? Math.min(ofLargest.low, perDay.low) : ofLargest.low;
  return { typical, largest: { value: largest.value, perDay: { ...ofLargest, low } } };
}

/** The median, and what a document of the median age has at the typical rate: those that are long are not all old. */
function typicalValue(sorted: readonly AgedValue[], ofMedianAge: number): Estimate {
  const { low, estimate, high } = quantileWithInterval(
    sorted.map(({ value }) => value),
    0.5,
  );
  return { low: Math.min(low, ofMedianAge), estimate, high: Math.max(high, ofMedianAge) };
}

function youngOf(sorted: readonly AgedValue[]): readonly AgedValue[] {
  return sorted.slice(0, Math.max(FEWEST_YOUNG, Math.ceil(sorted.length * YOUNG_SHARE)));
}

// Of the older half, those are active that are longer than nearly all young ones: what they gained since, by their age. Where
// that line lies is not known, and part of the error.
export function ratesOfActive(
  active: readonly AgedValue[],
  among: readonly AgedValue[],
  slope: Estimate,
  sample: AgedSample,
): GrowthRates {
  const young = youngOf(among).map(({ value }) => value);
  const initial = quantileWithInterval(young, 0.5);
  const older = among.slice(Math.floor(among.length / 2));
  const { typical, largest } = ratesByAge(active, slope, sample);
  const [lower, rate, upper] = ABOVE_SHARES.map((share) => {
    const least = quantile(young, share);
    const [above, olderAbove] = [among, older].map((part) => part.filter(({ value }) => value > least)) as [
      AgedValue[],
      AgedValue[],
    ];
    return olderAbove.length === 0 ? slope : medianRate(above, olderAbove, initial, sample);
  }) as [Estimate, Estimate, Estimate];
  const byLine = STANDARD_ERRORS * standardDeviation([lower.estimate, rate.estimate, upper.estimate]);
  const { low, estimate, high } = rate;
  const perDay = {
    low: Math.max(0, estimate - Math.hypot(estimate - low, byLine)),
    estimate,
    high: estimate + Math.hypot(high - estimate, byLine),
  };
  return { typical: { value: typical.value, perDay }, largest };
}

function areApart(one: Estimate, other: Estimate): boolean {
  const error = Math.hypot(relativeError(one), relativeError(other));
  return Math.abs(Math.log(one.estimate / other.estimate)) > SECOND_LOOK * error;
}

function relativeError({ low, estimate, high }: Estimate): number {
  return (high - low) / (2 * STANDARD_ERRORS) / estimate;
}

// Negative if documents were empty at first.
export function atBirth(documents: readonly AgedValue[], perDay: number): number {
  return median(documents.map(({ age, value }) => value - perDay * age));
}
