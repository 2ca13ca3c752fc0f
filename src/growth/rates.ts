import { sum } from 'simple-statistics';
import { RATES } from './limits.js';
import type { Interval } from './growth.js';

/** What one array gained in a time, in elements (or bytes) and days. */
export interface Gain {
  readonly gained: number;
  readonly days: number;
}

export interface FittedRates {
  /** Of the arrays that grow, per day. */
  readonly median: Interval;
  /** Of each that was seen, drawn towards the others' the less it has gained. */
  readonly each: readonly number[];
  /** How many arrays grow for each that was seen. */
  readonly arraysPerSeen: number;
}

/**
 * How rates differ between arrays, by what each gained: the mixture of Poisson distributions on a grid of rates that makes
 * these gains likely (N. Laird, "Nonparametric maximum likelihood estimation of a mixing distribution", 1978), by a few rounds
 * of EM, so that it stays smooth. Fast arrays are seen more often than slow ones; the median counts each array once.
 *
 * @param together elements that come at once
 * @param chanceSeen that an array of such a rate is among those seen
 * @param leastError of the logarithm of the median
 */
export function fitRates(
  gains: readonly Gain[],
  together: number,
  chanceSeen: (perDay: number) => number,
  leastError: number,
): FittedRates {
  const own = gains.map(({ gained, days }) => (Math.max(0, gained) + together / 2) / days);
  const [lowest, highest] = [Math.min(...own) / 2, Math.max(...own) * 2];
  const steps = Math.max(1, Math.ceil(Math.log(highest / lowest) / Math.log(RATES.step)));
  const grid = Array.from({ length: steps + 1 }, (_, step) => lowest * RATES.step ** step);
  const likelihoods = gains.map((gain) => grid.map((rate) => likelihood(gain, rate, together)));
  let weights = grid.map(() => 1 / grid.length);
  for (let round = 0; round < RATES.rounds; round += 1) {
    const next = grid.map(() => 0);
    for (const ofArray of likelihoods) {
      const total = ofArray.reduce((all, one, step) => all + one * (weights[step] as number), 0) || 1;
      for (const [step, one] of ofArray.entries())
        next[step] = (next[step] as number) + (one * (weights[step] as number)) / total;
    }
    weights = next.map((one) => one / gains.length);
  }
  const ofAll = weights.map((weight, step) => weight / Math.max(1e-6, chanceSeen(grid[step] as number)));
  const [low, estimate, high] = [0.159, 0.5, 0.841].map((share) => quantileOf(grid, ofAll, share)) as [
    number,
    number,
    number,
  ];
  const spread = Math.log(high / low) / 2;
  const byChance = Math.sqrt(together / Math.max(together, sum(gains.map(({ gained }) => Math.max(0, gained)))));
  // A median is known less well than a mean by a quarter (of normal samples).
  const error = Math.hypot(leastError, byChance, (1.25 * spread) / Math.sqrt(gains.length));
  return {
    median: around(estimate, error),
    each: likelihoods.map((ofArray) => {
      const total = ofArray.reduce((all, one, step) => all + one * (weights[step] as number), 0) || 1;
      return ofArray.reduce(
        (mean, one, step) => mean + (one * (weights[step] as number) * (grid[step] as number)) / total,
        0,
      );
    }),
    arraysPerSeen: sum(ofAll),
  };
}

/** An interval that holds in 90 of 100 cases. @param error standard error of the logarithm */
export function around(estimate: number, error: number): Interval {
  const factor = Math.exp(RATES.standardErrors * error);
  return { low: estimate / factor, estimate, high: estimate * factor };
}

/** By Poisson, up to a constant: as large as it can be, it is 1. */
function likelihood({ gained, days }: Gain, rate: number, together: number): number {
  const events = Math.max(0, gained) / together;
  const expected = (rate * days) / together;
  return Math.exp(events - expected + (events === 0 ? 0 : events * Math.log(expected / events)));
}

/** Between two steps of the grid by the logarithm. */
function quantileOf(grid: readonly number[], weights: readonly number[], share: number): number {
  let left = share * sum([...weights]);
  for (const [step, weight] of weights.entries()) {
    if (left <= weight) return (grid[step] as number) * RATES.step ** (left / weight - 0.5);
    left -= weight;
  }
  return grid.at(-1) as number;
}
