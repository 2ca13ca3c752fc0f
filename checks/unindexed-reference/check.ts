import {
  type ClusterVerdict,
  defineClusterCheck,
  type Problem,
  type Reference,
  type References,
  type RemedyStep,
} from '../../src/check.js';
import { plural } from '../../src/format.js';
import { groupedBy } from '../../src/grouped-by.js';
import { formatIndexKey } from '../../src/inventory/index-key.js';
import { indexInBuild } from '../../src/judgement/indexes/index-steps.js';
import { documentsOf, type JoinedCluster, judgedScan } from '../../src/judgement/joins/joined-cluster.js';
import { judgedAt, judgedAtText, tooSmallToTell } from '../../src/judgement/judged-size.js';
import { shareWithin } from '../../src/judgement/margins.js';
import { isScanned, queryCost } from '../../src/judgement/queries/query-cost.js';
import { executionsWithout } from '../../src/judgement/queries/unsearched-field.js';
import { referenceGaps } from '../../src/judgement/references/reference-gaps.js';
import { lowered, severityOf } from '../../src/judgement/severity-lines.js';
import { stepsOf } from '../../src/remedy.js';
import {
  isReferenceIndexed,
  joinedPlaces,
  placeOf,
  referenceIndexInBuild,
  referenceIndexRemedy,
} from './reference-index.js';
import {
  indexesBehindOthers,
  referenceSearches,
  type ReferenceSearches,
  referenceSearchRemedy,
} from './reference-searches.js';

/** If other values are looked up each time, this share of all must surely be found: far from none, and from nearly all. */
const SURE_SHARE = 0.7;
/** Values, all found, from which chance is ruled out. */
const VALUES_FOR_HIGH = 15;

export const unindexedReference = defineClusterCheck({
  id: 'unindexed-reference',
  title: 'Reference without an index',
  summary: 'a field that holds the `_id`s of another collection, on the many side, and has no index',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['references', 'workload', 'server'],
  thresholds: {
    info: {
      default: 1_000,
      unit: 'documents',
      description: 'documents of the collection from which an info is given; a smaller one is too small to tell',
      source: 'judgement: about a millisecond per scan (0.5 to 1 µs a document in memory, measured on 6.0.5)',
    },
    warning: {
      default: 10_000,
      unit: 'documents',
      description: 'documents of the collection from which a warning is given',
      source: 'judgement: some 10 ms of processor for each search for what belongs to one document',
    },
    values: {
      default: 5,
      unit: 'values',
      description: 'distinct sampled values below which a field is not judged',
      source: 'judgement: fewer may be `_id`s of something by chance, and an index on so few values finds little',
    },
    share: {
      default: 0.9,
      unit: 'share',
      description: 'share of those values that must be `_id`s of the other collection',
      source: 'judgement: the rest refer to documents that were deleted',
    },
  },
  judge(subject, limits) {
    const joined = joinedPlaces(subject);
    const searchesOf = referenceSearches(subject);
    const references = bestReferences(subject.references).map((each) => asSearched(each, searchesOf, subject));
    const verdicts = references.flatMap((reference): ClusterVerdict[] => {
      const { namespace, path, isInArray, values } = reference;
      const size = judgedScan(subject, namespace);
      if (size === null || isInArray || values < limits.values || !isReference(reference, limits.share)) return [];
      if (
        !isManySide(reference, subject) ||
        isReferenceIndexed(reference, subject) !== false ||
        joined.has(placeOf(reference))
      )
        return [];
      const inBuild = referenceIndexInBuild(reference, subject);
      if (inBuild !== null) return [{ namespace, ...indexInBuild(namespace, inBuild.name) }];
      const searches = searchesOf(reference);
      if (searches.queries.length > 0 && searches.unserved.length === 0) return [];
      const lines = { info: limits.info, warning: limits.warning, error: Infinity };
      const severity = severityOf(size.documents, lines);
      const unsearched = executionsWithout(reference, subject);
      if (severity !== null && unsearched !== null)
        return [{ namespace, path, exempt: unsearchedText(reference, unsearched) }];
      const isHarmless = unsearched !== null || areFoundOtherwise(reference, searches, subject);
      if (severity === null) {
        const what = `\`${path}\` refers to ${reference.target}, without an index`;
        return isHarmless || isUsedOtherwise(reference, searches, subject)
          ? []
          : [{ namespace, ...tooSmallToTell(size, what) }];
      }
      const severityIfSure = isHarmless ? lowered(severity) : searches.queries.length === 0 ? 'info' : severity;
      if (severityIfSure === null) return [];
      const asSure =
        isSurelyReference(reference) || severityIfSure === 'info'
          ? { severity: severityIfSure }
          : ({ severity: 'info', severityIfSure } as const);
      const problem = finding(reference, searches, subject);
      const message = problem.message + judgedAtText(size);
      return [{ namespace, path, ...asSure, ...problem, message, ...judgedAt(size) }];
    });
    return [...referenceGaps(subject.collections, subject.references.gaps), ...verdicts];
  },
});

function isReference(reference: Reference, share: number): boolean {
  const { values, found, isByChance } = reference;
  return found / values >= share || (isByChance === true && isSurelyReference(reference));
}

function isSurelyReference({ values, found, isByChance }: Reference): boolean {
  return isByChance !== true || shareWithin(found, values, { share: 0, byChance: true })[0] >= SURE_SHARE;
}

