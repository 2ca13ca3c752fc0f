import type { ClusterVerdict, RemedyStep, Severity, ThresholdValues } from '../src/check.js';
import { plural } from '../src/format.js';
import { documentsOf, type JoinedCluster } from '../src/judgement/joins/joined-cluster.js';
import { judgedAtText } from '../src/judgement/judged-size.js';
import { canBeFound, everyCondition, isEmpty } from '../src/judgement/queries/conditions.js';
import {
  averageText,
  examinedAtJudgedSize,
  isBelow,
  sizeFor,
  withSimilar,
} from '../src/judgement/queries/judged-query.js';
import { defineQueryCheck, type QueryContext } from '../src/judgement/queries/query-check.js';
import { examinedInDatabase, isScanned, queryCost, type QueryCost } from '../src/judgement/queries/query-cost.js';
import type { QueryGroup } from '../src/judgement/queries/query-groups.js';
import { explainSteps } from '../src/judgement/queries/query-remedy.js';
import { obstacleOf } from '../src/judgement/queries/query-suggestions.js';
import { PER_DAY, RECURRING } from '../src/judgement/queries/query-thresholds.js';
import type { Query } from '../src/judgement/queries/query.js';
import { isRecurringSearch } from '../src/judgement/queries/search-severity.js';
import { severityOf, worst } from '../src/judgement/severity-lines.js';

/** Below the floor, nearly any query returns a good share of the few documents: only half of them shows intent. */
const SHARE_WANTED_OF_FEW = 0.5;
/** Documents examined for each one returned, from which a query that stops early is not one that finds its first few. */
const EXAMINED_PER_RETURNED = 100;
/** Share of the documents examined in the database from which a small collection's scan is its main work. */
const NEARLY_ALL = 0.9;
/** Times the documents of an average scan that the collection now has. Below, an average scan tells as much. */
const GROWN = 2;
/** Documents examined in all from which that share says something: a tenth of a second of processor. */
const LEAST_EXAMINED = 100_000;

const thresholds = {
  documents: {
    default: 1_000,
    unit: 'documents',
    description:
      'documents examined per execution from which a scan is reported; a smaller collection is too small to tell',
    source: 'judgement: about a millisecond per scan (0.5 to 1 µs a document in memory, measured on 6.0.5)',
  },
  recurring: RECURRING,
  warning: {
    default: 10_000,
    unit: 'documents',
    description: 'documents examined per execution from which any scan is a warning',
    source: 'judgement: some 10 ms of processor per execution',
  },
  warningPerDay: {
    default: 1_000_000,
    unit: 'documents',
    description: 'documents examined a day, by all executions, from which even a scan of few is a warning',
    source: 'judgement: an index examines a thousandth of them',
  },
  error: {
    default: 1_000_000,
    unit: 'documents',
    description: 'documents examined per execution from which an error is given',
    source: 'judgement: a second of processor per execution and more',
  },
  errorPerDay: {
    default: 1_000_000,
    unit: 'documents',
    description: 'documents examined a day, by all executions of a query for few of them, from which an error is given',
    source: 'judgement: an index examines a thousandth of them',
  },
  perDay: PER_DAY,
  shareWanted: {
    default: 0.2,
    unit: 'share',
    description:
      'share of the examined documents that are returned or written, from which the scan counts as deliberate',
    source: 'judgement: a query that returns so many of them gains little from an index, which is read in addition',
  },
} as const;

type Limits = ThresholdValues<typeof thresholds>;
type Context = QueryContext<typeof thresholds>;

