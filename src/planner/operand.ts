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
  /** True if all of these types occur, with any value: only what holds for each of them holds. */
  readonly varies?: true;
  /** The regular expression that bounds least; absent if there is none, or its text is not known. */
  readonly pattern?: Pattern;
}

/** Asks for a beginning and no more, for a beginning and for more, or for no beginning. */
export type Pattern = 'prefix' | 'begins' | 'unbounded';
const PATTERNS: readonly Pattern[] = ['unbounded', 'begins', 'prefix'];

/** Reads an operand as it stands in a filter: a value of a command, or a placeholder of a shape. */
export interface OperandReader {
  value(operand: unknown): Operand;
  list(operand: unknown): Operand;
  regularExpression(operand: unknown, options: unknown): Operand;
  /** What `$type` names; the values are the names, of which several mean numbers. */
  typesNamed(operand: unknown): Operand;
}

const ANY: ReadonlySet<OperandType> = new Set(OPERAND_TYPES);
const NAMES: ReadonlySet<string> = ANY;

/** A value of which nothing is known. */
export const ANY_OPERAND: Operand = { types: ANY };

/** As one list. */
export function operandOfAll(operands: readonly Operand[]): Operand {
  const values = operands.map((operand) => operand.values);
  const pattern = PATTERNS.find((each) => operands.some((operand) => operand.pattern === each));
  return {
    types: new Set(operands.flatMap(({ types }) => [...types])),
    ...(values.every((each) => each !== undefined) && { values: values.flat() }),
    ...(pattern !== undefined && { pattern }),
  };
}

/** For filters of commands, with their values. */
export const valueReader: OperandReader = {
  value: (operand) => ({
    types: new Set([typeOf(operand)]),
    values: [operand],
    ...(typeOf(operand) === 'regex' && patternOf(operand, '')),
  }),
  list: (operand) => operandOfAll((Array.isArray(operand) ? operand : []).map((value) => valueReader.value(value))),
  regularExpression: (operand, options) => ({
    types: new Set(['regex']),
    values: [operand],
    ...patternOf(operand, typeof options === 'string' ? options : ''),
  }),
  typesNamed: (operand) => {
    const names = (Array.isArray(operand) ? operand : [operand]).map(
      (each) => TYPE_CODES[Number(each)] ?? String(each),
    );
    return {
      types: new Set(names.map((name) => (NUMBERS.has(name) ? 'number' : (name as OperandType)))),
      values: names,
    };
  },
};

const NUMBERS: ReadonlySet<string> = new Set(['number', 'int', 'long', 'double', 'decimal']);
/** By the code of a BSON type. */
const TYPE_CODES: Readonly<Record<number, string>> = Object.assign(
  ', double, string, object, array, binData, undefined, objectId, bool, date, null, regex, dbPointer, javascript, symbol, javascriptWithScope, int, timestamp, long, decimal'.split(
    ', ',
  ),
  { [-1]: 'minKey', 127: 'maxKey' },
);

/** For filters of shapes, whose values are placeholders: `?number`, `?array<?string>`. */
export const shapeReader: OperandReader = {
  value: (operand) => ({
    types: placeholderTypes(operand),
    ...(operand === '?null' && { values: [null] }),
    ...placeholderPattern(operand),
  }),
  list: (operand) => {
    if (operand === '[]') return { types: new Set(), values: [] };
    const element = typeof operand === 'string' ? /^\?array<(.*)>$/.exec(operand)?.[1] : undefined;
    return element === undefined || element === '' ? { types: ANY } : shapeReader.value(element);
  },
  regularExpression: (operand) => ({ types: new Set(['regex']), ...placeholderPattern(operand) }),
  typesNamed: () => ({ types: ANY }),
};

function placeholderTypes(operand: unknown): ReadonlySet<OperandType> {
  if (typeof operand !== 'string') return typeof operand === 'boolean' ? new Set(['bool']) : ANY;
  if (operand.startsWith('?array') || operand === '[]') return new Set(['array']);
  if (operand.startsWith('?regex')) return new Set(['regex']);
  const name = operand.slice(1);
  return NAMES.has(name) ? new Set([name as OperandType]) : ANY;
}

/** A shape does not say what follows a beginning. */
function placeholderPattern(operand: unknown): Pick<Operand, 'pattern'> {
  const facts = typeof operand === 'string' ? regularExpressionFacts(operand) : null;
  return facts === null ? {} : { pattern: facts.prefix && !facts.caseInsensitive ? 'begins' : 'unbounded' };
}

/** As the server tells by the text whether the keys between two bounds match, without trying them. */
const PREFIX_ALONE = /^(?:\^|\\A)(?:\\Q(?:(?!\\E)[^])*(?:\\E|$)|\\[^a-zA-Z0-9]|[^\\^$.[()+{*?|])+(?:\.\*)?$/;

function patternOf(operand: unknown, options: string): Pick<Operand, 'pattern'> {
  const [source, flags] = sourceOf(operand);
  const { pattern } = placeholderPattern(regularExpressionPlaceholder(source, flags + options));
  if (pattern === undefined) return {};
  return { pattern: pattern === 'begins' && PREFIX_ALONE.test(source) ? 'prefix' : pattern };
}

function sourceOf(operand: unknown): readonly [source: string, flags: string] {
  if (operand instanceof RegExp) return [operand.source, operand.flags];
  return operand instanceof BSONRegExp ? [operand.pattern, operand.options] : [String(operand), ''];
}

/** Whether a text is between the bounds of an operand's regular expressions: of those that ask for a beginning and no more. */
export function isBetweenBounds(text: string, { types, values, pattern }: Operand): boolean {
  if (pattern !== 'prefix' || values === undefined) return true;
  const patterns = values.filter((value) => types.size === 1 || typeOf(value) === 'regex');
  return patterns.some((value) => text.startsWith(beginningOf(sourceOf(value)[0])));
}

function beginningOf(source: string): string {
  return source
    .replace(/^(?:\^|\\A)/, '')
    .replace(/\.\*$/, '')
    .replaceAll(/\\Q([^]*?)(?:\\E|$)|\\([^])/g, (_, quoted?: string, escaped?: string) => quoted ?? escaped ?? '');
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
