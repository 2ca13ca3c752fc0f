import type { ClusterVerdict } from '../../src/check.js';
import { plural } from '../../src/format.js';
import { obstacleOf } from '../../src/judgement/advice/query-suggestions.js';
import { documentsOf, type JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { canBeFound, everyCondition, isEmpty } from '../../src/judgement/queries/conditions.js';
import { averageText, withSimilar } from '../../src/judgement/queries/judged-query.js';
import { defineQueryCheck } from '../../src/judgement/queries/query-check.js';
import { isScanned, queryCost, type QueryCost } from '../../src/judgement/queries/query-cost.js';
import type { QueryGroup } from '../../src/judgement/queries/query-groups.js';
import type { Query } from '../../src/judgement/queries/query.js';
import { comparedInVain } from '../../src/judgement/queries/search-severity.js';
import { placeOfSpecial } from '../../src/judgement/queries/special-searches.js';
import { worst } from '../../src/judgement/severity-lines.js';
import { withoutIndex } from './remedy.js';
import {
  gradeOf,
  isDeliberate,
  isFoundAtOnce,
  ofDesign,
  retiredThresholds,
  thresholds,
  type Context,
} from './scan-grade.js';

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
      `No index serves ${withSimilar(group)}. An execution reads ${plural(Math.round(examinedIn(group, context) ?? 0), 'document')}` +
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
