import type { ClusterVerdict, RemedyStep, Severity, ThresholdValues } from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { obstacleOf } from '../src/judgement/advice/query-suggestions.js';
import { documentsOf, type JoinedCluster } from '../src/judgement/joins/joined-cluster.js';
import { severityOf, worst } from '../src/judgement/margins.js';
import { canBeFound, everyCondition, isEmpty } from '../src/judgement/queries/conditions.js';
import { averageText, withSimilar } from '../src/judgement/queries/judged-query.js';
import { defineQueryCheck, type QueryContext } from '../src/judgement/queries/query-check.js';
import { examinedInDatabase, isScanned, queryCost, type QueryCost } from '../src/judgement/queries/query-cost.js';
import type { QueryGroup } from '../src/judgement/queries/query-groups.js';
import {
  documentsText,
  documentWeight,
  examinedAtJudgedSize,
  isBelow,
  sizeFor,
} from '../src/judgement/queries/query-size.js';
import {
  ERROR,
  ERROR_PER_DAY,
  RETIRED_OF_OPERATIONS,
  SCAN_SIZE,
  SHARE_WANTED,
  WARNING,
  WASTED_PER_DAY,
} from '../src/judgement/queries/query-thresholds.js';
import type { Query } from '../src/judgement/queries/query.js';
import { comparedInVain, isRecurringSearch } from '../src/judgement/queries/search-severity.js';
import { placeOfSpecial } from '../src/judgement/queries/special-searches.js';

const thresholds = {
  documents: SCAN_SIZE,
  warning: WARNING,
  error: ERROR,
} as const;

const retiredThresholds = [...RETIRED_OF_OPERATIONS, 'warningPerDay'];

type Context = QueryContext<typeof thresholds>;

export const collectionScan = defineQueryCheck({
  id: 'collection-scan',
  title: 'Collection scan',
  summary: 'queries for some documents that read the whole collection',
  thresholds,
  retiredThresholds,
  floor: 'documents',
  isAbout: isSelective,
  specialPlace: placeOfSpecial,
  match: (query, cost, context) =>
    !isDeliberate(query, cost, context.limits) && (gradeOf(query, cost, context) !== null || 'few'),
  wasted: (query, cost, { limits }) =>
    isDeliberate(query, cost, limits) || isFoundAtOnce(query, cost, limits) ? null : comparedInVain(query, cost),
  gaps: unsized,
  severity(group, context) {
    if (examinedIn(group, context) === null) return null;
    // In an average, a cheap query that runs often would hide an expensive one.
    const grades = costsOf(group, context).map(({ query, cost }) => gradeOf(query, cost, context));
    return worst(grades.map((grade) => (grade === 'unknown' ? null : grade)));
  },
  // If no index helps, the query has to be changed, which may not be worth it.
  isFaultOfDesign: (group, context) =>
    costsOf(group, context).some(({ query, cost }) => ofDesign(query, cost, context.limits) !== null),
  confidence({ queries, cost }, { limits }) {
    if (queries.every((query) => isFoundAtOnce(query, cost, limits))) return 'low';
    return queries.every(knowsMatches) ? 'high' : 'medium';
  },
  message(group, context) {
    const { cost, queries } = group;
    const returned = queries.every(knowsMatches) ? cost.documentsReturned : null;
    return (
      `No index serves ${withSimilar(group)}. An execution reads ${documentsText(queries[0], examinedIn(group, context) ?? 0)}` +
      `${averageText(group, returned)} on average (${cost.window}).`
    );
  },
  figures: (group, context) => ({
    documentsExamined: Math.round(examinedIn(group, context) ?? 0),
    collectionDocuments: documentsOf(context.cluster, group.namespace),
  }),
  withoutIndex,
});

function knowsMatches({ returnsEachMatch, joins }: Query): boolean {
  return returnsEachMatch && !joins;
}

/** A scan for some of the documents, or for the different values of a field: an index has each of them once. */
function isSelective(query: Query): boolean {
  const { conditions, operation } = query;
  if (!isScanned(query)) return false;
  if (isEmpty(conditions)) return operation.shape.kind === 'distinct';
  // case-insensitive-regex and unselective-filter report the others.
  if (canBeFound(conditions)) return true;
  return obstacleOf(query) === null && !everyCondition(conditions).some(({ ignoresCase }) => ignoresCase);
}

/** One entry per collection if neither a source nor the metadata says how many documents a scan reads. */
function unsized(groups: readonly QueryGroup[], { collections }: JoinedCluster): ClusterVerdict[] {
  const namespaces = new Set(
    groups.filter(({ cost }) => cost.documentsExamined === null).map(({ namespace }) => namespace),
  );
  return [...namespaces].flatMap((namespace) => {
    const storage = collections.get(namespace)?.storage;
    return storage?.present === false ? [{ namespace, notJudged: storage.reason, detail: storage.detail }] : [];
  });
}

/** A join adds documents of other collections to the figure, but a scan examines each document once. */
function examinedIn({ queries, cost, namespace }: QueryGroup, { cluster }: Context): number | null {
  const documents = documentsOf(cluster, namespace);
  if (cost.documentsExamined === null) return queries.some(({ limited }) => limited) ? null : documents;
  return queries.some(({ joins }) => joins) && documents !== null
    ? Math.min(documents, cost.documentsExamined)
    : cost.documentsExamined;
}

