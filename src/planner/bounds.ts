import { distinctValues } from '../inventory/filter-values.js';
import { isPlainObject } from '../workload/shapes/placeholder.js';
import type { BoundsKind } from './access.js';
import { type OperandType, typeOf } from './operand.js';
import type { Comparison, Condition } from './predicate.js';

/** What is left to test of a condition once an index is searched by it: nothing, something on its keys, or on documents. */
export type Rest = 'nothing' | 'keys' | 'documents';

export interface ConditionBounds {
  readonly kind: BoundsKind;
  /** How many values it is, of points; null if that is not known. */
  readonly points: number | null;
  readonly rest: Rest;
}

/** One field of an index, as a condition meets it. */
export interface KeyField {
  readonly path: string;
  readonly kind: 'ordered' | 'hashed' | 'wildcard';
  readonly position: number;
  /** Whether it is the only field of a sparse index: then it has a key for each document that has the field. */
  readonly sparse: 'alone' | 'beside others' | null;
  /** Whether the index and the query compare strings alike. */
  readonly isSameCollation: boolean;
  /** Whether the index compares strings otherwise than by their bytes. */
  readonly isCollated: boolean;
  /** Whether an array is at the path or on the way to it. */
  readonly isMultikey: boolean;
  /** Whether that is so of any field of the index. */
  readonly isOfMultikeyIndex: boolean;
  /** Whether the path names a place in an array. */
  readonly isPosition: boolean;
}

/** How the keys of a field are bounded by a condition that its index accepts. */
export function boundsOf({ comparison, negated }: Condition, field: KeyField): ConditionBounds {
  // A wildcard index has no key for an object as a whole.
  if (comparison.inExpression === true && field.kind === 'wildcard' && reachesObjects(comparison))
    return bounded('all', 'documents');
  const bounds = negated ? ofNegation(comparison, field) : ofComparison(comparison, field);
  const rest = restOf(bounds.rest, field);
  return { ...bounds, rest: field.kind === 'hashed' || comparison.inExpression === true ? 'documents' : rest };
}

/** Types that come before objects in the order across types; an expression compares neither with arrays. */
const BELOW_OBJECTS: ReadonlySet<string> = new Set(['null', 'number', 'string', 'symbol']);

function reachesObjects({ operator, operand: { types } }: Comparison): boolean {
  if (types.has('object')) return true;
  const isAny = (isBelow: boolean) => [...types].some((type) => BELOW_OBJECTS.has(type) === isBelow);
  return operator !== '$eq' && isAny(operator.startsWith('$gt'));
}

/** Keys of an array are its elements, and an index with one tests no conditions on keys. */
function restOf(rest: Rest, { kind, isOfMultikeyIndex, isPosition }: KeyField): Rest {
  if (kind === 'wildcard' && isPosition) return 'documents';
  return rest === 'keys' && isOfMultikeyIndex ? 'documents' : rest;
}

const points = (count: number | null, rest: Rest = 'nothing'): ConditionBounds => ({
  kind: 'points',
  points: count,
  rest,
});
const bounded = (kind: BoundsKind, rest: Rest = 'nothing'): ConditionBounds => ({ kind, points: null, rest });

function ofComparison(comparison: Comparison, field: KeyField): ConditionBounds {
  const { operator, operand, inExpression } = comparison;
  const has = (...types: OperandType[]) => types.some((type) => operand.types.has(type));
  switch (operator) {
    case '$eq':
    case '$in':
      if (has('regex')) return ofPattern(comparison, field);
      return points(pointsOf(comparison, field), has('null', 'undefined', 'array') ? 'documents' : 'nothing');
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return inExpression === true ? bounded('range') : ofRange(comparison);
    case '$regex':
      return ofPattern(comparison, field);
    case '$mod':
      return bounded('type', 'keys');
    case '$type':
      return ofType(comparison, field);
    default:
      return bounded('all', field.sparse === 'alone' || field.kind === 'wildcard' ? 'nothing' : 'documents');
  }
}

