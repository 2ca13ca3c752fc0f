import { LINE_DEVIATIONS } from '../../../profile/sampling/confidence.js';
import type { LimitForecast } from '../growth.js';
import { STANDARD_ERRORS } from '../rates/estimate.js';

/** Days until a limit is passed, as a run told them. */
export interface ToldForecast {
  readonly unit: LimitForecast['unit'];
  readonly limit: number;
  readonly days: number;
  readonly surelyDays?: number | undefined;
}

export interface ToldBefore {
  readonly daysAgo: number;
  readonly forecasts: readonly ToldForecast[];
}

/** In halves of an interval. */
const BEYOND_CHANCE = LINE_DEVIATIONS / STANDARD_ERRORS;

/** What a later run holds its forecasts against. */
export function toldForecasts(forecasts: readonly LimitForecast[]): ToldForecast[] {
  return forecasts.flatMap(({ unit, limit, expectedDays: days, surelyDays = Infinity }) =>
    Number.isFinite(days) ? [{ unit, limit, days, ...(Number.isFinite(surelyDays) && { surelyDays }) }] : [],
  );
}

/** Those told stay as far as chance explains how today's differ, and time brings them as near. @param daysAt today's, by halves of intervals sooner */
export function steadyDays(told: number | undefined, daysAgo: number, daysAt: (halves: number) => number): number {
  const now = daysAt(0);
  if (told === undefined) return now;
  const left = Math.min(told, Math.max(now, told - daysAgo));
  return Math.min(daysAt(-BEYOND_CHANCE), Math.max(daysAt(BEYOND_CHANCE), left));
}
