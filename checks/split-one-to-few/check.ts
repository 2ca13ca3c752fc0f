import { type ChildFamilies, type ClusterVerdict, defineClusterCheck, type KnownCollection } from '../../src/check.js';
import { accessesOf } from '../../src/evidence/index-usage.js';
import { formatBytes, formatCount, formatShare, plural } from '../../src/format.js';
import { childReads, type ChildReads } from '../../src/judgement/joins/child-reads.js';
import { documentsOf } from '../../src/judgement/joins/joined-cluster.js';
import { workloadGaps } from '../../src/judgement/joins/workload-gaps.js';
import { bySample, type SeenPart, severityOf, shareWithin, WHOLE } from '../../src/judgement/margins.js';
import { MS_PER_DAY, MS_PER_HOUR } from '../../src/time-units.js';
import { SOURCE_NAMES, windowText } from '../../src/workload/coverage/recording.js';
import { embedRemedy } from './embed-remedy.js';

/** Parents with children below which a collection is not judged: the one that gets many may not be there yet. Judgement. */
const FEWEST_FAMILIES = 20;
/** Executions that read children with their parents below which a collection is not judged: fewer show no pattern. Judgement. */
const FEWEST_EXECUTIONS = 20;
/** Share of reads of children alone, and of children without a parent, up to which that is an exception: one in twenty. Judgement. */
const HARDLY_ANY = 0.05;
/** Bytes of the largest parent and the largest family together up to which they are small, as for bloated-document. */
const SMALL_BYTES = 256 * 1024;
/** Reads of children with their parents per write to a child from which embedding pays off. Judgement. */
const READS_PER_WRITE = 10;

/**
 * A collection whose documents belong to parents, few to each and small, is a finding if it is read with them again and again,
 * hardly ever alone, and written far less: by the share of the parents' reads that need the children. An info if less than an
 * hour was recorded, or if the picked families might not be the largest.
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
      description: 'children of one parent, at most',
      source:
        'judgement: an order of magnitude below "a couple of hundred" (MongoDB blog, "6 Rules of Thumb for MongoDB Schema Design", part 3)',
    },
    info: {
      default: 0.2,
      unit: 'share',
      description: 'share of the reads of parents that also read their children',
      source: 'judgement: one in five; below, most reads would carry data that they do not need',
    },
    warning: {
      default: 0.5,
      unit: 'share',
      description: 'share of the reads of parents that also read their children',
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
      const largest = collections.get(parent)?.largestDocuments;
      if (largest === undefined || !belongToParents(families, children.families, limits.children)) return [];
      if (!largest.present) return [{ namespace, notJudged: largest.reason, detail: largest.detail }];
      const embeddedBytes = largest.value.maximumBytes + families.bytes.most;
      if (embeddedBytes > SMALL_BYTES || areFoundOtherwise(path, collections.get(namespace))) return [];
      const reads = readsOf(families);
      if (reads === null) return [{ namespace, notJudged: 'insufficient', detail: UNSEEN }];
      const together = reads.joined + reads.byParent;
      const share = Math.min(1, together / reads.parentReads);
      const bySize = severityOf(share, { ...limits, error: Infinity });
      if (bySize === null || !areReadTogether(reads, limits.children)) return [];
      const picked = families.childrenSeen / (documentsOf(subject, namespace) ?? Infinity);
      const seen = families.isByChance === true ? { share: Math.min(1, picked), byChance: true } : WHOLE;
      const { window } = reads.coverage;
      const recorded = window === null ? 0 : window.to - window.from;
      const isBrief = recorded < MS_PER_HOUR;
      const isFull = recorded >= MS_PER_DAY && families.complete && families.growth !== null;
      return [
        {
          namespace,
          path,
          ...bySample(seen, (of) => ({
            severity: isBrief || !areSurelyFew(families, limits.children, of) ? 'info' : bySize,
          })),
          confidence: isBrief ? 'low' : isFull ? 'high' : 'medium',
          ...reported(families, reads, embeddedBytes),
          restsOn: [SOURCE_NAMES[reads.source]],
          remedy: embedRemedy(families, reads.as, subject),
        },
      ];
    });
    return [...workloadGaps(workload), ...gaps, ...verdicts];
  },
});

const UNSEEN =
  'whether its documents, few to each parent, are ever read without one: no source recorded every operation. A profiler at level 2 on each member during normal work would show it.';

/** Whether they are few to each of many parents, do not become more, and hardly any has no parent, or a second one. */
function belongToParents(families: ChildFamilies, all: readonly ChildFamilies[], few: number): boolean {
  const { parent, child, path, children, countedTo, growth, orphans, childrenSeen } = families;
  // A child of two parents in one collection, such as sender and receiver, can lie in neither.
  const isOfTwo = all.some((other) => other.parent === parent && other.child === child && other.path !== path);
  const areFew = children.most <= few && (countedTo === null || children.most < countedTo);
  const areSettled = growth?.verdict !== 'growing' && orphans <= HARDLY_ANY * childrenSeen;
  return families.families >= FEWEST_FAMILIES && areFew && areSettled && !isOfTwo;
}

