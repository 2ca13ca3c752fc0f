import type { Document } from 'mongodb';
import type { IndexDescription } from '../inventory/collection.js';
import type { BsonType } from '../profile/document-profile.js';
import type { FieldTypes } from '../profile/field-types.js';
import { queryPath } from '../profile/path-steps.js';
import { accessOf } from './access-of.js';
import { type Access, isRefused, type PlannedCollection, type PlannedServer } from './access.js';
import { OPERAND_TYPES, type OperandType } from './operand.js';
import { type Comparison, conjunction } from './predicate.js';

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

const NUMBERS: ReadonlySet<BsonType> = new Set(['double', 'int', 'long', 'decimal']);

const NO_VALUES: ReadonlySet<OperandType> = new Set(['null', 'undefined', 'array', 'regex']);

/** What the planner has to know of a collection, as far as a sample shows it. */
export function sampledCollection(fieldTypes: FieldTypes | null): PlannedCollection {
  const arrays = new Map<string, boolean>();
  for (const { path, types } of fieldTypes?.fields ?? []) {
    const plain = queryPath(path);
    arrays.set(plain, arrays.get(plain) === true || path.endsWith('[]') || (types.array ?? 0) > 0);
  }
  return { holdsArray: (path) => arrays.get(path) };
}

/** The types by which the values of a field are searched, one at a time: those of the sample, or any if it shows none. */
function searchedTypes(fieldTypes: FieldTypes | null, path: string): readonly OperandType[] {
  const seen = (fieldTypes?.fields ?? []).filter((field) => queryPath(field.path) === path);
  const types = new Set(seen.flatMap((field) => (Object.keys(field.types) as BsonType[]).map(operandTypeOf)));
  const values = [...(types.size === 0 ? OPERAND_TYPES : types)].filter((type) => !NO_VALUES.has(type));
  return values.length === 0 ? OPERAND_TYPES.filter((type) => !NO_VALUES.has(type)) : values;
}

export function operandTypeOf(type: BsonType): OperandType {
  return NUMBERS.has(type) ? 'number' : (type as OperandType);
}
