import type { IndexDescription } from '../../inventory/collection.js';
import type { ObjectShape } from '../../workload/shapes/shape.js';
import { keyOf, suggestedIndexes } from '../indexes/suggested-index.js';
import { conditionsOf } from './conditions.js';
import { negationsAsRanges } from './obstacle.js';
import type { Query } from './query.js';

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
