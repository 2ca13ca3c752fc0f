import { BSONRegExp } from 'mongodb';
import type { Document } from 'mongodb';

/** One condition of a filter: `{total: {$gt: 5}}` is `{path: 'total', operator: '$gt', operand: 5}`. */
export interface Condition {
  /** Empty for an operator at the top, such as `$or`. */
  readonly path: string;
  readonly operator: string;
  readonly operand: unknown;
}

export function conditionsOf(filter: Document): Condition[] {
  return Object.entries(filter).flatMap(([name, value]): Condition[] => {
    if (name === '$and') return (value as Document[]).flatMap(conditionsOf);
    if (name.startsWith('$')) return [{ path: '', operator: name, operand: value }];
    if (!isOperators(value)) return [{ path: name, operator: '$eq', operand: value }];
    return Object.entries(value).map(([operator, operand]) => ({ path: name, operator, operand }));
  });
}

/** The values that a condition lets a field equal; null if it allows others. */
export function equalities({ operator, operand }: Condition): readonly unknown[] | null {
  const values: unknown = operator === '$eq' ? [operand] : operator === '$in' ? operand : null;
  return Array.isArray(values) && !values.some(isRegularExpression) ? values : null;
}

function isRegularExpression(value: unknown): boolean {
  return value instanceof RegExp || value instanceof BSONRegExp;
}

function isOperators(value: unknown): value is Document {
  if (typeof value !== 'object' || value === null || '_bsontype' in value || value instanceof RegExp) return false;
  return Object.keys(value)[0]?.startsWith('$') === true;
}
