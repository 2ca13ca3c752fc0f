import { SECOND_LOOK } from '../rates/estimate.js';
import { CHANGED_VERDICT, type EarlierVerdict } from '../rates/filled-arrays.js';
import type { TrackedDocument, TrackedValues } from './tracked-documents.js';
import { intervalsOf } from './tracked-intervals.js';

/** Gains that a document would have had in a pause at its own rate: less than one in twenty has none by chance. */
const EXPECTED_IN_PAUSE = 3;
const FEWEST_STOPPED = 3;
/** Of the documents that gain, the share by which those that stopped outnumber those that began. */
const LEAST_STOPPED = 1 / 5;

/**
 * Whether arrays stop while others go on. Of lasting growth, as many begin to gain after a pause as stop before one.
 * @param verdict of an earlier run
 */
export function doDocumentsStop(tracked: TrackedValues, verdict: EarlierVerdict): boolean {
  const all = clockOf(tracked);
  const runs = mirroredRuns(all);
  const clock = runs.map((run) => all[run] as number);
  const gaining = tracked.documents
    .filter(({ values, isEven }) => isEven && !values.some(Number.isNaN))
    .map(({ values, isEven }) => ({ isEven, values: Float64Array.from(runs, (run) => values[run] as number) }))
    .filter(({ values }) => gainIn(values, 0, values.length - 1) > 0);
  const burst = burstOver(clock, gaining);
  const pauses = gaining.map((document) => pausesOf(document, clock, burst));
  const stopped = pauses.filter(({ after, before }) => after >= EXPECTED_IN_PAUSE && before < EXPECTED_IN_PAUSE).length;
  const begun = pauses.filter(({ after, before }) => before >= EXPECTED_IN_PAUSE && after < EXPECTED_IN_PAUSE).length;
  const least = Math.max(FEWEST_STOPPED, LEAST_STOPPED * gaining.length);
  const byChance = SECOND_LOOK * Math.sqrt(stopped + begun);
  const needed = {
    growing: Math.max(least, (CHANGED_VERDICT / SECOND_LOOK) * byChance),
    nothing: Math.max(least, byChance),
    filling: Math.max(1, Math.min(byChance, least - byChance)),
  };
  return stopped - begun >= needed[verdict];
}

/** A clock that runs with what all documents gain, so that a day without work is no pause of one. */
function clockOf(tracked: TrackedValues): number[] {
  let time = 0;
  return [0, ...intervalsOf(tracked).map(({ perDay, days }) => (time += Math.max(0, perDay) * days))];
}

/** Older runs are further apart, which would show stops better than beginnings: of both, only those as far from either end. */
function mirroredRuns(clock: readonly number[]): number[] {
  const mirrored = clock.map((time) => nearest((clock.at(-1) as number) - time, clock));
  return [...clock.keys()].filter((run) => mirrored[mirrored[run] as number] === run);
}

function nearest(time: number, clock: readonly number[]): number {
  const apart = clock.map((other) => Math.abs(other - time));
  return apart.indexOf(Math.min(...apart));
}

/** Elements that come together, from each document's first gain to its last: a stop would look like a burst before it. */
function burstOver(clock: readonly number[], documents: readonly TrackedDocument[]): number {
  let [squares, expected] = [0, 0];
  for (const { values } of documents) {
    const [first, last] = gainingRuns(values);
    const time = (from: number, to: number) => (clock[to] as number) - (clock[from] as number);
    if (time(first, last) === 0) continue;
    const rate = gainIn(values, first, last) / time(first, last);
    for (let run = first; run < last; run += 1) {
      const mean = rate * time(run, run + 1);
      squares += (gainIn(values, run, run + 1) - mean) ** 2;
      expected += mean * (1 - time(run, run + 1) / time(first, last));
    }
  }
  return expected === 0 ? 1 : Math.max(1, squares / expected);
}

/** The run before its first gain, and that after its last. */
function gainingRuns(values: Float64Array): [number, number] {
  const isGain = Array.from(values.subarray(1), (value, run) => value > (values[run] as number));
  return [isGain.indexOf(true), isGain.lastIndexOf(true) + 1];
}

/** Gains that were to be expected before the first one and after the last. */
function pausesOf({ values }: TrackedDocument, clock: readonly number[], burst: number) {
  const [first, last] = gainingRuns(values);
  const [from, to, end] = [clock[first], clock[last], clock.at(-1)] as [number, number, number];
  const rate = gainIn(values, first, last) / burst / (to - from);
  return { before: rate * from, after: rate * (end - to) };
}

function gainIn(values: Float64Array, from: number, to: number): number {
  return (values[to] as number) - (values[from] as number);
}
