import type { ChildFamilies, FindingEvidence } from '../../src/check.js';
import { formatBytes, formatCount, formatShare, plural } from '../../src/format.js';
import type { ChildReads } from '../../src/judgement/joins/child-reads.js';
import { SOURCE_NAMES, windowText } from '../../src/workload/coverage/source-window.js';

/** Time span of the record in ms; 0 if unknown. */
export function spanOf({ coverage: { window } }: ChildReads): number {
  return window === null ? 0 : window.to - window.from;
}

export function unseen({ child, parent }: ChildFamilies): string {
  return (
    `${child} is joined to ${parent}, with few documents for each, and may be better embedded. Whether it is ever read alone is not known: ` +
    'no source recorded every operation. A profiler at level 2 on each member during normal work would show it. It costs some ' +
    'throughput, and system.profile holds only 1 MB unless it is made larger.'
  );
}

export function messageOf(
  { child, parent, children, complete, childrenSeen }: ChildFamilies,
  reads: ChildReads,
  embeddedBytes: number,
): string {
  const together = reads.joined + reads.byParent;
  const all = together + reads.alone;
  const seen = complete ? '' : ` (seen in the families of ${formatCount(childrenSeen)} picked at random)`;
  return (
    `${child} is ${reads.alone === 0 ? 'always' : 'nearly always'} read with its parents in ${parent}: ${formatCount(together)} of ${plural(all, 'read')}. ` +
    `A parent has at most ${plural(children.most, 'document')} of it${seen}: both fit into one document of at most ${formatBytes(embeddedBytes)}. ` +
    `Then ${formatShare(Math.min(1, together / reads.parentReads))} of the reads of ${parent} need no second look-up. ${writesText(reads, together)}`
  );
}

function writesText({ writes }: ChildReads, together: number): string {
  if (writes === 0) return 'No child was written in that time.';
  return `Children were written ${plural(writes, 'time')} in that time, once per ${formatCount(Math.floor(together / writes))} such reads.`;
}

export function evidenceOf(families: ChildFamilies, reads: ChildReads, embeddedBytes: number): FindingEvidence {
  const { joined, byParent, alone, writes, added, parentReads, parentsAdded, source, coverage } = reads;
  return {
    source: `${SOURCE_NAMES[source]} and aggregation`,
    window: `${windowText(joined + byParent + alone + writes, coverage)}; ${plural(families.families, 'parent')} with children`,
    parent: families.parent,
    readsByJoin: joined,
    readsByParent: byParent,
    readsAlone: alone,
    writes,
    readsPerWrite: writes === 0 ? null : (joined + byParent) / writes,
    childrenAdded: added,
    parentsAdded,
    parentReads,
    families: families.families,
    allFamilies: families.complete,
    childrenMedian: families.children.median,
    childrenMost: families.children.most,
    orphans: families.orphans,
    embeddedBytes,
    growth: families.growth?.because ?? null,
  };
}
