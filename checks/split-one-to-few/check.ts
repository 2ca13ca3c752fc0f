import { type ChildFamilies, type ClusterVerdict, defineClusterCheck, type FindingEvidence } from '../../src/check.js';
import { formatBytes, formatCount, formatShare, plural } from '../../src/format.js';
import { childReads, type ChildReads } from '../../src/judgement/joins/child-reads.js';
import { documentsOf } from '../../src/judgement/joins/joined-cluster.js';
import { workloadGaps } from '../../src/judgement/joins/workload-gaps.js';
import { severityOf } from '../../src/judgement/severity-lines.js';
import { MS_PER_DAY, MS_PER_HOUR } from '../../src/time-units.js';
import { SOURCE_NAMES, windowText } from '../../src/workload/coverage/source-window.js';
import { embedRemedy } from './embed-remedy.js';
import {
  arePilingUp,
  FEWEST_EXECUTIONS,
  HARDLY_ALONE,
  isFoundOtherwise,
  isReferredToTwice,
  isSurelyFew,
  orphansAllowed,
} from './embeddable.js';

/** Parents with children below which a collection is not judged: the one that gets many may not be there yet. Judgement. */
const FEWEST_FAMILIES = 20;
/** Bytes of the largest parent and the largest family together up to which they are small, as for bloated-document. */
const SMALL_BYTES = 256 * 1024;
/** Reads of children with their parents per write to a child from which embedding pays off. Judgement. */
const READS_PER_WRITE = 10;

/**
 * A collection whose documents refer to parents, few to each, is a finding if it is read with them again and again, hardly ever
 * alone, and written far less: by the share of the parents' reads that need the children. Less than an hour is no record of that.
 */
export const splitOneToFew = defineClusterCheck({
  id: 'split-one-to-few',
  title: 'One-to-few relation in two collections',
  summary: 'a side collection with few documents per parent that is always read with the parent, never alone',
  needs: ['indexes', 'storage', 'fieldTypes', 'largestDocuments', 'indexUsage'],
  clusterNeeds: ['workload', 'server', 'children'],
  thresholds: {
    children: {
      default: 20,
      unit: 'documents',
      description: 'number of children of one parent up to which they are few',
      source:
        'judgement: an order of magnitude below "a couple of hundred" (MongoDB blog, "6 Rules of Thumb for MongoDB Schema Design", part 3)',
    },
    info: {
      default: 0.2,
      unit: 'share',
      description: 'share of the reads of parents that also read their children from which an info is given',
      source: 'judgement: one in five; below, most reads would carry data that they do not need',
    },
    warning: {
      default: 0.5,
      unit: 'share',
      description: 'share of the reads of parents that also read their children from which a warning is given',
      source:
        'judgement: data that is read together most of the time belongs together (MongoDB manual, "Model One-to-Many Relationships with Embedded Documents")',
    },
  },
  retiredThresholds: ['executions', 'families', 'embeddedBytes', 'alone', 'readsPerWrite', 'record'],
  judge(subject, limits) {
    const { children, collections, workload } = subject;
    const gaps = children.gaps.map(({ reason, detail }) => ({ notJudged: reason, detail }));
    const readsOf = childReads(subject);
    const verdicts = children.families.flatMap((families): ClusterVerdict[] => {
      const { parent, child: namespace, path } = families;
      const isCounted = families.countedTo === null || families.children.most < families.countedTo;
      const isBounded =
        isCounted && families.children.most <= limits.children && families.growth?.verdict !== 'growing';
      if (
        families.families < FEWEST_FAMILIES ||
        isReferredToTwice(families, children.families) ||
        !isBounded ||
        families.orphans > orphansAllowed(families) * families.childrenSeen
      )
        return [];
      const largest = collections.get(parent)?.largestDocuments;
      if (largest?.present !== true)
        return largest === undefined ? [] : [{ namespace, notJudged: largest.reason, detail: largest.detail }];
      const embeddedBytes = largest.value.maximumBytes + families.bytes.most;
      if (embeddedBytes > SMALL_BYTES || isFoundOtherwise(path, collections.get(namespace))) return [];
      const reads = readsOf(families);
      if (reads === null) return [{ namespace, notJudged: 'insufficient', detail: unseen(families) }];
      const together = reads.joined + reads.byParent;
      const isTogether =
        reads.joined > 0 && together >= FEWEST_EXECUTIONS && reads.alone <= HARDLY_ALONE * (together + reads.alone);
      if (!isTogether || together < READS_PER_WRITE * reads.writes || arePilingUp(reads, limits.children)) return [];
      const share = Math.min(1, together / reads.parentReads);
      const severity = severityOf(share, { ...limits, error: Infinity });
      if (severity === null) return [];
      const isBrief = spanOf(reads) < MS_PER_HOUR;
      const isLong = spanOf(reads) >= MS_PER_DAY;
      const isSure = isSurelyFew(families, documentsOf(subject, namespace), limits.children);
      return [
        {
          namespace,
          path,
          severity: isBrief || !isSure ? 'info' : severity,
          ...(!isBrief && !isSure && { severityIfSure: severity }),
          confidence: isBrief ? 'low' : isLong && families.complete && families.growth !== null ? 'high' : 'medium',
          message: messageOf(families, reads, embeddedBytes),
          restsOn: [SOURCE_NAMES[reads.source]],
          evidence: evidenceOf(families, reads, embeddedBytes),
          remedy: embedRemedy(families, reads.as, subject),
        },
      ];
    });
    return [...workloadGaps(workload), ...gaps, ...verdicts];
  },
});

