import { probit } from 'simple-statistics';
import { MS_PER_DAY } from '../../../time-units.js';
import { quantileWithInterval, STANDARD_ERRORS, type Estimate } from '../rates/estimate.js';
import { arrivals, type GrowthRates } from '../rates/growth-rates.js';
import { FALSE_FINDING_RATE } from '../rates/limits.js';
import { areBytesMissing } from './stored-bytes.js';
import { sampleTrend, studentT } from '../rates/sample-trend.js';
import type { TrackedShape } from '../tracked/tracked-growth.js';
import { quantileAt, summarize, type QuantileSummary } from './quantile-summary.js';
import {
  agesKnown,
  compare,
  meanError,
  ROUNDING,
  valuesOf,
  type Comparison,
  type CurrentRun,
  type EarlierRun,
} from './run-comparison.js';

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
const CAP_SHARE = 0.1;
/** If each run draws other documents: hundreds of such arrays should meet no false finding in a year. */
const FALSE_AMONG_DRAWN = 1e-5;
const FEWEST_DRAWN_RUNS = 5;
const LEAST_GAINING_IF_TYPICAL_DOES = 1 / 2;
/** By so many squared standard errors must a single step fit better than a steady rate. */
const STEP_FITS_BETTER_BY = 4;
const FEWEST_RUNS_FOR_RATE = 3;
// A lognormal distribution's, with a deviation of 1 of its logarithm: runs don't show which document gained.
const MEDIAN_RATE_SHARE = 0.6;

/** @param gaining share that can have gained anything, by the documents that were recognised  @param wasTold whether the run before told growth */
export function historyGrowth(
  earlier: readonly EarlierRun[],
  current: CurrentRun,
  tests: number,
  gaining = 1,
  wasTold = false,
): HistoryGrowth | null {
  const recent = earlier.filter(({ at }) => current.at - at <= LONGEST_WINDOW_DAYS * MS_PER_DAY);
  const areDrawn = !current.complete || recent.some(({ complete }) => !complete);
  // Samples of the same data say nothing of growth, however they differ.
  const comparable = areDrawn ? recent.filter(({ isUnchanged }) => !isUnchanged) : recent;
  const comparisons = comparable.map((run) => compare(run, current)).filter((comparison) => comparison !== null);
  const longest = comparisons[0];
  if (longest === undefined) {
    const [first] = recent;
    if (first === undefined || comparable.length === recent.length) return null;
    return { shape: 'level', runs: recent.length + 1, windowDays: (current.at - first.at) / MS_PER_DAY };
  }
  const runs = comparisons.length + 1;
  const not = (shape: HistoryShape): HistoryGrowth => ({ shape, runs, windowDays: longest.days });
  if (areDrawn && (runs < FEWEST_DRAWN_RUNS || gaining < LEAST_GAINING_IF_TYPICAL_DOES)) return not('level');
  const { needed, ...rate } = areDrawn ? rateOfDrawn(comparisons, current, tests) : rateOf(comparisons, tests);
  const leastGain = wasTold ? longest.gain : longest.leastGain;
  if (rate.estimate < needed * rate.standardError || leastGain < needed * longest.standardError) return not('level');
  if (areDrawn && isBelied(longest, current, rate.estimate)) return not('level');
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

function isBelied({ bytesBefore, days, left, mostGone }: Comparison, current: CurrentRun, perDay: number): boolean {
  return areBytesMissing(bytesBefore, current.bytes, mostGone, perDay * days * left * current.bytesPerUnit);
}

interface Rate {
  readonly estimate: number;
  readonly standardError: number;
  readonly needed: number;
}

function rateOfDrawn(comparisons: readonly Comparison[], current: CurrentRun, tests: number): Rate {
  const gains = comparisons.map(({ days, gain, errorBefore }) => ({ days, gain, standardError: errorBefore }));
  const error = Math.hypot(meanError(current.complete, summarize(valuesOf(current))), ROUNDING);
  const { perDay, standardError, degreesOfFreedom } = sampleTrend(gains, error);
  return { estimate: perDay, standardError, needed: studentT(FALSE_AMONG_DRAWN / tests, degreesOfFreedom) };
}

/** The steady rate through all comparisons; those over longer times weigh more. */
function rateOf(comparisons: readonly Comparison[], tests: number): Rate {
  const weight = sum(comparisons, ({ days }) => days * days);
  const estimate = sum(comparisons, ({ gain, days }) => gain * days) / weight;
  // Every comparison shares this run's sample, so averaging hardly reduces the error below that of the longest one.
  const bySample = (comparisons[0] as Comparison).standardError / (comparisons[0] as Comparison).days;
  const scatter =
    sum(comparisons, ({ gain, days }) => (gain - estimate * days) ** 2) / Math.max(1, comparisons.length - 1);
  const standardError = Math.max(bySample, Math.sqrt(scatter / weight));
  return { estimate, standardError, needed: probit(1 - FALSE_FINDING_RATE / tests) };
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
