import { probit } from 'simple-statistics';
import { MS_PER_DAY } from '../../time-units.js';
import { quantileWithInterval, STANDARD_ERRORS, type Estimate } from './estimate.js';
import { arrivals, type GrowthRates } from './growth-rates.js';
import { FALSE_FINDING_RATE } from './limits.js';
import type { TrackedShape } from './tracked-growth.js';
import {
  middleDeviation,
  middleMean,
  middleShares,
  quantileAt,
  summarize,
  type QuantileSummary,
} from './quantile-summary.js';

export interface EarlierRun {
  readonly at: number;
  readonly documents: number;
  readonly complete: boolean;
  readonly values: QuantileSummary;
}

export interface CurrentRun extends Omit<EarlierRun, 'values'> {
  /** `time` is that of the document's creation, in ms since 1970, if known. */
  readonly values: readonly { readonly value: number; readonly time: number | null }[];
}

export type HistoryShape = TrackedShape;

export type HistoryGrowth =
  | {
      readonly shape: 'growing';
      readonly runs: number;
      readonly windowDays: number;
      readonly rates: GrowthRates;
      /** Whether the same documents were surely compared, and it was more than one step. */
      readonly certain: boolean;
      /** Days after which documents of earlier runs are gone; null if that does not show. */
      readonly lifetimeDays: number | null;
    }
  | { readonly shape: HistoryShape; readonly runs: number; readonly windowDays: number };

const LONGEST_WINDOW_DAYS = 90;
const FEWEST_SAMPLED = 30;
const CAP_SHARE = 0.1;
/** Standard error, in the value's unit, of a mean of quantiles of whole numbers. */
const ROUNDING = 0.1;
/**
 * Probability of a false finding if each run draws other documents, which come by pages of the random cursor: a run a day for
 * a year, on hundreds of such arrays, should meet none.
 */
const FALSE_AMONG_DRAWN = 1e-5;
/** By so many squared standard errors must a single step fit better than a steady rate. */
const STEP_FITS_BETTER_BY = 4;
const FEWEST_RUNS_FOR_RATE = 3;
// A lognormal distribution's, with a deviation of 1 of its logarithm: runs don't show which document gained.
const MEDIAN_RATE_SHARE = 0.6;
/** At most this share of the documents may have come or gone. */
const MOST_CHANGED = 0.9;

interface Comparison {
  readonly days: number;
  readonly gain: number;
  readonly standardError: number;
  readonly leastGain: number;
  readonly uniform: boolean;
  readonly gainOfLargest: number;
}

/** @param tests how many quantities of the collection are judged; the more, the more one of them must show */
export function historyGrowth(
  earlier: readonly EarlierRun[],
  current: CurrentRun,
  tests: number,
): HistoryGrowth | null {
  const recent = earlier.filter(({ at }) => current.at - at <= LONGEST_WINDOW_DAYS * MS_PER_DAY);
  const comparisons = recent.map((run) => compare(run, current)).filter((comparison) => comparison !== null);
  const longest = comparisons[0];
  if (longest === undefined) return null;
  const runs = comparisons.length + 1;
  const not = (shape: HistoryShape): HistoryGrowth => ({ shape, runs, windowDays: longest.days });
  const rate = rateOf(comparisons);
  const areDrawn = !current.complete || recent.some(({ complete }) => !complete);
  const needed = probit(1 - (areDrawn ? FALSE_AMONG_DRAWN : FALSE_FINDING_RATE) / tests);
  if (rate.estimate < needed * rate.standardError || longest.leastGain < needed * longest.standardError)
    return not('level');
  if (isCapped(recent.at(-1) as EarlierRun, summarize(valuesOf(current)))) return not('cap');
  if (isSingleStep(comparisons, rate.estimate)) return not('single-step');
  const margin = STANDARD_ERRORS * rate.standardError;
  const perDay = {
    low: MEDIAN_RATE_SHARE * (rate.estimate - margin),
    estimate: rate.estimate,
    high: rate.estimate + margin,
  };
  const certain = runs >= FEWEST_RUNS_FOR_RATE && agesKnown(current);
  return {
    shape: 'growing',
    runs,
    windowDays: longest.days,
    rates: ratesNow(current, longest, perDay),
    certain,
    lifetimeDays: null,
  };
}

