import type { Confidence } from '../../finding.js';
import type { AgeGrowth } from './age-growth.js';
import type { MeasuredGrowth } from './growth.js';
import type { GrowthRates } from './growth-rates.js';
import type { HistoryGrowth } from './history-growth.js';
import type { OplogGrowth } from './oplog-growth.js';

export interface Observations {
  readonly age: AgeGrowth | null;
  readonly oplog: OplogGrowth | null;
  readonly history: HistoryGrowth | null;
  /** In the sample; the oplog shows only the arrays that are written to. */
  readonly lengths: { readonly shortest: number; readonly median: number };
  /** From the reading of the oplog to the end of the sample; arrays grow in the meantime. */
  readonly daysApart: number;
  readonly created: readonly number[];
}

type Growing = Pick<MeasuredGrowth, 'source' | 'rates' | 'windowDays'> & { readonly confidence: Confidence };

/** Growing arrays are about as long as the others or longer; arrays that are being filled are shorter. */
const LEAST_SHARE_OF_MEDIAN = 0.75;
/** With so many appended documents, and most others older than all of them, only young documents grow. */
const FEWEST_APPENDED = 7;
const MOST_OLDER = 0.5;
/** Milliseconds by which the clocks of clients and server may differ: one of them sets an ObjectId's time. */
const CLOCK_DIFFERENCE = 60_000;
const CERTAIN_AGE = { documents: 200, days: 7, correlation: 0.5 } as const;
const CERTAIN_HISTORY = { runs: 5, days: 7 } as const;
/** Days of growth below which it may be that of a busy hour. */
const SHORT_WINDOW = 1;
/** Share of the oplog's window that must have been read for what is missing from it to mean something. */
const MOSTLY = 0.5;
/** Elements that the part read of the oplog should show if growth were still as documents' ages say. */
const ENOUGH_EXPECTED = 100;

export function combineGrowth(observations: Observations, documents: number): MeasuredGrowth | null {
  const growing = [growingByHistory(observations), growingByAge(observations, documents), growingByOplog(observations)]
    .filter((one) => one !== null)
    // The sort is stable: of two as certain, history goes before age and age before the oplog.
    .sort((a, b) => Number(a.confidence === 'low') - Number(b.confidence === 'low'));
  const first = growing[0];
  if (first === undefined) return null;
  const sources = growing.map(({ source }) => source);
  // Continued appends confirm growth that another source shows.
  if (!sources.includes('oplog') && observations.oplog?.ongoing === true) sources.push('oplog');
  return { ...first, sources, confidence: sources.length > 1 ? raised(first.confidence) : first.confidence };
}

function growingByAge({ age, oplog }: Observations, documents: number): Growing | null {
  if (age?.shape !== 'growing') return null;
  const { rates, spanDays, correlation } = age;
  // A day of the oplog without an append, or all the time that the ages span: they grew once, and no longer do.
  const expected = rates.typical.perDay.estimate * documents * (oplog?.coveredDays ?? 0);
  const isLong = oplog !== null && oplog.windowDays >= Math.min(SHORT_WINDOW, spanDays);
  if (isLong && oplog.documents === 0 && expected >= ENOUGH_EXPECTED) return null;
  const isCertain =
    age.documents >= CERTAIN_AGE.documents && spanDays >= CERTAIN_AGE.days && correlation >= CERTAIN_AGE.correlation;
  const confidence = spanDays < SHORT_WINDOW ? 'low' : isCertain ? 'high' : 'medium';
  return { source: 'age', rates, windowDays: spanDays, confidence };
}

function growingByHistory({ history, oplog }: Observations): Growing | null {
  if (history?.shape !== 'growing') return null;
  const { rates, windowDays, runs, certain } = history;
  // If the oplog was read as far back, it tells a backfill, one append to each, from growth.
  const isRead = oplog !== null && oplog.windowDays >= windowDays && oplog.coveredDays >= MOSTLY * oplog.windowDays;
  if (isRead && oplog.shape !== 'growing' && oplog.documents > 0 && !oplog.ongoing) return null;
  const isLong = runs >= CERTAIN_HISTORY.runs && windowDays >= CERTAIN_HISTORY.days;
  const confidence = !certain || windowDays < SHORT_WINDOW ? 'low' : isLong ? 'high' : 'medium';
  return { source: 'history', rates, windowDays, confidence };
}

function growingByOplog(observations: Observations): Growing | null {
  const { oplog, age, lengths } = observations;
  if (oplog?.shape !== 'growing' || oplog.rates === null) return null;
  const isOfFixedLength = liesWithin(oplog.rates, observations);
  if (age?.shape === 'plateau' || isOfFixedLength || isFilling(oplog.rates.typical.value.estimate, lengths.median))
    return null;
  if (isOfTheYoung(observations)) return null;
  return {
    source: 'oplog',
    rates: oplog.rates,
    windowDays: oplog.windowDays,
    confidence: oplog.windowDays < SHORT_WINDOW ? 'low' : 'medium',
  };
}

/** If all arrays are longer than the written ones are known to be, elements are set that were there before. */
function liesWithin({ largest }: GrowthRates, { lengths, daysApart }: Observations): boolean {
  return lengths.shortest > largest.value + largest.perDay.high * daysApart;
}

function isFilling(medianAppended: number, median: number): boolean {
  return medianAppended < LEAST_SHARE_OF_MEDIAN * median;
}

function isOfTheYoung({ oplog, created }: Observations): boolean {
  const oldest = oplog?.created?.first;
  if (oldest === undefined || created.length === 0 || (oplog?.documents ?? 0) < FEWEST_APPENDED) return false;
  return created.filter((time) => time < oldest - CLOCK_DIFFERENCE).length > MOST_OLDER * created.length;
}

function raised(confidence: Confidence): Confidence {
  return confidence === 'low' ? 'medium' : 'high';
}
