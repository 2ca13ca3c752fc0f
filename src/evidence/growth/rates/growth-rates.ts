import { sum } from 'simple-statistics';
import { quantileWithInterval, STANDARD_ERRORS, union, type Estimate } from './estimate.js';

export interface Gain {
  readonly value: number;
  readonly gained: number;
  readonly days: number;
}

/** How fast the typical and the largest ones grow. */
export interface GrowthRates {
  readonly typical: {
    readonly value: Estimate;
    readonly perDay: Estimate;
  };
  readonly largest: {
    readonly value: number;
    readonly perDay: Estimate;
  };
  /** By what share of it a rate may rise or fall in a day; absent if nothing shows it. */
  readonly changePerDay?: number;
}

// The largest is so partly by luck, so its rate is drawn towards the others', the more the less they differ beyond
// chance: gamma prior by moments that weigh the days, Poisson gains (R. Marshall, "Mapping disease and mortality rates using
// empirical Bayes estimators", 1991).
export function rateOfLargest(largest: Gain, others: readonly Gain[], common: Estimate): Estimate {
  const allDays = sum(others.map(({ days }) => days));
  const average = sum(others.map(({ gained }) => gained)) / allDays;
  const squares = sum(others.map(({ gained, days }) => days * (gained / days - average) ** 2));
  const spread = (squares - average * others.length) / allDays;
  const variance = Math.max(spread, average * average * LEAST_RELATIVE_VARIANCE);
  const events = (average * average) / variance + largest.gained;
  const days = average / variance + largest.days;
  const uncertainty = Math.sqrt(common.high / common.low);
  return {
    low: arrivals(events, -STANDARD_ERRORS) / days / uncertainty,
    estimate: events / days,
    high: (arrivals(events, STANDARD_ERRORS) / days) * uncertainty,
  };
}

/** Rates never differ by less than 1 in 1,000, so that nothing is divided by 0. */
const LEAST_RELATIVE_VARIANCE = 1e-6;

// Of the gamma distribution with scale 1. Source: the approximation by E. B. Wilson and M. M. Hilferty, 1931.
export function arrivals(shape: number, standardErrors: number): number {
  return shape * Math.max(0, 1 - 1 / (9 * shape) + standardErrors / (3 * Math.sqrt(shape))) ** 3;
}

export function typicalRates(
  values: readonly number[],
  rates: readonly [Estimate, ...Estimate[]],
): GrowthRates['typical'] {
  return { value: quantileWithInterval(values, 0.5), perDay: union(rates) };
}