function compare(earlier: EarlierRun, current: CurrentRun): Comparison | null {
  const days = (current.at - earlier.at) / MS_PER_DAY;
  const known = agesKnown(current);
  const same = known ? current.values.filter(({ time }) => (time as number) < earlier.at) : current.values;
  if (days <= 0 || !isEnough(earlier.values.count, earlier.complete) || !isEnough(same.length, current.complete))
    return null;
  const before = earlier.values;
  const after = summarize(same.map(({ value }) => value));
  const left = (current.documents * same.length) / current.values.length;
  const chance = shareError(current, same.length);
  const gone = Math.max(0, 1 - left / earlier.documents - chance);
  const came = known ? 0 : Math.max(0, 1 - earlier.documents / left);
  if (gone > MOST_CHANGED || came > MOST_CHANGED) return null;
  const gain = middleMean(after) - middleMean(before);
  const shifts = middleShares().map((share) => quantileAt(after, share) - quantileAt(before, share));
  return {
    days,
    gain,
    // Chance in both samples and in what arrived meanwhile, and the rounding of quantiles.
    standardError: Math.hypot(
      meanError(earlier.complete, before),
      meanError(current.complete, after),
      Math.sqrt(Math.max(0, gain) / left),
      ROUNDING,
    ),
    // At worst, those gone were the smallest and those that came are the largest.
    leastGain: middleMean(after, 0, 1 - came) - middleMean(before, gone, 1),
    uniform: earlier.complete && current.complete && Math.max(...shifts) - Math.min(...shifts) <= ROUNDING,
    gainOfLargest: quantileAt(after, 1) - quantileAt(before, 1),
  };
}

function isEnough(count: number, complete: boolean): boolean {
  return count >= (complete ? 1 : FEWEST_SAMPLED);
}

function agesKnown({ values }: CurrentRun): boolean {
  return values.every(({ time }) => time !== null);
}

function valuesOf({ values }: CurrentRun): number[] {
  return values.map(({ value }) => value);
}

function shareError({ complete, values }: CurrentRun, older: number): number {
  const share = older / values.length;
  return complete ? 0 : STANDARD_ERRORS * Math.sqrt((share * (1 - share)) / values.length);
}

function meanError(complete: boolean, values: QuantileSummary): number {
  return complete ? 0 : middleDeviation(values) / Math.sqrt(values.count);
}

/** The steady rate through all comparisons; those over longer times weigh more. */
function rateOf(comparisons: readonly Comparison[]): { readonly estimate: number; readonly standardError: number } {
  const weight = sum(comparisons, ({ days }) => days * days);
  const estimate = sum(comparisons, ({ gain, days }) => gain * days) / weight;
  // Every comparison shares this run's sample, so averaging hardly reduces the error below that of the longest one.
  const bySample = (comparisons[0] as Comparison).standardError / (comparisons[0] as Comparison).days;
  const scatter =
    sum(comparisons, ({ gain, days }) => (gain - estimate * days) ** 2) / Math.max(1, comparisons.length - 1);
  return { estimate, standardError: Math.max(bySample, Math.sqrt(scatter / weight)) };
}

function isCapped(last: EarlierRun, now: QuantileSummary): boolean {
  const highest = quantileAt(now, 1);
  return quantileAt(last.values, 1) === highest && quantileAt(now, 1 - CAP_SHARE) === highest;
}

function isSingleStep(comparisons: readonly Comparison[], perDay: number): boolean {
  if (comparisons.length + 1 < FEWEST_RUNS_FOR_RATE) return (comparisons[0] as Comparison).uniform;
  const misfit = (expected: (comparison: Comparison, index: number) => number) =>
    comparisons.reduce(
      (total, comparison, index) =>
        total + ((comparison.gain - expected(comparison, index)) / comparison.standardError) ** 2,
      0,
    );
  const steady = misfit(({ days }) => perDay * days);
  return comparisons.some((_, after) => {
    const before = comparisons.slice(0, after + 1);
    const step = sum(before, ({ gain }) => gain) / before.length;
    return misfit((__, index) => (index <= after ? step : 0)) + STEP_FITS_BETTER_BY < steady;
  });
}

function ratesNow(current: CurrentRun, longest: Comparison, perDay: Estimate): GrowthRates {
  const gained = Math.max(1, longest.gainOfLargest);
  const ofLargest = (standardErrors: number) => arrivals(gained, standardErrors) / longest.days;
  const own = { low: ofLargest(-STANDARD_ERRORS), estimate: gained / longest.days, high: ofLargest(STANDARD_ERRORS) };
  return {
    typical: { value: quantileWithInterval(valuesOf(current), 0.5), perDay },
    largest: {
      value: Math.max(...valuesOf(current)),
      // Which document is the largest differs from sample to sample, which hides its own gain.
      perDay: current.complete ? own : { ...perDay, high: Math.max(perDay.high, own.high) },
    },
  };
}

function sum(comparisons: readonly Comparison[], of: (comparison: Comparison) => number): number {
  return comparisons.reduce((total, comparison) => total + of(comparison), 0);
}
