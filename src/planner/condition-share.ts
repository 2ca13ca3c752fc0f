import { distinctValues } from '../inventory/filter-values.js';
import type { FieldTypes } from '../profile/field-types.js';
import type { PathBounds } from './access.js';
import { typesSearched } from './bounds.js';
import {
  ALL,
  both,
  heldValues,
  type HeldValues,
  isOfTypes,
  NONE,
  rest,
  type Share,
  sum,
  times,
} from './held-values.js';
import { type Operand, type OperandType, typeOf } from './operand.js';
import type { Comparison, Condition } from './predicate.js';

/** What is known of the values that a query asks for, and of those that there are. */
export interface KnownValues {
  readonly fieldTypes: FieldTypes;
  /** How many values a list has that the query does not show; null if that is not known. */
  readonly listed: number | null;
}

/** The sample does not say how often these occur: they are no single values. */
const NO_SCALARS: ReadonlySet<OperandType> = new Set(['object', 'array', 'regex', 'undefined', 'minKey', 'maxKey']);

/** The documents that meet a condition; null if the sample does not tell: how values are spread over a range is not known. */
export function shareMeeting({ comparison, negated }: Condition, known: KnownValues): Share | null {
  const held = heldValues(known.fieldTypes, comparison.path);
  const share = held === null ? null : meeting(comparison, held, known);
  return negated ? rest(share) : share;
}

function meeting({ operator, operand }: Comparison, held: HeldValues, { listed }: KnownValues): Share | null {
  switch (operator) {
    case '$eq':
      return ofValues(operand, 1, held, held.isNull);
    case '$in':
      return ofValues(operand, operand.values?.length ?? listed, held, held.isNull);
    case '$exists':
      return held.present;
    case '$type':
      return ofTypesNamed(operand, held);
    default:
      return null;
  }
}

/** The documents that have a key within the bounds of a field, as an index without other fields holds them. */
export function shareWithin(bounds: PathBounds, known: KnownValues): Share | null {
  const { path, kind, by } = bounds;
  const held = kind === 'all' ? null : heldValues(known.fieldTypes, path);
  if (held === null) return kind === 'all' ? ALL : null;
  if (kind === 'points') return withinPoints(bounds, held, known);
  if (kind === 'range')
    return held.keysPerDocument === 1 && by.every(({ negated }) => negated)
      ? by.map((condition) => shareMeeting(condition, known)).reduce(both, ALL)
      : null;
  // The type of arrays bounds nothing: their keys are those of their elements.
  const bounding = by.filter(({ comparison, negated }) => !negated && !comparison.operand.types.has('array'));
  const types = bounding.map(({ comparison }) => typesSearched(comparison));
  return types.map((each) => held.ofType(isOfTypes(each))).reduce(both, ALL);
}

/** By a value of null, also what has an empty array is found; not by what a document may lack. */
function withinPoints({ points, by }: PathBounds, held: HeldValues, { listed }: KnownValues): Share | null {
  if (points === 0) return NONE;
  const asked = by.filter(({ comparison, negated }) => !negated || comparison.operator === '$exists');
  const [first, ...others] = asked.map(({ comparison }) => comparison);
  const values = [first, ...others].find((each) => each?.operator === '$eq' || each?.operator === '$in');
  const ofNull = sum(held.isNull, held.isEmpty);
  if (values !== undefined)
    return ofValues(values.operand, values.operator === '$eq' ? 1 : (points ?? listed), held, ofNull);
  if (first === undefined || first.operator === '$exists' || first.operator === '$type') return held.isNull;
  return first.operand.types.has('null') ? ofNull : ofValues({ types: first.operand.types }, points, held, ofNull);
}

/** @param most how many values it is at most; null if that is not known */
function ofValues(
  { types, values }: Operand,
  most: number | null,
  held: HeldValues,
  ofNull: Share | null,
): Share | null {
  const known = values === undefined ? null : distinctValues(values).map(typeOf);
  const all = known ?? [...types].filter((type) => types.size === 1 || !NO_SCALARS.has(type));
  if (all.some((type) => NO_SCALARS.has(type))) return null;
  const isOfNull = known === null ? types.size === 1 && types.has('null') : known.includes('null');
  const scalars = all.filter((type) => type !== 'null' && held.ofType(isOfTypes(new Set([type]))).most > 0);
  const count = scalars.length === 0 ? 0 : known === null ? most : Math.min(scalars.length, most ?? Infinity);
  const ofScalars = count === 0 ? NONE : count === null || held.value === null ? null : times(held.value, count);
  return isOfNull ? sum(ofScalars, ofNull) : ofScalars;
}

function ofTypesNamed({ values }: Operand, held: HeldValues): Share | null {
  if (values === undefined) return null;
  const isOfNumbers = values.includes('number');
  return held.ofType((type) => values.includes(type) || (isOfNumbers && isOfTypes(new Set(['number']))(type)));
}
