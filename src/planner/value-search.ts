import type { Document } from 'mongodb';
import type { IndexDescription } from '../inventory/collection.js';
import type { FieldTypes } from '../profile/field-types.js';
import { accessOf } from './access-of.js';
import { type Access, isRefused, type PlannedServer } from './access.js';
import { conjunction, type Comparison } from './predicate.js';
import { sampledCollection, searchedTypes } from './sampled.js';

/** A search for documents by a value of each of some fields, which is not null. */
export interface ValueSearch {
  readonly paths: readonly string[];
  /** By which it compares strings; null for the simple one. */
  readonly collation: Document | null;
  /** True if `$expr` compares. */
  readonly inExpression?: true;
}

/**
 * Whether an index finds the documents with any value of its last field, and of those before it.
 *
 * @param fieldTypes of the collection; null if they are not known
 */
export function findsByValue(
  index: IndexDescription,
  { paths, collation, inExpression }: ValueSearch,
  fieldTypes: FieldTypes | null,
  server: PlannedServer = {},
): boolean {
  const comparisons = paths.map((path): Comparison => ({
    kind: 'comparison',
    path,
    operator: '$eq',
    operand: { types: new Set(searchedTypes(fieldTypes, path)), varies: true },
    ...(inExpression === true && { inExpression }),
  }));
  const query = { filter: conjunction(comparisons), sort: [], returns: null, collation };
  const access = accessOf(index, sampledCollection(fieldTypes), query, server);
  return !isRefused(access) && isSearchedBy(access, (each) => each === comparisons.at(-1));
}

/** Whether an index is searched by a comparison, and by single values of every field before it: it then reads few keys. */
export function isSearchedBy({ scans }: Access, isIt: (comparison: Comparison) => boolean): boolean {
  return scans.every(({ bounds }) => {
    const at = bounds.findIndex(({ by }) => by.some(({ comparison, negated }) => !negated && isIt(comparison)));
    return at !== -1 && bounds.slice(0, at).every(({ kind }) => kind === 'points');
  });
}
