import { probit } from 'simple-statistics';
import type { TrackedDocument, TrackedValues } from './tracked-documents.js';

/** Of the most documents that changed in an interval. With fewer changes, nothing happened in it. */
const QUIET_SHARE = 0.1;
/** Standard errors by which losses outnumber gains if lengths were cut, or restored. */
const CUT_STANDARD_ERRORS = probit(0.9995);

/** What the documents gained between two runs. */
export interface Interval {
  readonly days: number;
  readonly documents: number;
  readonly changed: number;
  readonly perDay: number;
  readonly isCut: boolean;
}

export function intervalsOf({ daysAgo, documents }: TrackedValues): Interval[] {
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

/** What a document gained from each run in which it was seen to the next. */
export function gainsOf(values: Float64Array): number[] {
  const seen = values.filter((value) => !Number.isNaN(value));
  return Array.from(seen.subarray(1), (value, index) => value - (seen[index] as number));
}

export function hasChanged({ values }: TrackedDocument): boolean {
  return gainsOf(values).some((gain) => gain !== 0);
}

export function endingAt({ daysAgo, documents }: TrackedValues, last: number): TrackedValues {
  return {
    daysAgo: daysAgo.slice(0, last + 1),
    documents: documents.map((document) => ({ ...document, values: document.values.subarray(0, last + 1) })),
  };
}

export function startingAt({ daysAgo, documents }: TrackedValues, first: number): TrackedValues {
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
export function sinceOnset(tracked: TrackedValues): TrackedValues {
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

export function isQuiet({ changed }: Interval, intervals: readonly Interval[]): boolean {
  return changed === 0 || changed < QUIET_SHARE * Math.max(...intervals.map((one) => one.changed));
}
