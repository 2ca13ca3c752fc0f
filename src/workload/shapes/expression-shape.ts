import { ownValue } from '../../plain.js';
import {
  isScalarObject,
  type LiteralReader,
  regularExpressionPlaceholder,
  scalarText,
  UNKNOWN_REGULAR_EXPRESSION,
} from './placeholder.js';
import type { ObjectShape, Shape } from './shape.js';
import { fieldPath, sortShape } from './sort-shape.js';

interface Read {
  readonly shape: Shape;
  readonly isLiteral: boolean;
}

/** Arguments that name a variable or a field: strings, but not values. */
const NAMING_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  $filter: ['as'],
  $map: ['as'],
  $getField: ['field'],
  $setField: ['field'],
  $unsetField: ['field'],
  $convert: ['to'],
};

const REGULAR_EXPRESSION_OPERATORS = new Set(['$regexMatch', '$regexFind', '$regexFindAll']);

const SCRIPT_OPERATORS = new Set(['$function', '$accumulator']);

const LITERAL_OPERATORS = new Set(['$literal', '$const']);

/** Usual names of variables, fields and types; anything else may be data. */
const NAME = /^[A-Za-z_][\w.]{0,99}$/;

/**
 * Keeps field paths (`$total`), variables (`$$order.total`), operators and the field names of object expressions. An
 * object or array of values only becomes one placeholder.
 */
export function expressionShape(expression: unknown, literal: LiteralReader): Shape {
  return read(expression, literal).shape;
}

/** An object of expressions by field, as in `$addFields`. Nested fields become dotted paths. */
export function fieldExpressions(fields: unknown, literal: LiteralReader): [path: string, shape: Shape][] {
  if (typeof fields !== 'object' || fields === null) return [];
  return Object.entries(fields).flatMap(([name, value]): [string, Shape][] => {
    const path = fieldPath(name);
    const { shape, isLiteral } = read(value, literal);
    if (isLiteral || !isFieldObject(value)) return [[path, shape]];
    return fieldExpressions(value, literal).map(([inner, innerShape]) => [`${path}.${inner}`, innerShape]);
  });
}

function read(value: unknown, literal: LiteralReader): Read {
  if (typeof value === 'string' && value.startsWith('$')) return { shape: fieldPath(value), isLiteral: false };
  if (typeof value !== 'object' || value === null) return { shape: literal(value), isLiteral: true };
  if (Array.isArray(value)) {
    const elements = value.map((element) => read(element, literal));
    return elements.every(({ isLiteral }) => isLiteral)
      ? { shape: literal(value), isLiteral: true }
      : { shape: elements.map(({ shape }) => shape), isLiteral: false };
  }
  if (isScalarObject(value)) return { shape: literal(value), isLiteral: true };
  const [first] = Object.keys(value);
  if (first?.startsWith('$') === true) return readOperator(first, (value as Record<string, unknown>)[first], literal);
  return objectOf(Object.entries(value).map(([name, field]) => [fieldPath(name), read(field, literal)] as const));
}

function readOperator(operator: string, operand: unknown, literal: LiteralReader): Read {
  if (LITERAL_OPERATORS.has(operator)) return { shape: literal(operand), isLiteral: true };
  const shape = SCRIPT_OPERATORS.has(operator) ? '?javascript' : argumentShape(operator, operand, literal);
  return { shape: { [operator]: shape }, isLiteral: false };
}

function argumentShape(operator: string, operand: unknown, literal: LiteralReader): Shape {
  if (operator === '$getField' && typeof operand === 'string') {
    return { field: nameOrPlaceholder(operand, literal), input: '$$CURRENT' };
  }
  // An operator's list of arguments is not a value, even if each argument is one.
  if (Array.isArray(operand)) return operand.map((argument) => expressionShape(argument, literal));
  if (!isFieldObject(operand)) return expressionShape(operand, literal);
  const named = Object.entries(operand)
    .filter(([name]) => !(REGULAR_EXPRESSION_OPERATORS.has(operator) && name === 'options'))
    .map(([name, value]) => [fieldPath(name), namedArgument(operator, name, value, operand, literal)] as const);
  return objectOf(named).shape;
}

