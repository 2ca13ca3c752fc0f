import { mean, median, sampleVariance } from 'simple-statistics';
import { STANDARD_ERRORS } from '../rates/estimate.js';
import { isQuiet, type Interval } from './tracked-intervals.js';

/** An interval's gain counts as at most so many times the median one: what is more is a backfill. */
export const MOST_OVER_MEDIAN = 2;
/** Two weeks, so that a day of the week is no change. */
const FEWEST_DAYS_FOR_CHANGE = 14;
const FEWEST_FOR_CHANGE = 6;

export interface Pace {
  readonly intervals: number;
  readonly t: number;
  readonly median: number;
}

/** Whether the collection as a whole gained evenly over the intervals in which anything happened, longer ones weighing more. */
export function paceOf(intervals: readonly Interval[]): Pace {
  const busy = intervals.filter((one) => !isQuiet(one, intervals));
  if (busy.length < 2) return { intervals: busy.length, t: 0, median: 0 };
  const typical = median(busy.map(({ perDay }) => perDay));
  const rates = withoutBackfills(busy, typical);
  const total = rates.reduce((sum, { days }) => sum + days, 0);
  const average = rates.reduce((sum, { perDay, days }) => sum + perDay * days, 0) / total;
  const variance =
    rates.reduce((sum, { perDay, days }) => sum + days * (perDay - average) ** 2, 0) / (rates.length - 1);
  const error = Math.sqrt(variance / total);
  const t = error > 0 ? average / error : average > 0 ? Infinity : 0;
  return {
    intervals: busy.length,
    t: busy.length < intervals.length ? Math.max(t, evenSteps(busy)) : t,
    median: typical,
  };
}

function withoutBackfills<Busy extends Interval>(busy: readonly Busy[], typical: number): readonly Busy[] {
  const most = typical > 0 ? MOST_OVER_MEDIAN * typical : Infinity;
  return busy.map((one) => ({ ...one, perDay: Math.min(one.perDay, most) }));
}

/** Of the whole collection's gain a day, over the intervals in which anything happened: by weighted least squares. */
export interface LineOfPace {
  readonly intervals: number;
  readonly days: number;
  /** From their middle to now. */
  readonly daysAgo: number;
  /** By what share of its average it rises or falls each day; the variance of that is by `left` for each of the squared days of `spread`. */
  readonly change: number;
  readonly spread: number;
  readonly left: number;
  /** What its documents gained in them. */
  readonly gained: number;
}

export function lineOfPace(intervals: readonly Interval[], daysAgo: readonly number[]): LineOfPace {
  const gaining = withQuietBefore(intervals);
  const typical = gaining.length < 2 ? 0 : median(gaining.map(({ perDay }) => perDay));
  const busy = withoutBackfills(gaining, typical).map((one) => ({
    ...one,
    at: -one.days / 2 - (daysAgo[one.run + 1] as number),
  }));
  const total = sumOf(busy, ({ days }) => days);
  const [at, perDay] = [sumOf(busy, (one) => one.days * one.at), sumOf(busy, (one) => one.days * one.perDay)].map(
    (sum) => sum / total,
  ) as [number, number];
  const spread = sumOf(busy, (one) => one.days * (one.at - at) ** 2);
  const change = sumOf(busy, (one) => one.days * (one.at - at) * (one.perDay / perDay - 1)) / spread;
  const squares = sumOf(busy, (one) => one.days * (one.perDay / perDay - 1 - change * (one.at - at)) ** 2);
  const gained = sumOf(busy, (one) => one.days * one.perDay * one.documents);
  return {
    intervals: busy.length,
    days: total,
    daysAgo: -at,
    change,
    spread,
    left: squares / (busy.length - 2),
    gained,
  };
}

/** A job adds at once what is due for the days before it. */
function withQuietBefore(intervals: readonly Interval[]): (Interval & { readonly run: number })[] {
  let quiet = 0;
  return intervals.flatMap((one, run) => {
    const days = quiet + one.days;
    quiet = isQuiet(one, intervals) ? days : 0;
    return quiet > 0 ? [] : [{ ...one, run, days, perDay: (one.perDay * one.days) / days }];
  });
}

/** What 95 of 100 such lines do not exceed; null if they are too few. */
export function changeOfPace(
  { intervals, change, spread, left }: LineOfPace,
  daysAgo: readonly number[],
): number | null {
  const days = (daysAgo[0] as number) - (daysAgo.at(-1) as number);
  if (intervals < FEWEST_FOR_CHANGE || days < FEWEST_DAYS_FOR_CHANGE) return null;
  return Math.abs(change) + STANDARD_ERRORS * Math.sqrt(left / spread);
}

function sumOf<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}

/** Of a job that adds as much each time, whatever the time between. */
function evenSteps(busy: readonly Interval[]): number {
  const steps = busy.map(({ perDay, days }) => perDay * days);
  const error = Math.sqrt(sampleVariance(steps) / steps.length);
  return error > 0 ? mean(steps) / error : 0;
}
