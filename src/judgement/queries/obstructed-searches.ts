import { obstacleOf, type Obstacle } from './query-suggestions.js';
import { isScanned, returnsAllThatMatch, type QueryCost } from './query-cost.js';
import type { Query } from './query.js';
import { comparedBy } from './search-severity.js';

/** The obstacle that has a query examine documents, none of them joined, if it is one of those given; null otherwise. */
export function searchObstacle<O extends Obstacle>(query: Query, cost: QueryCost, obstacles: readonly O[]): O | null {
  const obstacle = obstacleOf(query);
  // in-memory-sort reports a sort of what an index finds, if a limit cuts it off.
  if (query.joins || (!isScanned(query) && !returnsAllThatMatch(query) && (cost.inMemorySorts ?? 0) > 0)) return null;
  return obstacles.find((each) => each === obstacle) ?? null;
}

/** False if a good share of what is examined is wanted; true if it is not known what is. */
export function isMostlyUnwanted(query: Query, cost: QueryCost, shareWanted: number): boolean {
  return !query.tellsMatches || (cost.documentsReturned ?? 0) < shareWanted * Math.max(1, comparedBy(cost));
}
