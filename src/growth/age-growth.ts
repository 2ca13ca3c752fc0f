import { median, quantileSorted, sampleRankCorrelation, sum } from 'simple-statistics';
import { around, fitRates } from './growing-arrays.js';
import type { AgeGrowth } from './growth.js';
import { AGES, RATES } from './limits.js';

export interface AgedValue {
  /** In days. */
  readonly age: number;
  readonly value: number;
}

/**
 * Whether older documents have longer arrays in the way that growth leaves behind: from band to band of the ages, the typical
 * length rises on and on, from little at birth. Null if the ages are too few or too close.
 */
export function ageGrowth(documents: readonly AgedValue[], unit: keyof typeof AGES.leastGain): AgeGrowth | null {
  const sorted = documents.toSorted((one, other) => one.age - other.age);
  if (sorted.length < AGES.fewest) return null;
  const ages = sorted.map(({ age }) => age);
  const windowDays = quantileSorted(ages, 0.95) - quantileSorted(ages, 0.05);
  if (windowDays < AGES.shortestSpan) return null;
  const values = sorted.map(({ value }) => value);
  const correlation = sampleRankCorrelation(ages, values);
  const base = { windowDays, documents: sorted.length, correlation: Number.isNaN(correlation) ? 0 : correlation };
  const not = (because: AgeGrowth['because'], verdict: AgeGrowth['verdict'] = 'not growing'): AgeGrowth => ({
    ...base,
    verdict,
    because,
    rates: null,
  });
  const needed = Math.max(AGES.leastCorrelation, AGES.correlationErrors / Math.sqrt(sorted.length - 1));
  if (base.correlation < needed) return not('level');
  const bands = bandsOf(sorted);
  const rises = bands.slice(1).map(({ value }, index) => value - (bands[index] as AgedValue).value);
  const [youngest, oldest] = [bands[0] as AgedValue, bands.at(-1) as AgedValue];
  const rise = oldest.value - youngest.value;
  if (rise < AGES.leastGain[unit]) return not('level');
  const atBirth = bornWith(bands);
  if (atBirth > AGES.mostAtBirth * oldest.value) return not('born-longer', 'unknown');
  const third = Math.max(1, Math.floor(rises.length / 3));
  const [firstRise, lastRise] = [sum(rises.slice(0, third)), sum(rises.slice(-third))];
  if (lastRise < AGES.leastLastRise * Math.min(firstRise, rise / 3)) return not('plateau');
  const rising = rises.filter((one) => one >= rise / rises.length / 2).length;
  if (rising < AGES.leastRising * rises.length) return not('step');
  const older = sorted.slice(Math.floor(sorted.length / 2));
  const gains = older.map(({ age, value }) => ({ gained: value - atBirth, days: age }));
  const { median: perDay, each } = fitRates(gains, 1, () => 1, RATES.leastError.age);
  const most = older.reduce((one, other, index) => (other.value > (older[one] as AgedValue).value ? index : one), 0);
  const { value } = older[most] as AgedValue;
  const largest = { value, perDay: around(each[most] as number, RATES.leastError.age) };
  return { ...not('growing', 'growing'), rates: { typical: { value: median(values), perDay }, largest } };
}

/** Bands of the documents by age: the middle age and value of each. */
function bandsOf(sorted: readonly AgedValue[]): AgedValue[] {
  const count = Math.max(AGES.bands.least, Math.min(AGES.bands.most, Math.floor(sorted.length / AGES.bands.fewestIn)));
  return Array.from({ length: count }, (_, band) => {
    const [from, to] = [band, band + 1].map((part) => Math.floor((part * sorted.length) / count)) as [number, number];
    const of = sorted.slice(from, to);
    return { age: median(of.map(({ age }) => age)), value: median(of.map(({ value }) => value)) };
  });
}

/** By the line through all bands: the median of the slopes between them (H. Theil, 1950; P. Sen, 1968). */
function bornWith(bands: readonly AgedValue[]): number {
  const slopes = bands.flatMap((one, index) =>
    bands.slice(index + 1).map((other) => (other.value - one.value) / (other.age - one.age)),
  );
  const [youngest] = bands as [AgedValue];
  return Math.max(0, youngest.value - median(slopes.filter(Number.isFinite)) * youngest.age);
}
