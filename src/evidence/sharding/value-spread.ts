import { z } from 'zod';
import type { Plain } from '../../plain.js';
/** How many values there are, and how evenly documents are spread over them. */
export const valueSpreadSchema = z.strictObject({
  sample: z.number(),
  /** Different values in the sample. */
  distinct: z.number(),
  /** Values of which the sample has one document: so many come and go from sample to sample. */
  seenOnce: z.number(),
  /** In the whole collection, at least: Chao's estimate, or the exact number of a complete sample. */
  estimatedDistinct: z.number(),
  /** The share of the most frequent value, 0 to 1. */
  mostCommonShare: z.number(),
  /** The shares of the most frequent values, 100 at most, 0 to 1 each, the most frequent first. */
  shares: z.array(z.number()),
  /** Equally frequent values that would be as likely to meet: the reciprocal of Simpson's index. */
  effectiveValues: z.number(),
});

export type ValueSpread = Plain<typeof valueSpreadSchema>;

// Simpson's index is estimated without bias, so that 1,000 values can tell 100 from 10,000. If no two are equal there
// are at least as many as pairs. Sources: E. H. Simpson, "Measurement of Diversity" (Nature, 1949); A. Chao,
// "Nonparametric Estimation of the Number of Classes in a Population" (Scandinavian Journal of Statistics, 1984).
const MOST_SHARES = 100;

export function valueSpread(identities: readonly string[], complete: boolean): ValueSpread {
  const counts = new Map<string, number>();
  for (const identity of identities) counts.set(identity, (counts.get(identity) ?? 0) + 1);
  const frequencies = [...counts.values()];
  const sample = identities.length;
  const pairs = (sample * (sample - 1)) / 2;
  const equalPairs = frequencies.reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
  return {
    sample,
    distinct: counts.size,
    seenOnce: frequencies.filter((count) => count === 1).length,
    estimatedDistinct: complete ? counts.size : chaoEstimate(frequencies),
    mostCommonShare: sample === 0 ? 0 : Math.max(...frequencies) / sample,
    shares: frequencies
      .toSorted((one, other) => other - one)
      .slice(0, MOST_SHARES)
      .map((count) => count / sample),
    effectiveValues: complete ? completeEffectiveValues(frequencies, sample) : pairs / Math.max(1, equalPairs),
  };
}

function chaoEstimate(frequencies: readonly number[]): number {
  const once = frequencies.filter((count) => count === 1).length;
  const twice = frequencies.filter((count) => count === 2).length;
  return Math.round(frequencies.length + (once * (once - 1)) / (2 * (twice + 1)));
}

function completeEffectiveValues(frequencies: readonly number[], sample: number): number {
  return sample === 0 ? 0 : 1 / frequencies.reduce((sum, count) => sum + (count / sample) ** 2, 0);
}