/** What is picked by chance may leave out a rare large family, and a rare child without a parent. */
function areSurelyFew({ children, childrenSeen, orphans }: ChildFamilies, few: number, seen: SeenPart): boolean {
  if (seen.byChance && children.most > few / 2) return false;
  return shareWithin(orphans, childrenSeen, seen)[1] <= HARDLY_ANY;
}

/** In the long run a parent has as many children as are added for each parent that is added. */
function areReadTogether(reads: ChildReads, few: number): boolean {
  const { joined, byParent, alone, writes, added, parentsAdded } = reads;
  const together = joined + byParent;
  const isTogether = joined > 0 && together >= FEWEST_EXECUTIONS && isException(alone, together);
  const arePilingUp = added >= FEWEST_EXECUTIONS && added > few * Math.max(0, parentsAdded);
  return isTogether && together >= READS_PER_WRITE * writes && !arePilingUp;
}

/** Indexes have found since the servers started: a longer record than any of operations. Updates use the one on `_id`. */
function areFoundOtherwise(path: string, child: KnownCollection<'indexes' | 'indexUsage'> | undefined): boolean {
  if (child?.indexes.present !== true || !child.indexUsage.present) return false;
  const uses = { own: 0, others: 0 };
  for (const index of child.indexes.value) {
    const [first] = Object.keys(index.key);
    if (first !== '_id') uses[first === path ? 'own' : 'others'] += accessesOf(index, child.indexUsage.value);
  }
  return uses.others >= FEWEST_EXECUTIONS && !isException(uses.others, uses.own);
}

function isException(alone: number, together: number): boolean {
  return alone <= HARDLY_ANY * (alone + together);
}

function reported(families: ChildFamilies, reads: ChildReads, embeddedBytes: number) {
  const { child, parent, children, complete, childrenSeen, orphans, growth } = families;
  const { joined, byParent, alone, writes, added, parentsAdded, parentReads, source, coverage } = reads;
  const together = joined + byParent;
  const seen = complete ? '' : ` (seen in the families of ${formatCount(childrenSeen)} picked at random)`;
  const written =
    writes === 0
      ? 'No child was written in that time.'
      : `Children were written ${plural(writes, 'time')} in that time, once per ${formatCount(Math.floor(together / writes))} such reads.`;
  return {
    message:
      `${child} is ${alone === 0 ? 'always' : 'nearly always'} read with its parents in ${parent}: ${formatCount(together)} of ${plural(together + alone, 'read')}. ` +
      `A parent has at most ${plural(children.most, 'document')} of it${seen}: both fit into one document of at most ${formatBytes(embeddedBytes)}. ` +
      `Then ${formatShare(Math.min(1, together / parentReads))} of the reads of ${parent} need no second look-up. ${written}`,
    evidence: {
      source: `${SOURCE_NAMES[source]} and aggregation`,
      window: `${windowText(together + alone + writes, coverage)}; ${plural(families.families, 'parent')} with children`,
      parent,
      readsByJoin: joined,
      readsByParent: byParent,
      readsAlone: alone,
      writes,
      readsPerWrite: writes === 0 ? null : together / writes,
      childrenAdded: added,
      parentsAdded,
      parentReads,
      families: families.families,
      allFamilies: complete,
      childrenMedian: children.median,
      childrenMost: children.most,
      orphans,
      embeddedBytes,
      growth: growth?.because ?? null,
    },
  };
}
