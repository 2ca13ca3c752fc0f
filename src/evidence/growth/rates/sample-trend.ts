import { probit } from 'simple-statistics';

export interface SampleGain {
  readonly days: number;
  readonly gain: number;
  readonly standardError: number;
}

export interface SampleTrend {
  readonly perDay: number;
  readonly standardError: number;
  readonly degreesOfFreedom: number;
}

// The variance of samples over that of documents drawn one by one, before it is seen, and as many runs as that counts for.
// The random cursor of WiredTiger has 0.7 to 1.2 (measured on 6.0.5).
const SUPPOSED_EXCESS = 2;
const SUPPOSED_BY = 8;

/**
 * The line through samples of different documents, the present one's error last. Its own error allows for the scatter that they
 * show (A. Gelman et al., "Bayesian Data Analysis", section 2.6: a scaled inverse chi-squared prior).
 */
export function sampleTrend(earlier: readonly SampleGain[], standardError: number): SampleTrend {
  const points = [...earlier, { days: 0, gain: 0, standardError }].map((point) =>
    Object.assign({ weight: 1 / point.standardError ** 2 }, point),
  );
  const sum = (of: (point: (typeof points)[number]) => number) => points.reduce((total, one) => total + of(one), 0);
  const total = sum(({ weight }) => weight);
  const days = sum((one) => one.weight * one.days) / total;
  const gain = sum((one) => one.weight * one.gain) / total;
  const spread = sum((one) => one.weight * (one.days - days) ** 2);
  const perDay = sum((one) => one.weight * (one.days - days) * (one.gain - gain)) / spread;
  const scatter = sum((one) => one.weight * (one.gain - gain - perDay * (one.days - days)) ** 2);
  const degreesOfFreedom = SUPPOSED_BY + points.length - 2;
  const excess = (SUPPOSED_BY * SUPPOSED_EXCESS + scatter) / degreesOfFreedom;
  return { perDay, standardError: Math.sqrt(Math.max(1, excess) / spread), degreesOfFreedom };
}

/** Student's t that is exceeded so rarely (D. Gaver and K. Kafadar, "A Retrievable Recipe for Inverse t", 1984). */
export function studentT(probability: number, degreesOfFreedom: number): number {
  const z = probit(1 - probability);
  const bend = (degreesOfFreedom - 1.5) / (degreesOfFreedom - 1) ** 2;
  return Math.sqrt(degreesOfFreedom * (Math.exp(z * z * bend) - 1));
}
