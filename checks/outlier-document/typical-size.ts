import type { DocumentSample } from '../../src/check.js';

/** The quantile of "nearly all documents", and its standard deviations above the mean in a normal distribution. */
interface Rest {
  readonly quantile: 'p90' | 'p95';
  readonly deviations: number;
}

/** Few are at most one in twenty. */
const UNIFORM_REST: Rest = { quantile: 'p95', deviations: 1.645 };

/**
 * The random cursor returns large documents too often: the mean of its samples was up to nine times that of the collection
 * (measured on 6.0.5). So "few" may be one in ten of the sample.
 */
const RANDOM_CURSOR_REST: Rest = { quantile: 'p90', deviations: 1.282 };

/** Sizes vary by some per cent even if their spread is narrow. In logarithms. */
const LEAST_DEVIATION = 0.05;

export function isOutlier(
  bytes: number,
  nearlyAll: number,
  median: number,
  rest: Rest,
  limits: { readonly timesTheRest: number; readonly deviations: number },
): boolean {
  const deviation = Math.max(LEAST_DEVIATION, Math.log(nearlyAll / median) / rest.deviations);
  return bytes >= limits.timesTheRest * nearlyAll && Math.log(bytes / median) / deviation >= limits.deviations;
}

export function restOf({ method }: DocumentSample): Rest {
  return method === 'random-cursor' ? RANDOM_CURSOR_REST : UNIFORM_REST;
}