function pointsOf({ operator, operand: { types, values } }: Comparison, field: KeyField): number | null {
  if (values === undefined) {
    const isOne = operator === '$eq' && !['null', 'undefined', 'array'].some((type) => types.has(type as OperandType));
    return isOne ? 1 : null;
  }
  return keysOf(values, field);
}

/** How many keys have one of the values: null and missing are two, as an array and its first element are. */
export function keysOf(values: readonly unknown[], field: KeyField): number {
  const distinct = distinctValues(values.map((value) => keyOf(value, field)));
  return distinct.reduce<number>((sum, value) => sum + (value === null || Array.isArray(value) ? 2 : 1), 0);
}

/** Numbers are hashed without their fractions. */
export function keyOf(value: unknown, { kind }: KeyField): unknown {
  return kind === 'hashed' && typeOf(value) === 'number' ? Math.trunc(Number(String(value))) : value;
}

function ofRange({ operator, operand: { types, values } }: Comparison): ConditionBounds {
  const [isUpward, isIncluded] = [operator.startsWith('$gt'), operator.endsWith('e')];
  // Nothing is less or greater than null.
  if (types.size === 1 && types.has('null')) return isIncluded ? points(2, 'documents') : points(0);
  const [value] = values ?? [];
  const [isLeast, isMost] = [value === false || isEmpty(value), value === true];
  // An array is searched by its elements, too, of which the least array has none.
  if (types.has('array')) return bounded(isUpward && isLeast ? 'all' : 'range', 'documents');
  if (isUpward ? isMost : isLeast) return points(isIncluded ? 1 : 0);
  return bounded(
    (isUpward ? isLeast : isMost) && isIncluded ? 'type' : 'range',
    types.has('null') ? 'documents' : 'nothing',
  );
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isPlainObject(value) && Object.keys(value).length === 0;
}

function ofPattern({ operand }: Comparison, { isCollated }: KeyField): ConditionBounds {
  if (isCollated) return bounded('type', 'documents');
  const isRetested = operand.types.has('null') || operand.types.has('array');
  switch (operand.pattern) {
    case 'prefix':
      return bounded('range', isRetested ? 'documents' : 'nothing');
    case 'begins':
      return bounded('range', isRetested ? 'documents' : 'keys');
    default:
      return bounded('type', isRetested ? 'documents' : 'keys');
  }
}

/** The types of the keys that a condition bounds by their type alone. */
export function typesSearched({ operator, operand: { types } }: Comparison): ReadonlySet<OperandType> {
  if (operator === '$mod') return new Set(['number']);
  return types.has('regex') ? new Set([...types, 'string']) : types;
}

/** Types whose values lie side by side: keys between their ends are of the type. */
const WHOLE_TYPES: ReadonlySet<string> = new Set([
  'number',
  'object',
  'bool',
  'date',
  'objectId',
  'binData',
  'timestamp',
]);

function ofType({ operand: { types, values } }: Comparison, { kind, isCollated }: KeyField): ConditionBounds {
  const has = (...wanted: OperandType[]) => wanted.some((type) => types.has(type));
  if (values === undefined) return bounded('type', 'documents');
  if (has('array') || (kind === 'wildcard' && has('object'))) return bounded('all', 'documents');
  if (values.every((name) => name === 'null')) return points(1, 'documents');
  if (has('null') || (isCollated && has('string', 'object'))) return bounded('type', 'documents');
  return bounded('type', values.length === 1 && WHOLE_TYPES.has(String(values[0])) ? 'nothing' : 'keys');
}

function ofNegation(comparison: Comparison, field: KeyField): ConditionBounds {
  if (comparison.operator === '$exists') return points(1, 'documents');
  // Not null: any value, nested ones too, whose keys say nothing of null.
  if (field.kind === 'wildcard') return bounded('all', 'documents');
  const kind = ofComparison(comparison, field).points === 0 ? 'all' : 'range';
  return bounded(kind, field.isMultikey ? 'documents' : 'nothing');
}
