import { mean, median, probit, quantileSorted, sampleRankCorrelation, standardDeviation } from 'simple-statistics';
import type { DrawnArray, SeenGain } from './drawn-arrays.js';
import { FALSE_FINDING_RATE } from '../rates/limits.js';
import { studentT } from '../rates/sample-trend.js';

/** Parts of the window, and in how many of them there must be writes, the latest lately: of a week, a nightly job fills seven. */
const WINDOW_PARTS = 28;
const ONGOING_PARTS = 6;
const LATEST_PARTS = 6;
/** Chance of the pause that a few writes, drawn at any time, may leave at the end. */
const PAUSE_BY_CHANCE = 0.05;
/** Standard errors by which the mean gain must exceed 0. */
const GAIN_STANDARD_ERRORS = probit(1 - FALSE_FINDING_RATE);
/** Elements lost, per element gained, from which elements are removed as they are added. */
const MOST_LOST = 0.15;
/** The same if the median array gains less than one element in the window: it is full, and the others fill up. */
const MOST_LOST_BY_FULL = 0.05;
/** The same from which arrays are emptied; the share of them that became shorter, and after how many of the writes. */
const LOST_BY_EMPTIED = 0.5;
export const EMPTIED_SHARE = 1 / 3;
const FEWEST_SHORTER = 8;
/** Pairs of writes to one array whose later one set an earlier index, per pair: elements are set anywhere. */
const MOST_BACKWARDS = 0.2;
const FEWEST_PAIRS = 8;
/** Pairs that show it alone, if next to none goes backwards: of 10 that may go either way, none does in one case of 1,000. */
const ENOUGH_PAIRS = 10;
const FEW_BACKWARDS = 0.05;
/** The same, if some do. */
const MANY_PAIRS = 16;
/** The newest tenth of the writes: by appends, as much as by the time since less is gained since then than since the others. */
const NEWEST_SHARE = 0.1;
const FEWEST_NEWEST = 3;
/** Writes at one greatest length, per write, and how long they must have gone on, as a share of the window. */
const CAP_SHARE = 0.1;
const FEWEST_AT_CAP = 3;
const CAP_TIME = 0.25;
/** Arrays drawn again that were to be expected if they still grew, and the share of them below which they do not. */
const FEWEST_EXPECTED_AGAIN = 5;
const LEAST_AGAIN = 1 / 3;
/** The gain in the window's first third, per day, as a share of the rate since. */
const LEAST_CONTINUATION = 0.25;

/** Whether writes go on, as far as they were drawn. */
export function areOngoing(days: readonly number[], windowDays: number): boolean {
  const parts = new Set(days.map((at) => Math.min(WINDOW_PARTS - 1, Math.floor((at / windowDays) * WINDOW_PARTS))));
  const byChance = WINDOW_PARTS * (1 - PAUSE_BY_CHANCE ** (1 / Math.max(1, days.length)));
  return parts.size >= ONGOING_PARTS && Math.min(...parts) < Math.max(LATEST_PARTS, byChance);
}

/** Whether the arrays are longer by more than chance. */
export function haveGained(gains: readonly SeenGain[]): boolean {
  const gained = gains.map((gain) => gain.gained);
  const error = standardDeviation(gained) / Math.sqrt(gained.length);
  return mean(gained) > GAIN_STANDARD_ERRORS * error && lostPerGained(gains) <= MOST_LOST;
}

export function areEmptied(gains: readonly SeenGain[]): boolean {
  const shorter = gains.filter(({ gained }) => gained < 0);
  if (shorter.length < FEWEST_SHORTER || countArrays(shorter) < EMPTIED_SHARE * countArrays(gains)) return false;
  return lostPerGained(gains) > LOST_BY_EMPTIED;
}

/** Whether the typical array has reached the length at which elements are removed as they are added. */
export function areFull(gains: readonly SeenGain[], gainedByMedian: number): boolean {
  return gainedByMedian < 1 && lostPerGained(gains) > MOST_LOST_BY_FULL;
}

function countArrays(gains: readonly SeenGain[]): number {
  return new Set(gains.map(({ array }) => array)).size;
}

function lostPerGained(gains: readonly SeenGain[]): number {
  const lost = gains.reduce((sum, { gained }) => sum + Math.max(0, -gained), 0);
  return lost / gains.reduce((sum, { gained }) => sum + Math.max(0, gained), 0);
}

