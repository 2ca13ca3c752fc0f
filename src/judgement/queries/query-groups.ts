import type { ClusterVerdict } from '../../check.js';
import type { FindingEvidence, Remedy } from '../../finding.js';
import { groupedBy } from '../../grouped-by.js';
import type { IndexDescription } from '../../inventory/collection.js';
import type { IndexProposal } from '../../inventory/index-proposal.js';
import { quotient } from '../../quotient.js';
import { waitingCause } from '../../workload/operations/waiting-cause.js';
import type { Operation } from '../../workload/workload.js';
import { indexInBuild, indexSteps } from '../indexes/index-steps.js';
import { fieldTypesOn, type JoinedCluster } from '../joins/joined-cluster.js';
import { workloadGaps } from '../joins/workload-gaps.js';
import { isEmpty, nullPaths } from './conditions.js';
import { averageWithIndex, documentsWithIndex, type DocumentsWithIndex } from './documents-with-index.js';
import { besideHints, takenFrom } from './hinted.js';
import { inCheapestSet } from './index-set.js';
import { withPartialOption } from './null-partial-index.js';
import { queryCost, type QueryCost } from './query-cost.js';
import {
  placesByNeed,
  withoutCovered,
  type PlacedQuery,
  type QueriesInPlace,
  type QueryPlace,
} from './query-places.js';
import { indexesFor, orderText, proposalsFor, servesAsWell, type QueryIndex } from './query-remedy.js';
import { byIndex, suggestionsFor } from './query-suggestions.js';
import { queryText } from './query-text.js';
import { INDEX_DEFAULTS, type IndexLimits } from './query-thresholds.js';
import { queriesOf, type Query } from './query.js';
import { inSharedOrder } from './shared-places.js';

/** Queries of one collection with one remedy. */
export interface QueryGroup {
  readonly namespace: string;
  /** Name of the index that would serve them (the first of several), or path of a field; null if neither exists. */
  readonly path: string | null;
  /** Present if the path is the name of an index to create. */
  readonly pathIs?: 'missing-index';
  readonly queries: readonly [Query, ...Query[]];
  /** Those of the queries, and the others that the same index serves: what the remedy saves. */
  readonly operations: readonly Operation[];
  readonly cost: QueryCost;
  readonly remedy: Remedy | null;
  /** The indexes that the remedy creates or unhides. */
  readonly proposes: readonly IndexProposal[];
  /** What each of the queries would examine with the index; null if that is unknown. */
  readonly withIndex: readonly (DocumentsWithIndex | null)[];
  /** True if their source cut all of the queries, so that no index can be derived. */
  readonly isCut: boolean;
}

export interface JudgedQueries {
  readonly groups: readonly QueryGroup[];
  readonly notJudged: readonly ClusterVerdict[];
}

/** Where a query is reported, and what would serve it. */
export type PlaceOf = (
  query: Query,
  existing: readonly IndexDescription[],
  cluster: JoinedCluster,
) => QueryPlace | 'served';

interface GroupingOptions {
  /** The index that would serve a query, unless given. */
  readonly placeOf?: PlaceOf | undefined;
  /** Of searches by a text or geo index, which are left out unless it is given. */
  readonly specialPlaceOf?: PlaceOf | undefined;
  /** The defaults unless given. */
  readonly limits?: IndexLimits;
}

/**
 * The queries that a check is about, by their place: the index that would serve them unless another is given.
 *
 * @param isMeant is asked for each query of which a source tells how it was executed
 */
export function queryGroups(
  cluster: JoinedCluster,
  queries: readonly Query[],
  isMeant: (query: Query, cost: QueryCost) => boolean,
  { placeOf = byIndex, specialPlaceOf, limits = INDEX_DEFAULTS }: GroupingOptions = {},
): JudgedQueries {
  const placed: PlacedQuery[] = [];
  const places = new Map<string, QueriesInPlace>();
  const estimates = new Map<Query, DocumentsWithIndex | null>();
  const unknown = new Map<string, ClusterVerdict>();
  for (const query of queries) {
    const { collection, indexes } = query.known;
    const { namespace } = collection;
    const cost = queryCost([query], cluster.workload);
    const place = query.conditions.special ? specialPlaceOf : placeOf;
    if (cost === null || place === undefined || !isMeant(query, cost)) continue;
    if (isOnlyWaiting(query)) continue;
    if (!indexes.present) {
      unknown.set(namespace, { namespace, notJudged: indexes.reason, detail: indexes.detail });
      continue;
    }
    const found = place(query, indexes.value, cluster);
    if (found === 'served') {
      const building = indexes.value.find((index) => index.building === true);
      const isServedWithout = (name: string) =>
        place(
          query,
          indexes.value.filter((index) => index.name !== name),
          cluster,
        ) === 'served';
      if (building !== undefined && !isServedWithout(building.name))
        unknown.set(namespace, { namespace, ...indexInBuild(namespace, building.name) });
      const unused = takenFrom(query, indexes.value, (index) => place(query, [index], cluster) === 'served');
      if (unused !== null) placed.push({ query, place: { ...unused, servedBy: servingIndexes(query, cluster) } });
      continue;
    }
    placed.push({ query, place: found });
  }
  for (const { query, place: found } of inCheapestSet(placed, cluster, limits)) {
    estimates.set(query, estimateOf(query, found, cluster));
    const key = JSON.stringify([query.known.collection.namespace, found.path]);
    const known = places.get(key);
    places.set(
      key,
      known === undefined ? { ...found, queries: [query], needs: found.indexes ?? [] } : withQuery(known, query, found),
    );
  }
  const kept = withoutCovered(inSharedOrder([...places.values()], cluster));
  const others = othersServed(kept, placeOf, cluster);
  const groups = kept.flatMap((place) => groupOf(place, cluster, estimates, others.get(place) ?? []) ?? []);
  return { groups, notJudged: [...workloadGaps(cluster.workload, 'plans'), ...unknown.values()] };
}

