import { mean, median, probit, sampleVariance } from 'simple-statistics';
import { STANDARD_ERRORS } from './estimate.js';
import type { GrowthRates } from './growth-rates.js';
import { areBeingFilled } from './filled-arrays.js';
import { FALSE_FINDING_RATE } from './limits.js';
import type { TrackedDocument, TrackedValues } from './tracked-documents.js';
import { trackedRates } from './tracked-rates.js';

/**
 * `level`: chance explains what was gained. `cap`: many stay at the greatest value. `single-step`: gained in too few steps,
 * as from backfills. `young`: only short arrays gain. `cut`: cut down again and again.
 */
export type TrackedShape = 'level' | 'cap' | 'single-step' | 'young' | 'cut';

export type TrackedGrowth =
  | { readonly shape: 'growing'; readonly runs: number; readonly windowDays: number; readonly rates: GrowthRates }
  | { readonly shape: TrackedShape; readonly runs: number; readonly windowDays: number };

const FEWEST_INTERVALS = 3;
/** Two weeks, so that a day of the week is no change. */
const FEWEST_DAYS_FOR_CHANGE = 14;
const FEWEST_FOR_CHANGE = 6;
/** Of the most documents that changed in an interval. With fewer changes, nothing happened in it. */
const QUIET_SHARE = 0.1;
/** An interval's gain counts as at most so many times the median one: what is more is a backfill. */
const MOST_OVER_MEDIAN = 2;
/** Standard errors by which losses outnumber gains if lengths were cut, or restored. */
const CUT_STANDARD_ERRORS = probit(0.9995);
const ENDED_AFTER_GAPS = 2;
/** Of documents that gained several elements, the share that did so at several times: else a job went through them once. */
const LEAST_REPEATED = 0.1;
const FEWEST_REPEATABLE = 10;
/** Of the length of those that did not gain: growing arrays are about as long, or longer. Of the lengths, so many did not gain. */
const LEAST_OF_OTHERS = 2 / 3;
const LEAST_OTHERS = 0.2;
const FEWEST_COMPARED = 5;
const CAP_SHARE = 0.1;
const SECOND_LOOK = probit(0.99);
/** Student's t at 99 % and 99.9 %, by degrees of freedom from 1 to 10, the last for more (table of percentage points). */
const T_99 = [31.82, 6.96, 4.54, 3.75, 3.36, 3.14, 3, 2.9, 2.82, 2.76] as const;
const T_999 = [318.3, 22.33, 10.21, 7.17, 5.89, 5.21, 4.79, 4.5, 4.3, 4.14] as const;

/** @param tests how many quantities of the collection are judged; the more, the more one of them must show */
export function trackedGrowth(values: TrackedValues, unit: 'elements' | 'bytes', tests: number): TrackedGrowth | null {
  const seen = values.daysAgo.filter((_, run) => values.documents.some((one) => !Number.isNaN(one.values[run])));
  if (seen.length <= FEWEST_INTERVALS) return null;
  const all = intervalsOf(values);
  const cuts = all.filter(({ isCut }) => isCut).length;
  const since = sinceOnset(sinceLastCut(values, all));
  const runs = since.daysAgo.length;
  const windowDays = since.daysAgo[0] ?? 0;
  const not = (shape: TrackedShape): TrackedGrowth => ({ shape, runs: seen.length, windowDays: seen[0] ?? 0 });
  if (cuts > 1) return not('cut');
  if (runs <= FEWEST_INTERVALS) return not('level');
  const intervals = intervalsOf(since);
  const pace = paceOf(intervals);
  const trend = trendOf(since);
  if (!(trend >= probit(1 - FALSE_FINDING_RATE / tests) || pace.t >= criticalT(T_999, pace.intervals)))
    return not('level');
  if (pace.intervals < FEWEST_INTERVALS || pace.t < criticalT(T_99, pace.intervals) || isOnce(since, unit))
    return not('single-step');
  if (hasEnded(intervals, since.daysAgo)) return not('single-step');
  if (unit === 'elements' && isCapped(since)) return not('cap');
  if (areOthersLonger(since) || !isUpperHalfGaining(since)) return not('young');
  const steps = intervals.map(({ perDay }) => perDay > MOST_OVER_MEDIAN * pace.median * MOST_OVER_MEDIAN);
  const line = lineOfPace(intervals, since.daysAgo);
  const rates = trackedRates(since, steps, { ...line, relativeError: pace.relativeError });
  if (rates === null) return not('level');
  const changePerDay = changeOfPace(line, since.daysAgo);
  return { shape: 'growing', runs, windowDays, rates: { ...rates, ...(changePerDay !== null && { changePerDay }) } };
}

