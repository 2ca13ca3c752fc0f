import type { DocumentProfile, PathProfile } from '../profile/document-profile.js';
import { DOCUMENT_LIMIT_BYTES } from '../server-limits.js';
import { CONFIDENCES, type Confidence } from '../severity.js';
import type {
  ArrayGrowth,
  GrowthRates,
  GrowthSource,
  Interval,
  KeptGrowth,
  LimitForecast,
  MeasuredGrowth,
} from './growth.js';
import { FORECAST } from './limits.js';

export type Seen = Pick<ArrayGrowth, GrowthSource>;

/**
 * What the sources say together: growth that one shows and none that knows better denies. The same documents from run to run
 * know best, then the oplog, then ages, which know nothing of what began or ended lately.
 */
export function combineGrowth({ age, oplog, history }: Seen): MeasuredGrowth | null {
  if (history?.verdict === 'not growing') return null;
  if (oplog?.verdict === 'not growing' && history?.verdict !== 'growing') return null;
  const growing = (
    [
      ['oplog', oplog],
      ['history', history],
      ['age', age],
    ] as const
  ).flatMap(([source, one]) =>
    one?.verdict === 'growing' && one.rates !== null ? [{ source, rates: one.rates, windowDays: one.windowDays }] : [],
  );
  // A busy hour confirms growth; its rate holds for that hour alone.
  const [first, ...others] = growing.sort((one, other) => Number(isBrief(one)) - Number(isBrief(other)));
  if (first === undefined) return null;
  const own = first.rates.typical.perDay;
  const isNear = (one: (typeof growing)[number]) => isBrief(one) || agree(own, one.rates.typical.perDay);
  const near = others.filter(isNear);
  // If intervals do not meet, the truth may lie between them.
  const apart = near
    .filter((one) => !isBrief(one) && !meet(own, one.rates.typical.perDay))
    .map(({ rates }) => rates.typical.perDay);
  const perDay = {
    low: Math.min(own.low, ...apart.map(({ low }) => low)),
    estimate: own.estimate,
    high: Math.max(own.high, ...apart.map(({ high }) => high)),
  };
  // If no document is older than two weeks, they may be deleted soon.
  const isYoung = first.source === 'age' && others.length === 0 && first.windowDays < FORECAST.youngDays;
  const life = Math.min(isYoung ? FORECAST.livesPerAge * first.windowDays : Infinity, oplog?.lifetimeDays ?? Infinity);
  return {
    source: first.source,
    sources: [first.source, ...near.map(({ source }) => source)],
    disagreeing: others.filter((one) => !isNear(one)).map(({ source }) => source),
    confidence: CONFIDENCES[1 + Number(isBrief(first)) - Number(near.length > 0)] as Confidence,
    windowDays: first.windowDays,
    rates: { ...first.rates, typical: { ...first.rates.typical, perDay } },
    lifetimeDays: Number.isFinite(life) ? life : null,
    ...(first.source === 'oplog' && oplog?.byChance && { byChance: true }),
  };
}

function isBrief({ windowDays }: Pick<MeasuredGrowth, 'windowDays'>): boolean {
  return windowDays < FORECAST.shortDays;
}

function meet(one: Interval, other: Interval): boolean {
  return one.low <= other.high && other.low <= one.high;
}

function agree(one: Interval, other: Interval): boolean {
  const ratio = one.estimate / other.estimate;
  return meet(one, other) || (ratio <= FORECAST.mostApart && ratio >= 1 / FORECAST.mostApart);
}

export type Told = NonNullable<KeptGrowth['told']>[number];
/** What the run before told, and how many days ago. */
export interface ToldBefore {
  readonly daysAgo: number;
  readonly told: readonly Told[];
}

/** When the arrays at a path have too many elements, and when their documents have 16 MB. */
export function arrayForecasts(
  { path, array, documents }: PathProfile,
  growth: MeasuredGrowth,
  { sizes }: DocumentProfile,
  before: ToldBefore | null,
): LimitForecast[] {
  if (array === undefined) return [];
  const perElement = array.bytesPerDocument.sum / Math.max(1, array.lengths.sum);
  const perDocument = array.lengths.count / Math.max(1, documents);
  const rest = Math.max(0, sizes.median - array.bytesPerDocument.median);
  const most = (DOCUMENT_LIMIT_BYTES - rest) / Math.max(1, perElement * perDocument);
  return [
    ...FORECAST.elements.map((limit) => forecast(growth, { path, unit: 'elements', limit, value: limit }, before)),
    forecast(growth, { path, ...DOCUMENT_LIMIT, value: most }, before),
  ];
}

/** When documents have 16 MB. */
export function sizeForecast(growth: MeasuredGrowth, before: ToldBefore | null): LimitForecast {
  return forecast(growth, { path: null, ...DOCUMENT_LIMIT, value: DOCUMENT_LIMIT_BYTES }, before);
}

const DOCUMENT_LIMIT = { unit: 'bytes', limit: DOCUMENT_LIMIT_BYTES } as const;

/** @param at the limit, with its value in the unit of the growth */
function forecast(
  { rates: { typical, largest }, windowDays, lifetimeDays }: MeasuredGrowth,
  { path, unit, limit, value }: Pick<LimitForecast, 'unit' | 'limit'> & { path: string | null; value: number },
  before: ToldBefore | null,
): LimitForecast {
  const life = lifetimeDays ?? Infinity;
  const horizon = Math.min(FORECAST.longestDays, FORECAST.perWindow * windowDays, life);
  const until = ({ value: at, perDay }: GrowthRates['typical'], of: keyof Interval) =>
    at >= value ? 0 : (value - at) / Math.max(perDay[of], Number.MIN_VALUE);
  const range = (rates: GrowthRates['typical']) => {
    const latest = until(rates, 'low');
    return latest <= horizon ? { earliest: until(rates, 'high'), latest } : null;
  };
  const first = (of: keyof Interval) => {
    const days = Math.min(until(typical, of), until(largest, of));
    return days > life ? Infinity : days;
  };
  // A day less than the run before, as far as the evidence allows it.
  const told = before?.told.find((one) => one.path === path && one.limit === limit);
  const steady = (days: number | undefined, now: number) => {
    const kept = days === undefined ? now : Math.min(days, Math.max(now, days - (before?.daysAgo ?? 0)));
    return days === undefined ? now : Math.min(first('low'), Math.max(first('high'), kept));
  };
  const expectedDays = steady(told?.days, first('estimate'));
  return {
    unit,
    limit,
    typical: range(typical),
    largest: range(largest),
    expectedDays,
    surelyDays: Math.max(expectedDays, steady(told?.surely, first('low'))),
  };
}

/** What a later run holds its forecasts against. */
export function toldOf(path: string | null, forecasts: readonly LimitForecast[]): Told[] {
  return forecasts.flatMap(({ limit, expectedDays: days, surelyDays: surely }) =>
    Number.isFinite(days) && Number.isFinite(surely) ? [{ path, limit, days, surely }] : [],
  );
}
