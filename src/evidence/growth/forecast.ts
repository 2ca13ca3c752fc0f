import { STANDARD_ERRORS } from './rates/estimate.js';
import { arrivals, type GrowthRates } from './rates/growth-rates.js';
import { DOUBLED_BY_CHANCE_DAYS } from './rates/limits.js';

/** Days from now between which a limit is passed, in 90 of 100 cases or more. Both 0 if it is passed already. */
export interface DayRange {
  readonly earliest: number;
  readonly latest: number;
}

/** When a limit is passed; null if the data allows no forecast. */
export interface Forecast {
  /** When half of today's documents will have passed it. */
  readonly typical: DayRange | null;
  /** When the largest of today's will have passed it. */
  readonly largest: DayRange | null;
}

/** Nobody knows what an application does in three years. */
export const LONGEST_FORECAST_DAYS = 3 * 365;
/** Nor further than this many times the window in which growth was measured. */
const FORECAST_PER_WINDOW = 30;

const PASSED: DayRange = { earliest: 0, latest: 0 };

/** @param limits for the typical and for the largest one, in the values' unit */
export function forecast(
  rates: GrowthRates,
  limits: { readonly typical: number; readonly largest: number },
  windowDays: number,
): Forecast {
  const { typical, largest, changePerDay } = rates;
  const horizon = Math.min(LONGEST_FORECAST_DAYS, FORECAST_PER_WINDOW * windowDays);
  const missing = limits.largest - largest.value;
  return {
    typical:
      typical.value.estimate >= limits.typical
        ? PASSED
        : within(horizon, {
            earliest: daysAt(Math.max(0, limits.typical - typical.value.high) / typical.perDay.high, changePerDay, 1),
            latest: daysAt((limits.typical - typical.value.low) / typical.perDay.low, changePerDay, -1),
          }),
    largest:
      missing <= 0
        ? PASSED
        : within(horizon, {
            earliest: daysAt(arrivals(missing, -STANDARD_ERRORS) / largest.perDay.high, changePerDay, 1),
            latest: daysAt(arrivals(missing, STANDARD_ERRORS) / largest.perDay.low, changePerDay, -1),
          }),
  };
}

/** @param days at the present rate, which may change by this share of it each day, or if that is unknown, as rates do */
function daysAt(days: number, changePerDay: number | undefined, direction: 1 | -1): number {
  if (changePerDay === undefined) return daysOfWalk(days, direction);
  const change = direction * changePerDay;
  if (change === 0) return days;
  const grown = 1 + change * days;
  return grown <= 0 ? Infinity : Math.log(grown) / change;
}

// The logarithm of a rate goes up and down at random: of such a walk, the mean's variance is a third of the end's.
function daysOfWalk(days: number, direction: 1 | -1): number {
  const missing = (after: number) => days - after * 2 ** (direction * Math.sqrt(after / (3 * DOUBLED_BY_CHANCE_DAYS)));
  let [low, high] = [0, direction > 0 ? days : LONGEST_FORECAST_DAYS];
  if (!Number.isFinite(days) || missing(high) > 0) return Infinity;
  while (high - low > 1e-3 * high) {
    const middle = (low + high) / 2;
    if (missing(middle) > 0) low = middle;
    else high = middle;
  }
  return high;
}

function within(horizon: number, range: DayRange): DayRange | null {
  return range.latest >= range.earliest && range.latest <= horizon ? range : null;
}
