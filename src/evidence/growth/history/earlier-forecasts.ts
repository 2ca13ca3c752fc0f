import { median } from 'simple-statistics';
import { MS_PER_DAY } from '../../../time-units.js';
import type { HistoryRecord } from './history-record.js';
import type { Confidence } from '../../../finding.js';
import type { GrowthRates } from '../rates/growth-rates.js';
import type { TrackedValues } from '../tracked/tracked-documents.js';

/** How forecasts of earlier runs compare with what came. */
export interface EarlierForecasts {
  readonly made: number;
  readonly held: number;
  /** When the first of them was made, in ms since 1970. */
  readonly since: number;
  /** Of the one whose time was up in this run; null if there was none. */
  readonly latest: boolean | null;
}

type RecordedArray = HistoryRecord['collections'][number]['arrays'][number];

export interface RecordedRun {
  readonly at: number;
  readonly array: RecordedArray;
}

/** Days after which a forecast is held against what came; the next one is of a later run, so that none counts twice. */
const DAYS_TO_HOLD = 7;
const FEWEST_ACTIVE = 5;
/** Lengths are whole numbers. */
const ROUNDING = 0.5;

/** What a later run holds this run's growth against: elements per day of the typical active array. */
export function expectedOf(
  growth: { readonly rates: GrowthRates; readonly confidence: Confidence } | null,
): { readonly low: number; readonly high: number } | null {
  if (growth === null || growth.confidence === 'low') return null;
  const { low, high } = growth.rates.typical.perDay;
  return { low, high };
}

/**
 * Each forecast is judged once, by the arrays that gained since then.
 *
 * @param runs earlier ones in order of time
 */
export function earlierForecasts(
  runs: readonly RecordedRun[],
  tracked: TrackedValues | null,
  now: number,
): EarlierForecasts | null {
  const judged = runs.filter(({ array }) => array.held !== undefined);
  const lastJudged = judged.at(-1)?.at ?? -Infinity;
  const due = runs.find(
    ({ at, array }) =>
      array.expected !== undefined &&
      at >= lastJudged &&
      now - at >= DAYS_TO_HOLD * MS_PER_DAY &&
      runOf(tracked, at, now) >= 0,
  );
  const latest = due === undefined || tracked === null ? null : hasHeld(due, tracked, now);
  const outcomes = [...judged.map(({ array }) => array.held), ...(latest === null ? [] : [latest])];
  if (outcomes.length === 0) return null;
  const first = runs.find(({ array }) => array.expected !== undefined);
  return {
    made: outcomes.length,
    held: outcomes.filter(Boolean).length,
    since: first?.at ?? judged[0]?.at ?? now,
    latest,
  };
}

function runOf(tracked: TrackedValues | null, at: number, now: number): number {
  return tracked === null ? -1 : tracked.daysAgo.indexOf((now - at) / MS_PER_DAY);
}

function hasHeld({ at, array }: RecordedRun, tracked: TrackedValues, now: number): boolean {
  const days = (now - at) / MS_PER_DAY;
  const run = runOf(tracked, at, now);
  const gains = tracked.documents
    .filter(({ isEven }) => isEven)
    .map(({ values }) => (values.at(-1) as number) - (values[run] as number))
    .filter((gain) => gain > 0);
  const { low, high } = array.expected ?? { low: 0, high: 0 };
  if (gains.length < FEWEST_ACTIVE) return low <= 0;
  const gained = median(gains);
  return gained >= low * days - ROUNDING && gained <= high * days + ROUNDING;
}
