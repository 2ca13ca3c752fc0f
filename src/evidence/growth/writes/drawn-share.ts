import { SECOND_LOOK } from '../rates/estimate.js';
import type { DrawnWindow } from '../oplog/drawn-writes.js';
import type { DrawnArray } from './drawn-arrays.js';

/** Elements that were drawn again, from which the share is known to a fifth. */
const FEWEST_AGAIN = 30;

export interface DrawnShare {
  /** At most that of all entries. */
  readonly share: number;
  /** Elements that drawn writes set for each that was gained; null if too few show it. */
  readonly setPerGained: number | null;
}

/**
 * The random cursor enters pages, not entries: beside a bulk load of large documents, small updates are drawn at a tenth of
 * their share (measured on 6.0.5), and no size of an entry tells it. What arrays gained since their first drawn write does.
 */
export function drawnShare(arrays: readonly DrawnArray[], { share, byChance }: DrawnWindow): DrawnShare {
  if (byChance === undefined) return { share, setPerGained: share };
  let [again, gained] = [0, 0];
  for (const array of arrays) {
    const first = array.times.indexOf(array.days);
    again += array.set.reduce((sum, set, index) => (index === first ? sum : sum + set), 0);
    gained += array.gained;
  }
  const expected = share * gained;
  const isBelow = again < expected - SECOND_LOOK * Math.sqrt(expected);
  return {
    share: isBelow ? Math.max(1, again) / gained : share,
    setPerGained: again < FEWEST_AGAIN || gained === 0 ? null : again / gained,
  };
}
