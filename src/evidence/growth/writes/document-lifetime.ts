import { MS_PER_DAY } from '../../../time-units.js';
import type { DrawnWindow, DrawnWrite } from '../oplog/drawn-writes.js';

/** Written documents that are gone, by which a lifetime shows. */
const FEWEST_GONE = 8;
/** Share of those beyond the lifetime that are gone, and of those below it that are there. */
const CLEAR_SHARE = 0.9;

/**
 * Days after which documents are deleted, if those that were written to show it; null if not. By their age if that is
 * known; else by the time since the write, which a lifetime exceeds by little.
 */
export function documentLifetime(writes: readonly DrawnWrite[], { measuredAt }: DrawnWindow): number | null {
  const aged = writes.map(({ createdAt, at, now }) => ({
    days: (measuredAt - (createdAt ?? at)) / MS_PER_DAY,
    isGone: now === null,
  }));
  const gone = aged.filter(({ isGone }) => isGone).length;
  if (gone < FEWEST_GONE) return null;
  const sorted = aged.toSorted((a, b) => b.days - a.days);
  let [goneOlder, best, days] = [0, 0, 0];
  for (const [index, one] of sorted.entries()) {
    if (one.isGone) goneOlder += 1;
    if (goneOlder >= CLEAR_SHARE * (index + 1) && goneOlder > best) [best, days] = [goneOlder, one.days];
  }
  return best >= FEWEST_GONE && best >= gone / 2 ? days : null;
}
