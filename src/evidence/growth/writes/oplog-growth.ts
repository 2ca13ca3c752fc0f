import { quantileSorted } from 'simple-statistics';
import { MS_PER_DAY } from '../../../time-units.js';
import type { ArrayActivity, OplogWindow } from '../oplog/array-activity.js';
import type { SomeArrays } from '../rates/filled-arrays.js';
import { STANDARD_ERRORS, quantileWithInterval, type Estimate } from '../rates/estimate.js';
import { EMPTIED_SHARE } from './drawn-shape.js';
import { rateOfLargest, typicalRates, type Gain, type GrowthRates } from '../rates/growth-rates.js';

/**
 * `few`: too few appends. `replaced`: elements are replaced, or removed as fast as added. `capped`: written at one
 * length. `one-off`: appended to for a short time, as by a backfill. `rolls-over`: others begin at much the same
 * length, as buckets do. `young`: they stop growing after some time.
 */
export type OplogShape = 'few' | 'replaced' | 'capped' | 'one-off' | 'rolls-over' | 'young';

export interface OplogGrowth {
  readonly shape: 'growing' | OplogShape;
  readonly windowDays: number;
  /** Days of the window that were read completely; 0 if updates were left unread. */
  readonly coveredDays: number;
  /** Elements per day, over the collection; null if that is unknown. */
  readonly appendedPerDay: number | null;
  readonly documents: number;
  readonly highestIndex: number;
  readonly ongoing: boolean;
  /** Of the arrays that are being appended to; null unless growing. */
  readonly rates: GrowthRates | null;
  /** When the youngest and the oldest appended document were created, in ms since 1970; null if unknown. */
  readonly created: { readonly first: number; readonly last: number } | null;
  /** Days after which documents that were written to are deleted; null if that does not show. */
  readonly lifetimeDays: number | null;
  /** Whether what was read is spread evenly over the window, so that what is missing from it is rare in it too. */
  readonly evenly: boolean;
  /** Present if more than half as many elements are removed as added, of at least a third of the arrays. */
  readonly emptied?: true;
  /** Present if what was read was drawn at random: another run reads other writes. */
  readonly byChance?: true;
  /** Writes to such arrays that were read. */
  readonly writes: number;
  /** Of the latest writes, the share to arrays as long as the longest; null if that is unknown. */
  readonly shareAtLongest: number | null;
  /** Elements that one of the latest writes added; absent if unknown. */
  readonly mostAtOnce?: number;
  /** Estimates of those that grow, at any time of the window: their number, and quantiles of their lengths. Absent if unknown. */
  readonly active?: SomeArrays;
}

/** Appends by which an array shows that it grows, rather than that something was once added. */
const FEWEST_APPENDS = 3;
const FEWEST_APPENDS_OF_PATH = 10;
/** An array without appends for so many times its usual interval, while others had some, is finished. */
const FINISHED_AFTER_INTERVALS = 5;
const ONE_OFF_SHARE = 0.5;
/** Finished ones of much the same length that show buckets: so many, and of all at least this share … */
const FEWEST_FINISHED = 3;
const ROLL_OVER_SHARE = 0.2;
/** … between whose 10th and 90th percentile lies at most this share of the median length. */
const SAME_LENGTH_SPREAD = 0.25;
/** Share of the appended arrays that may be older than the rest if these are buckets. */
const OLDER_SHARE = 0.1;
/** Arrays that ended before, per appended array, by which the latter are only the newest of a line of buckets. */
const PREDECESSORS_PER_ARRAY = 0.5;
/** Part of the window, from its end, in which buckets begin whose predecessors are in the rest of it. */
const NEWEST_PART = 0.5;
/** Times an array must have been written at one length to count as capped. */
const FEWEST_REWRITES = 3;
/** So many of them, and this share of them at the same length, while others still grow. */
const FEWEST_KEPT = 2;
const CAP_SHARE = 0.5;
// Items of a list are replaced a few times after they were appended; ln(n) of n random sets look like appends.
const MOST_SET_PER_APPEND = 4;
const MOST_LOST = 0.5;
/** From this share of unread entries, they may hold what was not seen. */
export const MOST_UNREAD_SHARE = 0.01;
/** Share of the window that must have been read for what is missing from it to mean something. */
const MOSTLY = 0.5;
/** Parts of the window, and in how many of them elements must have been added. */
const WINDOW_PARTS = 10;
const ONGOING_PARTS = 5;

