import type { Document } from 'mongodb';
import { hasReached } from '../connect/server-version.js';
import { localeOf } from '../inventory/collation.js';
import { ownValue } from '../plain.js';
import type { PlannedServer, Refusal, RefusalReason } from './access.js';
import type { KeyField } from './bounds.js';
import type { OperandType } from './operand.js';
import { type Comparison, comparisonsIn, type Condition, type Predicate, RANGE_OPERATORS } from './predicate.js';
import { isCompoundWildcard } from './wildcard.js';

/** Values whose order in an index is that of its collation. */
const COLLATED: readonly OperandType[] = ['string', 'object', 'array', 'symbol'];

/** `$expr` and what is at least or at most null use no sparse index from here: SERVER-74344. Measured: 6.0.5 does, 6.0.27 does not. */
const SPARSE_WITHOUT_NULL = ['4.4.29', '5.0.18', '6.0.7', '7.0.0'];

/** Why an index is not searched by a condition on one of its fields; null if it is. */
export function refusalOf(condition: Condition, field: KeyField, server: PlannedServer): RefusalReason | null {
  const { operator, operand } = condition.comparison;
  const isCompared = operator === '$eq' || operator === '$in' || RANGE_OPERATORS.has(operator);
  if (operator === 'other' || operator === 'geo' || operator === '$size') return 'operator';
  if (!field.isSameCollation && isCompared && COLLATED.some((type) => operand.types.has(type))) return 'collation';
  if (condition.comparison.inExpression === true && field.isMultikey) return 'array';
  if (condition.elements.at(-1)?.ofValues === true && /\.\d+$/.test(field.path)) return 'array position';
  return (condition.negated ? refusalOfNegation(condition, field) : null) ?? refusalOfKind(condition, field, server);
}

/** The server turns the bounds of a condition inside out only if they say all of it. */
function refusalOfNegation(
  { comparison: { operator, operand }, elements }: Condition,
  field: KeyField,
): RefusalReason | null {
  const isEquality = operator === '$eq' || operator === '$in';
  if (operator === '$exists') return null;
  if (!isEquality && !RANGE_OPERATORS.has(operator)) return 'operator';
  if (operand.types.has('regex')) return 'operator';
  if (operand.types.has('array')) return 'array';
  const isOfNull = operand.types.has('null') && operator !== '$gt' && operator !== '$lt';
  return isOfNull && field.isMultikey && elements.length === 0 ? 'array' : null;
}

function refusalOfKind(condition: Condition, field: KeyField, server: PlannedServer): RefusalReason | null {
  const { comparison, negated, elements } = condition;
  const { operator, operand, inExpression } = comparison;
  const has = (...types: OperandType[]) => types.some((type) => operand.types.has(type));
  const isEquality = operator === '$eq' || operator === '$in';
  const isOfElement = elements.at(-1)?.ofValues === true;
  switch (field.kind) {
    case 'hashed':
      if (isOfElement) return 'hashed';
      if (operator === '$exists') return field.sparse !== null && negated ? 'sparse' : null;
      if (negated || !isEquality || has('regex')) return 'hashed';
      return field.sparse !== null && has('null') ? 'sparse' : null;
    case 'wildcard':
      if (
        isEquality &&
        !negated &&
        inExpression !== true &&
        (operand.values?.some(isWithFields) ?? has('object', 'array'))
      )
        return 'wildcard';
      if (
        RANGE_OPERATORS.has(operator) &&
        inExpression !== true &&
        has('object', 'array') &&
        !isAtMostEmpty(comparison)
      )
        return 'wildcard';
      return asksForNothing(condition, server) ? 'wildcard' : null;
    default:
      if (field.sparse === null) return null;
      return asksForNothing(condition, server) ? 'sparse' : null;
  }
}

/**
 * Why the server takes no index on a path, whatever the condition: it asks the last one, in its order, whether an index serves
 * that leaves documents out, and `$expr` comes last.
 */
