import type { Confidence } from '../../finding.js';
import type { AgeGrowth } from './ages/age-growth.js';
import { pooled, type Estimate } from './rates/estimate.js';
import { areBeingFilled } from './rates/filled-arrays.js';
import type { MeasuredGrowth } from './growth.js';
import type { GrowthRates } from './rates/growth-rates.js';
import type { HistoryGrowth } from './history/history-growth.js';
import type { Against } from './tracked/tracked-growth.js';
import type { OplogGrowth } from './writes/oplog-growth.js';

export interface Observations {
  readonly age: AgeGrowth | null;
  readonly oplog: OplogGrowth | null;
  readonly history: HistoryGrowth | null;
  readonly against?: Against;
  readonly unchangedDays: number;
  /** Whether the run before told growth. */
  readonly wasTold?: boolean;
  /** Days since the oplog last showed a run that arrays are emptied; infinite if growth was told then and since. */
  readonly emptiedDaysAgo?: number;
  /** In the sample; the oplog shows only the arrays that are written to. */
  readonly lengths: {
    readonly shortest: number;
    readonly median: number;
    readonly longest: number;
    readonly countAtLongest: number;
    readonly count: number;
  };
  /** Of the sampled documents; empty if no source needs them. */
  readonly values: readonly number[];
  /** Of the whole collection. */
  readonly arrays: number;
  /** From the reading of the oplog to the end of the sample; arrays grow in the meantime. */
  readonly daysApart: number;
  /** Whether most documents are older than all that the oplog shows being written to. */
  readonly mostAreOlder: boolean;
}

type Growing = Pick<MeasuredGrowth, 'source' | 'rates' | 'windowDays' | 'byChance'> & {
  readonly confidence: Confidence;
};

/** Growing arrays are about as long as the others or longer; arrays that are being filled are shorter. */
const LEAST_SHARE_OF_MEDIAN = 0.8;
/** With so many appended documents, and most others older than all of them, only young documents grow. */
const FEWEST_APPENDED = 7;
const MOST_OLDER = 0.5;
/** Milliseconds by which the clocks of clients and server may differ: one of them sets an ObjectId's time. */
const CLOCK_DIFFERENCE = 60_000;
/** Arrays of the same greatest length, and their share, that show a cap; and how many of those written to are as long, per share of all. */
const FEWEST_AT_CAP = 5;
const CAP_SHARE = 0.05;
const MOST_WRITTEN_AT_CAP = 0.5;
const CERTAIN_HISTORY = { runs: 5, days: 7 } as const;
/** Days of growth below which it may be that of a busy hour. */
const SHORT_WINDOW = 1;
/** Days of the oplog in which most jobs that append have run once. */
const WEEK = 6.5;
/** Days in which a weekly job that empties arrays has run again, late or not; the oplog may have lost the time before. */
const NEXT_WEEKLY_JOB = 8;
/** Entries with appends that should have been read if growth were still as documents' ages say, and the share of them that is too few. */
const ENOUGH_EXPECTED = 20;
const FEW_OF_EXPECTED = 0.1;
/** The random cursor draws small entries at as low a part of their share if others are large (measured on 6.0.5). */
const LEAST_DRAWN = 1 / 12;
/** Of the oplog's window, the share that was read of it if not only some entries were drawn. */
const LEAST_READ = 1 / 2;
/** Writes to such arrays that show what they are. */
export const ENOUGH_WRITES = 30;
/** Ratio of two sources' rates up to which the truth may lie between them. */
const MOST_APART = 2;

const NO_GROWTH: ReadonlySet<OplogGrowth['shape']> = new Set(['replaced', 'capped', 'rolls-over', 'young']);

