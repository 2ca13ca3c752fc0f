import { mean } from 'simple-statistics';
import type { DrawnArray } from './drawn-arrays.js';

/** Part of the time before and after a write in which others come together with it: two hours of a week. */
const NEAR_PART = 1 / 84;
/** Writes near a write, per write that would be there by chance, from which they come in bursts, or at set hours. */
const OVER_CHANCE = 2;
/** Parts of the window, and what the differences of their writes from a straight line exceed by chance in one case of 100. */
const PARTS = 7;
const UNEVEN = 15.09;
/** Of a run's time by a clock of writes, what counts as left after a write in it. */
const LEAST_OF_RUN = 1 / 20;
/** Writes below which such neighbours are chance. */
const FEWEST_WRITES = 30;

export interface Bursts {
  /** Appends to one array that come together, beyond what all arrays get at that time; 1 if none do. */
  readonly size: number;
  /** Standard error of the size, from the pairs that show it. */
  readonly sizeError: number;
  /** Days since each array's first drawn write, by a clock that runs with the writes to all arrays: at night if a nightly job makes them. */
  readonly days: readonly number[];
  /** Relative error of a rate by another clock than that of time, since it was drawn; null if it is that of time. */
  readonly clockError: number | null;
}

/** @param share of the arrays' writes that were drawn */
export function burstsOf(arrays: readonly DrawnArray[], share: number, windowDays: number): Bursts {
  const times = arrays.flatMap(({ times: own }) => own);
  const since = arrays.map(({ days }) => days);
  if (times.length < FEWEST_WRITES) return { size: 1, sizeError: 0, days: since, clockError: null };
  const activeDays = Math.max(...times);
  const near = NEAR_PART * activeDays;
  // How much more often than on average something is written near such a write.
  const nearby = pairsWithin(times, near);
  const density = (nearby / times.length / (times.length - 1)) * (activeDays / near / 2);
  const pairs = arrays.reduce((sum, { times: own }) => sum + pairsWithin(own, near), 0);
  const allPairs = arrays.reduce((sum, { times: own }) => sum + own.length * (own.length - 1), 0);
  const byChance = allPairs * Math.min(1, (2 * near * density) / activeDays);
  const extra = pairs < FEWEST_WRITES || pairs < OVER_CHANCE * byChance ? 0 : (pairs - byChance) / times.length / share;
  const sizeError = extra * Math.sqrt(2 / Math.max(1, pairs));
  const isByWrites = density >= OVER_CHANCE || areUneven(times, activeDays, 1 + extra);
  if (!isByWrites) return { size: 1 + extra, sizeError, days: since, clockError: null };
  // If a job writes to each array once, nothing is left of its run after that.
  const ofRun = (nearby / times.length ** 2) * activeDays;
  const left = (Math.max(0, 1 - (pairs + 1) / (byChance + 1)) * ofRun) / 2;
  const leftError = left / Math.sqrt(byChance + 1);
  const days = clock(times, since, windowDays).map((after) => Math.max(LEAST_OF_RUN * ofRun, after - left));
  return {
    size: 1 + extra,
    sizeError,
    days,
    clockError: Math.hypot(clockErrorOf(times.length), leftError / mean(days)),
  };
}

// Shares of all writes lie evenly between 0 and 1, and their mean over those drawn varies about a half.
function clockErrorOf(writes: number): number {
  return 2 / Math.sqrt(12 * writes);
}

/** Whether some parts of the window have more writes, as days of the week may, beyond a steady rise or fall and chance (K. Pearson, 1900). */
function areUneven(times: readonly number[], activeDays: number, size: number): boolean {
  const counts = Array.from({ length: PARTS }, () => 0);
  for (const time of times) (counts[Math.min(PARTS - 1, Math.floor((time / activeDays) * PARTS))] as number) += 1;
  const [middle, average] = [(PARTS - 1) / 2, times.length / PARTS];
  const places = counts.map((_, part) => part - middle);
  const slope =
    counts.reduce((sum, count, part) => sum + count * (places[part] as number), 0) /
    places.reduce((sum, place) => sum + place ** 2, 0);
  const left = counts.reduce((sum, count, part) => sum + (count - average - slope * (places[part] as number)) ** 2, 0);
  return left / average > UNEVEN * size;
}

/** Pairs of times that lie so near to each other, counted from both sides. */
function pairsWithin(times: readonly number[], near: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  let [first, pairs] = [0, 0];
  for (const [index, time] of sorted.entries()) {
    while (time - (sorted[first] as number) > near) first += 1;
    pairs += 2 * (index - first);
  }
  return pairs;
}

/** Elements of a burst after the first of them that was drawn, on average. */
export function leftOfBurst(size: number, share: number): number {
  const elements = Math.round(size);
  const missed = 1 - share;
  let [left, chance] = [0, 0];
  for (let place = 0; place < elements; place += 1) {
    left += missed ** place * (size - 1 - place);
    chance += missed ** place;
  }
  return chance === 0 ? 0 : left / chance;
}

/** The share of all writes since then, in days. Before the first of them there was such a pause as between others. */
function clock(times: readonly number[], since: readonly number[], windowDays: number): number[] {
  const sorted = times.toSorted((a, b) => a - b);
  const longestPause = Math.max(...sorted.slice(1).map((time, index) => time - (sorted[index] as number)));
  const activeDays = Math.min(windowDays, (sorted.at(-1) as number) + longestPause);
  const ranked = sorted.map((time, rank) => [time, rank] as const);
  const [first, last] = [new Map(ranked.toReversed()), new Map(ranked)];
  const after = (time: number) => ((first.get(time) as number) + (last.get(time) as number) + 1) / 2;
  return since.map((time) => (after(time) / times.length) * activeDays);
}
