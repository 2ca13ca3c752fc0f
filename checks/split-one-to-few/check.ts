import { childReads, type ChildReads } from '../../src/judgement/joins/child-reads.js';
import { embedRemedy } from './embed-remedy.js';
import { evidenceOf, messageOf, spanOf, unseen } from './split-text.js';
import { documentsOf } from '../../src/judgement/joins/joined-cluster.js';
import { workloadGaps } from '../../src/judgement/joins/workload-gaps.js';
import { shareWithin } from '../../src/judgement/margins.js';
import { severityOf } from '../../src/judgement/severity-lines.js';
import { MS_PER_DAY, MS_PER_HOUR } from '../../src/time-units.js';
import {
  defineClusterCheck,
  type ChildFamilies,
  type ClusterVerdict,
  type Confidence,
  type IndexUsage,
  type IndexDescription,
  type KnownCollection,
} from '../../src/check.js';

/** Share of children without a parent above which they exist in their own right. */
const SHARE_OF_ORPHANS = 0.01;
/** If others are picked each time: far above what deletions leave behind. */
const SHARE_OF_ORPHANS_BY_CHANCE = 0.05;
/** If others are picked each time: of the children that are few, up to which the largest family is surely not larger. */
const SURELY_FEW = 0.5;

export const splitOneToFew = defineClusterCheck({
  id: 'split-one-to-few',
  title: 'One-to-few relation in two collections',
  summary: 'a side collection with few documents per parent that is always read with the parent, never alone',
  needs: ['indexes', 'storage', 'fieldTypes', 'largestDocuments', 'indexUsage'],
  clusterNeeds: ['workload', 'server', 'children'],
  thresholds: {
    executions: {
      default: 20,
      unit: 'executions',
      description: 'number of executions that read children with their parents below which a collection is not judged',
      source: 'judgement: fewer do not show a pattern',
    },
    families: {
      default: 20,
      unit: 'documents',
      description: 'number of parents with children below which a collection is not judged',
      source: 'judgement: among fewer, the one that gets many may not be there yet',
    },
    children: {
      default: 20,
      unit: 'documents',
      description: 'number of children of one parent up to which they are few',
      source:
        'judgement: an order of magnitude below "a couple of hundred" (MongoDB blog, "6 Rules of Thumb for MongoDB Schema Design", part 3)',
    },
    embeddedBytes: {
      default: 256 * 1024,
      unit: 'bytes',
      description: 'bytes of the largest parent and the largest family together up to which they are small',
      source: 'the size from which bloated-document gives an info; 1/64 of the 16 MB limit of a document',
    },
    alone: {
      default: 0.05,
      unit: 'share',
      description: 'share of reads without the parent up to which children are hardly ever read alone',
      source: 'judgement: one in twenty, such as an occasional report',
    },
    readsPerWrite: {
      default: 10,
      unit: 'ratio',
      description: 'reads of children with their parents per write to a child from which embedding pays off',
      source: 'judgement: each write to an embedded child rewrites its whole parent',
    },
    record: {
      default: MS_PER_HOUR,
      unit: 'ms',
      description:
        'time span of the recorded operations from which a warning is given; below, it is an info of low confidence',
      source: 'judgement: an hour covers most occasional operations',
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
  judge(subject, limits) {
    const { children, collections, workload } = subject;
    const gaps = [
      ...workloadGaps(workload),
      ...children.gaps.map(({ reason, detail }) => ({ notJudged: reason, detail })),
    ];
    if (children.families.length === 0) return gaps;
    const readsOf = childReads(subject);
    const verdicts = children.families.flatMap((families): ClusterVerdict[] => {
      const { parent, child: namespace, path } = families;
      const isCounted = families.countedTo === null || families.children.most < families.countedTo;
      const isBounded = isCounted && families.children.most <= limits.children && families.growth?.shape !== 'growing';
      if (
        families.families < limits.families ||
        isReferredToTwice(families, children.families) ||
        !isBounded ||
        families.orphans > orphansAllowed(families) * families.childrenSeen
      )
        return [];
      const largest = collections.get(parent)?.largestDocuments;
      if (largest?.present !== true)
        return largest === undefined ? [] : [{ namespace, notJudged: largest.reason, detail: largest.detail }];
      const embeddedBytes = largest.value.maximumBytes + families.bytes.most;
      if (embeddedBytes > limits.embeddedBytes || isFoundOtherwise(path, collections.get(namespace), limits)) return [];
      const reads = readsOf(families);
      if (reads === null) return [{ namespace, notJudged: 'insufficient', detail: unseen(families) }];
      const together = reads.joined + reads.byParent;
      const isTogether =
        reads.joined > 0 && together >= limits.executions && reads.alone <= limits.alone * (together + reads.alone);
      if (!isTogether || together < limits.readsPerWrite * reads.writes || arePilingUp(reads, limits)) return [];
      const severity = severityOf(Math.min(1, together / reads.parentReads), {
        info: limits.info,
        warning: limits.warning,
        error: Infinity,
      });
      if (severity === null) return [];
      const isBrief = spanOf(reads) < limits.record;
      const isSure = isSurelyFew(families, documentsOf(subject, namespace), limits.children);
      return [
        {
          namespace,
          path,
          severity: isBrief || !isSure ? 'info' : severity,
          ...(!isBrief && !isSure && { severityIfSure: severity }),
          confidence: isBrief ? 'low' : confidenceOf(families, reads),
          message: messageOf(families, reads, embeddedBytes),
          evidence: evidenceOf(families, reads, embeddedBytes),
          remedy: embedRemedy(families, reads.as, subject),
        },
      ];
    });
    return [...gaps, ...verdicts];
  },
});

function orphansAllowed({ isByChance }: ChildFamilies): number {
  return isByChance === true ? SHARE_OF_ORPHANS_BY_CHANCE : SHARE_OF_ORPHANS;
}

/** A rare large family, and a rare child without parent, may be among the picked ones or not. */
function isSurelyFew(
  { children, childrenSeen, orphans, isByChance }: ChildFamilies,
  documents: number | null,
  few: number,
): boolean {
  if (isByChance !== true) return true;
  const seen = { share: documents === null ? 0 : Math.min(1, childrenSeen / Math.max(1, documents)), byChance: true };
  return children.most <= few * SURELY_FEW && shareWithin(orphans, childrenSeen, seen)[1] <= SHARE_OF_ORPHANS_BY_CHANCE;
}

/**
 * Whether indexes on other fields have found children since the servers started: a longer record than any source of
 * operations has. The index on `_id` does not count, since updates use it.
 */
function isFoundOtherwise(
  path: string,
  child: KnownCollection<'indexes' | 'indexUsage'> | undefined,
  { executions, alone }: { readonly executions: number; readonly alone: number },
): boolean {
  if (child?.indexes.present !== true || !child.indexUsage.present) return false;
  const indexes = child.indexes.value.map((index) => ({
    first: Object.keys(index.key)[0],
    accesses: accessesOf(index, child.indexUsage),
  }));
  const accesses = (wanted: (first: string | undefined) => boolean) =>
    indexes.reduce((sum, each) => (wanted(each.first) ? sum + each.accesses : sum), 0);
  const otherwise = accesses((first) => first !== path && first !== '_id');
  return otherwise >= executions && otherwise > alone * (otherwise + accesses((first) => first === path));
}

/** A child of two parents in one collection, such as sender and receiver, can lie in neither. */
function isReferredToTwice({ parent, child, path }: ChildFamilies, all: readonly ChildFamilies[]): boolean {
  return all.some((other) => other.parent === parent && other.child === child && other.path !== path);
}

/** In the long run a parent has as many children as are added for each parent that is added. */
function arePilingUp(
  { added, parentsAdded }: ChildReads,
  { executions, children }: { readonly executions: number; readonly children: number },
): boolean {
  return added >= executions && added > children * Math.max(0, parentsAdded);
}

function accessesOf({ name }: IndexDescription, usage: KnownCollection<'indexUsage'>['indexUsage']): number {
  return usage.present
    ? usage.value.nodes.reduce(
        (sum: number, { indexes }: IndexUsage['nodes'][number]) => sum + (indexes[name]?.accesses ?? 0),
        0,
      )
    : 0;
}

function confidenceOf({ complete, growth }: ChildFamilies, reads: ChildReads): Confidence {
  return complete && growth !== null && spanOf(reads) >= MS_PER_DAY ? 'high' : 'medium';
}
