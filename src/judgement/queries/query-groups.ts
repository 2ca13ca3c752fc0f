import type { ClusterVerdict } from '../../check.js';
import { compareTexts } from '../../compare-texts.js';
import type { FindingEvidence, Remedy } from '../../finding.js';
import type { IndexDescription } from '../../inventory/collection.js';
import type { IndexProposal } from '../../inventory/index-proposal.js';
import { indexInBuild } from '../indexes/index-in-build.js';
import { indexSteps } from '../indexes/index-steps.js';
import { waitingCause } from '../../workload/operations/waiting-cause.js';
import { fieldTypesOn, type JoinedCluster } from '../joins/joined-cluster.js';
import { workloadGaps } from '../joins/workload-gaps.js';
import type { Conditions } from './conditions.js';
import { negationsAsRanges } from './obstacle.js';
import { plannedFigures, queryCost, type QueryCost } from './query-cost.js';
import {
  indexesFor,
  missingIndexes,
  ORDER_OF_FIELDS,
  proposalsFor,
  servesAsWell,
  type QueryIndex,
} from './query-remedy.js';
import { queriesOf, type Query } from './query.js';
import { queryText } from './query-text.js';
import { keyOf, suggestedIndexes, type SuggestedIndex } from '../indexes/suggested-index.js';

/** Queries of one collection with one remedy. */
export interface QueryGroup {
  readonly namespace: string;
  /** Name of the index that would serve them (the first of several), or path of a field; null if neither exists. */
  readonly path: string | null;
  /** Present if the path is the name of an index to create. */
  readonly pathIs?: 'missing-index';
  readonly queries: readonly [Query, ...Query[]];
  readonly cost: QueryCost;
  readonly remedy: Remedy | null;
  /** The indexes that the remedy creates or unhides. */
  readonly proposes: readonly IndexProposal[];
  /** True if their source cut all of the queries, so that no index can be derived. */
  readonly isCut: boolean;
}

export interface JudgedQueries {
  readonly groups: readonly QueryGroup[];
  readonly notJudged: readonly ClusterVerdict[];
}

export interface QueryPlace {
  readonly path: string | null;
  readonly remedy: Remedy | null;
  /** The indexes that would serve the queries, if any would. */
  readonly indexes?: readonly QueryIndex[];
}

type QueriesInPlace = QueryPlace & { readonly queries: [Query, ...Query[]] };

type PlaceOf = (query: Query, existing: readonly IndexDescription[], cluster: JoinedCluster) => QueryPlace | 'served';

/**
 * The queries that a check is about, by their place: the index that would serve them unless another is given.
 *
 * @param isMeant is asked for each query of which a source tells how it was executed
 * @param queries all of the workload unless given
 */
export function queryGroups(
  cluster: JoinedCluster,
  isMeant: (query: Query, cost: QueryCost) => boolean,
  placeOf: PlaceOf = byIndex,
  queries: readonly Query[] = queriesOf(cluster),
): JudgedQueries {
  const places = new Map<string, QueriesInPlace>();
  const unknown = new Map<string, ClusterVerdict>();
  for (const query of queries) {
    const { collection, indexes } = query.known;
    const { namespace } = collection;
    const cost = queryCost([query], cluster.workload);
    if (cost === null || query.conditions.special || !isMeant(query, cost)) continue;
    if (isOnlyWaiting(query)) continue;
    if (!indexes.present) {
      unknown.set(namespace, { namespace, notJudged: indexes.reason, detail: indexes.detail });
      continue;
    }
    const place = placeOf(query, indexes.value, cluster);
    if (place === 'served') {
      const building = indexes.value.find((index) => index.building === true);
      const isServedWithout = (name: string) =>
        placeOf(
          query,
          indexes.value.filter((index) => index.name !== name),
          cluster,
        ) === 'served';
      if (building !== undefined && !isServedWithout(building.name))
        unknown.set(namespace, { namespace, ...indexInBuild(namespace, building.name) });
      continue;
    }
    const key = JSON.stringify([namespace, place.path]);
    const known = places.get(key);
    places.set(key, known === undefined ? { ...place, queries: [query] } : withQuery(known, query, place));
  }
  const groups = withoutCovered([...places.values()]).flatMap((place) => groupOf(place, cluster) ?? []);
  return { groups, notJudged: [...workloadGaps(cluster.workload), ...unknown.values()] };
}

/** No index shortens the wait for a lock. At an expected size, what it examines counts. */
function isOnlyWaiting({ operation, known: { collection } }: Query): boolean {
  const isOfPresentSize = collection.expected === undefined && operation.recordedHere !== true;
  return isOfPresentSize && waitingCause(operation) !== null;
}

function groupOf({ path, queries, remedy, indexes }: QueriesInPlace, { workload }: JoinedCluster): QueryGroup | null {
  const cost = queryCost(queries, workload);
  if (cost === null) return null;
  const [{ known }] = queries;
  const proposes = indexes === undefined ? [] : proposalsFor(indexes, known);
  return {
    namespace: known.collection.namespace,
    path,
    ...(proposes[0]?.action === 'create' && { pathIs: 'missing-index' }),
    queries,
    cost,
    remedy: indexes === undefined ? remedy : { steps: indexSteps(proposes, ORDER_OF_FIELDS) },
    proposes,
    isCut: queries.every(({ operation }) => operation.shape.truncated === true),
  };
}

