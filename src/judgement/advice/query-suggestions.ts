import type { Remedy } from '../../finding.js';
import type { IndexDescription } from '../../inventory/collection.js';
import type { FieldTypes } from '../../profile/field-types.js';
import { typesOfFamily } from '../../profile/type-families.js';
import { DATA_NAME } from '../../workload/shapes/sort-shape.js';
import { fieldTypesOn, type JoinedCluster } from '../joins/joined-cluster.js';
import { holdsArrays } from '../joins/joined-values.js';
import { canBeFound, type Condition, type Conditions, everyCondition, isEmpty } from '../queries/conditions.js';
import { isNeverFull, isScanned, plannedFigures, returnsAllThatMatch } from '../queries/query-cost.js';
import { sizeFor } from '../queries/query-size.js';
import { MOST_OF_ALL, SEARCH_THRESHOLDS } from '../queries/query-thresholds.js';
import { inOrder, type Query } from '../queries/query.js';
import { scannedKeys } from '../queries/scattered-keys.js';
import { countsOnly } from './documents-with-index.js';
import { foundWith, shareFound, type ValueShares } from './index-value.js';
import { indexesFor, isUsed, missingIndexes, type NeededIndex } from './needed-index.js';
import { hasOneValue, type IndexedQuery, keyOf, type SuggestedIndex, suggestedIndexes } from './suggested-index.js';

/** Where a query is reported, and what would serve it. */
export interface QueryPlace {
  readonly path: string | null;
  readonly remedy: Remedy | null;
  /** The indexes that it would get by itself, if any would serve it. */
  readonly indexes?: readonly NeededIndex[];
}

const NEGATING = new Set(['$ne', '$nin', '$not', '$nor']);

/** By the index that would find the query's documents. */
export function byIndex(
  query: Query,
  existing: readonly IndexDescription[],
  cluster: Pick<JoinedCluster, 'collections'>,
): QueryPlace | 'served' {
  return placeBy(inOrderOfValues(query), existing, suggestionsFor(query, cluster));
}

/** By the index that would give the query's documents in order. */
export function bySortingIndex(
  query: Query,
  existing: readonly IndexDescription[],
  cluster: JoinedCluster,
): QueryPlace | 'served' {
  const suggested = suggestionsFor(query, cluster);
  const isOrdered = suggested?.every(({ sorts, sortsFew }) => sorts || sortsFew === true) === true;
  return placeBy(query, existing, isOrdered ? suggested : null);
}

/** The indexes that would find a query's documents; null if none would. */
export function suggestionsFor(
  asked: Query,
  cluster: Pick<JoinedCluster, 'collections'>,
): readonly SuggestedIndex[] | null {
  const query = inOrderOfValues(asked);
  // A condition that was cut off might change the index.
  if (query.operation.shape.truncated === true) return null;
  const { longestLiteralArray = null } = plannedFigures(query.operation)?.figures ?? {};
  const types = fieldTypesOn(cluster, query.known.collection.namespace);
  const suggestedFor = (among: Conditions) => {
    const conditions = withoutOneValued(among, query, types);
    const wanted = {
      ...query,
      conditions,
      longestLiteralArray,
      returnsFew: returnsFew(query),
      counts: countsOnly(query.operation.shape),
      ...(isPageFull(query, types) && { first: 'sort' as const }),
    };
    const sorting = withoutMost(query, wanted, suggestedIndexes(wanted, types), types);
    return isMostlySkipped(query, sorting) ? suggestedIndexes({ ...wanted, first: 'ranges' }, types) : sorting;
  };
  // An index on what a negation leaves is of use if that is little, which only returned documents show. A count reads its keys.
  const isOfKeys = !isScanned(query) && countsOnly(query.operation.shape);
  const suggested =
    suggestedFor(query.conditions) ??
    (query.returnsEachMatch || isOfKeys ? suggestedFor(negationsAsRanges(query.conditions, types)) : null);
  const isOfUse = (index: SuggestedIndex) =>
    isUsed(query, index) && !findsMostOf(query, index) && !(index.ordersOnly === true && isNeverFull(query));
  return suggested?.every(isOfUse) === true ? suggested : null;
}

/**
 * Whether an index finds most documents as the sample has it, though few were returned: a condition that its keys do not hold
 * may be what leaves few.
 */
