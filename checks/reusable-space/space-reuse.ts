import type { CollectionReads, IndexDescription } from '../../src/check.js';
import type { EarlierCount } from '../../src/growth/growth.js';

/** Whether new documents take what is free: at the net growth since an earlier run, or not for long; if documents come and go, their number at other times is unknown. */
export type SpaceReuse =
  | (Counts & { readonly kind: 'soon'; readonly days: number })
  | (Counts & { readonly kind: 'unneeded' })
  | { readonly kind: 'replaced'; readonly by: string }
  | { readonly kind: 'unknown' };

interface Counts {
  readonly documents: number;
  readonly earlier: number;
  readonly daysAgo: number;
}

export interface SpaceSeen {
  readonly documents: number | null;
  readonly reusableBytes: number;
  readonly fileBytes: number;
  readonly indexes: readonly IndexDescription[];
  readonly reads: CollectionReads | undefined;
  readonly earlier: EarlierCount | undefined;
}

/** Days since an earlier run from which the number of documents shows whether the space is used again. Judgement: a week. */
const WATCHED = 7;

/** Days within which new documents take the space, so that it is left to them. Judgement: a quarter. */
const REUSED_WITHIN = 90;

/** Documents of the present mean size on disk are assumed to come. In days. */
export function spaceReuse({ documents, reusableBytes, fileBytes, indexes, reads, earlier }: SpaceSeen): SpaceReuse {
  const ttl = indexes.find(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
  if (ttl !== undefined) return { kind: 'replaced', by: `TTL index ${ttl.name}` };
  if ((reads?.inserts ?? 0) > 0 && (reads?.deletes ?? 0) > 0)
    return { kind: 'replaced', by: 'inserts and deletes were recorded' };
  if (earlier === undefined || earlier.daysAgo < WATCHED || documents === null) return { kind: 'unknown' };
  const counts = { documents, earlier: earlier.documents, daysAgo: earlier.daysAgo };
  const perDay = (documents - earlier.documents) / earlier.daysAgo;
  const days = (documents * reusableBytes) / Math.max(1, fileBytes - reusableBytes) / perDay;
  return perDay > 0 && days <= REUSED_WITHIN ? { kind: 'soon', ...counts, days } : { kind: 'unneeded', ...counts };
}
