import type { Document } from 'mongodb';
import { type Condition, conditionsOf, equalities } from './filter-conditions.js';
import { compareValues, isCollatable, isSameValue } from '../../../inventory/filter-values.js';

export type StringComparison = 'simple' | 'sameCollation' | 'differentCollation';

/**
 * Whether every document that meets `conditions` is certain to meet `filter`, an index's `partialFilterExpression`.
 * True only for what was measured on 6.0.5 and 6.0.27: the same condition; an equality, `$in` or narrower range within
 * a range or `$in`; any of these, or `$type`, within `$exists: true`.
 */
export function impliesFilter(conditions: readonly Condition[], filter: Document, strings: StringComparison): boolean {
  return conditionsOf(filter).every((required) => {
    if (required.operator === '$or') {
      return (required.operand as Document[]).some((branch) => impliesFilter(conditions, branch, strings));
    }
    return conditions.some((given) => given.path === required.path && implies(given, required, strings));
  });
}

const RANGES = ['$gt', '$gte', '$lt', '$lte'];

function implies(given: Condition, required: Condition, strings: StringComparison): boolean {
  const isByOrder = RANGES.includes(required.operator);
  if (dependsOnCollation(given, required) && strings !== 'simple' && (isByOrder || strings !== 'sameCollation'))
    return false;
  if (given.operator === required.operator && isSameValue(given.operand, required.operand)) return true;
  const values = equalities(given);
  if (required.operator === '$exists') {
    if (required.operand !== true) return false;
    if (values !== null) return values.length > 0 && values.every((value) => value !== null && value !== undefined);
    return [...RANGES, '$type'].includes(given.operator) && given.operand !== null;
  }
  const allowed = equalities(required);
  if (allowed !== null) {
    return (
      values !== null &&
      values.length > 0 &&
      values.every((value) => allowed.some((other) => isSameValue(value, other)))
    );
  }
  if (!isByOrder) return false;
  if (values !== null) return values.length > 0 && values.every((value) => isWithin(value, required));
  return isNarrower(given, required);
}

function dependsOnCollation(given: Condition, required: Condition): boolean {
  const operands = [equalities(given) ?? given.operand, equalities(required) ?? required.operand].flat();
  return required.operator !== '$exists' && required.operator !== '$type' && operands.some(isCollatable);
}

function isWithin(value: unknown, { operator, operand }: Condition): boolean {
  const order = compareValues(value, operand);
  if (order === null) return false;
  if (order === 0) return operator === '$gte' || operator === '$lte';
  return operator.startsWith('$gt') ? order > 0 : order < 0;
}

function isNarrower(given: Condition, required: Condition): boolean {
  if (given.operator.slice(0, '$gt'.length) !== required.operator.slice(0, '$gt'.length)) return false;
  const order = compareValues(given.operand, required.operand);
  if (order === 0) return given.operator.length < required.operator.length;
  return isWithin(given.operand, required);
}
