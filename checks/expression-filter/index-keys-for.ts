import type { IndexDescription } from '../../src/inventory/collection.js';
import type { ObjectShape } from '../../src/workload/shapes/shape.js';
import { keyOf, suggestedIndexes } from '../../src/judgement/indexes/suggested-index.js';
import { conditionsOf } from '../../src/judgement/queries/conditions.js';
import { negationsAsRanges } from '../../src/judgement/queries/obstacle.js';
import type { Query } from '../../src/judgement/queries/query.js';

/**
 * The keys of the indexes that would find a query's documents if it asked by these filters instead: one, or one for each
 * branch of `$or`, which is searched by an index only if all of them are. Empty if none would.
 */
export function indexKeysFor(query: Query, filters: readonly ObjectShape[]): readonly IndexDescription['key'][] {
  const { fieldTypes } = query.known;
  const types = fieldTypes.present ? fieldTypes.value : null;
  const conditions = negationsAsRanges(conditionsOf(filters), types);
  const suggested = suggestedIndexes({ conditions, sort: query.sort, longestLiteralArray: null }, types) ?? [];
  return suggested.map(keyOf);
}
