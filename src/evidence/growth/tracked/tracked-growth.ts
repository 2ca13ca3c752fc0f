import { probit } from 'simple-statistics';
import { shareInterval } from '../../../profile/sampling/confidence.js';
import type { GrowthRates } from '../rates/growth-rates.js';
import type { EarlierVerdict } from '../rates/filled-arrays.js';
import { FALSE_FINDING_RATE } from '../rates/limits.js';
import type { TrackedValues } from './tracked-documents.js';
import { acrossCut, cutsIn, type CutLine } from './tracked-cuts.js';
import {
  endingAt,
  gainsOf,
  hasChanged,
  intervalsOf,
  isQuiet,
  sinceOnset,
  startingAt,
  type Interval,
} from './tracked-intervals.js';
import { areLongestFull, areOthersLonger, isCapped, isUpperHalfGaining } from './tracked-limits.js';
import { changeOfPace, lineOfPace, MOST_OVER_MEDIAN, paceOf, type Pace } from './tracked-pace.js';
import { trackedRates } from './tracked-rates.js';
import { doDocumentsStop } from './tracked-stops.js';
import { trendOf } from './tracked-trend.js';

/**
 * `level`: chance explains what was gained. `cap`: many stay at the greatest value. `single-step`: gained in too few steps,
 * as from backfills. `young`: only short arrays gain. `cut`: cut down again and again.
 */
export type TrackedShape = 'level' | 'cap' | 'single-step' | 'young' | 'cut';

/** Growth by other sources that the same documents speak against: none, what was not told before, or any. */
export type Against = 'none' | 'new' | 'any';

interface GrowingDocuments {
  readonly shape: 'growing';
  readonly runs: number;
  readonly windowDays: number;
  readonly rates: GrowthRates;
}

export type TrackedGrowth =
  | GrowingDocuments
  | { readonly shape: TrackedShape; readonly runs: number; readonly windowDays: number; readonly against: Against };

export const FEWEST_INTERVALS = 3;
const ENDED_AFTER_GAPS = 2;
/** Documents that stand for others, by which it shows how these change. */
export const FEWEST_CHANGING = 20;
const FEWEST_COMPARED = 5;
/** Of documents that gained several elements, the share that did so at several times: else a job went through them once. */
const LEAST_REPEATED = 0.1;
const FEWEST_REPEATABLE = 10;
/** Of what documents gain or lose between runs, the share of losses up to which growth is told as of arrays that only gain. */
const MOST_LOSING = 0.01;
/** Standard errors by which days gain on average, below which they speak against what was told. */
const LEAST_KEPT = 1;
/** Student's t at 90 %, 99 % and 99.9 %, by degrees of freedom from 1 to 10, the last for more (table of percentage points). */
const T_90 = [3.08, 1.89, 1.64, 1.53, 1.48, 1.44, 1.41, 1.4, 1.38, 1.37] as const;
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
    return before === 'growing' ? growth : { shape: 'cut', runs, windowDays, against: 'new' };
  }
  return before === 'young' || before === 'growing' ? judged(values, unit, tests, 'filling') : growth;
}

/** With fewer runs than it takes to find growth by the same documents alone. */
export function saysNothingAgainst(values: TrackedValues, unit: 'elements' | 'bytes', wasTold: boolean): boolean {
  if (unit === 'elements' && isCapped(values, 0)) return false;
  const evenly = withoutLongest(values);
  const intervals = intervalsOf(evenly);
  if (intervals.some((one) => isQuiet(one, intervals)) || (!wasTold && doSomeLose(evenly, unit))) return false;
  return !areOthersLonger(values, 'nothing') && isUpperHalfGaining(values);
}

/** As queues do, which may go up and down together. */
function doSomeLose({ documents }: TrackedValues, unit: 'elements' | 'bytes'): boolean {
  const gains = documents.flatMap(({ values }) => gainsOf(values).filter((gain) => gain !== 0));
  const [atLeast] = shareInterval(gains.filter((gain) => gain < 0).length, gains.length);
  return unit === 'elements' && atLeast > MOST_LOSING;
}

function beforeThisRun(values: TrackedValues): TrackedValues {
  return endingNow(endingAt(values, values.daysAgo.length - 2));
}

