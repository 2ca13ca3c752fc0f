import { compareValues, isCollatable, isSameValue } from '../inventory/filter-values.js';
import { RANGE_OPERATORS, type Comparison, type Predicate } from './predicate.js';

/** True or false if it is certain; null if it hangs on values that are not known. */
type Certainty = boolean | null;

/** How strings are compared: by both sides alike, and if so, by the simple collation or not. */
export type StringComparison = 'simple' | 'same' | 'different';

/** Conditions that only a document with the field can meet, whatever they compare with. */
const NEEDING_FIELD: ReadonlySet<string> = new Set(['$exists', '$regex', '$type', '$mod', '$size', 'geo']);

/**
 * Whether every document that meets a query is certain to meet an index's partial filter, as the server decides it: by
 * comparing condition with condition, never by what they mean together. What meets one of the filter's alternatives is compared
 * with each of them as a whole.
 */
export function implies(query: Predicate, filter: Predicate, strings: StringComparison): Certainty {
  if (strings !== 'different' && isSame(query, filter)) return true;
  if (filter.kind === 'or') return some(filter.of.map((each) => implies(query, each, strings)));
  if (filter.kind === 'and') return every(filter.of.map((each) => implies(query, each, strings)));
  if (query.kind === 'and') return some(query.of.map((each) => implies(each, filter, strings)));
  if (query.kind === 'or') return query.of.length > 0 && every(query.of.map((each) => implies(each, filter, strings)));
  if (query.kind === 'element' && isExists(filter)) return filter.path === query.path;
  if (filter.kind !== 'comparison') return false;
  if (query.kind === 'not')
    return isExists(filter) && isOfNull(query.of) && (query.of as Comparison).path === filter.path;
  if (query.kind !== 'comparison' || query.inExpression === true || query.path !== filter.path) return false;
  return comparisonImplies(query, filter, strings);
}

/** Whether they are the same but for the order of their parts. */
function isSame(one: Predicate, other: Predicate): boolean {
  if (one.kind === 'comparison')
    return (
      other.kind === 'comparison' &&
      one.path === other.path &&
      one.operator === other.operator &&
      one.inExpression === other.inExpression &&
      hasSameValues(one, other)
    );
  if (one.kind !== other.kind) return false;
  if (one.kind === 'not' || one.kind === 'element') return isSame(one.of, other.of as Predicate);
  const others = other.of as readonly Predicate[];
  return one.of.length === others.length && one.of.every((each) => others.some((part) => isSame(each, part)));
}

function hasSameValues(
  { operator, operand: { values } }: Comparison,
  { operand: { values: others } }: Comparison,
): boolean {
  if (operator === '$exists') return true;
  if (values === undefined || others === undefined) return false;
  return values.length === others.length && values.every((value) => others.some((other) => isSameValue(value, other)));
}

function isExists(predicate: Predicate): predicate is Comparison {
  return predicate.kind === 'comparison' && predicate.operator === '$exists';
}

function isOfNull(predicate: Predicate): boolean {
  return (
    predicate.kind === 'comparison' &&
    (predicate.operator === '$eq' || predicate.operator === '$in') &&
    predicate.operand.types.has('null')
  );
}

function comparisonImplies(given: Comparison, required: Comparison, strings: StringComparison): Certainty {
  if (required.operator === '$exists') return asksForField(given);
  const isByOrder = RANGE_OPERATORS.has(required.operator);
  const [values, requiredValues] = [given.operand.values, required.operand.values];
  if (values === undefined || requiredValues === undefined) {
    const isOfType = [...given.operand.types].some((type) => required.operand.types.has(type));
    return isOfType && given.operand.varies !== true && mayImply(given, required) ? null : false;
  }
  if (required.operator === '$type') return given.operator === '$type' && hasSameValues(given, required);
  if (given.operator === '$in' && values.length === 0) return true;
  // A list is compared as a whole, collation included.
  const isCompared =
    (required.operator === '$in' && given.operator === '$in') || [...values, ...requiredValues].some(isCollatable);
  if (isCompared && (strings === 'different' || (strings === 'same' && isByOrder))) return false;
  if (given.operator === required.operator && hasSameValues(given, required)) return true;
  // The server compares two lists as wholes: a part of a list counts as another one.
  if (required.operator === '$in' && given.operator === '$in') return false;
  const isOfValues = given.operator === '$eq' || given.operator === '$in';
  if (required.operator === '$eq' || required.operator === '$in')
    return isOfValues && values.every((value) => requiredValues.some((other) => isSameValue(value, other)));
  if (!isByOrder) return false;
  if (isOfValues) return values.every((value) => isWithin(value, required));
  return RANGE_OPERATORS.has(given.operator) && isNarrower(given, required);
}

/** A range is never within single values, nor within a range to the other side. */
function mayImply({ operator }: Comparison, required: Comparison): boolean {
  const isByOrder = RANGE_OPERATORS.has(required.operator);
  if (operator === '$eq' || operator === '$in')
    return isByOrder || required.operator === '$eq' || required.operator === '$in';
  return isByOrder && RANGE_OPERATORS.has(operator) && isSameSide(operator, required.operator);
}

function isSameSide(one: string, other: string): boolean {
  return one.slice(0, '$gt'.length) === other.slice(0, '$gt'.length);
}

/** Null and missing are alike to a comparison. */
function asksForField({ operator, operand }: Comparison): Certainty {
  if (NEEDING_FIELD.has(operator)) return true;
  if (!['$eq', '$in'].includes(operator) && !RANGE_OPERATORS.has(operator)) return false;
  const nulls = operand.types.has('null') || operand.types.has('undefined');
  if (!nulls) return true;
  return operand.values !== undefined || operand.types.size === 1 || operand.varies === true ? false : null;
}

function isWithin(value: unknown, { operator, operand }: Comparison): boolean {
  const order = compareValues(value, operand.values?.[0]);
  if (order === null) return false;
  if (order === 0) return operator === '$gte' || operator === '$lte';
  return operator.startsWith('$gt') ? order > 0 : order < 0;
}

function isNarrower(given: Comparison, required: Comparison): boolean {
  if (!isSameSide(given.operator, required.operator)) return false;
  const [value] = given.operand.values ?? [];
  if (compareValues(value, required.operand.values?.[0]) === 0) return given.operator.length < required.operator.length;
  return isWithin(value, required);
}

function every(each: readonly Certainty[]): Certainty {
  return each.includes(false) ? false : each.includes(null) ? null : true;
}

function some(each: readonly Certainty[]): Certainty {
  return each.includes(true) ? true : each.includes(null) ? null : false;
}
