import { errorFunction, probit } from 'simple-statistics';
import { STANDARD_ERRORS, type Estimate } from './estimate.js';

export interface PossibleRate {
  readonly weight: number;
  /** Of the rate, and its standard error. */
  readonly log: number;
  readonly error: number;
}

/** Of all weights, below which a rate does not count. */
const LEAST_WEIGHT = 1e-4;
const ROUNDS = 30;

/** Holds nine tenths of what is likely, if the rate is as estimated or one of the others: half of the rest lies on each side. */
export function weighed(one: Estimate, weight: number, others: readonly PossibleRate[]): Estimate {
  const all = weight + weightOf(others);
  const possible = others.filter((other) => other.weight > LEAST_WEIGHT * all);
  const below = (rate: number) => {
    const side = rate < one.estimate ? one.estimate - one.low : one.high - one.estimate;
    const log = Math.log(rate);
    return possible.reduce(
      (sum, other) => sum + other.weight * normal((log - other.log) / other.error),
      weight * normal((STANDARD_ERRORS * (rate - one.estimate)) / Math.max(side, Number.MIN_VALUE)),
    );
  };
  const counted = weight + weightOf(possible);
  const highest = Math.max(one.high, ...possible.map(({ log, error }) => Math.exp(log + FURTHEST * error)));
  const at = (share: number) => {
    let [low, high] = [0, highest];
    for (let round = 0; round < ROUNDS; round += 1) {
      const middle = (low + high) / 2;
      if (below(middle) < share * counted) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  };
  const { estimate } = one;
  return { low: Math.min(estimate, at(0.05)), estimate, high: Math.max(estimate, at(0.95)) };
}

export function weightOf(all: readonly Pick<PossibleRate, 'weight'>[]): number {
  return all.reduce((sum, { weight }) => sum + weight, 0);
}

const FURTHEST = probit(0.999);

function normal(deviations: number): number {
  return (1 + errorFunction(deviations / Math.SQRT2)) / 2;
}