/** No index shortens the wait for a lock. At an expected size, what it examines counts. */
function isOnlyWaiting({ operation, known: { collection } }: Query): boolean {
  const isOfPresentSize = collection.expected === undefined && operation.recordedHere !== true;
  return isOfPresentSize && waitingCause(operation) !== null;
}

/** The queries that no place is about, by the place whose index serves them too. */
function othersServed(
  places: readonly QueriesInPlace[],
  placeOf: PlaceOf,
  cluster: JoinedCluster,
): ReadonlyMap<QueriesInPlace, readonly Query[]> {
  const indexed = places.filter(({ indexes }) => indexes !== undefined);
  if (indexed.length === 0) return new Map();
  const namespaces = new Set(indexed.map(({ queries: [{ known }] }) => known.collection.namespace));
  const servingPlace = placesByNeed(indexed);
  const about = new Set(places.flatMap(({ queries }) => queries.map(({ operation }) => operation)));
  const others = queriesOf(cluster).flatMap((query) => {
    const { operation, conditions, known } = query;
    if (!namespaces.has(known.collection.namespace) || about.has(operation) || !known.indexes.present) return [];
    if (conditions.special || isOnlyWaiting(query) || isEmpty(conditions)) return [];
    const place = placeOf(query, known.indexes.value, cluster);
    const serving =
      place === 'served' ? undefined : servingPlace({ ...place, queries: [query], needs: place.indexes ?? [] });
    return serving === undefined ? [] : [{ query, serving }];
  });
  const byPlace = groupedBy(others, ({ serving }) => serving);
  return new Map([...byPlace].map(([serving, served]) => [serving, served.map(({ query }) => query)]));
}

/** As the query asks for them, whether they are there or not. */
function servingIndexes(query: Query, cluster: JoinedCluster): readonly QueryIndex[] {
  return indexesFor(query, suggestionsFor(query, cluster) ?? []);
}

function estimateOf(
  query: Query,
  { servedBy, indexes = servedBy }: QueryPlace,
  cluster: JoinedCluster,
): DocumentsWithIndex | null {
  if (indexes === undefined) return null;
  const fieldTypes = fieldTypesOn(cluster, query.known.collection.namespace);
  return documentsWithIndex(
    query,
    indexes.map(({ index }) => index),
    fieldTypes,
  );
}

function groupOf(
  { path, queries, remedy, indexes }: QueriesInPlace,
  { workload }: JoinedCluster,
  estimates: ReadonlyMap<Query, DocumentsWithIndex | null>,
  others: readonly Query[],
): QueryGroup | null {
  const cost = queryCost(queries, workload);
  if (cost === null) return null;
  const [{ known }] = queries;
  const all: readonly Query[] = [...queries, ...others];
  const nulls = nullPaths(queries[0].conditions).filter((field) =>
    all.every(({ conditions }) => nullPaths(conditions).includes(field)),
  );
  const proposes = (indexes === undefined ? [] : proposalsFor(indexes, known)).map((proposal) =>
    withPartialOption(proposal, nulls, known),
  );
  return {
    namespace: known.collection.namespace,
    path,
    ...(proposes[0]?.action === 'create' && { pathIs: 'missing-index' }),
    queries,
    operations: all.map(({ operation }) => operation),
    cost,
    remedy: indexes === undefined ? remedy : { steps: besideHints(queries, indexSteps(proposes, orderText(indexes))) },
    proposes,
    withIndex: queries.map((query) => estimates.get(query) ?? null),
    isCut: queries.every(({ operation }) => operation.shape.truncated === true),
  };
}

/** The first of their indexes is the same; alternatives of `$or` may want further ones. */
function withQuery(place: QueriesInPlace, query: Query, { indexes = [] }: QueryPlace): QueriesInPlace {
  const queries: QueriesInPlace['queries'] = [...place.queries, query];
  const needs = [...place.needs, ...indexes.filter((index) => !place.needs.some((other) => isSameNeed(other, index)))];
  const further = indexes.filter((index) => !place.indexes?.some((other) => servesAsWell(other, index)));
  return {
    ...place,
    queries,
    needs,
    ...(further.length > 0 && { indexes: [...(place.indexes ?? []), ...further] }),
  };
}

function isSameNeed(one: QueryIndex, other: QueryIndex): boolean {
  return one.name === other.name && JSON.stringify(one.index) === JSON.stringify(other.index);
}

/** A group's figures, for a finding's evidence; a check may add its own. */
export function queryFigures(
  { queries, cost, withIndex }: QueryGroup,
  further: Readonly<Record<string, number | null>> = {},
): FindingEvidence {
  const { source, window, ...figures } = cost;
  const estimate = averageWithIndex(withIndex);
  return {
    source,
    window,
    ...figures,
    executionsPerDay: rounded(figures.executionsPerDay),
    documentsExamined: rounded(figures.documentsExamined),
    keysExamined: rounded(figures.keysExamined),
    queries: queries.map(queryText),
    ...further,
    ...(estimate !== null && {
      documentsExaminedWithIndex: estimate.documents,
      documentsExaminedWithIndexRange: [...estimate.range],
    }),
    ...(withIndex.length > 1 &&
      withIndex.some((each) => each !== null) && { documentsExaminedWithIndexByQuery: withIndex.map(perExecution) }),
  };
}

function perExecution(estimate: DocumentsWithIndex | null): number | null {
  return estimate === null ? null : quotient(estimate.documents, estimate.executions);
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value);
}