export function oplogGrowth(activities: readonly ArrayActivity[], window: OplogWindow): OplogGrowth {
  const appended = activities.filter(({ appends }) => appends > 0);
  const repeated = appended.filter(({ appends }) => appends >= FEWEST_APPENDS);
  const until = Math.max(...appended.map(({ lastAppendAt }) => lastAppendAt));
  const running = repeated.filter((activity) => !isFinished(activity, until));
  const shape = shapeOf(activities, repeated, running, window);
  const gains = running.map((activity) => gainOf(activity, window)).filter(({ days }) => days > 0);
  const isGrowing = shape === 'growing' && gains.length > 0;
  const evenly = window.covered >= MOSTLY * (window.to - window.from);
  const created = running.map(({ createdAt }) => createdAt).filter((time) => time !== null);
  return {
    shape: shape === 'growing' && !isGrowing ? 'few' : shape,
    windowDays: (window.to - window.from) / MS_PER_DAY,
    coveredDays: window.unreadShare > MOST_UNREAD_SHARE ? 0 : window.covered / MS_PER_DAY,
    appendedPerDay: sum(appended, (activity) => appendedPerMs(activity, window)) * MS_PER_DAY,
    documents: new Set(appended.map(({ document }) => document)).size,
    highestIndex: Math.max(0, ...activities.map(({ length }) => length)) - 1,
    ongoing: isOngoing(appended, window),
    rates: isGrowing ? ratesOf(gains) : null,
    created: created.length === 0 ? null : { first: Math.min(...created), last: Math.max(...created) },
    lifetimeDays: null,
    evenly,
    ...(shape === 'replaced' && evenly && areMostlyEmptied(activities) && { emptied: true }),
    writes: sum(activities, ({ appends: count, overwrites, rewrites }) => count + overwrites + rewrites),
    shareAtLongest: null,
  };
}

function shapeOf(
  activities: readonly ArrayActivity[],
  repeated: readonly ArrayActivity[],
  running: readonly ArrayActivity[],
  window: OplogWindow,
): OplogGrowth['shape'] {
  const appends = sum(repeated, ({ appends: count }) => count);
  if (sum(activities, ({ jumps }) => jumps) > appends || areSetAnywhere(activities)) return 'replaced';
  if (isCapped(activities, running)) return 'capped';
  if (appends < FEWEST_APPENDS_OF_PATH) return 'few';
  if (loseMuch(activities)) return 'replaced';
  const finished = repeated.filter((activity) => !running.includes(activity));
  if (rollsOver(finished, running)) return 'rolls-over';
  if (sum(finished, ({ gained }) => gained) > ONE_OFF_SHARE * sum(repeated, ({ gained }) => gained)) return 'one-off';
  if (haveReplacedOthers(running, activities, window)) return 'rolls-over';
  return isLongOver(running, window.to) ? 'one-off' : 'growing';
}

function loseMuch(activities: readonly ArrayActivity[]): boolean {
  return sum(activities, ({ lost }) => lost) > MOST_LOST * sum(activities, ({ gained }) => gained);
}

function areMostlyEmptied(activities: readonly ArrayActivity[]): boolean {
  const emptied = activities.filter((activity) => loseMuch([activity]));
  return emptied.length >= EMPTIED_SHARE * activities.length && loseMuch(activities);
}

// Now further up and now further down: the former look like appends if the length of the array is unknown.
function areSetAnywhere(activities: readonly ArrayActivity[]): boolean {
  const contrary = sum(activities, ({ jumps, overwrites }) => jumps + overwrites);
  return contrary > MOST_SET_PER_APPEND * sum(activities, ({ provenAppends }) => provenAppends);
}

function isLongOver(running: readonly ArrayActivity[], to: number): boolean {
  const first = Math.min(...running.map(({ firstAppendAt }) => firstAppendAt));
  const last = Math.max(...running.map(({ lastAppendAt }) => lastAppendAt));
  return to - last > FINISHED_AFTER_INTERVALS * (last - first);
}

function isFinished(activity: ArrayActivity, until: number): boolean {
  const { firstAppendAt, lastAppendAt } = activity;
  const interval = (lastAppendAt - firstAppendAt) / (appendsOf(activity) - 1);
  return until - lastAppendAt > FINISHED_AFTER_INTERVALS * interval;
}

/** With unread parts: they added what is unexplained, as much at a time as the appends that were seen. */
function appendsOf({ appends, gained, gainedFirst, gainedUnseen }: ArrayActivity): number {
  const perAppend = Math.max(1, (gained - gainedFirst - gainedUnseen) / (appends - 1));
  return appends + gainedUnseen / perAppend;
}

function isCapped(activities: readonly ArrayActivity[], running: readonly ArrayActivity[]): boolean {
  const kept = activities.filter(({ rewrites }) => rewrites >= FEWEST_REWRITES);
  if (kept.length < FEWEST_KEPT && running.length > 0) return false;
  const cap = Math.max(...kept.map(({ length }) => length));
  const atCap = kept.filter(({ length }) => length === cap).length;
  return atCap > 0 && atCap >= CAP_SHARE * kept.length && running.every((activity) => activity.length <= cap);
}