function costsOf({ queries }: QueryGroup, { cluster }: Context): { readonly query: Query; readonly cost: QueryCost }[] {
  return queries.flatMap((query) => {
    const cost = queryCost([query], cluster.workload);
    return cost === null ? [] : [{ query, cost }];
  });
}

function withoutIndex({ queries: [query] }: QueryGroup): RemedyStep[] {
  // The queries could be served; it is only that the field has no name here.
  if (
    canBeFound(query.conditions) &&
    everyCondition(query.conditions).some(({ path }) => path.split('.').includes('*'))
  ) {
    return stepsOf(
      'The name of the field looks like data (`*` in the message) and is not kept, so no index can be proposed. If it is one of a few such names, index that field.',
      'If there are many such names, store them as { k: <name>, v: <value> } in an array with an index on both (attribute pattern). ' +
        'Or let a wildcard index serve them.',
    );
  }
  if (canBeFound(query.conditions) && query.conditions.alternatives.length > 0) {
    return stepsOf(
      'Each alternative of `$or` needs an index, in the order of the sort if there is one. Of one that finds a large part of the documents, none saves anything: add a condition to it that finds few, or sort by a stored field with a limit.',
    );
  }
  if (everyCondition(query.conditions).some(({ role }) => role === 'range')) {
    return stepsOf(
      'An index on these fields would match so many documents that it saves nothing. Add a more selective condition.',
    );
  }
  const operators = [...new Set(everyCondition(query.conditions).map(({ operator }) => operator))].join(', ');
  return stepsOf(
    `No index finds documents by ${operators} as used here. Add a condition that an index can serve: an equality or a range. ` +
      'Or store the queried value in a field of its own, and index that.',
  );
}

/** Below the floor, nearly any query returns a good share of the few documents: only half of them shows intent. */
const SHARE_WANTED_OF_FEW = 0.5;

/** Documents examined for each one returned, from which a query that stops early is not one that finds its first few. */
const EXAMINED_PER_RETURNED = 100;

/** Share of the documents examined in the database from which a small collection's scan is its main work. */
const NEARLY_ALL = 0.9;

/** Documents examined in all from which that share says something: a tenth of a second of processor. */
const LEAST_EXAMINED = 100_000;

type Limits = ThresholdValues<typeof thresholds>;

function isDeliberate(
  query: Query,
  { documentsExamined, documentsReturned }: QueryCost,
  { documents }: Limits,
): boolean {
  if (!query.returnsEachMatch || query.joins || documentsExamined === null || documentsReturned === null) return false;
  const isFew = (sizeFor(query)?.recorded ?? Infinity) < documents;
  if (isFew && query.limited) return false;
  return documentsReturned >= (isFew ? SHARE_WANTED_OF_FEW : SHARE_WANTED) * documentsExamined;
}

/** Among few documents, a search for one may find it first by chance: that shows neither a fault nor a good design. */
function isFoundAtOnce(
  query: Query,
  { documentsExamined, documentsReturned }: QueryCost,
  { documents }: Limits,
): boolean {
  const isFew = (sizeFor(query)?.recorded ?? Infinity) < documents;
  return isFew && query.limited && (documentsReturned ?? 0) >= SHARE_WANTED_OF_FEW * (documentsExamined ?? 0);
}

/** By the documents examined at the judged size; null if they are few, "unknown" if nothing counts them. */
function gradeOf(query: Query, cost: QueryCost, { cluster, limits }: Context): Severity | 'unknown' | null {
  const examined = examinedAtJudgedSize(query, cost);
  if (examined === null) return query.limited ? null : 'unknown';
  if (isFoundAtOnce(query, cost, limits)) return isBelow(query, limits.documents) ? null : 'info';
  const weighed = examined * documentWeight(query);
  const bySize = severityOf(weighed, { info: limits.documents, warning: limits.warning, error: limits.error });
  // A query that stops at what it finds may find it later in a collection that has grown.
  const isSparse = examined >= EXAMINED_PER_RETURNED * Math.max(1, cost.documentsReturned ?? 0);
  const isInfo = isSparse && (!isBelow(query, limits.documents) || isMainWork(query, cost, cluster));
  const perDay = examined * (cost.executionsPerDay ?? cost.executions);
  const isBusy = perDay >= WASTED_PER_DAY && (bySize !== null || isSparse);
  return worst([bySize, ofDesign(query, cost, limits), isInfo ? 'info' : null, isBusy ? 'warning' : null]);
}

/** A fault that grows with the collection, whatever an execution costs today. */
function ofDesign(query: Query, cost: QueryCost, limits: Limits): Severity | null {
  const examined = examinedAtJudgedSize(query, cost) ?? 0;
  if (examined < limits.documents || !isRecurringSearch(query, cost, examined)) return null;
  return examined * (cost.executionsPerDay ?? 0) >= ERROR_PER_DAY ? 'error' : 'warning';
}

/** A small collection's scan, if it is nearly all that the database is busy with. */
function isMainWork(
  { known }: Query,
  { documentsExamined, executions }: QueryCost,
  { workload }: JoinedCluster,
): boolean {
  const examined = (documentsExamined ?? 0) * executions;
  if (examined < LEAST_EXAMINED) return false;
  return examined >= NEARLY_ALL * examinedInDatabase(known.collection.database, workload);
}
