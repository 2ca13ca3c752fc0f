import { isObjectShape, type ObjectShape, type Shape } from '../../src/workload/shapes/shape.js';

/**
 * Filters with `$nor` written as `$nin` of each field, which means the same: no index is searched for `$nor` (measured on
 * 6.0.5 and 6.0.27). Null if there is none, or if it is about several fields together, or about more than values.
 */
export function plainNegation(filters: readonly ObjectShape[]): readonly ObjectShape[] | null {
  const rewritten = filters.map((filter): ObjectShape | null => ('$nor' in filter ? withoutNor(filter) : filter));
  return rewritten.every((filter) => filter !== null) && filters.some((filter) => '$nor' in filter) ? rewritten : null;
}

function withoutNor({ $nor, ...others }: ObjectShape): ObjectShape | null {
  const paths = Array.isArray($nor) ? ($nor as readonly Shape[]).map(pathOfValue) : [null];
  if (!paths.every((path) => path !== null) || paths.some((path) => Object.hasOwn(others, path))) return null;
  return { ...others, ...Object.fromEntries(paths.map((path) => [path, { $nin: '?array<>' }])) };
}

/** The field that a condition sets equal to values; null if it does more. */
function pathOfValue(condition: Shape): string | null {
  const [field, ...others] = isObjectShape(condition) ? Object.entries(condition) : [];
  if (field === undefined || others.length > 0 || field[0].startsWith('$') || !isObjectShape(field[1])) return null;
  return Object.keys(field[1]).every((operator) => operator === '$eq' || operator === '$in') ? field[0] : null;
}
