import { mean, sampleRankCorrelation } from 'simple-statistics';
import { MS_PER_DAY } from '../time-units.js';
import { AGES } from './limits.js';
import type { KeptDocuments, TimeColumns } from '../profile/growth-sample/kept-documents.js';

export interface CreationTimes {
  readonly field: string;
  /** In ms since 1970; NaN if unknown. */
  readonly times: Float64Array;
  /** Between the 5th and the 95th percentile. */
  readonly spanDays: number;
}

// From the ObjectIds of `_id`; or, if those show an import, from a date that rises with the numeric `_id`s, the
// ObjectIds or the place in the collection: a field's name proves nothing.
export function creationTimes(sample: KeptDocuments, isInOrder: boolean, now: number): CreationTimes | null {
  const columns = sample.times;
  const byId = notInFuture(columns.objectIdTimes, now);
  const isIdKnown = known(byId).length >= AGES.leastKnown * sample.size && sample.size > 0;
  const proven = [...columns.dates].flatMap(([field, dates]) => {
    const times = notInFuture(dates, now);
    if (known(times).length < Math.max(AGES.fewest, AGES.leastKnown * columns.datesRead)) return [];
    const spanDays = spanDaysOf(times);
    return spanDays >= AGES.shortestSpan && isProven(times, columns, isInOrder) ? [{ field, times, spanDays }] : [];
  });
  const earliest = proven.sort((a, b) => meanOf(a.times) - meanOf(b.times))[0];
  if (!isIdKnown) return earliest ?? null;
  const idSpan = spanDaysOf(byId);
  const isImported = earliest !== undefined && meanOf(byId) - meanOf(earliest.times) > idSpan * MS_PER_DAY;
  return earliest !== undefined && (idSpan < AGES.shortestSpan || isImported)
    ? earliest
    : { field: '_id', times: byId, spanDays: idSpan };
}

function meanOf(times: Float64Array): number {
  return mean([...known(times)]);
}

function spanDaysOf(times: Float64Array): number {
  const sorted = known(times).sort();
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return (at(0.95) - at(0.05)) / MS_PER_DAY;
}

/** Dates in the future are no times of creation. A clock may be a day off. */
function notInFuture(times: Float64Array, now: number): Float64Array {
  return times.map((time) => (time > now + MS_PER_DAY ? NaN : Math.min(time, now)));
}

/** A copy without what is unknown. */
export function known(times: Float64Array): Float64Array {
  return times.filter((time) => !Number.isNaN(time));
}

function isProven(
  times: Float64Array,
  { objectIdTimes, numericIds, numbers }: TimeColumns,
  isInOrder: boolean,
): boolean {
  return [objectIdTimes, numericIds, ...(isInOrder ? [numbers] : [])].some((order) => {
    const beside = order.filter((_, place) => !Number.isNaN(times[place]));
    return !beside.some(Number.isNaN) && sampleRankCorrelation([...beside], [...known(times)]) >= AGES.leastAgreement;
  });
}
