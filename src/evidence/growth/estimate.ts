import { probit } from 'simple-statistics';

/** A figure with an interval around it. */
export interface Estimate {
  readonly low: number;
  readonly estimate: number;
  readonly high: number;
}

/**
 * Standard errors on either side of an estimate for an interval that holds the truth in 95 of 100 cases. A forecast rests
 * on two such figures, a value and a rate; both hold in at least 90 of 100 cases, and that is what a forecast promises.
 */
export const STANDARD_ERRORS = probit(0.975);

/**
 * A quantile of values, with the interval that their order alone gives: the ranks between which the quantile of what they
 * were drawn from lies in 95 of 100 samples (W. J. Conover, "Practical Nonparametric Statistics", section 3.2).
 *
 * @param values in any order, at least one
 * @param share from 0 to 1
 */
export function quantileWithInterval(values: readonly number[], share: number): Estimate {
  const sorted = [...values].sort((a, b) => a - b);
  const last = sorted.length - 1;
  const spread = STANDARD_ERRORS * Math.sqrt(sorted.length * share * (1 - share));
  const at = (rank: number) => sorted[Math.min(last, Math.max(0, rank))] as number;
  const rank = share * last;
  return {
    low: at(Math.floor(rank - spread)),
    estimate: (at(Math.floor(rank)) + at(Math.ceil(rank))) / 2,
    high: at(Math.ceil(rank + spread)),
  };
}

/** The narrowest interval that holds all intervals; its estimate is the median of theirs. */
export function union(estimates: readonly [Estimate, ...Estimate[]]): Estimate {
  const middle = estimates.map(({ estimate }) => estimate).sort((a, b) => a - b);
  return {
    low: Math.min(...estimates.map(({ low }) => low)),
    estimate: middle[Math.floor((middle.length - 1) / 2)] as number,
    high: Math.max(...estimates.map(({ high }) => high)),
  };
}
