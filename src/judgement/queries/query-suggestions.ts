import type { IndexDescription } from '../../inventory/collection.js';
import { type SuggestedIndex, suggestedIndexes } from '../indexes/suggested-index.js';
import { fieldTypesOn, type JoinedCluster } from '../joins/joined-cluster.js';
import { canBeFound, type Condition, type Conditions, everyCondition, isEmpty } from './conditions.js';
import { plannedFigures } from './query-cost.js';
import type { QueryPlace } from './query-places.js';
import { indexesFor, missingIndexes } from './query-remedy.js';
import type { Query } from './query.js';
import type { FieldTypes } from '../../profile/field-types.js';
import { DATA_NAME } from '../../workload/shapes/sort-shape.js';
import { holdsArrays } from '../joins/joined-values.js';

const NEGATING = new Set(['$ne', '$nin', '$not', '$nor']);

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

/** The indexes that would find a query's documents; null if none would. */
export function suggestionsFor(query: Query, cluster: JoinedCluster): readonly SuggestedIndex[] | null {
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

/** Why no index finds a query's documents as it asks for them. */
export type Obstacle = 'script' | 'expression' | 'pattern' | 'negation';

/** Null if an index could find them, if all match, or if another check is about such conditions. */
export function obstacleOf({ conditions, known }: Pick<Query, 'conditions' | 'known'>): Obstacle | null {
  if (conditions.special || isEmpty(conditions) || canBeFound(conditions)) return null;
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
