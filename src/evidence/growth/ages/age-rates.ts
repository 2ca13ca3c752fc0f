import { median, quantile, standardDeviation } from 'simple-statistics';
import { medianRate, type AgedSample, type AgedValue } from './median-rate.js';
import { eitherOf, quantileWithInterval, SECOND_LOOK, STANDARD_ERRORS, type Estimate } from '../rates/estimate.js';
import { rateOfLargest, type Gain, type GrowthRates } from '../rates/growth-rates.js';
import { robustSlope } from '../rates/robust-slope.js';

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

// Seen at one time, a curve over ages has two causes: the rate depends on the age, so that the typical one is that of the
// median age; or it has changed for all, so that it is that of the youngest. It may go on to change either way.
export function withCurvature(rates: GrowthRates, ages: readonly number[], values: readonly number[]): GrowthRates {
  const middle = Math.floor(ages.length / 2);
  const quarter = Math.floor(ages.length / 4);
  const slopeOf = (from: number, to?: number) => robustSlope(ages.slice(from, to), values.slice(from, to));
  const inner = [quarter, ages.length - quarter] as const;
  const [young, old, between] = [slopeOf(0, middle), slopeOf(middle), slopeOf(...inner)];
  if (young === null || old === null || between === null) return rates;
  if (young.estimate <= 0 || old.estimate <= 0 || between.estimate <= 0) return rates;
  const error = Math.hypot(relativeError(young), relativeError(old));
  const ratio = Math.log(old.estimate / young.estimate);
  const youngAge = median(ages.slice(0, middle));
  const apart = median(ages.slice(middle)) - youngAge;
  if (Math.abs(ratio) <= STANDARD_ERRORS * error) return { ...rates, changePerDay: 0 };
  // Over what an array gains whose rate is 1 at an age and changes by an even share each day, growth is a straight line.
  const rateAt = (at: number, from: number, to: number) => {
    const gained = ages.slice(from, to).map((age) => (Math.expm1((ratio / apart) * (age - at)) * apart) / ratio);
    return robustSlope(gained, values.slice(from, to)) as Estimate;
  };
  const atMedian = rateAt(median([...ages]), ...inner);
  const byAge = withError(atMedian.estimate, Math.hypot(relativeError(atMedian), bendOf(ratio)));
  // By a straight line through the logarithms of the two rates.
  const after = -youngAge / apart;
  const errorNow = Math.hypot((1 - after) * relativeError(young), after * relativeError(old));
  const now = rateAt(youngAge, 0, middle).estimate * Math.exp(ratio * after);
  const { low, high } = eitherOf(byAge, withError(now, errorNow));
  const { perDay, value } = rates.typical;
  return {
    ...rates,
    changePerDay: (Math.abs(ratio) + SECOND_LOOK * error) / apart,
    typical: {
      value,
      perDay: {
        low: Math.min(perDay.low, low),
        estimate: perDay.estimate,
        high: Math.max(perDay.high, high),
      },
    },
  };
}

/**
 * Of the logarithm of the middle rate, if it changes in a straight line or as a hyperbola instead. The slope is an average
 * of rates, by Taylor's series above the middle one by 0 or 2 parts in 48 of the squared logarithm of the halves' ratio, not 1.
 */
function bendOf(ratio: number): number {
  return ratio ** 2 / 48;
}

function withError(estimate: number, relative: number): Estimate {
  const factor = Math.exp(STANDARD_ERRORS * relative);
  return { low: estimate / factor, estimate, high: estimate * factor };
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