function endingNow({ daysAgo, documents }: TrackedValues): TrackedValues {
  return {
    daysAgo: daysAgo.map((days) => days - (daysAgo.at(-1) as number)),
    documents: documents.filter(({ values }) => !Number.isNaN(values.at(-1))),
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
  const growth = judgedAcrossCuts(values, unit, tests, verdict);
  if (growth.shape === 'growing') return growth;
  const changing = values.documents.filter((document) => document.isEven && hasChanged(document)).length;
  const against = changing < FEWEST_CHANGING ? 'none' : growth.against;
  return { shape: growth.shape, runs: seen.length, windowDays: seen[0] ?? 0, against };
}

type Judgement = GrowingDocuments | { readonly shape: TrackedShape; readonly against: Against };

const not = (shape: TrackedShape, against: Against): Judgement => ({ shape, against });

function judgedAcrossCuts(
  tracked: TrackedValues,
  unit: 'elements' | 'bytes',
  tests: number,
  verdict: EarlierVerdict,
): Judgement {
  const values = startingAt(tracked, 0);
  const intervals = intervalsOf(values);
  const [cut, another] = cutsIn(intervals, verdict);
  if (cut === undefined) return judgedLine(values, unit, tests, verdict);
  if (another !== undefined) {
    const pace = paceOf(intervals);
    return not('cut', pace.t < criticalT(T_99, pace.intervals) ? 'any' : 'new');
  }
  const line = acrossCut(values, intervals, cut, verdict);
  if (line === null) return not('cut', 'new');
  const others = intervals.filter((_, run) => run !== cut);
  const busy = others.slice(cut).filter((one) => !isQuiet(one, others));
  if (verdict !== 'growing' || busy.length >= FEWEST_INTERVALS) return judgedLine(line.since, unit, tests, verdict);
  if (busy.some(({ perDay }) => perDay < 0) || hasEnded(intervals, values.daysAgo)) return not('cut', 'new');
  const told = judged(endingNow(line.before), unit, tests, verdict);
  const rates = told?.shape === 'growing' ? ratesAcross(values, line) : null;
  if (rates === null) return not('cut', 'new');
  return { shape: 'growing', runs: values.daysAgo.length, windowDays: values.daysAgo[0] as number, rates };
}

function judgedLine(
  line: TrackedValues,
  unit: 'elements' | 'bytes',
  tests: number,
  verdict: EarlierVerdict,
): Judgement {
  const since = sinceOnset(line);
  if (since.daysAgo.length <= FEWEST_INTERVALS) return not('level', 'none');
  const unchosen = withoutLongest(since);
  const intervals = intervalsOf(unchosen);
  const pace = paceOf(intervals);
  const isKept = verdict === 'growing' && pace.t >= criticalT(T_90, pace.intervals);
  const isSure = pace.t >= criticalT(T_999, pace.intervals);
  if (!isKept && !isSure && trendOf(unchosen) < probit(1 - FALSE_FINDING_RATE / tests))
    return not('level', pace.t < LEAST_KEPT && pace.intervals >= FEWEST_INTERVALS ? 'any' : 'new');
  const isEven = isKept || pace.t >= criticalT(doSomeLose(unchosen, unit) ? T_999 : T_99, pace.intervals);
  if (pace.intervals < FEWEST_INTERVALS || !isEven || isOnce(since, unit) || hasEnded(intervals, since.daysAgo))
    return not('single-step', 'new');
  if (unit === 'elements' && isCapped(since)) return not('cap', 'any');
  if (areOthersLonger(since, verdict) || !isUpperHalfGaining(since)) return not('young', 'any');
  if (unchosen === since && areLongestFull(since, verdict)) return not('young', 'any');
  if (doDocumentsStop(since, verdict)) return not('young', 'any');
  const rates = ratesOf(since, unchosen, stepsIn(intervals, pace));
  if (rates === null) return not('level', 'none');
  return { shape: 'growing', runs: since.daysAgo.length, windowDays: since.daysAgo[0] as number, rates };
}

/** Those before a cut, with as few runs since then as cannot tell otherwise. */
function ratesAcross(values: TrackedValues, { before }: CutLine): GrowthRates | null {
  const line = sinceOnset(before);
  const since = startingAt(values, values.daysAgo.indexOf(line.daysAgo[0] as number));
  const intervals = intervalsOf(since);
  const steps = stepsIn(intervals, paceOf(intervalsOf(line)));
  // Those since would be of other days than the line by which the rate is brought to now.
  return ratesOf(
    since,
    withoutLongest(line),
    steps.map((isStep, run) => isStep || run >= line.daysAgo.length - 1),
  );
}

/** Those that hold a backfill. */
function stepsIn(intervals: readonly Interval[], pace: Pace): boolean[] {
  return intervals.map(({ perDay }) => perDay > MOST_OVER_MEDIAN * pace.median * MOST_OVER_MEDIAN);
}

/** @param unchosen those whose changes show how the pace changed */
function ratesOf(values: TrackedValues, unchosen: TrackedValues, steps: readonly boolean[]): GrowthRates | null {
  const throughout = seenThroughout(unchosen);
  const line = lineOfPace(intervalsOf(throughout ?? unchosen), unchosen.daysAgo);
  const rates = trackedRates(values, steps, { ...line, change: throughout === null ? null : line.change });
  const changePerDay = throughout === null ? null : changeOfPace(line, unchosen.daysAgo);
  return rates && { ...rates, ...(changePerDay !== null && { changePerDay }) };
}

// Those kept for their length drop out when they lose some, so the rest seem to gain: they count only if few others change.
function withoutLongest(tracked: TrackedValues): TrackedValues {
  const documents = tracked.documents.filter(({ isEven }) => isEven);
  return documents.filter(hasChanged).length < FEWEST_CHANGING ? tracked : { ...tracked, documents };
}

// Those that grow come to be among the longest, so that ever more of them are seen to gain. Null if too few others show it.
function seenThroughout(tracked: TrackedValues): TrackedValues | null {
  const documents = tracked.documents.filter(({ values }) => !values.some(Number.isNaN));
  return documents.filter(hasChanged).length < FEWEST_COMPARED ? null : { ...tracked, documents };
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
