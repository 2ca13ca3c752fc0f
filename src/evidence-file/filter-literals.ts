import { isScalarObject } from '../workload/shapes/placeholder.js';

type Map = (literal: unknown) => unknown;

/** Operators that hold filters. */
const OF_FILTERS = new Set(['$and', '$or', '$nor']);
/** What they are given is no value of a document: whether there is one, and of which type. */
const OF_TYPES = new Set(['$exists', '$type']);

/**
 * A filter with each literal replaced. Names of fields and operators stay, also within literals that are documents; so do
 * the arguments of `$exists` and `$type`.
 */
export function withLiterals(filter: unknown, map: Map): unknown {
  if (!isFields(filter)) return literal(filter, map);
  return mapFields(filter, (name, operand) => {
    if (OF_FILTERS.has(name) && Array.isArray(operand))
      return operand.map((branch: unknown) => withLiterals(branch, map));
    return name.startsWith('$') ? literal(operand, map) : conditions(operand, map);
  });
}

function conditions(operand: unknown, map: Map): unknown {
  if (!isFields(operand) || !isOperators(operand)) return literal(operand, map);
  return mapFields(operand, (operator, value) => {
    if (OF_TYPES.has(operator)) return value;
    if (operator === '$not') return conditions(value, map);
    return operator === '$elemMatch' ? withLiterals(value, map) : literal(value, map);
  });
}

function literal(value: unknown, map: Map): unknown {
  if (Array.isArray(value)) return value.map((element: unknown) => literal(element, map));
  return isFields(value) ? mapFields(value, (_, field) => literal(field, map)) : map(value);
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isScalarObject(value);
}

function isOperators(value: object): boolean {
  return Object.keys(value)[0]?.startsWith('$') === true;
}

function mapFields(fields: Record<string, unknown>, map: (name: string, field: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, map(name, field)]));
}
