import type { ClusterVerdict } from '../../check.js';
import type { FindingEvidence, Remedy } from '../../finding.js';
import { groupedBy } from '../../grouped-by.js';
import type { IndexDescription } from '../../inventory/collection.js';
import type { IndexProposal } from '../../inventory/index-proposal.js';
import { accessOf } from '../../planner/access-of.js';
import { isRefused } from '../../planner/access.js';
import { refusalText } from '../../planner/refusal.js';
import { compareTexts } from '../../text/compare-texts.js';
import type { Operation } from '../../workload/workload.js';
import { adviceOn, isOnlyWaiting } from '../advice/collection-advice.js';
import { averageWithIndex, documentsWithIndex, type DocumentsWithIndex } from '../advice/documents-with-index.js';
import { type AdvisedIndexes, indexesFor, type NeededIndex, orderText, proposalsOf } from '../advice/needed-index.js';
import { byIndex, type QueryPlace, suggestionsFor } from '../advice/query-suggestions.js';
import { isKeyOfUpsert } from '../advice/upserted-key.js';
import { indexInBuild, indexSteps } from '../indexes/index-steps.js';
import type { JoinedCluster } from '../joins/joined-cluster.js';
import { workloadGaps } from '../joins/workload-gaps.js';
import { quotient } from '../quotient.js';
import { besideHints, isHinted, takenFrom } from './hinted.js';
import { queryCost, type QueryCost } from './query-cost.js';
import { queryText } from './query-text.js';
import type { Query } from './query.js';

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
  /** An index that begins with a field of the one to create and cannot be used, and why, as a sentence; null if there is none. */
  readonly unusable: string | null;
  /** Whether some of the queries name another index by hint(). */
  readonly isHinted: boolean;
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
  /** The place of searches by a text or geo index, which are left out unless it is given. */
  readonly specialPlaceOf?: PlaceOf | undefined;
}

/** A query where it is reported, with the indexes that the advisor gives it. */
interface Placed {
  readonly query: Query;
  readonly place: QueryPlace;
  readonly advised: AdvisedIndexes | null;
}

/**
 * The queries that a check is about, by their place: the indexes that serve them unless another is given.
 *
 * @param isMeant is asked for each query of which a source tells how it was executed
 */
export function queryGroups(
  cluster: JoinedCluster,
  queries: readonly Query[],
  isMeant: (query: Query, cost: QueryCost) => boolean,
  { placeOf = byIndex, specialPlaceOf }: GroupingOptions = {},
): JudgedQueries {
  const placed: Placed[] = [];
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
      if (unused !== null)
        placed.push({ query, place: { ...unused, indexes: ownIndexes(query, cluster) }, advised: null });
      continue;
    }
    placed.push(...inAdvice(query, found, cluster));
  }
  const alike = groupedBy(placed, ({ query, place, advised }) =>
    JSON.stringify([query.known.collection.namespace, advised?.indexes[0]?.name ?? place.path]),
  );
  const groups = [...alike.values()].flatMap((group) => groupOf(ownFirst(group), cluster) ?? []);
  return {
    groups: groups.toSorted((one, other) => compareTexts(one.path ?? '', other.path ?? '')),
    notJudged: [...workloadGaps(cluster.workload, 'plans'), ...unknown.values()],
  };
}

/** A query that wants an index gets what the advisor gives it: nothing if an index that is there does. */
function inAdvice(query: Query, place: QueryPlace, cluster: JoinedCluster): Placed[] {
  if (place.indexes === undefined) return [{ query, place, advised: null }];
  const advice = adviceOn(query.known.collection.namespace, cluster).of(query);
  if (advice === null) return [];
  return [
    'steps' in advice
      ? { query, place: { path: advice.path, remedy: { steps: advice.steps } }, advised: null }
      : { query, place: { ...place, remedy: null }, advised: advice },
  ];
}

function unusableText(
  { known: { indexes }, collection, collation, planned }: Query,
  key: IndexProposal['key'],
): string | null {
  const alike = indexes.present
    ? indexes.value.filter((index) => Object.hasOwn(key, Object.keys(index.key)[0] ?? ''))
    : [];
  for (const index of alike) {
    const access = accessOf(index, collection, planned);
    // That a field is not asked for says nothing of the index.
    if (isRefused(access) && access.because !== 'other field')
      return `The index \`${index.name}\` does not serve it: ${refusalText(access, collation)}.`;
  }
  return null;
}

/** Those that would get the very index by themselves, before those that share it. */
function ownFirst(group: readonly Placed[]): readonly [Placed, ...Placed[]] {
  const isOwn = ({ advised, place }: Placed) => place.indexes?.[0]?.name === advised?.indexes[0]?.name;
  const [first, ...others] = [...group.filter(isOwn), ...group.filter((each) => !isOwn(each))];
  return [first as Placed, ...others];
}

function groupOf([first, ...others]: readonly [Placed, ...Placed[]], cluster: JoinedCluster): QueryGroup | null {
  const { known } = first.query;
  const placed = [first, ...others];
  const queries = [first.query, ...others.map(({ query }) => query)] as const;
  const cost = queryCost(queries, cluster.workload);
  if (cost === null) return null;
  const { advised } = first;
  const about = new Set<Query>(queries);
  const all = [...queries, ...(advised?.queries ?? []).filter((query) => !about.has(query) && !isOnlyWaiting(query))];
  const proposes = advised === null ? [] : proposalsOf(advised, known);
  const [created, ...more] = proposes;
  const isOne = created?.action === 'create' && more.length === 0;
  const isKey = isOne && all.some((query) => isKeyOfUpsert(query, Object.keys(created.key)));
  return {
    namespace: known.collection.namespace,
    path: advised?.indexes[0]?.name ?? first.place.path,
    ...(proposes[0]?.action === 'create' && { pathIs: 'missing-index' }),
    queries,
    operations: all.map(({ operation }) => operation),
    cost,
    remedy:
      advised === null
        ? first.place.remedy
        : { steps: besideHints(queries, indexSteps(proposes, orderText(advised.indexes), isKey)) },
    proposes: isKey ? [] : proposes,
    unusable: proposes[0]?.action === 'create' ? unusableText(first.query, proposes[0].key) : null,
    isHinted: isHinted(queries),
    withIndex: placed.map(estimateOf),
    isCut: queries.every(({ operation }) => operation.shape.truncated === true),
  };
}

function ownIndexes(query: Query, cluster: JoinedCluster): readonly NeededIndex[] {
  return indexesFor(query, suggestionsFor(query, cluster) ?? []);
}

function estimateOf({ query, place: { indexes = [] } }: Placed): DocumentsWithIndex | null {
  return indexes.length === 0 ? null : documentsWithIndex(query, indexes);
}

/** A group's figures, for a finding's evidence; a check may add its own. */
export function queryFigures(
  { queries, cost, withIndex }: QueryGroup,
  further: Readonly<Record<string, number | string | null>> = {},
): FindingEvidence {
  const { source, window, facts: _, ...figures } = cost;
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