/** One reference per field: the collection in which most of its values were found. */
function bestReferences({ references }: References): Reference[] {
  return [...groupedBy(references, placeOf).values()].flatMap(([first]) => first ?? []);
}

/** A DBRef that is asked for whole is found by an index on the field itself, not on its `$id`. */
function asSearched(
  reference: Reference,
  searchesOf: (reference: Reference) => ReferenceSearches,
  cluster: JoinedCluster,
): Reference {
  if (!reference.path.endsWith('.$id') || searchesOf(reference).queries.length > 0) return reference;
  const whole = { ...reference, path: reference.path.slice(0, -'.$id'.length) };
  const isWhole = searchesOf(whole).queries.length > 0 || isReferenceIndexed(whole, cluster) === true;
  return isWhole ? whole : reference;
}

/** Several documents refer to one: there are more of them than there are to refer to, or the sample has shown it. */
function isManySide({ namespace, target, isRepeated }: Reference, cluster: JoinedCluster): boolean {
  const [documents, targets] = [documentsOf(cluster, namespace), documentsOf(cluster, target)];
  return isRepeated || (documents !== null && targets !== null && documents > targets);
}

/** What is known to be used, and not by the reference, has no fault that its size could hide. */
function isUsedOtherwise(
  { namespace }: Reference,
  { queries }: ReferenceSearches,
  { workload }: JoinedCluster,
): boolean {
  return queries.length === 0 && workload.tracedOperations.some(({ base }) => base === namespace);
}

/** True if other fields narrow every known search, or could narrow unknown ones. */
function areFoundOtherwise(
  reference: Reference,
  { queries, unserved }: ReferenceSearches,
  cluster: JoinedCluster,
): boolean {
  if (queries.length === 0) return indexesBehindOthers(reference, cluster).length > 0;
  return unserved.every((query) => queryCost([query], cluster.workload) !== null && !isScanned(query));
}

function finding(
  reference: Reference,
  searches: ReferenceSearches,
  cluster: JoinedCluster,
): Omit<Problem, 'path' | 'severity'> {
  const { namespace, path, target, values, found, conversion } = reference;
  const [documents, targets] = [documentsOf(cluster, namespace) ?? 0, documentsOf(cluster, target) ?? 0];
  return {
    confidence: found === values && values >= VALUES_FOR_HIGH && conversion === null ? 'high' : 'medium',
    message:
      `\`${path}\` holds \`_id\`s of ${target}, and no index finds the documents of ${namespace} that refer to one. ` +
      `Finding them scans all ${plural(documents, 'document')}, also when a document of ${target} is deleted.` +
      searchedText(reference, searches, cluster) +
      (conversion === null ? '' : ` The values need a conversion (${conversion}): a $lookup without it finds nothing.`),
    restsOn: ['sample'],
    evidence: {
      source: 'sample and look-up by _id',
      window: `${plural(values, 'different value')} of ${namespace}`,
      found,
      shareFound: found / values,
      documents,
      referredTo: target,
      documentsReferredTo: targets,
      documentsPerReference: targets === 0 ? null : documents / targets,
      conversion,
      searches: executionsOf(searches),
    },
    operations: searches.unserved.map(({ operation }) => operation),
    ...(searches.queries.length === 0
      ? { remedy: { steps: [ifSearched(reference)] }, adviceForAll: IF_SEARCHED }
      : (referenceSearchRemedy(searches, reference, cluster) ?? referenceIndexRemedy(reference, cluster))),
  };
}

function unsearchedText({ target }: Reference, executions: number): string {
  return `refers to ${target}, without an index; ${plural(executions, 'recorded execution')}, none of which searches by it`;
}

const IF_SEARCHED: readonly RemedyStep[] = stepsOf(
  'No recorded operation searches by any of these fields. Create an index that begins with one of them once an operation does, ' +
    'or if what refers to a document is looked for when that document is deleted.',
);

/** An index that no recorded search needs costs each write, so it is no advice yet. */
function ifSearched({ namespace, path, target }: Reference): RemedyStep {
  return {
    text:
      `No recorded operation searches ${namespace} by \`${path}\`. Create an index that begins with it once one does, ` +
      `or if what refers to a document is looked for when one of ${target} is deleted.`,
  };
}

function executionsOf({ queries }: ReferenceSearches): number {
  return queries.reduce(
    (sum, { operation: { figures } }) => sum + Math.max(...Object.values(figures).map(({ executions }) => executions)),
    0,
  );
}

/** How the field is searched by, as a further sentence; empty if nothing is known. */
function searchedText(reference: Reference, searches: ReferenceSearches, cluster: JoinedCluster): string {
  const { queries, unserved } = searches;
  if (queries.length === 0) {
    const [behind] = indexesBehindOthers(reference, cluster);
    return behind === undefined
      ? ''
      : ` The index on ${formatIndexKey(behind.key)} finds them only if the query sets the fields before it too.`;
  }
  const executions = plural(executionsOf(searches), 'execution');
  const examined = queryCost(unserved, cluster.workload)?.documentsExamined ?? null;
  if (examined === null || !areFoundOtherwise(reference, searches, cluster))
    return ` The workload searches by it: ${executions}.`;
  return (
    ` The workload searches by it (${executions}), always together with a field that an index serves. ` +
    `An execution examines ${plural(Math.round(examined), 'document')} on average.`
  );
}
