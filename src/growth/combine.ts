import type { Confidence } from '../finding.js';
import type { DocumentProfile, PathProfile } from '../profile/document-profile.js';
import type {
  AgeGrowth,
  GrowthRates,
  GrowthSource,
  HistoryGrowth,
  Interval,
  KeptGrowth,
  LimitForecast,
  MeasuredGrowth,
  OplogGrowth,
} from './growth.js';
import { DOCUMENT_LIMIT_BYTES } from '../server-limits.js';
import { FORECAST } from './limits.js';

export interface Seen {
  readonly age: AgeGrowth | null;
  readonly oplog: OplogGrowth | null;
  readonly history: HistoryGrowth | null;
}

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
  const [first, ...others] = growing.sort(
    (one, other) => Number(one.windowDays < FORECAST.shortDays) - Number(other.windowDays < FORECAST.shortDays),
  );
  if (first === undefined) return null;
  const own = first.rates.typical.perDay;
  const isNear = ({ rates, windowDays }: (typeof growing)[number]) =>
    windowDays < FORECAST.shortDays || agree(own, rates.typical.perDay);
  const near = others.filter(isNear);
  const held = near
    .filter(({ windowDays }) => windowDays >= FORECAST.shortDays)
    .map(({ rates }) => rates.typical.perDay);
  const confidence = first.windowDays < FORECAST.shortDays ? 'low' : 'medium';
  return {
    source: first.source,
    sources: [first.source, ...near.map(({ source }) => source)],
    disagreeing: others.filter((one) => !isNear(one)).map(({ source }) => source),
    confidence: near.length > 0 ? raised(confidence) : confidence,
    windowDays: first.windowDays,
    rates: { ...first.rates, typical: { ...first.rates.typical, perDay: holding(own, held) } },
    lifetimeDays: lifetimeOf(
      growing.map(({ source }) => source),
      age,
      oplog,
    ),
    ...(first.source === 'oplog' && oplog?.byChance && { byChance: true }),
  };
}

function agree(one: Interval, other: Interval): boolean {
  const ratio = one.estimate / other.estimate;
  return (
    (one.low <= other.high && other.low <= one.high) || (ratio <= FORECAST.mostApart && ratio >= 1 / FORECAST.mostApart)
  );
}

/** If intervals do not meet, the truth may lie between them. */
function holding(own: Interval, others: readonly Interval[]): Interval {
  const apart = others.filter(({ low, high }) => low > own.high || high < own.low);
  return {
    low: Math.min(own.low, ...apart.map(({ low }) => low)),
    estimate: own.estimate,
    high: Math.max(own.high, ...apart.map(({ high }) => high)),
  };
}

function raised(confidence: Confidence): Confidence {
  return confidence === 'low' ? 'medium' : 'high';
}

/** If no document is older than two weeks, they may be deleted soon. */
function lifetimeOf(sources: readonly GrowthSource[], age: AgeGrowth | null, oplog: OplogGrowth | null): number | null {
  const isYoung = age !== null && age.windowDays < FORECAST.youngDays && sources.every((source) => source === 'age');
  const days = Math.min(isYoung ? FORECAST.livesPerAge * age.windowDays : Infinity, oplog?.lifetimeDays ?? Infinity);
  return Number.isFinite(days) ? days : null;
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
    forecast(growth, { path, unit: 'bytes', limit: DOCUMENT_LIMIT_BYTES, value: most }, before),
  ];
}

/** When documents have 16 MB. */
export function sizeForecast(growth: MeasuredGrowth, before: ToldBefore | null): LimitForecast {
  return forecast(
    growth,
    { path: null, unit: 'bytes', limit: DOCUMENT_LIMIT_BYTES, value: DOCUMENT_LIMIT_BYTES },
    before,
  );
}

interface Limit {
  readonly path: string | null;
  readonly unit: LimitForecast['unit'];
  readonly limit: number;
  /** The same in the unit of the growth. */
  readonly value: number;
}

function forecast(
  { rates, windowDays, lifetimeDays }: MeasuredGrowth,
  { path, unit, limit, value }: Limit,
  before: ToldBefore | null,
): LimitForecast {
  const { typical, largest } = rates;
  const life = lifetimeDays ?? Infinity;
  const horizon = Math.min(FORECAST.longestDays, FORECAST.perWindow * windowDays, life);
  const until = (at: number, perDay: number) => (at >= value ? 0 : (value - at) / Math.max(perDay, Number.MIN_VALUE));
  const range = ({ value: at, perDay: { low, high } }: GrowthRates['typical']) => {
    const latest = until(at, low);
    return latest <= horizon ? { earliest: until(at, high), latest } : null;
  };
  const first = (of: keyof Interval) => {
    const days = Math.min(until(typical.value, typical.perDay[of]), until(largest.value, largest.perDay[of]));
    return days > life ? Infinity : days;
  };
  const told = before?.told.find((one) => one.path === path && one.limit === limit);
  const steady = (days: number | undefined, now: number) =>
    days === undefined
      ? now
      : Math.min(first('low'), Math.max(first('high'), Math.min(days, Math.max(now, days - (before?.daysAgo ?? 0)))));
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