/** The newest source goes first: lifetime averages know nothing of what began lately. */
export function combineGrowth(observations: Observations, documents: number): MeasuredGrowth | null {
  if ((observations.emptiedDaysAgo ?? Infinity) < NEXT_WEEKLY_JOB) return null;
  const growing = [growingByOplog(observations), growingByHistory(observations), growingByAge(observations, documents)]
    .filter((one) => one !== null)
    .sort((a, b) => Number(a.confidence === 'low') - Number(b.confidence === 'low'));
  const [first, ...others] = growing;
  if (first === undefined) return null;
  // A busy hour confirms growth; as a rate, it says nothing against another.
  const apart = others.filter(
    (other) => other.windowDays >= SHORT_WINDOW && isFarFrom(first.rates.typical.perDay, other.rates.typical.perDay),
  );
  const near = others.filter((other) => !apart.includes(other));
  const sources = [first, ...near].map(({ source }) => source);
  const disagreeing = apart.map(({ source }) => source);
  // Continued appends confirm growth that another source shows.
  if (!growing.some(({ source }) => source === 'oplog') && observations.oplog?.ongoing === true) sources.push('oplog');
  return {
    ...first,
    rates: within(
      first,
      near.filter(({ windowDays }) => windowDays >= SHORT_WINDOW),
    ),
    sources,
    disagreeing,
    confidence: sources.length > 1 ? raised(first.confidence) : first.confidence,
  };
}

function isFarFrom(one: Estimate, other: Estimate): boolean {
  return areApart(one, other) && Math.max(one.estimate / other.estimate, other.estimate / one.estimate) > MOST_APART;
}

function areApart(one: Estimate, other: Estimate): boolean {
  return one.low > other.high || other.low > one.high;
}

/** If intervals do not meet, the truth may lie between them. */
function within({ rates, source }: Growing, others: readonly Growing[]): GrowthRates {
  const { value, perDay: own } = rates.typical;
  const isApart = (other: Growing) => areApart(own, other.rates.typical.perDay);
  const apart = others.filter(isApart).map((other) => other.rates.typical.perDay);
  const history = others.find((other) => other.source === 'history' && !isApart(other));
  const perDay = source === 'oplog' && history !== undefined ? pooled(own, history.rates.typical.perDay) : own;
  const low = Math.min(perDay.low, ...apart.map((other) => other.low));
  const high = Math.max(perDay.high, ...apart.map((other) => other.high));
  const changes = [rates, ...others.map((other) => other.rates)].flatMap(({ changePerDay }) => changePerDay ?? []);
  return {
    ...rates,
    ...(changes[0] !== undefined && { changePerDay: changes[0] }),
    typical: { value, perDay: { low, estimate: perDay.estimate, high } },
  };
}

function growingByAge(observations: Observations, documents: number): Growing | null {
  const { age, oplog, unchangedDays } = observations;
  if (age?.shape !== 'growing' || isRefuted(observations) || isBelied(observations)) return null;
  const { rates, spanDays } = age;
  if (unchangedDays > 0 && unchangedDays >= Math.min(WEEK, spanDays)) return null;
  const leastCovered = (oplog?.coveredDays ?? 0) * (oplog?.byChance === true ? LEAST_DRAWN : 1);
  const expected = rates.typical.perDay.estimate * documents * leastCovered;
  const isMissing = oplog !== null && expected >= ENOUGH_EXPECTED && oplog.writes <= FEW_OF_EXPECTED * expected;
  // A week of the oplog, or all the time that the ages span, next to without an append: they grew once, and no longer do.
  if (isMissing && oplog.windowDays >= Math.min(WEEK, spanDays)) return null;
  // One cross-section can't tell growth from documents that were born larger.
  const confidence = spanDays < SHORT_WINDOW || isMissing ? 'low' : 'medium';
  return { source: 'age', rates, windowDays: spanDays, confidence };
}

function growingByHistory(observations: Observations): Growing | null {
  const { history, oplog } = observations;
  if (history?.shape !== 'growing') return null;
  const { rates, windowDays, runs, certain } = history;
  // What the same documents go on to show does not end by what happened to be drawn.
  const isSeenInPart = oplog !== null && oplog.coveredDays < LEAST_READ * oplog.windowDays;
  const isKept = certain && observations.wasTold === true && isSeenInPart;
  if (!isKept && (isRefuted(observations) || observations.mostAreOlder)) return null;
  // If the oplog was read as far back, it tells a backfill, one append to each, from growth.
  const isRead = oplog?.evenly === true && oplog.windowDays >= windowDays;
  if (!isKept && isRead && oplog.shape !== 'growing' && oplog.documents > 0 && !oplog.ongoing) return null;
  const isLong = runs >= CERTAIN_HISTORY.runs && windowDays >= CERTAIN_HISTORY.days;
  const confidence = !certain || windowDays < SHORT_WINDOW ? 'low' : isLong ? 'high' : 'medium';
  return { source: 'history', rates, windowDays, confidence };
}

