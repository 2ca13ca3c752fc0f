import { mean, quantileSorted } from 'simple-statistics';

export const QUANTILE_SHARES: readonly number[] = [...Array.from({ length: 20 }, (_, index) => index / 20), 0.99, 1];

/** Standard deviations of a normal distribution between its 10th and its 90th percentile. */
const DEVIATIONS_IN_MIDDLE = 2.563;

/** A distribution in 22 numbers. */
export interface QuantileSummary {
  readonly count: number;
  readonly quantiles: readonly number[];
}

export function summarize(values: readonly number[]): QuantileSummary {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    count: sorted.length,
    quantiles: QUANTILE_SHARES.map((share) =>
      round(share === 0 ? (sorted[0] as number) : quantileSorted(sorted, share)),
    ),
  };
}

export function quantileAt({ quantiles }: QuantileSummary, share: number): number {
  const after = QUANTILE_SHARES.findIndex((kept) => kept >= share);
  if (after <= 0) return quantiles[0] as number;
  const [left, right] = [QUANTILE_SHARES[after - 1] as number, QUANTILE_SHARES[after] as number];
  const [low, high] = [quantiles[after - 1] as number, quantiles[after] as number];
  return low + ((high - low) * (share - left)) / (right - left);
}

/** The mean of the middle nine tenths, which a few giants do not sway, of the values between two shares. */
export function middleMean(summary: QuantileSummary, from = 0, to = 1): number {
  return mean(middleShares().map((share) => quantileAt(summary, from + share * (to - from))));
}

export function middleDeviation(summary: QuantileSummary): number {
  return (quantileAt(summary, 0.9) - quantileAt(summary, 0.1)) / DEVIATIONS_IN_MIDDLE;
}

export function middleShares(): readonly number[] {
  return QUANTILE_SHARES.slice(1, 20);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
