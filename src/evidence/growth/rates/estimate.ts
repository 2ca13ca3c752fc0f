import { probit } from 'simple-statistics';

export interface Estimate {
  readonly low: number;
  readonly estimate: number;
  readonly high: number;
}

/** Of intervals that hold in 90 of 100 cases, as every one does that is printed. */
export const STANDARD_ERRORS = probit(0.95);

/** Standard errors that a second look at the same figures must reach: a chance of 5 %. */
export const SECOND_LOOK = probit(0.95);

// Its interval comes from order alone (W. J. Conover, "Practical Nonparametric Statistics", section 3.2).
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

/** Of intervals of which only one side can fail. */
const ONE_SIDED = probit(0.9);

/** Holds whichever of two is true, if they differ by more than chance: then it lies at one end, and the other is far. */
export function eitherOf(one: Estimate, other: Estimate): Estimate {
  const side = ONE_SIDED / STANDARD_ERRORS;
  const low = ({ low: lowest, estimate }: Estimate) => estimate - side * (estimate - lowest);
  const high = ({ estimate, high: highest }: Estimate) => estimate + side * (highest - estimate);
  return { low: Math.min(low(one), low(other)), estimate: one.estimate, high: Math.max(high(one), high(other)) };
}

/** Correlation of the errors of two sources, whose documents are partly the same: 0.18 in 827 of `bench:growth`. */
const COMMON_ERROR = 0.2;

const LEAST_ERROR = 0.001;

/** Two estimates of one rate, as sure as can be (J. Bates and C. Granger, 1969); the first one if the rate may be 0. */
export function pooled(one: Estimate, other: Estimate): Estimate {
  if (one.low <= 0 || other.low <= 0) return one;
  const [error, otherError] = [errorOfLog(one), errorOfLog(other)];
  const common = COMMON_ERROR * error * otherError;
  const weight = (otherError ** 2 - common) / (error ** 2 + otherError ** 2 - 2 * common);
  if (weight <= 0) return other;
  if (weight >= 1) return one;
  const estimate = one.estimate ** weight * other.estimate ** (1 - weight);
  const [share, otherShare] = [weight * error, (1 - weight) * otherError];
  const width = STANDARD_ERRORS * Math.sqrt(share ** 2 + otherShare ** 2 + 2 * COMMON_ERROR * share * otherShare);
  return { low: estimate * Math.exp(-width), estimate, high: estimate * Math.exp(width) };
}

function errorOfLog({ low, high }: Estimate): number {
  return Math.max(LEAST_ERROR, Math.log(high / low) / 2 / STANDARD_ERRORS);
}
