import { mean, sampleRankCorrelation } from 'simple-statistics';
import { MS_PER_DAY } from '../../time-units.js';
import { FEWEST_AGED_DOCUMENTS, SHORTEST_AGE_SPAN } from './age-growth.js';
import type { GrowthSample, TimeColumns } from './growth-sample.js';

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
 * Finds out when documents were created: from the ObjectIds of `_id`, or, where those are none or tell of an import, as
 * all of one time or all later than a date is, from a date that is proven to be one of creation. Its name proves nothing:
 * a date is taken that rises with the order in which the documents were created, by their numeric `_id`s, their ObjectIds
 * or their place in the collection, and never lies in the future.
 *
 * @param isNaturalOrder whether the documents were read in the order they lie in
 * @param now in ms since 1970
 * @returns null where nothing tells
 */
export function creationTimes(sample: GrowthSample, isNaturalOrder: boolean, now: number): CreationTimes | null {
  const columns = sample.times;
  const byId = notInFuture(columns.objectIdTimes, now);
  const isIdTold = toldBy(byId) >= LEAST_KNOWN * sample.size && sample.size > 0;
  const proven = [...columns.dates].flatMap(([field, dates]) => {
    const places = placesOf(dates, now);
    if (places.length < Math.max(FEWEST_AGED_DOCUMENTS, LEAST_KNOWN * columns.datesRead)) return [];
    const isOfManyAges = spanDays(Float64Array.from(places, (place) => dates[place] as number)) >= SHORTEST_AGE_SPAN;
    return isOfManyAges && isProven(dates, places, columns, isNaturalOrder)
      ? [{ field, times: notInFuture(dates, now) }]
      : [];
  });
  const earliest = proven.sort((a, b) => meanOf(a.times) - meanOf(b.times))[0];
  if (!isIdTold) return earliest ?? null;
  const idSpan = spanDays(byId);
  const isImported = earliest !== undefined && meanOf(byId) - meanOf(earliest.times) > idSpan * MS_PER_DAY;
  return earliest !== undefined && (idSpan < SHORTEST_AGE_SPAN || isImported)
    ? earliest
    : { field: '_id', times: byId };
}

function meanOf(times: Float64Array): number {
  return mean([...told(times)]);
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

/** The documents that tell a date, of which most were not read; not one of the future. */
function placesOf(dates: Float64Array, now: number): number[] {
  const places: number[] = [];
  for (let place = 0; place < dates.length; place += 1)
    if ((dates[place] as number) <= now + MS_PER_DAY) places.push(place);
  return places;
}

/** Whether dates rise with an order in which the documents were surely created. */
function isProven(
  dates: Float64Array,
  places: readonly number[],
  { objectIdTimes, numericIds, numbers }: TimeColumns,
  isNaturalOrder: boolean,
): boolean {
  const orders = [objectIdTimes, numericIds, ...(isNaturalOrder ? [numbers] : [])];
  const known = places.map((place) => dates[place] as number);
  return orders.some((order) => {
    const beside = places.map((place) => order[place] as number);
    return !beside.some(Number.isNaN) && sampleRankCorrelation(beside, known) >= LEAST_AGREEMENT;
  });
}
