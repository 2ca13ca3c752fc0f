import {
  type ClusterVerdict,
  type Problem,
  type Reference,
  type References,
  type RemedyStep,
  defineClusterCheck,
} from '../../src/check.js';
import { plural } from '../../src/format.js';
import { groupedBy } from '../../src/grouped-by.js';
import { WORTH_AN_INDEX } from '../../src/judgement/advice/cheapest-set.js';
import { indexInBuild } from '../../src/judgement/indexes/index-steps.js';
import { documentsOf, type JoinedCluster, judgedScan } from '../../src/judgement/joins/joined-cluster.js';
import { judgedAt, judgedAtText, tooSmallToTell } from '../../src/judgement/judged-size.js';
import { shareWithin } from '../../src/judgement/margins.js';
import { isScanned, queryCost } from '../../src/judgement/queries/query-cost.js';
import { examinedAtJudgedSize } from '../../src/judgement/queries/query-size.js';
import { keysIn, plansOf } from '../../src/judgement/queries/tied-indexes.js';
import { executionsWithout } from '../../src/judgement/queries/unsearched-field.js';
import { referenceGaps } from '../../src/judgement/references/reference-gaps.js';
import { lowered, severityOf } from '../../src/judgement/severity-lines.js';
import { stepsOf } from '../../src/remedy.js';
import { keyText } from '../../src/workload/shapes/hint-text.js';
import {
  isReferenceIndexed,
  joinedPlaces,
  placeOf,
  referenceIndexInBuild,
  referenceIndexRemedy,
} from './reference-index.js';
import { type ReferenceSearches, referenceSearches, referenceSearchRemedy } from './reference-searches.js';

/** If other values are looked up each time, this share of all must surely be found: far from none, and from nearly all. */
const SURE_SHARE = 0.7;
/** Distinct sampled values below which a field is not judged: fewer may be `_id`s of something by chance. Judgement. */
const FEWEST_VALUES = 5;
/** Values, all found, from which chance is ruled out. */
const VALUES_FOR_HIGH = 15;

/**
 * A field of the many side that holds `_id`s of another collection is a finding if a recorded search by it has no index that finds
 * by it, alone or behind other fields that the search sets equal: by the size of the collection, one step lower if other
 * indexes narrow every search, and none if they find nearly all. A search by it in an alternative of `$or` is judged as a query.
 * Without a recorded search it is an info if no index holds it, and none if the recording would have seen one. Joins by it are
 * `missing-lookup-index`'s.
 */
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
    share: {
      default: 0.9,
      unit: 'share',
      description: 'share of those values that must be `_id`s of the other collection',
      source: 'judgement: the rest refer to documents that were deleted',
    },
  },
  retiredThresholds: ['values'],
  judge(subject, limits) {
    const joined = joinedPlaces(subject);
    const searchesOf = referenceSearches(subject);
    const references = bestReferences(subject.references)
      .map((each) => asSearched(each, searchesOf, subject))
      .filter(({ isInArray, values }) => !isInArray && values >= FEWEST_VALUES)
      .filter((each) => isReference(each, limits.share) && isManySide(each, subject) && !joined.has(placeOf(each)));
    const verdicts = references.flatMap((reference): ClusterVerdict[] => {
      const { namespace, path, target } = reference;
      const size = judgedScan(subject, namespace);
      const searches = searchesOf(reference);
      const isSearched = searches.queries.length > 0;
      if (size === null || isReferenceIndexed(reference, subject, isSearched) !== false) return [];
      if (isSearched ? searches.unserved.length === 0 : searches.isAlternative) return [];
      const inBuild = referenceIndexInBuild(reference, subject);
      if (inBuild !== null) return [{ namespace, ...indexInBuild(namespace, inBuild.name) }];
      const bySize = severityOf(size.documents, { info: limits.info, warning: limits.warning, error: Infinity });
      const unsearched = executionsWithout(reference, subject);
      const what = `refers to ${target}, without an index`;
      const isUsedOtherwise = !isSearched && subject.workload.tracedOperations.some(({ base }) => base === namespace);
      if (bySize === null)
        return isUsedOtherwise ? [] : [{ namespace, ...tooSmallToTell(size, `\`${path}\` ${what}`) }];
      if (unsearched !== null)
        return [
          {
            namespace,
            path,
            exempt: `${what}; ${plural(unsearched, 'recorded execution')}, none of which searches by it`,
          },
        ];
      if (isSearched && areServedOtherwise(searches, subject))
        return [
          { namespace, path, exempt: `${what}; other indexes find nearly all that the recorded searches by it need` },
        ];
      const severity = !isSearched ? 'info' : areFoundOtherwise(searches, subject) ? lowered(bySize) : bySize;
      if (severity === null) return [];
      const problem = finding(reference, searches, subject);
      return [
        {
          namespace,
          path,
          ...problem,
          message: problem.message + judgedAtText(size),
          ...judgedAt(size),
          ...(severity === 'info' || isSurelyReference(reference)
            ? { severity }
            : { severity: 'info', severityIfSure: severity }),
        },
      ];
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
  const isWhole = searchesOf(whole).queries.length > 0 || isReferenceIndexed(whole, cluster, true) === true;
  return isWhole ? whole : reference;
}

/** Several documents refer to one: there are more of them than there are to refer to, or the sample has shown it. */
function isManySide({ namespace, target, isRepeated }: Reference, cluster: JoinedCluster): boolean {
  const [documents, targets] = [documentsOf(cluster, namespace), documentsOf(cluster, target)];
  return isRepeated || (documents !== null && targets !== null && documents > targets);
}

/** True if indexes on other fields, which are there, narrow each search so far that one by it would save next to nothing. */
function areServedOtherwise({ unserved }: ReferenceSearches, { workload }: JoinedCluster): boolean {
  return unserved.every((query) => {
    const cost = queryCost([query], workload);
    const { indexes } = query.known;
    const there = new Set(indexes.present ? indexes.value.map(({ key }) => keyText(key)) : []);
    const isAnswered = plansOf(query)
      .flatMap(keysIn)
      .every((key) => there.has(key));
    return isAnswered && cost !== null && (examinedAtJudgedSize(query, cost) ?? Infinity) < WORTH_AN_INDEX;
  });
}

/** True if other fields narrow every search. */
function areFoundOtherwise({ unserved }: ReferenceSearches, { workload }: JoinedCluster): boolean {
  return unserved.every((query) => queryCost([query], workload) !== null && !isScanned(query));
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
      searchedText(searches, cluster) +
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

/** How the field is searched by, as a further sentence; empty if no search is recorded. */
function searchedText(searches: ReferenceSearches, cluster: JoinedCluster): string {
  if (searches.queries.length === 0) return '';
  const executions = plural(executionsOf(searches), 'execution');
  const examined = queryCost(searches.unserved, cluster.workload)?.documentsExamined ?? null;
  if (examined === null || !areFoundOtherwise(searches, cluster)) return ` The workload searches by it: ${executions}.`;
  return (
    ` The workload searches by it (${executions}), always together with a field that an index serves. ` +
    `An execution examines ${plural(Math.round(examined), 'document')} on average.`
  );
}