function namedArgument(
  operator: string,
  name: string,
  value: unknown,
  siblings: Record<string, unknown>,
  literal: LiteralReader,
): Read {
  if (name === 'sortBy') return { shape: sortShape(value), isLiteral: false };
  if (ownValue(NAMING_ARGUMENTS, operator)?.includes(name) === true) {
    return { shape: nameOrPlaceholder(value, literal), isLiteral: false };
  }
  if (REGULAR_EXPRESSION_OPERATORS.has(operator) && name === 'regex') {
    return { shape: regularExpression(value, siblings['options'], literal), isLiteral: false };
  }
  return read(value, literal);
}

/** An object of values only is a value itself: its field names are not kept. */
function objectOf(fields: readonly (readonly [name: string, read: Read])[]): Read {
  return fields.every(([, { isLiteral }]) => isLiteral)
    ? { shape: '?object', isLiteral: true }
    : { shape: Object.fromEntries(fields.map(([name, { shape }]) => [name, shape])), isLiteral: false };
}

function regularExpression(value: unknown, options: unknown, literal: LiteralReader): Shape {
  if (typeof value === 'string' && !value.startsWith('$')) {
    if (literal(value) === value) return UNKNOWN_REGULAR_EXPRESSION;
    return regularExpressionPlaceholder(value, typeof options === 'string' ? options : '');
  }
  return expressionShape(value, literal);
}

function nameOrPlaceholder(value: unknown, literal: LiteralReader): Shape {
  return typeof value === 'string' && NAME.test(value) ? fieldPath(value) : expressionShape(value, literal);
}

function isFieldObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isScalarObject(value)) return false;
  const [first] = Object.keys(value);
  return first === undefined || !first.startsWith('$');
}

const EXCLUDING = new Set<unknown>([0, false]);

/**
 * The shape of a projection of `find` or `$project`: dotted paths to true, false or an expression. `_id: true` is the
 * default and left out.
 */
export function projectionShape(projection: unknown, literal: LiteralReader): ObjectShape {
  const shapes = fieldExpressions(switchesApart(projection), literal).filter(
    ([path, shape]) => !(path === '_id' && shape === SWITCHED_ON),
  );
  return Object.fromEntries(shapes.map(([path, shape]) => [path, unswitched(shape)]));
}

const SWITCHED_ON = '$.switched.on';

const SWITCHED_OFF = '$.switched.off';

/** Marks inclusions and exclusions, which look like values but are not. No field path has an empty name. */
function switchesApart(projection: unknown): unknown {
  if (isSwitch(projection)) return EXCLUDING.has(numeric(projection)) ? SWITCHED_OFF : SWITCHED_ON;
  if (typeof projection !== 'object' || projection === null || Array.isArray(projection) || '_bsontype' in projection) {
    return projection;
  }
  const entries = Object.entries(projection);
  if (entries[0]?.[0].startsWith('$') === true) return projection;
  return Object.fromEntries(entries.map(([name, value]) => [name, switchesApart(value)]));
}

function isSwitch(value: unknown): boolean {
  return typeof numeric(value) === 'number' || typeof value === 'boolean';
}

export function numeric(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const extended = Object.entries(value).find(([key]) => key.startsWith('$number'));
  if (extended !== undefined) return Number(scalarText(extended[1]));
  const { _bsontype: name } = value as { _bsontype?: unknown };
  return name === 'Long' || name === 'Int32' || name === 'Double' || name === 'Decimal128'
    ? Number(scalarText(value))
    : value;
}

function unswitched(shape: Shape): Shape {
  if (shape === SWITCHED_ON) return true;
  return shape === SWITCHED_OFF ? false : shape;
}