function rollsOver(finished: readonly ArrayActivity[], running: readonly ArrayActivity[]): boolean {
  const total = finished.length + running.length;
  if (finished.length < Math.max(FEWEST_FINISHED, ROLL_OVER_SHARE * total)) return false;
  const lengths = finished.map(({ length }) => length).sort((a, b) => a - b);
  const spread = quantileSorted(lengths, 0.9) - quantileSorted(lengths, 0.1);
  if (spread > SAME_LENGTH_SPREAD * quantileSorted(lengths, 0.5)) return false;
  return running.every(({ length }) => length <= (lengths.at(-1) as number));
}

/** If most appended arrays began lately, and others ended before, they are buckets whose full length was not seen. */
function haveReplacedOthers(
  running: readonly ArrayActivity[],
  activities: readonly ArrayActivity[],
  { from, to }: OplogWindow,
): boolean {
  if (running.length === 0) return false;
  const beginnings = running.map(({ createdAt, firstAt }) => createdAt ?? firstAt).sort((a, b) => a - b);
  const beginning = quantileSorted(beginnings, OLDER_SHARE);
  if (beginning < to - NEWEST_PART * (to - from)) return false;
  const predecessors = activities.filter(({ appends, lastAppendAt }) => appends > 0 && lastAppendAt < beginning);
  return predecessors.length >= PREDECESSORS_PER_ARRAY * running.length;
}

// Over the whole window if it was read; else between the changes that were seen: what came around them is unknown.
function gainOf(activity: ArrayActivity, window: OplogWindow): Gain {
  const { length, gained, gainedFirst, lost, firstAt, lastAppendAt, createdAt } = activity;
  const net = Math.max(0, gained - lost);
  if (window.covered < window.to - window.from) {
    return { value: length, gained: Math.max(0, net - gainedFirst), days: (lastAppendAt - firstAt) / MS_PER_DAY };
  }
  const from = gainedFirst > 0 ? Math.max(window.from, createdAt ?? window.from) : firstAt;
  return { value: length, gained: net, days: (window.to - Math.min(from, firstAt)) / MS_PER_DAY };
}

/** In an unread part, only the gain of an array that was seen before and after it is known. */
function appendedPerMs(
  { gained, gainedFirst, gainedUnseen, firstAt, lastAppendAt }: ArrayActivity,
  { covered }: OplogWindow,
): number {
  if (gainedUnseen > 0) return (gained - gainedFirst) / (lastAppendAt - firstAt);
  return covered === 0 ? 0 : gained / covered;
}

/** An array that was appended to repeatedly counts for all the time in between. */
function isOngoing(appended: readonly ArrayActivity[], { from, to }: OplogWindow): boolean {
  if (to <= from) return false;
  const partAt = (at: number) =>
    Math.max(0, Math.min(WINDOW_PARTS - 1, Math.floor(((at - from) / (to - from)) * WINDOW_PARTS)));
  const parts = new Set<number>();
  for (const { appends, firstAppendAt, lastAppendAt } of appended) {
    const [first, last] = [partAt(firstAppendAt), partAt(lastAppendAt)];
    for (let part = first; part <= last; part += appends >= FEWEST_APPENDS ? 1 : Math.max(1, last - first))
      parts.add(part);
  }
  return parts.size >= ONGOING_PARTS;
}

function ratesOf(gains: readonly Gain[]): GrowthRates {
  const own = gains.map(({ gained, days }) => gained / days);
  const pooled = pooledRate(gains);
  const typical = typicalRates(
    gains.map(({ value }) => value),
    [pooled, quantileWithInterval(own, 0.5)],
  );
  const largest = gains.reduce((a, b) => (b.value > a.value ? b : a));
  return { typical, largest: { value: largest.value, perDay: rateOfLargest(largest, gains, pooled) } };
}

/** Everything gained over all the time; the arrays differ as they do, and at least by chance. */
function pooledRate(gains: readonly Gain[]): Estimate {
  const days = sum(gains, ({ days: time }) => time);
  const estimate = sum(gains, ({ gained }) => gained) / days;
  const between = Math.sqrt(sum(gains, ({ gained, days: time }) => (gained - estimate * time) ** 2));
  const error = Math.max(between, Math.sqrt(sum(gains, ({ gained }) => gained))) / days;
  return { low: estimate - STANDARD_ERRORS * error, estimate, high: estimate + STANDARD_ERRORS * error };
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
