import { probit, quantile } from 'simple-statistics';
import { SECOND_LOOK } from './estimate.js';

export type EarlierVerdict = 'growing' | 'filling' | 'nothing';

/** Arrays, and the lengths of some of them that stand for all. */
export interface SomeArrays {
  readonly arrays: number;
  readonly lengths: readonly number[];
}

/** Of the growing arrays, the shortest, which others may be as long as without ever having grown. */
const SHORTEST_SHARE = 0.25;
/** Of the other arrays that are as long as the rest, the share below which the growing ones are the few that still fill. */
const LEAST_GROWING = 1 / 3;
/** How often another one is longer than a growing one, above a half. If arrays grow for good, it is at most as often as not. */
const LEAST_LONGER = 0.1;
/** The same of arrays that fill up to lengths which differ by a half. */
const LONGER_IF_FILLING = 1 / 4;
const FEWEST = 5;
/** Standard errors beyond which another verdict is told than before, in one of the runs of a month: a chance of 1 %. */
export const CHANGED_VERDICT = probit(0.99);

/**
 * Whether arrays grow for some time, and then no more: most that came as far as the growing ones are longer, and don't grow
 * any longer (H. Mann and D. Whitney, 1947).
 * @param all with the growing ones among them
 * @param seen growing arrays that the lengths come from
 * @param verdict of an earlier run: it takes evidence beyond chance to tell otherwise
 */
export function areBeingFilled(
  growing: SomeArrays,
  all: SomeArrays,
  seen: number,
  verdict: EarlierVerdict = 'growing',
): boolean {
  if (growing.lengths.length < FEWEST || all.lengths.length < FEWEST) return false;
  const line = quantile([...growing.lengths], SHORTEST_SHARE);
  const [some, any] = [growing, all].map(({ lengths }) => lengths.filter((length) => length > line)) as [
    number[],
    number[],
  ];
  if (some.length === 0 || any.length < FEWEST) return false;
  const arraysOf = ({ arrays, lengths }: SomeArrays, part: readonly number[]) =>
    (arrays * part.length) / lengths.length;
  const share = arraysOf(growing, some) / arraysOf(all, any);
  if (share >= LEAST_GROWING) return false;
  const error = 1 / Math.sqrt(12 * seen * (1 - SHORTEST_SHARE));
  // Among all, the growing ones are longer than each other as often as not.
  const longer = (longerOf(any, some) - share / 2) / (1 - share);
  const atFirst = Math.min(LEAST_LONGER, LONGER_IF_FILLING - SECOND_LOOK * error);
  const least = {
    growing: Math.max(LEAST_LONGER, SECOND_LOOK * error),
    nothing: atFirst,
    filling: Math.min(atFirst, LEAST_LONGER - CHANGED_VERDICT * error),
  };
  return longer - 0.5 > least[verdict];
}

/** How often the first one is longer, of all pairs; half as often if they are equal. */
function longerOf(one: readonly number[], other: readonly number[]): number {
  const pairs = one.reduce(
    (sum, length) => sum + other.reduce((count, than) => count + (Math.sign(length - than) + 1) / 2, 0),
    0,
  );
  return pairs / one.length / other.length;
}