/** Whether the oplog shows what the arrays are instead. */
function isRefuted(observations: Observations): boolean {
  const { oplog } = observations;
  if (oplog === null || !oplog.evenly || oplog.writes < ENOUGH_WRITES) return false;
  return NO_GROWTH.has(oplog.shape) || areHeldByCap(observations) || areFilling(observations);
}

function isBelied({ against = 'none', wasTold = false }: Observations): boolean {
  return against === 'any' || (against === 'new' && !wasTold);
}

function growingByOplog(observations: Observations): Growing | null {
  const { oplog, age, lengths, daysApart } = observations;
  if (oplog?.shape !== 'growing' || oplog.rates === null || isBelied(observations)) return null;
  const isOfFixedLength = liesWithin(oplog, oplog.rates, observations);
  if (age?.shape === 'plateau' || isOfFixedLength || isFilling(lengthNow(oplog.rates, daysApart), lengths.median))
    return null;
  if (observations.mostAreOlder || areHeldByCap(observations) || areFilling(observations)) return null;
  return {
    source: 'oplog',
    rates: oplog.rates,
    windowDays: oplog.windowDays,
    confidence: oplog.windowDays < SHORT_WINDOW ? 'low' : 'medium',
    ...(oplog.byChance && { byChance: true }),
  };
}

/** If all arrays are longer than the written ones are known to be, elements are set that were there before. */
function liesWithin(oplog: OplogGrowth, { largest }: GrowthRates, { lengths, daysApart }: Observations): boolean {
  return lengths.shortest > largest.value + gainedBetweenReadings(oplog, daysApart);
}

function gainedBetweenReadings({ rates, mostAtOnce = 0 }: OplogGrowth, daysApart: number): number {
  return mostAtOnce + (rates?.largest.perDay.high ?? 0) * daysApart;
}

/** If many arrays share the greatest length, but few of those that are written to, they stop growing there. */
function areHeldByCap({ oplog, lengths, values, daysApart }: Observations): boolean {
  const { longest, countAtLongest, count } = lengths;
  if (oplog === null || oplog.shareAtLongest === null || oplog.highestIndex >= longest) return false;
  if (countAtLongest < Math.max(FEWEST_AT_CAP, CAP_SHARE * count)) return false;
  const areShorter = oplog.highestIndex + 1 + gainedBetweenReadings(oplog, daysApart) < longest;
  const shareOfWritten = areShorter ? 0 : oplog.shareAtLongest;
  // Arrays that are shorter than the growing ones, as idle ones are, say nothing of it.
  const least = Math.min(longest, ...(oplog.active?.lengths ?? [0]));
  const shareOfLonger = values.filter((length) => length >= least).length / Math.max(1, values.length);
  return shareOfWritten < (MOST_WRITTEN_AT_CAP * countAtLongest) / Math.max(countAtLongest, shareOfLonger * count);
}

function areFilling({ oplog, values, arrays }: Observations): boolean {
  return oplog?.active !== undefined && areBeingFilled(oplog.active, { arrays, lengths: values }, oplog.documents);
}

function lengthNow({ typical }: GrowthRates, daysApart: number): number {
  return typical.value.estimate + typical.perDay.estimate * daysApart;
}

function isFilling(medianAppended: number, median: number): boolean {
  return medianAppended < LEAST_SHARE_OF_MEDIAN * median;
}

/** @param created times of the documents' creation, in ms since 1970 */
export function areMostOlder(created: readonly number[], oplog: OplogGrowth | null): boolean {
  const oldest = oplog?.created?.first;
  if (oldest === undefined || created.length === 0 || (oplog?.documents ?? 0) < FEWEST_APPENDED) return false;
  return created.filter((time) => time < oldest - CLOCK_DIFFERENCE).length > MOST_OLDER * created.length;
}

function raised(confidence: Confidence): Confidence {
  return confidence === 'low' ? 'medium' : 'high';
}