function findsMostOf(query: Query, index: SuggestedIndex): boolean {
  const key = keyOf(index);
  const isTestedElsewhere = everyCondition(query.conditions).some(({ path }) => path !== '' && !(path in key));
  const isOfEqual = index.further.every(([path]) =>
    query.conditions.all.some((each) => each.path === path && each.role === 'residual'),
  );
  return !index.sorts && isTestedElsewhere && isOfEqual && shareFound(query, 'average') >= MOST_OF_ALL;
}

/** Behind the fields that are set equal, an index has the different values of the next one in order. */
function inOrderOfValues(query: Query): Query {
  const { distinctField } = query.operation.shape;
  const isOfOneValue = query.conditions.all.every(({ role }) => role === 'equality');
  const isOrdered = distinctField !== undefined && isOfOneValue && query.conditions.alternatives.length === 0;
  return isOrdered ? inOrder(query, [[distinctField, 1]]) : query;
}

/** Whether the recorded executions returned all that match, and that was less than most of the collection. */
export function returnsFew(query: Query): boolean {
  const { documentsReturned = null, executions = 0 } = plannedFigures(query.operation)?.figures ?? {};
  const most = MOST_OF_ALL * (sizeFor(query)?.recorded ?? 0) * executions;
  return query.returnsEachMatch && returnsAllThatMatch(query) && documentsReturned !== null && documentsReturned < most;
}

/**
 * If each equality is on a field that has one value in all documents, they leave nothing out: they are tested last, and no index
 * begins with them. But if all that match were returned, and these are so few that the sample may have missed them, the values
 * that are asked for may be rare ones.
 */
function withoutOneValued(conditions: Conditions, query: Query, types: FieldTypes | null): Conditions {
  if (types === null || (returnsFew(query) && isMissed(query, types))) return conditions;
  const finding = conditions.all.filter(({ role }) => role === 'equality' || role === 'list');
  if (!finding.every(({ role, path }) => role === 'equality' && hasOneValue(path, types))) return conditions;
  const all = conditions.all.map((each) => (each.role === 'equality' ? { ...each, role: 'residual' as const } : each));
  return { ...conditions, all };
}

/** Documents of a sample that in 95 % of cases would show what so many more of the collection have: the rule of three. */
const SHOWN_BY = 3;

/** Whether a random sample may show none of the documents that an execution returned. */
function isMissed(query: Query, { documents: sampled }: FieldTypes): boolean {
  const { documentsReturned = null, executions = 0 } = plannedFigures(query.operation)?.figures ?? {};
  const returned = (documentsReturned ?? 0) / Math.max(1, executions);
  return returned * sampled < SHOWN_BY * (sizeFor(query)?.recorded ?? Infinity);
}

/** Share that even rare values find, from which a page in order is full soon, whatever is asked. Judgement. */
const MANY = 0.1;

/**
 * If branches of an `$or` find most documents, an index for another one saves nothing: the order of a page is all that helps.
 */
function withoutMost(
  query: Query,
  asked: IndexedQuery,
  suggested: readonly SuggestedIndex[] | null,
  types: FieldTypes | null,
): readonly SuggestedIndex[] | null {
  const { conditions } = asked;
  const [branches] = conditions.alternatives;
  if (branches === undefined || suggested === null || suggested.length < 2) return suggested;
  const sumOf = (rank: keyof ValueShares) =>
    branches.reduce((sum, branch) => sum + shareFound({ ...query, conditions: branch }, rank), 0);
  if (query.limited && suggested.every(({ sorts }) => sorts))
    return sumOf('rare') < MANY || conditions.all.length > 0
      ? suggested
      : suggestedIndexes({ ...asked, conditions: { ...conditions, alternatives: [] } }, types);
  if (!query.limited && conditions.all.length === 0 && returnsFew(query)) return suggested;
  return sumOf('average') < MOST_OF_ALL ? suggested : null;
}

/**
 * Whether keys in the sort's order fill a page before many are passed over: of a range on numbers, half of the documents match if
 * nothing is known of it, and an index that begins with it would fetch and sort all of these. One on dates, ids or texts mostly
 * asks for few: the newest ones, or a beginning.
 */
function isPageFull(query: Query, types: FieldTypes | null): boolean {
  const { conditions, limited, returnsEachMatch } = query;
  if (!limited || !returnsEachMatch || returnsAllThatMatch(query) || conditions.alternatives.length > 0) return false;
  return conditions.all.every(({ path, role }) => {
    if (role !== 'range') return role !== 'list';
    const { types: found = {}, spread = null } = types?.fields.find((each) => each.path === path) ?? {};
    return spread !== null && Object.keys(found).every((type) => NUMBERS_OR_NONE.has(type));
  });
}

