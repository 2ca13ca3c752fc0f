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
export function growthMessage(name: string, { growth, oplog, forecasts }: GrowingArray): string {
  const { rates, source, sources, windowDays } = growth;
  const [typical, largest] = [rates.typical.value, rates.largest.value].map((each) => formatCount(Math.round(each)));
  const appended = `in each of ${plural(oplog?.documents ?? 0, 'document')} that writes append to`;
  if (isBriefGrowth(growth))
    return (
      `\`${name}\` grows by ${rateText(rates.typical.perDay.estimate, 'elements', 0)} ${appended}. The largest has ${largest}, and no write shortens it. ` +
      `The oplog covers only ${formatDuration(windowDays * MS_PER_DAY)}, too little for a forecast: run again once it covers an hour.`
    );
  const forecast = forecastText(forecasts);
  return (
    `\`${name}\` grows by ${rateText(rates.typical.perDay.estimate, 'elements')} ${source === 'oplog' ? appended : 'in a typical document'} (${typical} now) and by ` +
    `${rateText(rates.largest.perDay.estimate, 'elements')} in the largest (${largest} now), according to ${growthSourcesText(sources)}.${forecast === '' ? '' : ` ${forecast}`}`
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
        forecasts
          .filter(({ typical: soon, largest: first }) => soon !== null || first !== null)
          .map((forecast) => [
            limitName(forecast),
            { typical: daysOf(forecast.typical), largest: daysOf(forecast.largest) },
          ]),
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

/** From and to; null without a forecast. */
function daysOf(range: LimitForecast['typical']): number[] | null {
  return range && [range.earliest, range.latest];
}

function limitName({ limit, unit }: LimitForecast): string {
  return unit === 'bytes' ? formatBytes(limit) : plural(limit, 'element');
}

/** Ages span what nine tenths of the documents do: a single old document says nothing. */
function spanText({ sources: [first], windowDays }: MeasuredGrowth): string {
  const span = formatDuration(windowDays * MS_PER_DAY);
  return first === 'age' ? `90 % of them created within ${span}` : `over ${span}`;
}
