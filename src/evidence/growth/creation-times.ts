import { mean, sampleRankCorrelation } from 'simple-statistics';
import { FEWEST_AGED_DOCUMENTS, SHORTEST_AGE_SPAN } from './age-growth.js';
import type { GrowthSample, TimeColumns } from './growth-sample.js';
import { MS_PER_DAY } from './limits.js';

/** When each sampled document was created, and what tells so. */
export interface CreationTimes {
  /** The dotted path of the field: `_id`, or that of a date. */
  readonly field: string;
  /** In ms since 1970, of each document of the sample; NaN of those that do not tell. */
  readonly times: Float64Array;
}

/** Share of the documents that must tell their time. */
const LEAST_KNOWN = 0.95;
/** Rank correlation with an order in which documents were surely created, from which a date is one of creation. */
const LEAST_AGREEMENT = 0.98;

/**
 * Finds out when documents were created: from the ObjectIds of `_id`, or, where those are none or all of one time as
 * after an import, from a date that is proven to be one of creation. Its name proves nothing: a date is taken that rises
 * with the order in which the documents were created, by their numeric `_id`s, their ObjectIds or their place in the
 * collection, and never lies in the future.
 *
 * @param isNaturalOrder whether the documents were read in the order they lie in
 * @param now in ms since 1970
 * @returns null where nothing tells
 */
export function creationTimes(sample: GrowthSample, isNaturalOrder: boolean, now: number): CreationTimes | null {
  const columns = sample.times;
  const byId = notInFuture(columns.objectIdTimes, now);
  const isIdTold = toldBy(byId) >= LEAST_KNOWN * sample.size && sample.size > 0;
  if (isIdTold && spanDays(byId) >= SHORTEST_AGE_SPAN) return { field: '_id', times: byId };
  const proven = [...columns.dates].flatMap(([field, dates]) => {
    const times = notInFuture(dates, now);
    const isTold = toldBy(times) >= Math.max(FEWEST_AGED_DOCUMENTS, LEAST_KNOWN * columns.datesRead);
    return isTold && spanDays(times) >= SHORTEST_AGE_SPAN && isProven(times, columns, isNaturalOrder) ? [{ field, times }] : [];
  });
  const earliest = proven.sort((a, b) => mean([...told(a.times)]) - mean([...told(b.times)]))[0];
  return earliest ?? (isIdTold ? { field: '_id', times: byId } : null);
}

/** Days between the 5th and the 95th percentile. */
export function spanDays(times: Float64Array): number {
  const sorted = told(times).sort();
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return (at(0.95) - at(0.05)) / MS_PER_DAY;
}

/** Without times of the future, which are none of creation. A clock may be a day off. */
function notInFuture(times: Float64Array, now: number): Float64Array {
  return times.map((time) => (time > now + MS_PER_DAY ? NaN : Math.min(time, now)));
}

function told(times: Float64Array): Float64Array {
  return times.filter((time) => !Number.isNaN(time));
}

function toldBy(times: Float64Array): number {
  let count = 0;
  for (const time of times) if (!Number.isNaN(time)) count += 1;
  return count;
}

/** Whether dates rise with an order in which the documents were surely created. */
function isProven(dates: Float64Array, { objectIdTimes, numericIds, numbers }: TimeColumns, isNaturalOrder: boolean): boolean {
  const orders = [objectIdTimes, numericIds, ...(isNaturalOrder ? [numbers] : [])];
  const known = [...told(dates)];
  return orders.some((order) => {
    const beside = Array.from(order).filter((_, index) => !Number.isNaN(dates[index]));
    return !beside.some(Number.isNaN) && sampleRankCorrelation(beside, known) >= LEAST_AGREEMENT;
  });
}