interface Interval {
  readonly days: number;
  readonly documents: number;
  readonly changed: number;
  readonly perDay: number;
  readonly isCut: boolean;
}

function intervalsOf({ daysAgo, documents }: TrackedValues): Interval[] {
  return daysAgo.slice(1).map((later, run) => {
    const days = (daysAgo[run] as number) - later;
    const gains = documents.map(({ values }) => (values[run + 1] as number) - (values[run] as number));
    const known = gains.filter((gain) => !Number.isNaN(gain));
    const ups = known.filter((gain) => gain > 0).length;
    const downs = known.filter((gain) => gain < 0).length;
    const sum = known.reduce((total, gain) => total + gain, 0);
    return {
      days,
      documents: known.length,
      changed: ups + downs,
      perDay: sum / Math.max(1, known.length) / days,
      isCut: sum < 0 && downs - ups >= CUT_STANDARD_ERRORS * Math.sqrt(downs + ups),
    };
  });
}

/** A restore or a job that cuts arrays down begins a new line. */
function sinceLastCut(tracked: TrackedValues, intervals: readonly Interval[]): TrackedValues {
  return startingAt(tracked, intervals.findLastIndex(({ isCut }) => isCut) + 1);
}

function startingAt({ daysAgo, documents }: TrackedValues, first: number): TrackedValues {
  const cut = documents.map((document) => ({ ...document, values: document.values.subarray(first) }));
  const isSeen = (run: number) => cut.some(({ values }) => !Number.isNaN(values[run]));
  const runs = daysAgo.slice(first).flatMap((_, run) => (isSeen(run) ? [run] : []));
  return {
    daysAgo: runs.map((run) => daysAgo[first + run] as number),
    documents: cut
      .map(({ values, isEven }) => ({ values: Float64Array.from(runs, (run) => values[run] as number), isEven }))
      .filter(({ values }) => values.filter((value) => !Number.isNaN(value)).length > 1),
  };
}

/** If nothing changed for longer than at any time since, growth began then. */
function sinceOnset(tracked: TrackedValues): TrackedValues {
  const intervals = intervalsOf(tracked);
  const first = intervals.findIndex((one) => !isQuiet(one, intervals));
  if (first <= 0) return tracked;
  let [quiet, longest] = [0, 0];
  for (const interval of intervals.slice(first)) {
    quiet = isQuiet(interval, intervals) ? quiet + interval.days : 0;
    longest = Math.max(longest, quiet);
  }
  const before = intervals.slice(0, first).reduce((sum, { days }) => sum + days, 0);
  return before > longest ? startingAt(tracked, first) : tracked;
}

function isQuiet({ changed }: Interval, intervals: readonly Interval[]): boolean {
  return changed === 0 || changed < QUIET_SHARE * Math.max(...intervals.map((one) => one.changed));
}

interface Pace {
  readonly intervals: number;
  readonly t: number;
  readonly median: number;
  /** Standard error of the rate from its changes over time. */
  readonly relativeError: number;
}