/** Time span of the record in ms; 0 if unknown. */
function spanOf({ coverage: { window } }: ChildReads): number {
  return window === null ? 0 : window.to - window.from;
}

function unseen({ child, parent }: ChildFamilies): string {
  return (
    `${child} is joined to ${parent}, with few documents for each, and may be better embedded. Whether it is ever read alone is not known: ` +
    'no source recorded every operation. A profiler at level 2 on each member during normal work would show it.'
  );
}

function messageOf(families: ChildFamilies, reads: ChildReads, embeddedBytes: number): string {
  const { child, parent, children, complete, childrenSeen } = families;
  const { alone, writes, parentReads } = reads;
  const together = reads.joined + reads.byParent;
  const seen = complete ? '' : ` (seen in the families of ${formatCount(childrenSeen)} picked at random)`;
  const written =
    writes === 0
      ? 'No child was written in that time.'
      : `Children were written ${plural(writes, 'time')} in that time, once per ${formatCount(Math.floor(together / writes))} such reads.`;
  return (
    `${child} is ${alone === 0 ? 'always' : 'nearly always'} read with its parents in ${parent}: ${formatCount(together)} of ${plural(together + alone, 'read')}. ` +
    `A parent has at most ${plural(children.most, 'document')} of it${seen}: both fit into one document of at most ${formatBytes(embeddedBytes)}. ` +
    `Then ${formatShare(Math.min(1, together / parentReads))} of the reads of ${parent} need no second look-up. ${written}`
  );
}

function evidenceOf(families: ChildFamilies, reads: ChildReads, embeddedBytes: number): FindingEvidence {
  const { joined, byParent, alone, writes, source, coverage } = reads;
  return {
    source: `${SOURCE_NAMES[source]} and aggregation`,
    window: `${windowText(joined + byParent + alone + writes, coverage)}; ${plural(families.families, 'parent')} with children`,
    parent: families.parent,
    readsByJoin: joined,
    readsByParent: byParent,
    readsAlone: alone,
    writes,
    readsPerWrite: writes === 0 ? null : (joined + byParent) / writes,
    childrenAdded: reads.added,
    parentsAdded: reads.parentsAdded,
    parentReads: reads.parentReads,
    families: families.families,
    allFamilies: families.complete,
    childrenMedian: families.children.median,
    childrenMost: families.children.most,
    orphans: families.orphans,
    embeddedBytes,
    growth: families.growth?.because ?? null,
  };
}
