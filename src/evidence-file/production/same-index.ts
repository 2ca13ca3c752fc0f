import { isDeepStrictEqual } from 'node:util';
import { isSameCollation } from '../../inventory/collation.js';
import type { IndexDescription } from '../../inventory/collection.js';
import { validatorShape } from '../validator-shape.js';

/** True if two indexes hold the same entries, by whichever names. Literals of partial filters are compared by their types. */
export function sameIndex(one: IndexDescription, other: IndexDescription): boolean {
  return (
    isDeepStrictEqual(Object.entries(one.key), Object.entries(other.key)) &&
    one.sparse === other.sparse &&
    isSameCollation(one.collation, other.collation) &&
    isDeepStrictEqual(filterOf(one), filterOf(other)) &&
    isDeepStrictEqual(one.wildcardProjection, other.wildcardProjection)
  );
}

/** An evidence file holds no more of a literal than its type and its rank among others. */
function filterOf({ partialFilterExpression: filter }: IndexDescription) {
  return filter === undefined ? null : validatorShape(filter);
}
