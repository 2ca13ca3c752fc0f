import { quantileWithInterval, type Estimate } from './estimate.js';

/** With fewer pairs the interval of a median would be its extremes. */
const FEWEST_PAIRS = 8;

// The median of slopes between points half of the points apart: Theil's abbreviated method (H. Theil, "A rank-invariant
// method of linear and polynomial regression analysis", 1950). No point is in two pairs, so that the slopes are
// independent.
export function robustSlope(xs: readonly number[], ys: readonly number[]): Estimate | null {
  const half = Math.floor(xs.length / 2);
  const slopes: number[] = [];
  for (let index = 0; index < half; index += 1) {
    const other = xs.length - half + index;
    const run = (xs[other] as number) - (xs[index] as number);
    if (run > 0) slopes.push(((ys[other] as number) - (ys[index] as number)) / run);
  }
  return slopes.length < FEWEST_PAIRS ? null : quantileWithInterval(slopes, 0.5);
}
