import type { Document } from 'mongodb';
import { mapValues, ownValue } from '../plain.js';
import { expressionShape } from '../workload/shapes/expression-shape.js';
import { isPlainObject, literalPlaceholder } from '../workload/shapes/placeholder.js';
import type { Shape } from '../workload/shapes/shape.js';

/** Operators that hold filters. */
const OF_FILTERS = new Set(['$and', '$or', '$nor']);

/** What they are given is no value of a document: whether there is one, and of which type. */
const OF_TYPES = new Set(['$exists', '$type']);

/** A validator with its literals as types: which fields it asks for, and of which types. */
export function validatorShape({ $jsonSchema, $expr, ...filter }: Document): Shape {
  return {
    ...(withLiterals(filter, literalPlaceholder) as Record<string, Shape>),
    ...($expr !== undefined && { $expr: expressionShape($expr, literalPlaceholder) }),
    ...($jsonSchema !== undefined && { $jsonSchema: schemaShape($jsonSchema) }),
  };
}

type Reader = (value: unknown) => Shape;

/** Keywords of a schema that hold no values of documents. All others, such as `enum`, become types. */
const KEYWORDS: Readonly<Record<string, Reader>> = {
  bsonType: kept,
  type: kept,
  required: kept,
  additionalProperties: schemaShape,
  items: schemas,
  additionalItems: schemaShape,
  not: schemaShape,
  allOf: schemas,
  anyOf: schemas,
  oneOf: schemas,
  properties: (value) => byName(value, schemaShape),
  dependencies: (value) => byName(value, (one) => (Array.isArray(one) ? kept(one) : schemaShape(one))),
};

function schemaShape(schema: unknown): Shape {
  if (typeof schema === 'boolean') return schema;
  return byName(schema, (value, keyword) => (ownValue(KEYWORDS, keyword) ?? literalPlaceholder)(value));
}

function schemas(value: unknown): Shape {
  return Array.isArray(value) ? value.map(schemaShape) : schemaShape(value);
}

function byName(value: unknown, read: (value: unknown, name: string) => Shape): Shape {
  if (typeof value !== 'object' || value === null) return literalPlaceholder(value);
  return mapValues(value as Record<string, unknown>, read);
}

/** Names of types and fields. */
function kept(value: unknown): Shape {
  const names: unknown[] = Array.isArray(value) ? value : [value];
  if (!names.every((name) => typeof name === 'string')) return literalPlaceholder(value);
  return Array.isArray(value) ? names : (names[0] as string);
}

type Map = (literal: unknown) => unknown;

/**
 * A filter with each literal replaced. Names of fields and operators stay, also within literals that are documents; so do
 * the arguments of `$exists` and `$type`.
 */
export function withLiterals(filter: unknown, map: Map): unknown {
  if (!isPlainObject(filter)) return literal(filter, map);
  return mapValues(filter, (operand, name) => {
    if (OF_FILTERS.has(name) && Array.isArray(operand))
      return operand.map((branch: unknown) => withLiterals(branch, map));
    return name.startsWith('$') ? literal(operand, map) : conditions(operand, map);
  });
}

function conditions(operand: unknown, map: Map): unknown {
  if (!isPlainObject(operand) || !isOperators(operand)) return literal(operand, map);
  return mapValues(operand, (value, operator) => {
    if (OF_TYPES.has(operator)) return value;
    if (operator === '$not') return conditions(value, map);
    return operator === '$elemMatch' ? withLiterals(value, map) : literal(value, map);
  });
}

function literal(value: unknown, map: Map): unknown {
  if (Array.isArray(value)) return value.map((element: unknown) => literal(element, map));
  return isPlainObject(value) ? mapValues(value, (field) => literal(field, map)) : map(value);
}

function isOperators(value: object): boolean {
  return Object.keys(value)[0]?.startsWith('$') === true;
}
