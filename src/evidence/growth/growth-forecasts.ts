import { DOCUMENT_LIMIT_BYTES } from '../../server-limits.js';
import type { DocumentProfile, PathProfile } from '../documents/document-profile.js';
import { forecast } from './forecast.js';
import { FORECAST_ELEMENTS, type LimitForecast, type MeasuredGrowth } from './growth.js';

/** When the arrays at a path have so many elements, and when their documents have 16 MB. */
export function arrayForecasts(
  { array, documents }: PathProfile,
  growth: MeasuredGrowth,
  { sizes }: DocumentProfile,
): LimitForecast[] {
  if (array === undefined) return [];
  const perElement = array.bytesPerDocument.sum / Math.max(1, array.lengths.sum);
  const perDocument = array.lengths.count / Math.max(1, documents);
  const rest = Math.max(0, sizes.median - array.bytesPerDocument.median);
  const most = (DOCUMENT_LIMIT_BYTES - rest) / Math.max(1, perElement * perDocument);
  return [
    ...FORECAST_ELEMENTS.map((limit) => limitForecast(growth, 'elements', limit, limit)),
    limitForecast(growth, 'bytes', DOCUMENT_LIMIT_BYTES, most),
  ];
}

export function sizeForecast(growth: MeasuredGrowth): LimitForecast {
  return limitForecast(growth, 'bytes', DOCUMENT_LIMIT_BYTES, DOCUMENT_LIMIT_BYTES);
}

/** A change that doubles or halves a rate in 30 days is as good as unmeasured: so may any rate that nobody has seen change. */
const MOST_MEASURED_CHANGE = Math.LN2 / 30;

/** @param value the limit in the unit of the growth */
function limitForecast(
  growth: MeasuredGrowth,
  unit: LimitForecast['unit'],
  limit: number,
  value: number,
): LimitForecast {
  const { rates, windowDays, source, confidence, byChance } = growth;
  const isCarried = source !== 'history' || confidence !== 'low';
  const days = (now: number, perDay: number) => Math.max(0, value - now) / Math.max(0, perDay);
  const { typical, largest } = rates;
  return {
    unit,
    limit,
    expectedDays: Math.min(
      days(typical.value.estimate, typical.perDay.estimate),
      days(largest.value, largest.perDay.estimate),
    ),
    ...(byChance && {
      surelyDays: Math.min(days(typical.value.low, typical.perDay.low), days(largest.value, largest.perDay.low)),
    }),
    ...forecast(
      (rates.changePerDay ?? 0) > MOST_MEASURED_CHANGE ? { typical, largest } : rates,
      { typical: value, largest: value },
      isCarried ? windowDays : 0,
    ),
  };
}