/** Whether the collection as a whole gained evenly over the intervals in which anything happened, longer ones weighing more. */
function paceOf(intervals: readonly Interval[]): Pace {
  const busy = intervals.filter((one) => !isQuiet(one, intervals));
  if (busy.length < 2) return { intervals: busy.length, t: 0, median: 0, relativeError: Infinity };
  const typical = median(busy.map(({ perDay }) => perDay));
  const rates = busy.map(({ perDay, days }) => ({
    perDay: typical > 0 ? Math.min(perDay, MOST_OVER_MEDIAN * typical) : perDay,
    days,
  }));
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
    relativeError: average > 0 ? error / average : Infinity,
  };
}

/** Of the whole collection's gain a day, over the intervals in which anything happened: by weighted least squares. */
interface LineOfPace {
  readonly intervals: number;
  readonly days: number;
  /** From their middle to now. */
  readonly daysAgo: number;
  /** By what share of its average it rises or falls each day; the variance of that is by `left` for each of the squared days of `spread`. */
  readonly change: number;
  readonly spread: number;
  readonly left: number;
}

function lineOfPace(intervals: readonly Interval[], daysAgo: readonly number[]): LineOfPace {
  const busy = intervals.flatMap(({ perDay, days, ...one }, run) =>
    isQuiet({ perDay, days, ...one }, intervals) ? [] : [{ perDay, days, at: days / 2 - (daysAgo[run] as number) }],
  );
  const total = sumOf(busy, ({ days }) => days);
  const [at, perDay] = [sumOf(busy, (one) => one.days * one.at), sumOf(busy, (one) => one.days * one.perDay)].map(
    (sum) => sum / total,
  ) as [number, number];
  const spread = sumOf(busy, (one) => one.days * (one.at - at) ** 2);
  const change = sumOf(busy, (one) => one.days * (one.at - at) * (one.perDay / perDay - 1)) / spread;
  const squares = sumOf(busy, (one) => one.days * (one.perDay / perDay - 1 - change * (one.at - at)) ** 2);
  return { intervals: busy.length, days: total, daysAgo: -at, change, spread, left: squares / (busy.length - 2) };
}

