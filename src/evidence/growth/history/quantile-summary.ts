import { mean, quantileSorted, standardDeviation } from 'simple-statistics';

export const QUANTILE_SHARES: readonly number[] = [...Array.from({ length: 20 }, (_, index) => index / 20), 0.99, 1];

const MIDDLE = 0.9;

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

/** Standard error of the mean of the middle; values left out count as the nearest (J. Tukey and D. McLaughlin, 1963). */
export function middleError(summary: QuantileSummary): number {
  const middle = middleShares().map((share) => quantileAt(summary, share));
  const winsorized = [middle[0] as number, ...middle, middle.at(-1) as number];
  return standardDeviation(winsorized) / MIDDLE / Math.sqrt(summary.count);
}

export function middleShares(): readonly number[] {
  return QUANTILE_SHARES.slice(1, 20);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
