import { CONFIDENCES, type Confidence } from '../finding/severity.js';
import type { DocumentProfile, PathProfile } from '../profile/document-profile.js';
import { DOCUMENT_LIMIT_BYTES } from '../profile/server-limits.js';
import type { ArrayGrowth, DayRange, GrowthSource, Interval, LimitForecast, MeasuredGrowth } from './growth.js';
import { FORECAST } from './limits.js';

type Rate = MeasuredGrowth['rates']['typical'];

/**
 * What the sources say together: growth that one shows and none that knows better denies. The same documents from run to run
 * know best, then the oplog, then ages, which know nothing of what began or ended lately.
 */
export function combineGrowth({ age, oplog, history }: Pick<ArrayGrowth, GrowthSource>): MeasuredGrowth | null {
  // None of a few arrays that grow may be among those that were recognised.
  const isUnseen = history?.because === 'unchanged' && oplog?.verdict === 'growing';
  if (history?.verdict === 'not growing' && !isUnseen) return null;
  if (oplog?.verdict === 'not growing' && history?.verdict !== 'growing') return null;
  const growing = Object.entries({ oplog, history, age }).flatMap(([source, one]) =>
    one?.verdict === 'growing' && one.rates !== null
      ? [{ source: source as GrowthSource, rates: one.rates, windowDays: one.windowDays }]
      : [],
  );
  // A busy hour confirms growth; its rate holds for that hour alone.
  const [first, ...others] = growing.sort((one, other) => Number(isBrief(one)) - Number(isBrief(other)));
  if (first === undefined) return null;
  const agreeing = others.filter((one) => isBrief(one) || agree(first.rates.typical.perDay, one.rates.typical.perDay));
  // If no document is older than two weeks, they may be deleted soon.
  const isYoung = first.source === 'age' && others.length === 0 && first.windowDays < FORECAST.youngDays;
  return {
    ...first,
    sources: [first.source, ...agreeing.map(({ source }) => source)],
    confidence: CONFIDENCES[1 + Number(isBrief(first)) - Number(agreeing.length > 0)] as Confidence,
    lifetimeDays: isYoung ? FORECAST.livesPerAge * first.windowDays : null,
  };
}

function isBrief({ windowDays }: { readonly windowDays: number }): boolean {
  return windowDays < FORECAST.shortDays;
}

function agree(one: Interval, other: Interval): boolean {
  const ratio = one.estimate / other.estimate;
  const meet = one.low <= other.high && other.low <= one.high;
  return meet || (ratio <= FORECAST.mostApart && ratio >= 1 / FORECAST.mostApart);
}

/** What the last run forecast at a path, by limit: days until then, counted from now and from that run. */
export type LastForecasts = ReadonlyMap<number, DayRange>;

/** When the arrays at a path have too many elements, and when their documents have 16 MB. */
export function arrayForecasts(
  { array, documents }: PathProfile,
  growth: MeasuredGrowth,
  { sizes }: DocumentProfile,
  last: LastForecasts,
): LimitForecast[] {
  if (array === undefined) return [];
  const perElement = array.bytesPerDocument.sum / Math.max(1, array.lengths.sum);
  const perDocument = array.lengths.count / Math.max(1, documents);
  const rest = Math.max(0, sizes.median - array.bytesPerDocument.median);
  const most = (DOCUMENT_LIMIT_BYTES - rest) / Math.max(1, perElement * perDocument);
  const ofElements = FORECAST.elements.map((limit) =>
    forecast(growth, { unit: 'elements', limit, value: limit }, last),
  );
  return [...ofElements, forecast(growth, { ...DOCUMENT_LIMIT, value: most }, last)];
}

/** When documents have 16 MB. */
export function sizeForecast(growth: MeasuredGrowth, last: LastForecasts): LimitForecast {
  return forecast(growth, { ...DOCUMENT_LIMIT, value: DOCUMENT_LIMIT_BYTES }, last);
}

const DOCUMENT_LIMIT = { unit: 'bytes', limit: DOCUMENT_LIMIT_BYTES } as const;

/** @param value of the limit, in the unit of the growth */
function forecast(
  { rates: { typical, largest }, windowDays, lifetimeDays }: MeasuredGrowth,
  { unit, limit, value }: Pick<LimitForecast, 'unit' | 'limit'> & { value: number },
  last: LastForecasts,
): LimitForecast {
  const life = lifetimeDays ?? Infinity;
  const horizon = Math.min(FORECAST.longestDays, FORECAST.perWindow * windowDays, life);
  const until = (of: keyof Interval, rates: readonly Rate[]) =>
    Math.min(
      ...rates.map(({ value: now, perDay }) => Math.max(0, value - now) / Math.max(perDay[of], Number.MIN_VALUE)),
    );
  const range = (...rates: Rate[]) => ({ earliest: until('high', rates), latest: until('low', rates) });
  const [ofTypical, ofLargest, ofFirst] = [range(typical), range(largest), range(typical, largest)];
  const expectedDays = steady(until('estimate', [typical, largest]), last.get(limit), ofFirst);
  return {
    unit,
    limit,
    typical: ofTypical.latest <= horizon ? ofTypical : null,
    largest: ofLargest.latest <= horizon ? ofLargest : null,
    expectedDays: expectedDays > life ? Infinity : expectedDays,
  };
}

/** The last run's forecast, as long as it lies within the interval of this one. */
function steady(days: number, last: DayRange | undefined, interval: DayRange): number {
  return within(last === undefined ? days : within(days, last), interval);
}

const within = (days: number, { earliest, latest }: DayRange) => Math.min(latest, Math.max(earliest, days));
