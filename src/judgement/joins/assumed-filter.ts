import { ObjectId, type Document } from 'mongodb';
import { literalPlaceholder } from '../../workload/shapes/placeholder.js';
import type { Shape } from '../../workload/shapes/shape.js';
import { conditionsOf, type Condition } from '../indexes/usability/filter-conditions.js';
import type { IndexDescription } from '../../inventory/collection.js';
import type { JoinCondition } from '../../workload/joins/join.js';

/** Any value of the placeholder's type. */
const VALUES: Readonly<Record<string, unknown>> = {
  '?string': '',
  '?number': 0,
  '?bool': true,
  '?date': new Date(0),
  '?objectId': new ObjectId('0'.repeat(24)),
  '?null': null,
};

/**
 * The conditions of a join's pipeline as a filter with values; the workload keeps only their types. For a partial
 * index, a condition on a field of its filter is assumed to ask for what the index holds: whoever made it asks for
 * those documents.
 */
export function assumedFilter(conditions: readonly JoinCondition[], index: IndexDescription | null): Document {
  const required = conditionsOf(index?.partialFilterExpression ?? {});
  const filter: Record<string, Document> = {};
  for (const { path, operator, operand, isIndexable } of conditions) {
    if (path === null || !isIndexable) continue;
    const value = requiredValue(path, operator, operand, required) ?? anyValue(operand);
    if (value !== undefined) filter[path] = { ...filter[path], [operator]: value };
  }
  return filter;
}

function requiredValue(path: string, operator: string, operand: Shape, required: readonly Condition[]): unknown {
  for (const condition of required) {
    const isWithin = operator === '$eq' && condition.operator === '$in';
    if (condition.path !== path || (condition.operator !== operator && !isWithin)) continue;
    const allowed = isWithin ? (condition.operand as unknown[]) : [condition.operand];
    const value = allowed.find((each) => literalPlaceholder(each) === operand);
    if (value !== undefined) return value;
  }
  return undefined;
}

function anyValue(operand: Shape): unknown {
  if (typeof operand !== 'string')
    return typeof operand === 'boolean' || typeof operand === 'number' ? operand : undefined;
  const element = /^\?array<(.*)>$/.exec(operand)?.[1];
  return element === undefined ? VALUES[operand] : VALUES[element] === undefined ? undefined : [VALUES[element]];
}