/** The first of their indexes is the same; alternatives of `$or` may want further ones. */
function withQuery(place: QueriesInPlace, query: Query, { indexes = [] }: QueryPlace): QueriesInPlace {
  const queries: QueriesInPlace['queries'] = [...place.queries, query];
  const further = indexes.filter((index) => !place.indexes?.some((other) => servesAsWell(other, index)));
  return further.length === 0
    ? { ...place, queries }
    : { ...place, queries, indexes: [...(place.indexes ?? []), ...further] };
}

/** An index serves the queries too for which one that begins it would do: together they would be redundant. */
function withoutCovered(places: readonly QueriesInPlace[]): QueriesInPlace[] {
  const kept: QueriesInPlace[] = [];
  const keptByBeginning = new Map<string, QueriesInPlace[]>();
  for (const place of places.toSorted(widestFirst)) {
    const wider = keptByBeginning.get(placeKey(place))?.find((other) => covers(other, place));
    if (wider !== undefined) {
      wider.queries.push(...place.queries);
      continue;
    }
    kept.push(place);
    for (const beginning of beginningsOf(place)) {
      const others = keptByBeginning.get(beginning);
      if (others === undefined) keptByBeginning.set(beginning, [place]);
      else others.push(place);
    }
  }
  return kept;
}

/** The collection and the fields of the first index: one that does the same begins with them, in whichever order. */
function placeKey({ queries: [{ known }], indexes: [first] = [] }: QueriesInPlace): string {
  return beginningKey(known.collection.namespace, first === undefined ? [] : Object.keys(keyOf(first.index)));
}

function beginningsOf({ queries: [{ known }], indexes = [] }: QueriesInPlace): Set<string> {
  return new Set(
    indexes.flatMap(({ index }) => {
      const fields = Object.keys(keyOf(index));
      return fields.map((_, position) => beginningKey(known.collection.namespace, fields.slice(0, position + 1)));
    }),
  );
}

function beginningKey(namespace: string, fields: readonly string[]): string {
  return JSON.stringify([namespace, ...fields.toSorted()]);
}

/** By name if they have as many: the order of the queries differs from run to run. */
function widestFirst(one: QueryPlace, other: QueryPlace): number {
  return fieldsIn(other) - fieldsIn(one) || compareTexts(one.path ?? '', other.path ?? '');
}

function covers({ indexes: wider = [] }: QueryPlace, { indexes = [] }: QueryPlace): boolean {
  return indexes.length > 0 && indexes.every((index) => wider.some((other) => servesAsWell(other, index)));
}

function fieldsIn({ indexes = [] }: QueryPlace): number {
  return Math.max(0, ...indexes.map(({ index: { equality, further } }) => equality.length + further.length));
}

/** By the index that would find the query's documents. */
export function byIndex(
  query: Query,
  existing: readonly IndexDescription[],
  cluster: JoinedCluster,
): QueryPlace | 'served' {
  return placeBy(query, existing, suggestionsFor(query, cluster));
}

/** By the index that would give the query's documents in order. */
export function bySortingIndex(
  query: Query,
  existing: readonly IndexDescription[],
  cluster: JoinedCluster,
): QueryPlace | 'served' {
  const suggested = suggestionsFor(query, cluster);
  return placeBy(query, existing, suggested?.every(({ sorts }) => sorts) === true ? suggested : null);
}

function suggestionsFor(query: Query, cluster: JoinedCluster): readonly SuggestedIndex[] | null {
  // A condition that was cut off might change the index.
  if (query.operation.shape.truncated === true) return null;
  const { longestLiteralArray = null } = plannedFigures(query.operation)?.figures ?? {};
  const types = fieldTypesOn(cluster, query.known.collection.namespace);
  const suggestedFor = (conditions: Conditions) =>
    suggestedIndexes({ ...query, conditions, longestLiteralArray }, types);
  // An index on what a negation leaves is of use if that is little, which only returned documents show.
  return (
    suggestedFor(query.conditions) ??
    (query.tellsMatches ? suggestedFor(negationsAsRanges(query.conditions, types)) : null)
  );
}

function placeBy(
  query: Query,
  existing: readonly IndexDescription[],
  suggested: readonly SuggestedIndex[] | null,
): QueryPlace | 'served' {
  if (suggested === null) return { path: null, remedy: null };
  const indexes = indexesFor(query, suggested);
  if (missingIndexes(indexes, existing).length === 0) return 'served';
  return { path: indexes[0]?.name ?? null, remedy: null, indexes };
}

/** A group's figures, for a finding's evidence; a check may add its own. */
export function queryFigures(
  { queries, cost }: QueryGroup,
  further: Readonly<Record<string, number | null>> = {},
): FindingEvidence {
  const { source, window, ...figures } = cost;
  return {
    source,
    window,
    ...figures,
    executionsPerDay: rounded(figures.executionsPerDay),
    documentsExamined: rounded(figures.documentsExamined),
    keysExamined: rounded(figures.keysExamined),
    queries: queries.map(queryText),
    ...further,
  };
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value);
}
