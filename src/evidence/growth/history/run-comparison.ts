import { MS_PER_DAY } from '../../../time-units.js';
import { STANDARD_ERRORS } from '../rates/estimate.js';
import {
  middleError,
  middleMean,
  middleShares,
  quantileAt,
  summarize,
  type QuantileSummary,
} from './quantile-summary.js';

export interface EarlierRun {
  readonly at: number;
  readonly documents: number;
  readonly bytes: number | null;
  readonly complete: boolean;
  readonly values: QuantileSummary;
  /** Whether the collection had as many documents and bytes as it has now, and in all runs since. */
  readonly isUnchanged: boolean;
}

export interface CurrentRun extends Omit<EarlierRun, 'values' | 'isUnchanged'> {
  readonly bytesPerUnit: number;
  /** `time` is that of the document's creation, in ms since 1970, if known. */
  readonly values: readonly { readonly value: number; readonly time: number | null }[];
}

const FEWEST_SAMPLED = 30;
/** Standard error, in the value's unit, of a mean of quantiles of whole numbers. */
export const ROUNDING = 0.1;
const MOST_COME_OR_GONE = 0.9;

export interface Comparison {
  readonly days: number;
  readonly gain: number;
  readonly standardError: number;
  readonly errorBefore: number;
  readonly leastGain: number;
  readonly bytesBefore: number | null;
  readonly left: number;
  readonly mostGone: number;
  readonly uniform: boolean;
  readonly gainOfLargest: number;
}

export function compare(earlier: EarlierRun, current: CurrentRun): Comparison | null {
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
  if (gone > MOST_COME_OR_GONE || came > MOST_COME_OR_GONE) return null;
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
    errorBefore: Math.hypot(meanError(earlier.complete, before), ROUNDING),
    // At worst, those gone were the smallest and those that came are the largest.
    leastGain: middleMean(after, 0, 1 - came) - middleMean(before, gone, 1),
    bytesBefore: known ? earlier.bytes : null,
    left,
    mostGone: Math.max(0, 1 - left / earlier.documents + chance),
    uniform: earlier.complete && current.complete && Math.max(...shifts) - Math.min(...shifts) <= ROUNDING,
    gainOfLargest: quantileAt(after, 1) - quantileAt(before, 1),
  };
}

function isEnough(count: number, complete: boolean): boolean {
  return count >= (complete ? 1 : FEWEST_SAMPLED);
}

export function agesKnown({ values }: CurrentRun): boolean {
  return values.every(({ time }) => time !== null);
}

export function valuesOf({ values }: CurrentRun): number[] {
  return values.map(({ value }) => value);
}

function shareError({ complete, values }: CurrentRun, older: number): number {
  const share = older / values.length;
  return complete ? 0 : STANDARD_ERRORS * Math.sqrt((share * (1 - share)) / values.length);
}

export function meanError(complete: boolean, values: QuantileSummary): number {
  return complete ? 0 : middleError(values);
}
