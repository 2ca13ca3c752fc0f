import type { IndexDescription } from '../../inventory/collection.js';
import { suggestedIndexes, type SuggestedIndex } from '../indexes/suggested-index.js';
import { fieldTypesOn, type JoinedCluster } from '../joins/joined-cluster.js';
import type { Conditions } from './conditions.js';
import { negationsAsRanges } from './obstacle.js';
import { plannedFigures } from './query-cost.js';
import type { QueryPlace } from './query-places.js';
import { indexesFor, missingIndexes } from './query-remedy.js';
import type { Query } from './query.js';

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
