import { probit } from 'simple-statistics';
import { shareInterval } from '../../sampling/confidence.js';
import type { GrowthRates } from '../rates/growth-rates.js';
import type { EarlierVerdict } from '../rates/filled-arrays.js';
import { FALSE_FINDING_RATE } from '../rates/limits.js';
import type { TrackedValues } from './tracked-documents.js';
import { gainsOf, intervalsOf, isQuiet, sinceLastCut, sinceOnset, type Interval } from './tracked-intervals.js';
import { areLongestFull, areOthersLonger, isCapped, isUpperHalfGaining } from './tracked-limits.js';
import { changeOfPace, lineOfPace, MOST_OVER_MEDIAN, paceOf } from './tracked-pace.js';
import { trackedRates } from './tracked-rates.js';
import { doDocumentsStop } from './tracked-stops.js';
import { trendOf } from './tracked-trend.js';

/**
 * `level`: chance explains what was gained. `cap`: many stay at the greatest value. `single-step`: gained in too few steps,
 * as from backfills. `young`: only short arrays gain. `cut`: cut down again and again.
 */
export type TrackedShape = 'level' | 'cap' | 'single-step' | 'young' | 'cut';

export type TrackedGrowth =
  | { readonly shape: 'growing'; readonly runs: number; readonly windowDays: number; readonly rates: GrowthRates }
  | { readonly shape: TrackedShape; readonly runs: number; readonly windowDays: number };

export const FEWEST_INTERVALS = 3;
const ENDED_AFTER_GAPS = 2;
/** Documents that stand for others, by which it shows how these change. */
const FEWEST_CHANGING = 20;
const FEWEST_COMPARED = 5;
/** Of documents that gained several elements, the share that did so at several times: else a job went through them once. */
const LEAST_REPEATED = 0.1;
const FEWEST_REPEATABLE = 10;
/** Student's t at 99 % and 99.9 %, by degrees of freedom from 1 to 10, the last for more (table of percentage points). */
const T_99 = [31.82, 6.96, 4.54, 3.75, 3.36, 3.14, 3, 2.9, 2.82, 2.76] as const;
const T_999 = [318.3, 22.33, 10.21, 7.17, 5.89, 5.21, 4.79, 4.5, 4.3, 4.14] as const;

/**
 * How the same documents grew from run to run. If that fits growth as well as arrays that are being filled, what was told
 * before decides: it takes evidence beyond chance to tell otherwise.
 * @param tests how many quantities of the collection are judged; the more, the more one of them must show
 * @param wasGrowing whether the run before told growth; null if it could not tell
 */
export function trackedGrowth(
  values: TrackedValues,
  unit: 'elements' | 'bytes',
  tests: number,
  wasGrowing: boolean | null = null,
): TrackedGrowth | null {
  const growth = judged(values, unit, tests, wasGrowing === true ? 'growing' : 'nothing');
  if (wasGrowing !== false || growth?.shape !== 'growing') return growth;
  // Before growth begins, nothing was gained: that says nothing against it.
  const before = judged(beforeThisRun(values), unit, tests, 'nothing')?.shape;
  // There may have been another cut, between runs of which no sketch is left.
  if (intervalsOf(values).some(({ isCut }) => isCut)) {
    const { runs, windowDays } = growth;
    return before === 'growing' ? growth : { shape: 'cut', runs, windowDays };
  }
  return before === 'young' || before === 'growing' ? judged(values, unit, tests, 'filling') : growth;
}

/** With fewer runs than it takes to find growth by the same documents alone. */
export function saysNothingAgainst(values: TrackedValues, unit: 'elements' | 'bytes'): boolean {
  if (unit === 'elements' && isCapped(values, 0)) return false;
  const intervals = intervalsOf(withoutLongest(values));
  if (intervals.some((one) => isQuiet(one, intervals))) return false;
  return !areOthersLonger(values, 'nothing') && isUpperHalfGaining(values);
}

function beforeThisRun({ daysAgo, documents }: TrackedValues): TrackedValues {
  const [last = 0] = daysAgo.slice(-2);
  return {
    daysAgo: daysAgo.slice(0, -1).map((days) => days - last),
    documents: documents
      .map(({ values, isEven }) => ({ values: values.subarray(0, -1), isEven }))
      .filter(({ values }) => !Number.isNaN(values.at(-1))),
  };
}