/** Whether indexes rise with time, as appends have it: within an array, or from older to newer writes over all. */
export function riseWithTime(gains: readonly SeenGain[]): boolean {
  const { onwards, backwards } = directions(gains);
  const pairs = onwards + backwards;
  if (pairs >= FEWEST_PAIRS && backwards > MOST_BACKWARDS * pairs) return false;
  if (pairs >= ENOUGH_PAIRS && backwards <= FEW_BACKWARDS * pairs) return true;
  const newest = gains.toSorted((a, b) => a.days - b.days);
  const ofNewest = newest.slice(0, Math.max(FEWEST_NEWEST, Math.ceil(NEWEST_SHARE * gains.length)));
  const gainedSince = medians(ofNewest);
  const usual = medians(gains);
  // Nearer to as much as since all others, which is what elements that are set anywhere show.
  const most = (1 + gainedSince.days / usual.days) / 2;
  if (usual.gained > 1 && gainedSince.gained > most * usual.gained) return false;
  return pairs >= MANY_PAIRS || areCorrelated(gains);
}

function medians(gains: readonly SeenGain[]): Pick<SeenGain, 'days' | 'gained'> {
  return { days: median(gains.map(({ days }) => days)), gained: median(gains.map(({ gained }) => gained)) };
}

// Spearman's rank correlation by Student's t, as few writes need it (M. Kendall, "Rank Correlation Methods", section 5.13).
function areCorrelated(gains: readonly SeenGain[]): boolean {
  const correlation = sampleRankCorrelation(
    gains.map(({ days }) => days),
    gains.map(({ gained }) => gained),
  );
  const degreesOfFreedom = gains.length - 2;
  const t = correlation * Math.sqrt(degreesOfFreedom / Math.max(Number.EPSILON, 1 - correlation ** 2));
  return t >= studentT(FALSE_FINDING_RATE, degreesOfFreedom);
}

/**
 * Of two writes to one array in a row, whether the later one reached further. Those that cut an array are held against their
 * like: elements may be added by twos and taken one by one.
 */
function directions(gains: readonly SeenGain[]): { onwards: number; backwards: number } {
  const last = new Map<string, number>();
  let [onwards, backwards] = [0, 0];
  for (const { array, kind, elements } of gains.toSorted((a, b) => b.days - a.days)) {
    const ofKind = `${kind} ${array}`;
    const before = last.get(ofKind) ?? elements;
    if (elements > before) onwards += 1;
    if (elements < before) backwards += 1;
    last.set(ofKind, elements);
  }
  return { onwards, backwards };
}

/** Whether a good share was written at the greatest length there is, for some time. */
export function areCapped(gains: readonly SeenGain[], windowDays: number): boolean {
  const cap = Math.max(...gains.map(({ now }) => now));
  const atCap = gains.filter(({ elements }) => elements === cap);
  const days = atCap.map(({ days: since }) => since);
  return (
    atCap.length >= Math.max(FEWEST_AT_CAP, CAP_SHARE * gains.length) && Math.max(...days) >= CAP_TIME * windowDays
  );
}

/** What is known of the arrays when it is judged whether they still grow. */
export interface Pace {
  /** Of each array, in elements per day. */
  readonly rates: readonly number[];
  /** Length of the window that the writes were drawn from, and days from its end until the lengths were looked up. */
  readonly writtenDays: number;
  readonly sinceDays: number;
  readonly share: number;
  /** Elements that come together, by so many writes. */
  readonly burst: number;
  readonly writesPerBurst: number;
}

/**
 * Whether arrays stop growing after some time, as young documents' and buckets do: those written to in the first third
 * of the window are rarely drawn again in its last, or have gained little between.
 */
export function haveStopped(
  gains: readonly SeenGain[],
  arrays: readonly DrawnArray[],
  { rates, writtenDays, sinceDays, share, burst, writesPerBurst }: Pace,
): boolean {
  const third = writtenDays / 3;
  const drawnPerBurst = -Math.expm1(-share * writesPerBurst);
  let [expected, again] = [0, 0];
  for (const [index, { days, times }] of arrays.entries()) {
    if (days < sinceDays + 2 * third) continue;
    expected += -Math.expm1((-(rates[index] as number) / burst) * third * drawnPerBurst);
    if (times.some((time) => time < sinceDays + third)) again += 1;
  }
  if (expected >= FEWEST_EXPECTED_AGAIN) return again < LEAST_AGAIN * expected;
  return !continues(gains);
}

function continues(gains: readonly SeenGain[]): boolean {
  const sorted = gains.toSorted((a, b) => a.days - b.days);
  const third = Math.floor(sorted.length / 3);
  const [middle, old] = [sorted.slice(third, 2 * third), sorted.slice(2 * third)].map((part) => ({
    days: mean(part.map(({ days }) => days)),
    gained: trimmedMean(part.map(({ gained }) => gained)),
  })) as [{ days: number; gained: number }, { days: number; gained: number }];
  if (middle.gained <= 0 || old.days <= middle.days) return true;
  return (old.gained - middle.gained) / (old.days - middle.days) >= (LEAST_CONTINUATION * middle.gained) / middle.days;
}

/** Without what lies above the 90th percentile. */
function trimmedMean(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const line = quantileSorted(sorted, 0.9);
  return mean(sorted.filter((value) => value <= line));
}