/** What 95 of 100 such lines do not exceed; null if they are too few. */
function changeOfPace({ intervals, change, spread, left }: LineOfPace, daysAgo: readonly number[]): number | null {
  if (intervals < FEWEST_FOR_CHANGE || (daysAgo[0] as number) < FEWEST_DAYS_FOR_CHANGE) return null;
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

function criticalT(table: readonly number[], intervals: number): number {
  return table[Math.min(intervals - 1, table.length) - 1] ?? Infinity;
}

/**
 * The documents' Mann-Kendall statistics together, in standard errors of what chance would do if each length went up and
 * down at random: a random walk. Sources: D. Helsel and L. Frans, "Regional Kendall test for trend", 2006; the variance by
 * W. F. Sheppard's formula for two normal variables of one sign, 1899.
 */
function trendOf({ daysAgo, documents }: TrackedValues): number {
  let sum = 0;
  let variance = 0;
  const variances = new Map<string, number>();
  for (const { values } of documents) {
    const runs = daysAgo.flatMap((_, run) => (Number.isNaN(values[run]) ? [] : [run]));
    const signs = runs.flatMap((run, index) =>
      runs.slice(0, index).map((earlier) => Math.sign((values[run] as number) - (values[earlier] as number))),
    );
    if (signs.every((sign) => sign === 0)) continue;
    sum += signs.reduce((total, sign) => total + sign, 0);
    const key = runs.join(' ');
    const known = variances.get(key) ?? walkVariance(runs.map((run) => daysAgo[run] as number));
    variances.set(key, known);
    variance += known;
  }
  return variance === 0 ? 0 : sum / Math.sqrt(variance);
}

function walkVariance(daysAgo: readonly number[]): number {
  const spans = daysAgo.flatMap((to, index) => daysAgo.slice(0, index).map((from) => ({ from, to })));
  let variance = 0;
  for (const one of spans)
    for (const other of spans) {
      const overlap = Math.max(0, Math.min(one.from, other.from) - Math.max(one.to, other.to));
      const lengths = Math.sqrt((one.from - one.to) * (other.from - other.to));
      variance += (2 / Math.PI) * Math.asin(Math.min(1, overlap / lengths));
    }
  return variance;
}

function isOnce({ documents }: TrackedValues, unit: 'elements' | 'bytes'): boolean {
  const several = documents
    .map(({ values }) => gainsOf(values).filter((gain) => gain > 0))
    .filter((gains) => unit === 'bytes' || gains.reduce((sum, gain) => sum + gain, 0) >= 2)
    .filter((gains) => gains.length > 0);
  const repeated = several.filter((gains) => gains.length > 1).length;
  return several.length >= FEWEST_REPEATABLE && repeated < LEAST_REPEATED * several.length;
}

function gainsOf(values: Float64Array): number[] {
  const seen = values.filter((value) => !Number.isNaN(value));
  return Array.from(seen.subarray(1), (value, index) => value - (seen[index] as number));
}

function hasEnded(intervals: readonly Interval[], daysAgo: readonly number[]): boolean {
  const busy = intervals.flatMap((one, run) => (isQuiet(one, intervals) ? [] : [run]));
  const gaps = busy.slice(1).map((run, index) => (daysAgo[busy[index] as number] as number) - (daysAgo[run] as number));
  const last = busy.at(-1);
  return last === undefined || (daysAgo[last + 1] as number) > ENDED_AFTER_GAPS * Math.max(0, ...gaps);
}

function isCapped({ documents }: TrackedValues): boolean {
  const now = documents.map(lastOf);
  const greatest = Math.max(...now);
  const at = documents.filter((document) => lastOf(document) === greatest);
  const before = documents.map(({ values }) => values.findLast((value, run) => run < values.length - 1 && value >= 0));
  const stayed = before.filter((value, index) => value === greatest && now[index] === greatest).length;
  return at.length >= Math.max(FEWEST_COMPARED, CAP_SHARE * documents.length) && stayed >= at.length / 2;
}

function lastOf({ values }: TrackedDocument): number {
  return values.at(-1) as number;
}

// Those that are being filled are shorter than those that are full.
function areOthersLonger({ documents }: TrackedValues): boolean {
  const gaining: number[] = [];
  const others: number[] = [];
  const neverGaining: number[] = [];
  let seen = 0;
  for (const { values } of documents.filter(({ isEven }) => isEven)) {
    const gainsAtAll = gainsOf(values).some((gain) => gain > 0);
    if (gainsAtAll) seen += 1;
    for (let run = 1; run < values.length; run += 1) {
      const [before, after] = [values[run - 1] as number, values[run] as number];
      if (Number.isNaN(before) || Number.isNaN(after)) continue;
      (after > before ? gaining : others).push((before + after) / 2);
      if (!gainsAtAll) neverGaining.push(after);
    }
  }
  const least = Math.max(FEWEST_COMPARED, LEAST_OTHERS * (gaining.length + others.length));
  if (gaining.length < FEWEST_COMPARED || others.length < least) return false;
  if (median(gaining) < LEAST_OF_OTHERS * median(others)) return true;
  const all = [...gaining, ...neverGaining];
  return areBeingFilled({ arrays: gaining.length, lengths: gaining }, { arrays: all.length, lengths: all }, seen);
}

// By the mean over the runs, which neither a gain by chance nor a loss moves to one side.
function isUpperHalfGaining(tracked: TrackedValues): boolean {
  const changing = tracked.documents.filter(({ values }) => gainsOf(values).some((gain) => gain !== 0));
  if (changing.length < 2 * FEWEST_COMPARED) return true;
  const means = changing.map(({ values }) => meanOf(values));
  const middle = median(means);
  const upper = changing.filter((_, index) => (means[index] as number) >= middle);
  return trendOf({ ...tracked, documents: upper }) >= SECOND_LOOK;
}

function meanOf(values: Float64Array): number {
  const seen = values.filter((value) => !Number.isNaN(value));
  return seen.reduce((sum, value) => sum + value, 0) / seen.length;
}
