import type { Document } from 'mongodb';
import { expressionShape } from '../workload/shapes/expression-shape.js';
import { literalPlaceholder } from '../workload/shapes/placeholder.js';
import type { Shape } from '../workload/shapes/shape.js';
import { withLiterals } from './filter-literals.js';

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
  return byName(schema, (value, keyword) => (KEYWORDS[keyword] ?? literalPlaceholder)(value));
}

function schemas(value: unknown): Shape {
  return Array.isArray(value) ? value.map(schemaShape) : schemaShape(value);
}

function byName(value: unknown, read: (value: unknown, name: string) => Shape): Shape {
  if (typeof value !== 'object' || value === null) return literalPlaceholder(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, read(one, name)]));
}

/** Names of types and fields. */
function kept(value: unknown): Shape {
  const names: unknown[] = Array.isArray(value) ? value : [value];
  if (!names.every((name) => typeof name === 'string')) return literalPlaceholder(value);
  return Array.isArray(value) ? names : (names[0] as string);
}
