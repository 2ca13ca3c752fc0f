import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'mongodb';
import { regularExpressionFacts, regularExpressionPlaceholder } from '../workload/shapes/placeholder.js';

/** The types that values are compared within: a number of any kind is a `number`. */
export const OPERAND_TYPES = [
  'number',
  'string',
  'object',
  'array',
  'binData',
  'undefined',
  'objectId',
  'bool',
  'date',
  'null',
  'regex',
  'dbPointer',
  'javascript',
  'javascriptWithScope',
  'symbol',
  'timestamp',
  'minKey',
  'maxKey',
] as const;

export type OperandType = (typeof OPERAND_TYPES)[number];

/** What a condition compares with: one value, or one of a list. Of a shape, only the types are known. */
export interface Operand {
  /** Those that the value, or a value of the list, may have. */
  readonly types: ReadonlySet<OperandType>;
  /** The values themselves; absent if only their types are known. */
  readonly values?: readonly unknown[];
  /** How a regular expression can be searched; absent if there is none, or its text is not known. */
  readonly pattern?: { readonly prefix: boolean; readonly ignoresCase: boolean };
}

/** Reads an operand as it stands in a filter: a value of a command, or a placeholder of a shape. */
export interface OperandReader {
  value(operand: unknown): Operand;
  list(operand: unknown): Operand;
  regularExpression(operand: unknown, options: unknown): Operand;
}

const ANY: ReadonlySet<OperandType> = new Set(OPERAND_TYPES);
const NAMES: ReadonlySet<string> = ANY;

export function operandOfTypes(types: Iterable<OperandType>): Operand {
  return { types: new Set(types) };
}

/** For filters of commands, with their values. */
export const valueReader: OperandReader = {
  value: (operand) => ({ types: new Set([typeOf(operand)]), values: [operand], ...patternOf(operand, '') }),
  list: (operand) => {
    const values = Array.isArray(operand) ? operand : [];
    const patterns = values.filter((value) => typeOf(value) === 'regex').map((value) => patternOf(value, ''));
    const pattern = patterns.find((each) => each.pattern?.prefix !== true) ?? patterns[0];
    return { types: new Set(values.map(typeOf)), values, ...pattern };
  },
  regularExpression: (operand, options) => ({
    types: new Set(['regex']),
    values: [operand],
    ...patternOf(operand, typeof options === 'string' ? options : ''),
  }),
};

/** For filters of shapes, whose values are placeholders: `?number`, `?array<?string>`. */
export const shapeReader: OperandReader = {
  value: (operand) => ({ types: placeholderTypes(operand), ...placeholderPattern(operand) }),
  list: (operand) => {
    if (operand === '[]') return { types: new Set(), values: [] };
    const element = typeof operand === 'string' ? /^\?array<(.*)>$/.exec(operand)?.[1] : undefined;
    return element === undefined || element === '' ? { types: ANY } : shapeReader.value(element);
  },
  regularExpression: (operand) => ({ types: new Set(['regex']), ...placeholderPattern(operand) }),
};

function placeholderTypes(operand: unknown): ReadonlySet<OperandType> {
  if (typeof operand !== 'string') return typeof operand === 'boolean' ? new Set(['bool']) : ANY;
  if (operand.startsWith('?array') || operand === '[]') return new Set(['array']);
  if (operand.startsWith('?regex')) return new Set(['regex']);
  const name = operand.slice(1);
  return NAMES.has(name) ? new Set([name as OperandType]) : ANY;
}

function placeholderPattern(operand: unknown): Pick<Operand, 'pattern'> {
  const facts = typeof operand === 'string' ? regularExpressionFacts(operand) : null;
  return facts === null ? {} : { pattern: { prefix: facts.prefix, ignoresCase: facts.caseInsensitive } };
}

function patternOf(operand: unknown, options: string): Pick<Operand, 'pattern'> {
  const [source, flags] =
    operand instanceof RegExp
      ? [operand.source, operand.flags]
      : operand instanceof BSONRegExp
        ? [operand.pattern, operand.options]
        : typeof operand === 'string'
          ? [operand, options]
          : ['', ''];
  if (typeOf(operand) !== 'regex' && options === '' && typeof operand !== 'string') return {};
  return placeholderPattern(regularExpressionPlaceholder(source, flags + options));
}

/** By the BSON type of a value as the driver gives it. */
export function typeOf(value: unknown): OperandType {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
    case 'bigint':
      return 'number';
    case 'boolean':
      return 'bool';
    case 'undefined':
      return 'undefined';
    default:
  }
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  if (value instanceof RegExp || value instanceof BSONRegExp) return 'regex';
  if (value instanceof ObjectId) return 'objectId';
  // A timestamp is a kind of Long.
  if (value instanceof Timestamp) return 'timestamp';
  if (value instanceof Long || value instanceof Int32 || value instanceof Double || value instanceof Decimal128)
    return 'number';
  if (value instanceof Binary || ArrayBuffer.isView(value)) return 'binData';
  if (value instanceof MinKey) return 'minKey';
  if (value instanceof MaxKey) return 'maxKey';
  if (value instanceof BSONSymbol) return 'symbol';
  if (value instanceof Code) return value.scope === null ? 'javascript' : 'javascriptWithScope';
  return 'object';
}