const NUMBERS_OR_NONE: ReadonlySet<string> = new Set([...typesOfFamily('number'), 'null', 'undefined']);

/** Keys that an index in equality, sort, range order passes over for each document, from which ranges come before the sort. */
const KEYS_PER_DOCUMENT = 10;

/**
 * Whether an index that gives the order would be walked through all that is equal, to test the range on keys: as many
 * documents match as are returned, if no limit cuts them off. Those few are sorted at less cost, if no check reports the sort.
 */
function isMostlySkipped(query: Query, suggested: readonly SuggestedIndex[] | null): boolean {
  const [index, ...others] = suggested ?? [];
  const figures = plannedFigures(query.operation)?.figures ?? null;
  const returned = figures?.documentsReturned ?? null;
  if (index === undefined || others.length > 0 || !index.sorts || figures === null || returned === null) return false;
  const sorted = new Set(query.sort.map(([path]) => path));
  const hasRange = query.conditions.all.some(({ path, role }) => role === 'range' && !sorted.has(path));
  if (!query.returnsEachMatch || !returnsAllThatMatch(query) || !hasRange) return false;
  const found = foundWith(query, Object.fromEntries(index.equality.map((path) => [path, 1])))?.documents ?? 0;
  const isWalked = scannedKeys(query).some((key) =>
    key.slice(0, index.equality.length).every(([path]) => index.equality.includes(path)),
  );
  const keys = isWalked ? Math.max(found, (figures.keysExamined ?? 0) / figures.executions) : found;
  const matching = Math.max(1, returned / figures.executions);
  const line = SEARCH_THRESHOLDS.info.default;
  return matching < line && keys >= line && keys >= KEYS_PER_DOCUMENT * matching;
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

/** Why no index finds a query's documents as it asks for them. */
export type Obstacle = 'script' | 'expression' | 'pattern' | 'negation';

/**
 * Null if an index could find them, if all match, or if another check is about such conditions. An index that finds most of
 * the collection does not select documents: the other conditions do.
 */
export function obstacleOf(query: Query): Obstacle | null {
  const { conditions, known } = query;
  if (conditions.special || isEmpty(conditions) || (canBeFound(conditions) && !findsMost(query))) return null;
  const every = everyCondition(conditions);
  if (every.some(({ ignoresCase }) => ignoresCase)) return null;
  if (every.some(({ operator }) => operator === '$where')) return 'script';
  if (every.some(({ operator }) => operator === '$expr')) return 'expression';
  // A pattern that is unknown may be one that an index serves.
  if (every.some(({ operator, role }) => operator === '$regex' && role === 'residual')) return 'pattern';
  const types = known.fieldTypes.present ? known.fieldTypes.value : null;
  if (conditions.all.some((condition) => isServedAsRanges(condition, types))) return null;
  return every.some(({ operator }) => NEGATING.has(operator)) ? 'negation' : null;
}

/** Whether the recorded executions read most of the collection through an index. */
function findsMost(query: Query): boolean {
  const { documentsExamined = null, executions = 0 } = plannedFigures(query.operation)?.figures ?? {};
  const least = MOST_OF_ALL * (sizeFor(query)?.recorded ?? Infinity) * executions;
  // A few values may find most, which says nothing of the others.
  const ofOneValue = shareFound(query, 'average');
  if (ofOneValue > 0 && ofOneValue < MOST_OF_ALL) return false;
  return !isScanned(query) && !query.joins && documentsExamined !== null && documentsExamined >= least;
}

/**
 * The conditions with negations as the ranges that an index searches for them: 1,002 keys for 1,000 of 50,000 documents
 * (measured on 6.0.5 and 6.0.27), but not where the field holds arrays.
 */
export function negationsAsRanges(conditions: Conditions, types: FieldTypes | null): Conditions {
  const all = conditions.all.map((condition) =>
    isServedAsRanges(condition, types) ? { ...condition, role: 'range' as const } : condition,
  );
  return { ...conditions, all };
}

function isServedAsRanges({ path, operator, role, element }: Condition, types: FieldTypes | null): boolean {
  if (role !== 'residual' || (operator !== '$ne' && operator !== '$nin') || element !== null) return false;
  return !path.split('.').includes(DATA_NAME) && holdsArrays(types, path) === false;
}
