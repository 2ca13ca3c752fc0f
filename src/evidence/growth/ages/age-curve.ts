import { mean, median, probit, quantile, sampleStandardDeviation } from 'simple-statistics';
import { groupedBy } from '../../../grouped-by.js';
import type { AgedValue } from './median-rate.js';
import { STANDARD_ERRORS } from '../rates/estimate.js';
import type { GrowthRates } from '../rates/growth-rates.js';
import { DOUBLED_BY_CHANCE_DAYS } from '../rates/limits.js';
import { robustSlope } from '../rates/robust-slope.js';
import { weighed, weightOf, type PossibleRate } from '../rates/weighed.js';

/** Of ten collections, the rates of one are supposed to change. */
const STEADY_ODDS = 9;
/** Curves either way, as far as so many standard deviations of what is supposed. */
const CURVES = 150;
const FURTHEST = 6;
/** What changes in a straight line: the rate, its logarithm, or what it is the reciprocal of. */
const POWERS = [1, 0, -1] as const;
/** Of the logarithm by which a curve changes rates until the middle, for other shapes: there, and at birth. */
const SHAPE_ERRORS = [0.01, 0.035] as const;
const PARTS = 10;
const FEWEST_IN_PART = 8;
/** Standard deviations of a normal distribution, for each distance of its quartiles. */
const MEAN_ERROR = 1 / (2 * probit(0.75));
/** Of whole numbers that are all the same. */
const LEAST_DISTANCE = 0.5;
const BEYOND = 0.1;

/** Documents of about the same age, and their mean value. */
interface Part {
  readonly age: number;
  readonly value: number;
  readonly weight: number;
}

interface Ages {
  readonly middle: number;
  readonly oldest: number;
  readonly apart: number;
}

/** @param perDay by what share the rate changes for each day of age, in the middle */
interface Curve {
  readonly perDay: number;
  readonly power: number;
}

interface Fit {
  readonly perDay: number;
  readonly weight: number;
  /** Logarithms of the rate in the middle of the ages, and at birth. */
  readonly logs: readonly [number, number];
  readonly error: number;
  readonly initial: number;
  /** The sum of squares that the fit leaves. */
  readonly left: number;
}

// Seen at one time, a curve over ages has two causes: the rate depends on the age, so that the typical one is that of the
// median age; or it has changed for all, so that it is that of the youngest. Few curves are excluded, so each counts by how
// likely it is (J. Hoeting et al., "Bayesian Model Averaging", 1999), as does that there is none.
export function withCurve(
  rates: GrowthRates,
  sorted: readonly AgedValue[],
  slope: number,
  initial: number | null,
): GrowthRates {
  const ages = agesOf(sorted);
  if (ages.apart <= 0) return rates;
  const parts = partsOf(sorted, slope);
  const straight = fits(parts, { perDay: 0, power: 0 }, STEADY_ODDS, ages, initial);
  const curved = supposedCurves(ages).flatMap(({ curve, weight }) => fits(parts, curve, weight, ages, initial));
  if (straight.length === 0 || curved.length === 0) return rates;
  const best = [...straight, ...curved].reduce((one, other) => (other.left < one.left ? other : one));
  const least = best.left;
  const scatter = Math.max(1, least / (parts.length - 2));
  const likely = (fit: Fit): Fit => ({ ...fit, weight: fit.weight * Math.exp((least - fit.left) / 2 / scatter) });
  const steady = weightOf(straight.map(likely));
  const changing = curved.map(likely);
  // The mean is surer than the median, and as far from it at any age.
  const ofOld = sorted.slice(Math.floor(sorted.length / 2)).map(({ age, value }) => (value - best.initial) / age);
  const toMedian = medianBesideMean(ofOld);
  if (!Number.isFinite(toMedian.log + toMedian.error)) return rates;
  const possible = changing.flatMap(({ logs, weight, error, perDay }) =>
    logs.map((log, cause): PossibleRate => ({
      log: log + toMedian.log,
      weight: weight / logs.length,
      error: Math.hypot(
        error * Math.sqrt(scatter),
        toMedian.error,
        SHAPE_ERRORS[cause as 0 | 1] * perDay * ages.middle,
      ),
    })),
  );
  const { perDay, value } = rates.typical;
  return {
    ...rates,
    changePerDay: mostChange(changing, steady),
    typical: { value, perDay: weighed(perDay, steady, possible) },
  };
}

/** Logarithm of their ratio, and by interleaved parts of the values, its standard error. */
function medianBesideMean(values: readonly number[]): { log: number; error: number } {
  const parts = [...groupedBy(values.keys(), (place) => place % PARTS).values()];
  const logs = parts.map((places) => logOfMedian(places.map((place) => values[place] as number)));
  return { log: logOfMedian(values), error: sampleStandardDeviation(logs) / Math.sqrt(logs.length) };
}

function logOfMedian(values: readonly number[]): number {
  return Math.log(median([...values]) / mean([...values]));
}

