import { SECOND_LOOK } from '../rates/estimate.js';
import type { EarlierVerdict } from '../rates/filled-arrays.js';
import type { TrackedDocument, TrackedValues } from './tracked-documents.js';
import { burstOf } from './tracked-rates.js';
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
  const clock = clockOf(tracked);
  const gaining = tracked.documents.filter(
    ({ values, isEven }) => isEven && !values.some(Number.isNaN) && gainIn(values, 0, values.length - 1) > 0,
  );
  const burst = burstOf(gaining.map(withoutPauses), []);
  const pauses = gaining.map((document) => pausesOf(document, clock, burst));
  const stopped = pauses.filter(({ after, before }) => after >= EXPECTED_IN_PAUSE && before < EXPECTED_IN_PAUSE).length;
  const begun = pauses.filter(({ after, before }) => before >= EXPECTED_IN_PAUSE && after < EXPECTED_IN_PAUSE).length;
  const byChance = SECOND_LOOK * Math.sqrt(stopped + begun);
  const least = Math.max(FEWEST_STOPPED, LEAST_STOPPED * gaining.length);
  return stopped - begun >= (verdict === 'filling' ? least - byChance : Math.max(least, byChance));
}

/** A clock that runs with what all documents gain, so that a day without work is no pause of one. */
function clockOf(tracked: TrackedValues): number[] {
  let time = 0;
  return [0, ...intervalsOf(tracked).map(({ perDay, days }) => (time += Math.max(0, perDay) * days))];
}

/** A stop would look like a burst before it. */
function withoutPauses({ values, isEven }: TrackedDocument): TrackedDocument {
  const [first, last] = gainingRuns(values);
  return { values: values.subarray(first, last + 1), isEven };
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
