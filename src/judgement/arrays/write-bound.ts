import type { OplogGrowth } from '../../growth/growth.js';
import type { ArrayProfile } from '../../profile/document-profile.js';
import { queryPath } from '../../profile/path-steps.js';
import type { CollectionReads } from '../../workload/reads/collection-reads.js';
import type { ArrayElements } from './array-elements.js';

/**
 * What writes say of the end of an array:
 * - `capped`: each recorded write that adds elements cuts the array, or runs only while it is short.
 * - `text`: strings of many lengths that writes set as a whole: a document's own content, kept as lines.
 * - `open`: the oplog shows how the arrays became as long as they are, and no write that shortened one.
 */
export type WriteBound =
  | { readonly kind: 'capped'; /** In elements; null if unknown. */ readonly at: number | null }
  | { readonly kind: 'text' | 'open' };

/** Writes in the oplog from which the absence of one that shortens says something: judgement. */
const FEWEST_APPENDS = 30;

/** Null if writes say nothing of it. */
export function writeBound(
  path: string,
  { lengths }: ArrayProfile,
  { lines }: ArrayElements,
  reads: CollectionReads | undefined,
  oplog: OplogGrowth | null,
): WriteBound | null {
  const all = reads?.arrayWrites ?? [];
  const own = all.find((one) => one.path === queryPath(path));
  const whole = (own?.whole ?? 0) + (all.find((one) => one.path === '')?.whole ?? 0);
  const { added, capped, cappedAt } = own ?? { added: 0, capped: 0, cappedAt: null };
  if (capped > 0 && capped >= added) return { kind: 'capped', at: cappedAt };
  if (lines && whole > 0 && added + capped === 0) return { kind: 'text' };
  if (oplog?.rewrites !== 0 || whole > 0) return null;
  const showsTheLongest = oplog.longest >= lengths.max && oplog.documents >= lengths.countAtMax;
  return oplog.writes >= FEWEST_APPENDS && showsTheLongest ? { kind: 'open' } : null;
}