function agesOf(sorted: readonly AgedValue[]): Ages {
  const ages = sorted.map(({ age }) => age);
  const half = Math.floor(ages.length / 2);
  const apart = median(ages.slice(half)) - median(ages.slice(0, half));
  return { middle: median(ages), oldest: ages.at(-1) as number, apart };
}

function partsOf(sorted: readonly AgedValue[], slope: number): Part[] {
  const count = Math.min(PARTS, Math.floor(sorted.length / FEWEST_IN_PART));
  const between = (from: number, to: number) =>
    sorted.slice(
      Math.floor((sorted.length * Math.max(0, from)) / count),
      Math.floor((sorted.length * Math.min(count, to)) / count),
    );
  return Array.from({ length: count }, (_, part) => {
    const near = between(part - 1, part + 2);
    const nearSlope = robustSlope(
      near.map(({ age }) => age),
      near.map(({ value }) => value),
    );
    const documents = between(part, part + 1);
    const middle = median(documents.map(({ age }) => age));
    const values = documents.map(({ age, value }) => value - (nearSlope?.estimate ?? slope) * (age - middle));
    const distance = Math.max(LEAST_DISTANCE, quantile(values, 0.75) - quantile(values, 0.25));
    return { age: middle, value: mean(values), weight: documents.length / (MEAN_ERROR * distance) ** 2 };
  });
}

/** As rates usually change, or by as much over ages that span less time. */
function supposedCurves({ apart }: Ages): { curve: Curve; weight: number }[] {
  const deviation = ((Math.LN2 / STANDARD_ERRORS) * Math.sqrt(Math.max(1, apart / DOUBLED_BY_CHANCE_DAYS))) / apart;
  const steps = Array.from({ length: 2 * CURVES + 1 }, (_, place) => FURTHEST * (place / CURVES - 1));
  const weights = steps.map((step) => Math.exp(-0.5 * step ** 2));
  const all = POWERS.length * weights.reduce((sum, weight) => sum + weight, 0);
  return steps.flatMap((step, place) =>
    POWERS.map((power) => ({
      curve: { perDay: step * deviation, power },
      weight: (weights[place] as number) / all,
    })),
  );
}

/** By least squares: of arrays that begin empty, or with what is known or likeliest. */
function fits(parts: readonly Part[], curve: Curve, weight: number, ages: Ages, known: number | null): Fit[] {
  const { perDay, power } = curve;
  const { middle, oldest } = ages;
  if (Math.min(1 - power * perDay * middle, 1 + power * perDay * (oldest - middle)) <= 0) return [];
  const points = parts.map((part) => ({ x: gained(part.age, curve, middle), y: part.value, weight: part.weight }));
  const sum = (of: (point: (typeof points)[number]) => number) =>
    points.reduce((total, point) => total + point.weight * of(point), 0);
  const [all, x, y] = [sum(() => 1), sum((point) => point.x), sum((point) => point.y)];
  const [xx, xy] = [sum((point) => point.x ** 2), sum((point) => point.x * point.y)];
  const toBirth = power === 0 ? -perDay * middle : Math.log(1 - power * perDay * middle) / power;
  const fit = (rate: number, initial: number, squares: number, lessLikely: number): Fit[] => {
    if (rate <= 0) return [];
    const left = sum((point) => (point.y - initial - rate * point.x) ** 2) + lessLikely;
    const log = Math.log(rate);
    return [{ perDay, weight, logs: [log, log + toBirth], error: 1 / Math.sqrt(squares) / rate, initial, left }];
  };
  const from = known ?? 0;
  const ofEmpty = fit((xy - from * x) / xx, from, xx, 0);
  const squares = xx - x ** 2 / all;
  const rate = (xy - (x * y) / all) / squares;
  const initial = (y - rate * x) / all;
  if (known !== null || initial < 0) return ofEmpty;
  // They may begin with anything up to what the youngest have, of which the data leaves less.
  const errors = (parts[0] as Part).value * Math.sqrt((all * squares) / xx / (2 * Math.PI));
  return [...ofEmpty, ...fit(rate, initial, squares, 2 * Math.log(Math.max(1, errors)))];
}

/** What an array has gained until an age, if its rate is 1 in the middle of the ages. */
function gained(age: number, { perDay, power }: Curve, middle: number): number {
  if (perDay === 0) return age;
  if (power === 0) return (Math.exp(-perDay * middle) * Math.expm1(perDay * age)) / perDay;
  const [first, last] = [0, age].map((at) => 1 + power * perDay * (at - middle)) as [number, number];
  if (power === -1) return (Math.log(first) - Math.log(last)) / perDay;
  return (last ** (1 + 1 / power) - first ** (1 + 1 / power)) / ((1 + power) * perDay);
}

/** By what share a rate may change in a day, that one curve of ten exceeds, up or down. */
function mostChange(curved: readonly Fit[], steady: number): number {
  const all = steady + weightOf(curved);
  let beyond = 0;
  for (const { weight, perDay } of curved.toSorted((a, b) => Math.abs(b.perDay) - Math.abs(a.perDay))) {
    beyond += weight;
    if (beyond > BEYOND * all) return Math.abs(perDay);
  }
  return 0;
}
