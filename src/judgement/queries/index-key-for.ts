import type { IndexDescription } from '../../inventory/collection.js';
import type { ObjectShape } from '../../workload/shapes/shape.js';
import { keyOf, suggestedIndexes } from '../indexes/suggested-index.js';
import { conditionsOf } from './conditions.js';
import { negationsAsRanges } from './obstacle.js';
import type { Query } from './query.js';

/** The key of the index that would find a query's documents if it asked by these filters instead; null if none would. */
export function indexKeyFor(query: Query, filters: readonly ObjectShape[]): IndexDescription['key'] | null {
  const { fieldTypes } = query.known;
  const types = fieldTypes.present ? fieldTypes.value : null;
  const conditions = negationsAsRanges(conditionsOf(filters), types);
  const [first] = suggestedIndexes({ conditions, sort: query.sort, longestLiteralArray: null }, types) ?? [];
  return first === undefined ? null : keyOf(first);
}
