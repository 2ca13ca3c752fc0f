import { type ClusterVerdict, type Problem, type Reference, defineClusterCheck } from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { plural } from '../src/format.js';
import { groupedBy } from '../src/grouped-by.js';
import { needByValue, ORDER_OF_FIELDS, proposalsOf, servesAsWell } from '../src/judgement/advice/needed-index.js';
import { indexSteps } from '../src/judgement/indexes/index-steps.js';
import {
  documentsOf,
  type JoinedCluster,
  type JoinedCollection,
  judgedScan,
} from '../src/judgement/joins/joined-cluster.js';
import { judgedAt, judgedAtText, type JudgedSize, tooSmallToTell } from '../src/judgement/judged-size.js';
import { severityOf, shareWithin } from '../src/judgement/margins.js';
import { executionsWithout } from '../src/judgement/queries/unsearched-field.js';
import { referenceSearches, type ReferenceSearches } from '../src/judgement/references/reference-searches.js';
import { referenceGaps } from '../src/judgement/references/seen-references.js';
import { orderedTargets } from '../src/references/suggested-target.js';
import { joinedFields, type JoinKey } from '../src/workload/joins/join.js';

/** If other values are looked up each time, this share of all must surely be found: far from none, and from nearly all. */
const SURE_SHARE = 0.7;
/** Distinct sampled values below which a field is not judged: fewer may be `_id`s of something by chance. Judgement. */
const FEWEST_VALUES = 5;
/** Values, all found, from which chance is ruled out. */
const VALUES_FOR_HIGH = 15;

/**
 * A field of the many side that holds `_id`s of another collection is a finding if recorded searches by it get an index from the
 * advisor, and none finds by it yet: by the size of the collection, or an info if other indexes narrow each of them. Without a
 * recorded search it is an info if no index holds it, unless the recording would have seen one. Joins by it are
 * `missing-lookup-index`'s.
 */
export const unindexedReference = defineClusterCheck({
  id: 'unindexed-reference',
  title: 'Reference without an index',
  explainedBy: ['lookup-type-mismatch'],
  summary: 'a field that holds the `_id`s of another collection, on the many side, and has no index',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['references', 'workload', 'server'],
  thresholds: {
    info: {
      default: 1_000,
      unit: 'documents',
      description: 'documents of the collection; fewer are not judged',
      source: 'judgement: about a millisecond per scan (0.5 to 1 µs a document in memory, measured on 6.0.5)',
    },
    warning: {
      default: 10_000,
      unit: 'documents',
      description: 'documents of the collection',
      source: 'judgement: some 10 ms of processor for each search for what belongs to one document',
    },
    share: {
      default: 0.9,
      unit: 'share',
      description: 'share of values that are `_id`s of the other collection, at least',
      source: 'judgement: the rest refer to documents that were deleted',
    },
  },
  retiredThresholds: ['values'],
  judge(subject, limits) {
    const joined = new Set(joinedFields(subject.workload.joinUses).map(placeOf));
    const joinsById = new Set(subject.workload.joinUses.flatMap(({ join }) => join.keys.flatMap(referenceJoined)));
    const ofFields = groupedBy(subject.references.references, placeOf).values();
    const verdicts = [...ofFields].flatMap((ofField): ClusterVerdict[] => {
      const ordered = orderedTargets(ofField, (each) => joinsById.has(JSON.stringify([placeOf(each), each.target])));
      const [found] = ordered.references;
      if (found === undefined) return [];
      const { namespace, target } = found;
      const known = subject.collections.get(namespace);
      const size = judgedScan(subject, namespace);
      if (known?.indexes.present !== true || size === null) return [];
      if (!isReference(found, limits.share) || !isManySide(found, subject)) return [];
      const searches = referenceSearches(found, known, subject);
      const reference = { ...found, path: searches.path };
      if (searches.areServed || joined.has(placeOf(reference))) return [];
      const { path } = reference;
      const what = `refers to ${target}, without an index`;
      const bySize = severityOf(size.documents, { ...limits, error: Infinity });
      const others = executionsWithout(reference, subject, ['foreign']);
      if (ordered.isAmbiguous) {
        const detail = `\`${path}\` holds \`_id\`s that ${plural(ofField.length, 'collection')} share, and its name does not say which it refers to.`;
        return others !== null || bySize === null ? [] : [{ namespace, notJudged: 'insufficient', detail }];
      }
      if (others !== null) {
        const exempt = `${what}; ${plural(others, 'recorded execution')}, none of which searches by it`;
        return [{ namespace, path, exempt }];
      }
      const isUsedOtherwise =
        searches.queries.length === 0 && subject.workload.tracedOperations.some(({ base }) => base === namespace);
      if (bySize === null)
        return isUsedOtherwise ? [] : [{ namespace, ...tooSmallToTell(size, `\`${path}\` ${what}`) }];
      const severity = searches.lacking.some(({ isScan }) => isScan) ? bySize : 'info';
      const isSure = severity === 'info' || isSurelyReference(reference);
      const finding = findingOf(reference, searches, size, known, subject);
      return [{ ...finding, ...(isSure ? { severity } : { severity: 'info', severityIfSure: severity }) }];
    });
    return [...referenceGaps(subject.collections, subject.references.gaps), ...verdicts];
  },
});