export const collectionScan = defineQueryCheck({
  id: 'collection-scan',
  title: 'Collection scan',
  summary: 'queries for some documents that read the whole collection',
  thresholds,
  floor: 'documents',
  isAbout: isSelective,
  match: (query, cost, context) =>
    !isDeliberate(query, cost, context.limits) && (gradeOf(query, cost, context) !== null || 'few'),
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
      `No index serves ${withSimilar(group)}. An execution reads ${plural(Math.round(examinedIn(group, context) ?? 0), 'document')}` +
      `${averageText(group, returned)} on average (${cost.window}).`
    );
  },
  /** What the average does not say: that the collection has grown meanwhile, or is expected to. */
  sizeText(group, size, context) {
    const hasGrown = size.from === null && size.present >= GROWN * (examinedIn(group, context) ?? 0);
    return hasGrown
      ? ` The collection now holds ${plural(size.present, 'document')}.`
      : judgedAtText(size, size.from === 'production' ? group.cost.executionsPerDay : null);
  },
  figures: (group, context) => ({
    documentsExamined: Math.round(examinedIn(group, context) ?? 0),
    collectionDocuments: documentsOf(context.cluster, group.namespace),
  }),
  withoutIndex,
});

function knowsMatches({ tellsMatches, joins }: Query): boolean {
  return tellsMatches && !joins;
}

/** A scan for some of the documents. */
function isSelective(query: Query): boolean {
  const { conditions } = query;
  if (!isScanned(query) || isEmpty(conditions)) return false;
  // case-insensitive-regex and unselective-filter report the others.
  if (canBeFound(conditions)) return true;
  return obstacleOf(query) === null && !everyCondition(conditions).some(({ ignoresCase }) => ignoresCase);
}

function isDeliberate(
  query: Query,
  { documentsExamined, documentsReturned }: QueryCost,
  { shareWanted, documents }: Limits,
): boolean {
  if (!query.tellsMatches || query.joins || documentsExamined === null || documentsReturned === null) return false;
  const isFew = (sizeFor(query)?.recorded ?? Infinity) < documents;
  if (isFew && query.limited) return false;
  return documentsReturned >= (isFew ? Math.max(shareWanted, SHARE_WANTED_OF_FEW) : shareWanted) * documentsExamined;
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
  const bySize = severityOf(examined, { info: limits.documents, warning: limits.warning, error: limits.error });
  // A query that stops at what it finds may find it later in a collection that has grown.
  const isSparse = examined >= EXAMINED_PER_RETURNED * Math.max(1, cost.documentsReturned ?? 0);
  const isInfo = isSparse && (!isBelow(query, limits.documents) || isMainWork(query, cost, cluster));
  const perDay = examined * (cost.executionsPerDay ?? cost.executions);
  const isBusy = perDay >= limits.warningPerDay && (bySize !== null || isSparse);
  return worst([bySize, ofDesign(query, cost, limits), isInfo ? 'info' : null, isBusy ? 'warning' : null]);
}

/** A fault that grows with the collection, whatever an execution costs today. */
function ofDesign(query: Query, cost: QueryCost, limits: Limits): Severity | null {
  const examined = examinedAtJudgedSize(query, cost) ?? 0;
  if (examined < limits.documents || !isRecurringSearch(query, cost, examined, limits.recurring)) return null;
  return examined * (cost.executionsPerDay ?? 0) >= limits.errorPerDay ? 'error' : 'warning';
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

function withoutIndex({ isCut, queries: [query] }: QueryGroup): RemedyStep[] {
  if (isCut) return explainSteps();
  // The queries could be served; it is only that the field has no name here.
  if (
    canBeFound(query.conditions) &&
    everyCondition(query.conditions).some(({ path }) => path.split('.').includes('*'))
  ) {
    return [
      {
        text: 'The name of the field looks like data (`*` in the message) and is not kept, so no index can be proposed. If it is one of a few such names, index that field.',
      },
      {
        text:
          'If there are many such names, store them as { k: <name>, v: <value> } in an array with an index on both (attribute pattern). ' +
          'Or let a wildcard index serve them.',
      },
    ];
  }
  const operators = [...new Set(everyCondition(query.conditions).map(({ operator }) => operator))].join(', ');
  return [
    {
      text:
        `No index finds documents by ${operators} as used here. Add a condition that an index can serve: an equality or a range. ` +
        'Or store what is asked for in a field of its own, and index that.',
    },
  ];
}
