import type { EarlierVerdict } from '../rates/filled-arrays.js';
import type { TrackedValues } from './tracked-documents.js';
import { endingAt, startingAt, type Interval } from './tracked-intervals.js';

/** Of the time in which arrays gain what a cut took, which is how often a job runs that keeps lengths as they are. */
const REGAINED_WITHOUT = 1.5;
/** Days without a cut that show it, too: most such jobs run each week or more often. */
const DAYS_WITHOUT = 14;
/** Days' gain. What takes less is a day like any other, as of all that goes up and down together. */
const LEAST_CUT = 4;

export interface CutLine {
  readonly before: TrackedValues;
  readonly since: TrackedValues;
}

/** What one cut leaves to be judged; null if it may be one of many, unless growth was told. @param cut its interval */
export function acrossCut(
  values: TrackedValues,
  intervals: readonly Interval[],
  cut: number,
  verdict: EarlierVerdict,
): CutLine | null {
  const { daysAgo } = values;
  const line = { before: endingAt(values, cut), since: startingAt(values, cut + 1) };
  if (verdict === 'growing') return line;
  const taken = daysTaken(intervals, cut);
  if (taken < 0) return null;
  const without = Math.max((daysAgo[0] as number) - (daysAgo[cut] as number), daysAgo[cut + 1] as number);
  return without < Math.min(DAYS_WITHOUT, REGAINED_WITHOUT * taken) ? null : line;
}

/** Beside told growth, a single fall is one however small. */
export function cutsIn(intervals: readonly Interval[], verdict: EarlierVerdict): number[] {
  const falls = intervals.flatMap(({ isCut }, run) => (isCut ? [run] : []));
  const cuts = falls.filter((run) => !(Math.abs(daysTaken(intervals, run)) < LEAST_CUT));
  return cuts.length === 0 && falls.length === 1 && verdict === 'growing' ? falls : cuts;
}

/** Days' gain that a cut took, at the pace of the intervals without one; negative if these lose, too. */
function daysTaken(intervals: readonly Interval[], cut: number): number {
  const { perDay, days } = intervals[cut] as Interval;
  const others = intervals.filter(({ isCut }) => !isCut);
  const gained = others.reduce((sum, one) => sum + one.perDay * one.days, 0);
  const pace = gained / others.reduce((sum, one) => sum + one.days, 0);
  return pace > 0 ? days - (perDay * days) / pace : -Infinity;
}
