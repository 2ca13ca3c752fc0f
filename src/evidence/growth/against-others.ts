import type { TrackedValues } from './tracked/tracked-documents.js';
import { FEWEST_CHANGING, type Against, type TrackedGrowth } from './tracked/tracked-growth.js';
import { hasChanged } from './tracked/tracked-intervals.js';
import type { OplogGrowth } from './writes/oplog-growth.js';

/** What the same documents say of growth by other sources. @param arrays of the whole collection; the oplog shows some of them */
export function againstOthers(
  growth: TrackedGrowth | null,
  tracked: TrackedValues | null,
  oplog: OplogGrowth | null,
  arrays: number,
): Against {
  if (growth === null || tracked === null || growth.shape === 'growing') return 'none';
  const days = tracked.daysAgo[0] as number;
  if (!oplog?.rates || days < oplog.windowDays) return growth.against;
  // Half of those that are written to gain at the median rate or faster.
  const gaining =
    (Math.min(1, oplog.documents / arrays) / 2) * -Math.expm1(-oplog.rates.typical.perDay.estimate * days);
  return areUnchanged(tracked, gaining) ? 'any' : growth.against;
}

/** Of a share of all documents that are written to, whether hardly any changed among those that were recognised in every run. */
export function areUnchanged({ documents }: TrackedValues, share: number): boolean {
  const seen = documents.filter(({ values, isEven }) => isEven && !values.some(Number.isNaN));
  return share * seen.length >= FEWEST_CHANGING && seen.filter(hasChanged).length < (share * seen.length) / 2;
}