function judged(
  values: TrackedValues,
  unit: 'elements' | 'bytes',
  tests: number,
  verdict: EarlierVerdict,
): TrackedGrowth | null {
  const seen = values.daysAgo.filter((_, run) => values.documents.some((one) => !Number.isNaN(one.values[run])));
  if (seen.length <= FEWEST_INTERVALS) return null;
  const all = intervalsOf(values);
  const cuts = all.filter(({ isCut }) => isCut).length;
  const since = sinceOnset(sinceLastCut(values, all));
  const unchosen = withoutLongest(since);
  const runs = since.daysAgo.length;
  const windowDays = since.daysAgo[0] ?? 0;
  const not = (shape: TrackedShape): TrackedGrowth => ({ shape, runs: seen.length, windowDays: seen[0] ?? 0 });
  if (cuts > 1) return not('cut');
  if (runs <= FEWEST_INTERVALS) return not('level');
  const intervals = intervalsOf(unchosen);
  const pace = paceOf(intervals);
  const trend = trendOf(unchosen);
  if (!(trend >= probit(1 - FALSE_FINDING_RATE / tests) || pace.t >= criticalT(T_999, pace.intervals)))
    return not('level');
  if (pace.intervals < FEWEST_INTERVALS || pace.t < criticalT(T_99, pace.intervals) || isOnce(since, unit))
    return not('single-step');
  if (hasEnded(intervals, since.daysAgo)) return not('single-step');
  if (unit === 'elements' && isCapped(since)) return not('cap');
  if (areOthersLonger(since, verdict) || !isUpperHalfGaining(since)) return not('young');
  if (unchosen === since && areLongestFull(since, verdict)) return not('young');
  const steps = intervals.map(({ perDay }) => perDay > MOST_OVER_MEDIAN * pace.median * MOST_OVER_MEDIAN);
  if (doDocumentsStop(since, verdict)) return not('young');
  const throughout = seenThroughout(unchosen);
  const line = lineOfPace(throughout === null ? intervals : intervalsOf(throughout), since.daysAgo);
  const change = throughout === null ? null : line.change;
  const rates = trackedRates(since, steps, { ...line, change });
  if (rates === null) return not('level');
  const changePerDay = throughout === null ? null : changeOfPace(line, since.daysAgo);
  return { shape: 'growing', runs, windowDays, rates: { ...rates, ...(changePerDay !== null && { changePerDay }) } };
}

// Those kept for their length drop out when they lose some, so that what is left of them seems to gain. They count only if
// hardly any of the others change.
function withoutLongest(tracked: TrackedValues): TrackedValues {
  const documents = tracked.documents.filter(({ isEven }) => isEven);
  const changing = documents.filter(({ values }) => gainsOf(values).some((gain) => gain !== 0)).length;
  return changing < FEWEST_CHANGING ? tracked : { ...tracked, documents };
}

// Those that grow come to be among the longest, so that ever more of them are seen to gain. Null if too few others show it.
function seenThroughout(tracked: TrackedValues): TrackedValues | null {
  const documents = tracked.documents.filter(({ values }) => !values.some(Number.isNaN));
  const changing = documents.filter(({ values }) => gainsOf(values).some((gain) => gain !== 0)).length;
  return changing < FEWEST_COMPARED ? null : { ...tracked, documents };
}

/** Of all documents, the share that can have gained anything at most, by those that were recognised. */
export function mostGaining({ documents }: TrackedValues): number {
  const seen = documents.filter(({ values, isEven }) => isEven && gainsOf(values).length > 0);
  const gaining = seen.filter(({ values }) => gainsOf(values).some((gain) => gain > 0));
  return shareInterval(gaining.length, seen.length)[1];
}

function criticalT(table: readonly number[], intervals: number): number {
  return table[Math.min(intervals - 1, table.length) - 1] ?? Infinity;
}

function isOnce({ documents }: TrackedValues, unit: 'elements' | 'bytes'): boolean {
  const several = documents
    .map(({ values }) => gainsOf(values).filter((gain) => gain > 0))
    .filter((gains) => unit === 'bytes' || gains.reduce((sum, gain) => sum + gain, 0) >= 2)
    .filter((gains) => gains.length > 0);
  const repeated = several.filter((gains) => gains.length > 1).length;
  return several.length >= FEWEST_REPEATABLE && repeated < LEAST_REPEATED * several.length;
}

function hasEnded(intervals: readonly Interval[], daysAgo: readonly number[]): boolean {
  const busy = intervals.flatMap((one, run) => (isQuiet(one, intervals) ? [] : [run]));
  const gaps = busy.slice(1).map((run, index) => (daysAgo[busy[index] as number] as number) - (daysAgo[run] as number));
  const last = busy.at(-1);
  return last === undefined || (daysAgo[last + 1] as number) > ENDED_AFTER_GAPS * Math.max(0, ...gaps);
}
