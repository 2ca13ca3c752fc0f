import { mean, quantileSorted, sampleRankCorrelation } from 'simple-statistics';
import { FEWEST_AGED_DOCUMENTS, SHORTEST_AGE_SPAN } from './age-growth.js';
import type { GrowthSample, SampledDocument } from './growth-sample.js';
import { MS_PER_DAY } from './limits.js';

/** When each sampled document was created, and what tells so. */
export interface CreationTimes {
  /** The dotted path of the field: `_id`, or that of a date. */
  readonly field: string;
  /** In ms since 1970, by the document's number; of documents that do not tell, none. */
  readonly times: ReadonlyMap<number, number>;
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
  const { documents } = sample;
  const byId = timesOf(documents, ({ objectIdTime }) => objectIdTime, now);
  if (byId !== null && spanDays(byId) >= SHORTEST_AGE_SPAN) return { field: '_id', times: byId };
  const dated = documents.filter(({ dates }) => dates !== null);
  const proven = sample.dateFields.flatMap((field, index) => {
    const times = timesOf(dated, ({ dates }) => dates?.[index] ?? null, now);
    return times !== null && isProven(times, documents, isNaturalOrder) ? [{ field, times }] : [];
  });
  const earliest = proven.sort((a, b) => mean([...a.times.values()]) - mean([...b.times.values()]))[0];
  return earliest ?? (byId === null ? null : { field: '_id', times: byId });
}

/** Null where too few documents tell, or some tell of the future. A clock may be a day off. */
function timesOf(
  documents: readonly SampledDocument[],
  timeOf: (document: SampledDocument) => number | null,
  now: number,
): Map<number, number> | null {
  const times = new Map<number, number>();
  for (const document of documents) {
    const time = timeOf(document);
    if (time !== null && time <= now + MS_PER_DAY) times.set(document.number, Math.min(time, now));
  }
  return times.size > 0 && times.size >= LEAST_KNOWN * documents.length ? times : null;
}

function spanDays(times: ReadonlyMap<number, number>): number {
  const sorted = [...times.values()].sort((a, b) => a - b);
  return (quantileSorted(sorted, 0.95) - quantileSorted(sorted, 0.05)) / MS_PER_DAY;
}

function isProven(times: ReadonlyMap<number, number>, documents: readonly SampledDocument[], isNaturalOrder: boolean): boolean {
  if (times.size < FEWEST_AGED_DOCUMENTS) return false;
  const told = documents.filter(({ number }) => times.has(number));
  const orders = [
    told.map(({ objectIdTime }) => objectIdTime),
    told.map(({ numericId }) => numericId),
    ...(isNaturalOrder ? [told.map(({ number }) => number)] : []),
  ];
  const dates = told.map(({ number }) => times.get(number) as number);
  return orders.some((order) => !order.includes(null) && sampleRankCorrelation(order as number[], dates) >= LEAST_AGREEMENT);
}
