import { DOCUMENT_LIMIT_BYTES } from '../../server-limits.js';
import type { DocumentProfile, PathProfile } from '../../profile/document-profile.js';
import { forecast } from './forecast.js';
import { FORECAST_ELEMENTS, type LimitForecast, type MeasuredGrowth } from './growth.js';
import { steadyDays, type ToldBefore } from './history/steady-days.js';
import type { Estimate } from './rates/estimate.js';
import type { GrowthRates } from './rates/growth-rates.js';

/** When the arrays at a path have so many elements, and when their documents have 16 MB. @param told by the run before */
export function arrayForecasts(
  { array, documents }: PathProfile,
  growth: MeasuredGrowth,
  { sizes }: DocumentProfile,
  told: ToldBefore | null = null,
): LimitForecast[] {
  if (array === undefined) return [];
  const perElement = array.bytesPerDocument.sum / Math.max(1, array.lengths.sum);
  const perDocument = array.lengths.count / Math.max(1, documents);
  const rest = Math.max(0, sizes.median - array.bytesPerDocument.median);
  const most = (DOCUMENT_LIMIT_BYTES - rest) / Math.max(1, perElement * perDocument);
  return [
    ...FORECAST_ELEMENTS.map((limit) => limitForecast(growth, 'elements', limit, limit, told)),
    limitForecast(growth, 'bytes', DOCUMENT_LIMIT_BYTES, most, told),
  ];
}

/** When documents have 16 MB. @param told by the run before */
export function sizeForecast(growth: MeasuredGrowth, told: ToldBefore | null = null): LimitForecast {
  return limitForecast(growth, 'bytes', DOCUMENT_LIMIT_BYTES, DOCUMENT_LIMIT_BYTES, told);
}

/** A change that doubles or halves a rate in 30 days is as good as unmeasured: so may any rate that nobody has seen change. */
const MOST_MEASURED_CHANGE = Math.LN2 / 30;

/** @param value the limit in the unit of the growth */
function limitForecast(
  growth: MeasuredGrowth,
  unit: LimitForecast['unit'],
  limit: number,
  value: number,
  told: ToldBefore | null,
): LimitForecast {
  const { rates, windowDays, source, confidence, byChance } = growth;
  const isCarried = source !== 'history' || confidence !== 'low';
  const { typical, largest } = rates;
  const before = told?.forecasts.find((one) => one.unit === unit && one.limit === limit);
  const daysAgo = told?.daysAgo ?? 0;
  const expectedDays = steadyDays(before?.days, daysAgo, daysTo(value, rates, 'estimate'));
  return {
    unit,
    limit,
    expectedDays,
    ...(byChance && {
      surelyDays: Math.max(expectedDays, steadyDays(before?.surelyDays, daysAgo, daysTo(value, rates, 'low'))),
    }),
    ...forecast(
      (rates.changePerDay ?? 0) > MOST_MEASURED_CHANGE ? { typical, largest } : rates,
      { typical: value, largest: value },
      isCarried ? windowDays : 0,
    ),
  };
}

/** Days until the typical or the largest one has passed it, by so many halves of the intervals sooner. */
function daysTo(limit: number, { typical, largest }: GrowthRates, at: 'low' | 'estimate'): (halves: number) => number {
  const days = (missing: number, perDay: Estimate, halves: number) => {
    const factor = widthOf(perDay) ** halves;
    return missing <= 0 ? 0 : missing / (factor === Infinity ? factor : Math.max(0, perDay[at]) * factor);
  };
  const { low, estimate, high } = typical.value;
  const half = Math.max(high - estimate, estimate - low);
  return (halves) =>
    Math.min(
      days(limit - typical.value[at] - half * halves, typical.perDay, halves),
      days(limit - largest.value, largest.perDay, halves),
    );
}

/** Of its wider half, as a factor: an interval of a rate may begin or end at its estimate. */
function widthOf({ low, estimate, high }: Estimate): number {
  return low > 0 && estimate > 0 ? Math.max(high / estimate, estimate / low, 1) : Infinity;
}
