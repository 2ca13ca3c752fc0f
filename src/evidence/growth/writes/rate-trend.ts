import type { DrawnArray } from './drawn-arrays.js';

/** By how much rates now differ from those over the time in which arrays were seen to gain. */
export interface RateTrend {
  /** Of the logarithm of the present rate above the average one. */
  readonly sinceAverage: number;
  /** Its standard error. */
  readonly error: number;
}

/** Standard deviation of changes a day: a rate that doubles or halves in a month is not rare. */
const USUAL_CHANGE = Math.LN2 / 30;
const GREAT_CHANGE = 2 * USUAL_CHANGE;

/**
 * A rate that rises or falls by a share of it each day: by one step of R. A. Fisher's scoring, from when between its drawn
 * writes each array gained what it did, whatever its own rate, and from how rates usually change. If elements come together
 * with a drawn one, that shows nothing.
 *
 * @param share of the arrays' writes that were drawn
 */
export function rateTrend(arrays: readonly DrawnArray[], share: number, burst: number): RateTrend {
  const added = addedPerSet(arrays, share);
  let [score, information] = [0, USUAL_CHANGE ** -2];
  for (const array of burst > 1 ? [] : arrays) {
    const gains = gainsBetweenWrites(array, added);
    const perDay = gains.reduce((sum, { gained }) => sum + gained, 0) / array.days;
    for (const { gained, days, late } of gains) {
      score += gained * late;
      information += Math.max(0, perDay) * days * late ** 2;
    }
  }
  const days = arrays.reduce((sum, array) => sum + array.days, 0);
  const average = arrays.reduce((sum, array) => sum + array.days ** 2 / 2, 0) / days;
  return { sinceAverage: (average * score) / information, error: average / Math.sqrt(information) };
}

/**
 * The same from a change that was measured. The error is that of what is taken from it, and of what is left out if rates
 * change as usual (T. Armstrong and M. Kolesár, "Optimal inference in a class of regression models", 2018).
 *
 * @param days from the middle of the time in which arrays were seen to gain until now
 */
export function trendBy(change: number, variance: number, days: number): RateTrend {
  const kept = 1 / (1 + variance / GREAT_CHANGE ** 2);
  return {
    sinceAverage: days * kept * change,
    error: days * Math.hypot(kept * Math.sqrt(variance), (1 - kept) * USUAL_CHANGE),
  };
}

/** That of a change that was not measured. */
export function unknownTrend(days: number): RateTrend {
  return { sinceAverage: 0, error: days * USUAL_CHANGE };
}

/** Some writes set elements that were there before. */
function addedPerSet(arrays: readonly DrawnArray[], share: number): number {
  const gained = arrays.reduce((sum, array) => sum + array.gained, 0);
  const set = arrays.reduce((sum, array) => sum + array.set.slice(1).reduce((total, one) => total + one, 0), 0);
  return set === 0 ? 1 : Math.min(1, (share * gained) / set);
}

interface GainBetweenWrites {
  /** Without what the drawn writes added, as it is for them that these times are compared. */
  readonly gained: number;
  readonly days: number;
  /** Days by which its middle is later than that of the array's whole time. */
  readonly late: number;
}

function gainsBetweenWrites({ times, elements, set, now, days }: DrawnArray, added: number): GainBetweenWrites[] {
  const order = times.map((_, index) => index).sort((a, b) => (times[b] as number) - (times[a] as number));
  return order.map((index, place) => {
    const next = order[place + 1];
    const [from, to] = [times[index] as number, next === undefined ? 0 : (times[next] as number)];
    const end = next === undefined ? now : (elements[next] as number) - added * (set[next] as number);
    return { gained: end - (elements[index] as number), days: from - to, late: days / 2 - (from + to) / 2 };
  });
}
