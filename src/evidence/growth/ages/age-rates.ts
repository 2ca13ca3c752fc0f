import { median, quantileSorted } from 'simple-statistics';
import { quantileWithInterval, SECOND_LOOK, STANDARD_ERRORS, union, type Estimate } from '../rates/estimate.js';
import { rateOfLargest, typicalRates, type Gain, type GrowthRates } from '../rates/growth-rates.js';
import { robustSlope } from '../rates/robust-slope.js';

export interface AgedValue {
  readonly age: number;
  readonly value: number;
}

/** The youngest documents, which show the value at creation: a tenth, and at least so many. */
const YOUNG_SHARE = 0.1;
const FEWEST_YOUNG = 10;

// The typical rate combines two views: the slope over all documents, and the median of what the older half gained per
// day of age. If some documents grow much faster than others the two differ, and the interval holds both.
export function ratesByAge(sorted: readonly AgedValue[], slope: Estimate, unit: 'elements' | 'bytes'): GrowthRates {
  const young = sorted.slice(0, Math.max(FEWEST_YOUNG, Math.ceil(sorted.length * YOUNG_SHARE)));
  const [initial, initialOfYoung] = [sorted, young].map((documents) =>
    Math.max(0, atBirth(documents, slope.estimate)),
  ) as [number, number];
  const gains = (from: number): Gain[] =>
    sorted
      .slice(Math.floor(sorted.length / 2))
      .map(({ age, value }) => ({ value, gained: Math.max(0, value - from), days: age }));
  const rateOfOld = (from: number) =>
    quantileWithInterval(
      gains(from).map(({ gained, days }) => gained / days),
      0.5,
    );
  const typical = typicalRates(
    sorted.map(({ value }) => value),
    [slope, rateOfOld(initial), rateOfOld(initialOfYoung)],
  );
  const old = gains(initialOfYoung);
  const largest = sorted.reduce((a, b) => (b.value > a.value ? b : a));
  const gain = { value: largest.value, gained: Math.max(0, largest.value - initialOfYoung), days: largest.age };
  const perDay = rateOfLargest(gain, old, typical.perDay);
  // Chance may explain any part of the largest document's own growth in bytes: it may be a typical one.
  const low = unit === 'bytes' ? Math.min(perDay.low, typical.perDay.low) : perDay.low;
  return { typical, largest: { value: largest.value, perDay: { ...perDay, low } } };
}

// Of the older half, those are active that are longer than nearly all young ones: what they gained since, by their age.
export function ratesOfActive(
  active: readonly AgedValue[],
  among: readonly AgedValue[],
  slope: Estimate,
  unit: 'elements' | 'bytes',
): GrowthRates {
  const young = among
    .slice(0, Math.max(FEWEST_YOUNG, Math.ceil(among.length * YOUNG_SHARE)))
    .map(({ value }) => value)
    .sort((a, b) => a - b);
  const initial = quantileSorted(young, 0.5);
  const older = among.slice(Math.floor(among.length / 2));
  const rateAbove = (share: number) => {
    const least = quantileSorted(young, share);
    const rates = older.filter(({ value }) => value > least).map(({ age, value }) => (value - initial) / age);
    return rates.length === 0 ? slope : quantileWithInterval(rates, 0.5);
  };
  const { typical, largest } = ratesByAge(active, slope, unit);
  return {
    typical: { value: typical.value, perDay: union([rateAbove(0.9), rateAbove(0.8), rateAbove(0.95)]) },
    largest,
  };
}

// Seen at one time, a curve over ages has two causes: the rate depends on the age, or it has changed for all. So the rate
// may be that of the young, or of the old, and may go on to change either way.
export function withCurvature(rates: GrowthRates, ages: readonly number[], values: readonly number[]): GrowthRates {
  const middle = Math.floor(ages.length / 2);
  const young = robustSlope(ages.slice(0, middle), values.slice(0, middle));
  const old = robustSlope(ages.slice(middle), values.slice(middle));
  if (young === null || old === null || young.estimate <= 0 || old.estimate <= 0) return rates;
  const error = Math.hypot(relativeError(young), relativeError(old));
  const ratio = Math.log(old.estimate / young.estimate);
  const apart = median(ages.slice(middle)) - median(ages.slice(0, middle));
  if (Math.abs(ratio) < STANDARD_ERRORS * error) return { ...rates, changePerDay: 0 };
  const changePerDay = (Math.abs(ratio) + SECOND_LOOK * error) / apart;
  const { perDay, value } = rates.typical;
  const youngAge = median(ages.slice(0, middle));
  // By a straight line through the logarithms of the two rates.
  const atAge = (age: number) => {
    const after = (age - youngAge) / apart;
    const margin = STANDARD_ERRORS * Math.hypot((1 - after) * relativeError(young), after * relativeError(old));
    return [-margin, margin].map((one) => young.estimate * Math.exp(ratio * after + one));
  };
  const possible = [...atAge(0), ...atAge(quantileSorted([...ages], 0.9))];
  const low = Math.min(perDay.low, ...possible);
  return {
    ...rates,
    changePerDay,
    typical: { value, perDay: { low, estimate: perDay.estimate, high: Math.max(perDay.high, ...possible) } },
  };
}

function relativeError({ low, estimate, high }: Estimate): number {
  return (high - low) / (2 * STANDARD_ERRORS) / estimate;
}

// Negative if documents were empty at first.
export function atBirth(documents: readonly AgedValue[], perDay: number): number {
  return median(documents.map(({ age, value }) => value - perDay * age));
}