function placeOf({ namespace, path }: Pick<Reference, 'namespace' | 'path'>): string {
  return JSON.stringify([namespace, path]);
}

/** From a field to the `_id`s of a collection, whose target is then known. */
function referenceJoined({ local: { origin: local }, foreign: { origin: foreign } }: JoinKey): string[] {
  return local.traced && foreign.traced && foreign.path === '_id'
    ? [JSON.stringify([placeOf(local), foreign.namespace])]
    : [];
}

function isReference(reference: Reference, share: number): boolean {
  const { isInArray, values, found, isByChance } = reference;
  if (isInArray || values < FEWEST_VALUES) return false;
  return found / values >= share || (isByChance === true && isSurelyReference(reference));
}

function isSurelyReference({ values, found, isByChance }: Reference): boolean {
  return isByChance !== true || shareWithin(found, values, { share: 0, byChance: true })[0] >= SURE_SHARE;
}

/** Several documents refer to one: there are more of them than there are to refer to, or the sample has shown it. */
function isManySide({ namespace, target, isRepeated }: Reference, cluster: JoinedCluster): boolean {
  const [documents, targets] = [documentsOf(cluster, namespace), documentsOf(cluster, target)];
  return isRepeated || (documents !== null && targets !== null && documents > targets);
}

function findingOf(
  { namespace, path, target, values, found, conversion }: Reference,
  { queries, lacking }: ReferenceSearches,
  size: JudgedSize,
  known: JoinedCollection,
  cluster: JoinedCluster,
): Omit<Problem, 'severity'> & { readonly namespace: string } {
  const [documents, targets] = [documentsOf(cluster, namespace) ?? 0, documentsOf(cluster, target) ?? 0];
  const executions = queries.reduce(
    (sum, { operation: { figures } }) => sum + Math.max(...Object.values(figures).map((each) => each.executions)),
    0,
  );
  const narrowed = lacking.some(({ isScan }) => isScan) ? '' : ', always together with a field that an index serves';
  const advised = [...new Set(lacking.map((each) => each.advised))];
  // An index that begins with the reference finds by it, whatever else a search asks.
  const alone = needByValue([path], known);
  const forAll = advised.find(({ indexes }) => indexes.some((index) => servesAsWell(index, alone)));
  const proposes = (forAll === undefined ? advised : [forAll]).flatMap((each) => proposalsOf(each, known));
  return {
    namespace,
    path,
    ...judgedAt(size),
    confidence: found === values && values >= VALUES_FOR_HIGH && conversion === null ? 'high' : 'medium',
    message:
      `\`${path}\` holds \`_id\`s of ${target}, and no index serves it. ` +
      `Finding what refers to one scans all ${plural(documents, 'document')}, also before a document of ${target} is deleted.` +
      (lacking.length === 0 ? '' : ` Queries search by it${narrowed}: ${plural(executions, 'execution')}.`) +
      (conversion === null ? '' : ` The values need conversion (${conversion}): a $lookup without it finds nothing.`) +
      judgedAtText(size),
    restsOn: ['sample'],
    evidence: {
      source: 'sample and look-up by _id',
      window: `${plural(values, 'different value')} of ${namespace}`,
      documents,
      found,
      shareFound: found / values,
      referredTo: target,
      documentsReferredTo: targets,
      documentsPerReference: targets === 0 ? null : documents / targets,
      conversion,
      searches: executions,
    },
    operations: lacking.map(({ query }) => query.operation),
    ...(lacking.length === 0
      ? { remedy: { steps: IF_SEARCHED }, adviceForAll: IF_SEARCHED }
      : { remedy: { steps: indexSteps(proposes, ORDER_OF_FIELDS) }, proposes }),
  };
}

/** An index that no recorded search needs costs each write, so it is no advice yet. */
const IF_SEARCHED = stepsOf(
  'No recorded operation searches by this reference. Create an index that begins with it as soon as one does, or if deletes must find what refers to the deleted document.',
);