export function refusalOfPath(
  { path, sparse, kind }: KeyField,
  query: Predicate,
  server: PlannedServer,
): RefusalReason | null {
  if ((sparse === null && kind !== 'wildcard') || !isWithoutNull(server)) return null;
  const last = comparisonsIn(query).findLast((comparison) => comparison.path === path);
  return last?.inExpression === true ? (kind === 'wildcard' ? 'wildcard' : 'sparse') : null;
}

/** At most an empty object is that object, which has a key. */
function isAtMostEmpty({ operator, operand: { types, values } }: Comparison): boolean {
  return operator === '$lte' && !types.has('array') && values?.some(isWithFields) === false;
}

/** A wildcard index has a key for an empty object or array, and none for others as a whole. */
function isWithFields(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.keys(value).length > 0
  );
}

/** Whether documents without the field may meet it, of which a sparse index has no key. */
function asksForNothing(
  { comparison: { operator, operand, inExpression }, negated, elements }: Condition,
  server: PlannedServer,
): boolean {
  const isOfNull = operand.types.has('null') && inExpression !== true;
  const isOnlyNull = operator === '$eq' && isOfNull && operand.types.size === 1;
  if (negated) return !isOnlyNull;
  // An element is there, even if it is null; a field of it may not be.
  if (elements.at(-1)?.ofValues === true || !isOfNull) return false;
  if (operator === '$eq' || operator === '$in') return true;
  return (operator === '$gte' || operator === '$lte') && isWithoutNull(server);
}

function isWithoutNull({ version }: PlannedServer): boolean {
  return version === undefined || hasReached(version, SPARSE_WITHOUT_NULL);
}

/** Measured on 6.0.5 and 6.0.27: these kinds serve no equality on a field before them either. */
const SPECIAL_KINDS: Readonly<Record<string, string>> = {
  text: 'it is a text index, which serves $text only',
  '2d': 'it is a geospatial index, which serves geospatial operators only',
  '2dsphere': 'it is a geospatial index, which serves geospatial operators only',
  '2dsphere_bucket': 'it is a geospatial index, which serves geospatial operators only',
  geoHaystack: 'it is a geospatial index, which serves geospatial operators only',
};

type Clause = (refusal: Refusal, collation: Document | null) => string;

const CLAUSES: Readonly<Record<RefusalReason, Clause>> = {
  hidden: () => 'it is hidden, and the server plans as if it did not exist',
  building: () => 'it is still being built',
  'other field': ({ path }) => `it begins with "${path}", for which there is no value to look up`,
  'partial filter': () => 'it is partial and holds only the documents that match its filter, which is not asked for',
  collation: ({ index }, collation) =>
    `its collation (${localeOf(index.collation)}) is not the one compared by (${localeOf(collation)}), so it cannot find strings`,
  sparse: () =>
    'it is sparse and leaves out documents without the field, so the server does not use it for null or missing values, nor for $expr',
  wildcard: ({ path }) =>
    path === ''
      ? 'its wildcard does not cover the field'
      : 'it is a wildcard index, which serves neither null or missing values, nor whole objects and arrays, nor $expr',
  hashed: () => 'it is hashed, and serves only the equality with a value',
  special: ({ index }) => specialText(index),
  array: ({ path }) => `documents hold arrays at "${path}", and it holds their elements one by one`,
  operator: () => 'no index of its kind serves the operator',
  'array position': ({ path }) => `it holds the elements of "${path}" without their positions`,
};

/**
 * Why the server does not use an index, as a clause that follows its name: "it is hidden, and …".
 *
 * @param collation by which strings were to be compared; null for the simple one
 */
export function refusalText(refusal: Refusal, collation: Document | null): string {
  return CLAUSES[refusal.because](refusal, collation);
}

function specialText(index: Refusal['index']): string {
  const kind = Object.values(index.key).find((value) => typeof value === 'string' && value !== 'hashed');
  if (kind !== undefined)
    return ownValue(SPECIAL_KINDS, String(kind)) ?? `it is of the kind "${kind}", which serves no equality`;
  return isCompoundWildcard(index)
    ? 'it is a compound wildcard index, which is not known to serve it'
    : 'mongolint cannot see the order of its fields, as one of them is named by a number';
}
