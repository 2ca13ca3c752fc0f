import type { Subject } from '../../src/check.js';
import type { FindingEvidence } from '../../src/finding.js';
import { formatBytes, formatCount, formatDuration, plural } from '../../src/format.js';
import type { ArrayGrowth, LimitForecast, MeasuredGrowth, OplogGrowth } from '../../src/growth/growth.js';
import {
  forecastText,
  growthSourceNames,
  growthSourcesText,
  rateText,
} from '../../src/judgement/arrays/growth-text.js';
import { sampleWindow } from '../../src/judgement/sample-window.js';
import { MS_PER_DAY } from '../../src/time-units.js';

/** An array that was measured to grow. */
export type GrowingArray = ArrayGrowth & { readonly growth: MeasuredGrowth };

/** One hour: shorter windows give no daily rate and no forecast. */
const SHORTEST_OPLOG_DAYS = 1 / 24;

/** True if only the oplog shows growth, and too short a time of it for a forecast. */
export function isBriefGrowth({ sources, windowDays }: MeasuredGrowth): boolean {
  return sources.every((source) => source === 'oplog') && windowDays < SHORTEST_OPLOG_DAYS;
}

/** How fast it grows, where, and when it is too long, in two or three sentences. */
export function growthMessage(name: string, array: GrowingArray): string {
  if (isBriefGrowth(array.growth)) return briefMessage(name, array);
  return [messageOf(name, array), forecastText(array.forecasts)].filter((sentence) => sentence !== '').join(' ');
}

function briefMessage(name: string, { growth: { windowDays, rates }, oplog }: GrowingArray): string {
  return (
    `\`${name}\` grows by ${rateText(rates.typical.perDay.estimate, 'elements', 0)} in each of ` +
    `${plural(oplog?.documents ?? 0, 'document')} that writes append to. The largest has ${formatCount(Math.round(rates.largest.value))}, and ` +
    `no write shortens it. The oplog covers only ${formatDuration(windowDays * MS_PER_DAY)}, too little for a forecast: run again once it covers an hour.`
  );
}

function messageOf(name: string, { growth, oplog }: GrowingArray): string {
  const { rates, source, sources } = growth;
  const [typical, largest] = [rates.typical.value, rates.largest.value].map((length) =>
    formatCount(Math.round(length)),
  );
  const appended = oplog?.documents ?? 0;
  const where =
    source === 'oplog' ? `in each of ${plural(appended, 'document')} that writes append to` : 'in a typical document';
  return (
    `\`${name}\` grows by ${rateText(rates.typical.perDay.estimate, 'elements')} ${where} (${typical} now) and by ` +
    `${rateText(rates.largest.perDay.estimate, 'elements')} in the largest (${largest} now), according to ${growthSourcesText(sources)}.`
  );
}

/** Lengths in elements, rates in elements per day, and the days between which each limit is reached. */
export function growthFigures(
  { growth: { sources }, documents, storage }: Subject<'growth' | 'documents', 'storage'>,
  { growth, age, oplog, history, forecasts }: GrowingArray,
): FindingEvidence {
  const { typical, largest } = growth.rates;
  return {
    source: growthSourceNames(growth.sources).join(', '),
    window: `${sampleWindow(documents, storage)}, ${spanText(growth)}`,
    elementsPerDay: typical.perDay.estimate,
    elementsPerDayRange: [Math.max(0, typical.perDay.low), typical.perDay.high],
    largestElementsPerDay: largest.perDay.estimate,
    typicalLength: typical.value,
    largestLength: largest.value,
    windowDays: growth.windowDays,
    ...(age?.verdict === 'growing' &&
      sources.age.present && { ageField: sources.age.value.from, ageCorrelation: age.correlation }),
    ...(oplog !== null && oplog.documents > 0 && appendedOf(oplog)),
    ...(history?.verdict === 'growing' && { runs: history.runs }),
    ...(!isBriefGrowth(growth) && {
      forecastDays: Object.fromEntries(
        forecasts.filter(isMade).map((forecast) => [limitName(forecast), daysOf(forecast)]),
      ),
    }),
  };
}

/** Appends over the whole collection; as a rate only if the oplog covers more than moments. */
function appendedOf({ documents, longest, windowDays, appendedPerDay }: OplogGrowth): Record<string, number> {
  return {
    documentsAppended: documents,
    highestIndex: longest - 1,
    oplogDays: windowDays,
    ...(windowDays >= SHORTEST_OPLOG_DAYS && appendedPerDay !== null && { appendedPerDay }),
  };
}

function isMade({ typical, largest }: LimitForecast): boolean {
  return typical !== null || largest !== null;
}

function limitName({ limit, unit }: LimitForecast): string {
  return unit === 'bytes' ? formatBytes(limit) : plural(limit, 'element');
}

/** Days from and to; null without a forecast. */
function daysOf({ typical, largest }: LimitForecast): Record<string, number[] | null> {
  return {
    typical: typical && [typical.earliest, typical.latest],
    largest: largest && [largest.earliest, largest.latest],
  };
}

/** Ages span what nine tenths of the documents do: a single old document says nothing. */
function spanText({ sources: [first], windowDays }: MeasuredGrowth): string {
  const span = formatDuration(windowDays * MS_PER_DAY);
  return first === 'age' ? `90 % of them created within ${span}` : `over ${span}`;
}
