import { ownValue } from '../../plain.js';

export type LiteralReader = (value: unknown) => string;

const TYPE_BY_BSON_CLASS: Readonly<Record<string, string>> = {
  ObjectId: '?objectId',
  Long: '?number',
  Double: '?number',
  Int32: '?number',
  Decimal128: '?number',
  Timestamp: '?timestamp',
  Binary: '?binData',
  MinKey: '?minKey',
  MaxKey: '?maxKey',
  BSONSymbol: '?symbol',
  DBRef: '?object',
};

/** By the key of the object that represents them in Extended JSON, as in server logs. */
const TYPE_BY_EXTENDED_JSON_KEY: Readonly<Record<string, string>> = {
  $oid: '?objectId',
  $date: '?date',
  $numberInt: '?number',
  $numberLong: '?number',
  $numberDouble: '?number',
  $numberDecimal: '?number',
  $timestamp: '?timestamp',
  $binary: '?binData',
  $uuid: '?binData',
  $minKey: '?minKey',
  $maxKey: '?maxKey',
  $undefined: '?undefined',
  $symbol: '?symbol',
  $code: '?javascript',
  $dbPointer: '?dbPointer',
  $ref: '?object',
};

/** As `$queryStats` writes them (measured on 6.0.27): `?string`, `?array<?number>`, and `[]` for an empty array. */
const SERVER_PLACEHOLDER = /^(?:\?[a-zA-Z]+(?:<(?:\?[a-zA-Z]+)?>)?|\[\])$/;

export const literalPlaceholder: LiteralReader = (value) => {
  switch (typeof value) {
    case 'string':
      return '?string';
    case 'number':
    case 'bigint':
      return '?number';
    case 'boolean':
      return '?bool';
    case 'object':
      return objectPlaceholder(value);
    default:
      return '?undefined';
  }
};

/** For `$queryStats`, whose literals are placeholders already. Everything else becomes one. */
export const serverPlaceholder: LiteralReader = (value) =>
  typeof value === 'string' && SERVER_PLACEHOLDER.test(value) ? value : literalPlaceholder(value);

/** Whether an object of JavaScript is a single value for the server. */
export function isScalarObject(value: object): boolean {
  return (
    value instanceof Date ||
    value instanceof RegExp ||
    ArrayBuffer.isView(value) ||
    '_bsontype' in value ||
    extendedJsonKey(value) !== undefined
  );
}

/** What is no array has no elements. */
export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What is no object has no fields. */
export function bodyOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** True of a document: neither an array nor a value such as a date, in BSON or in Extended JSON. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isScalarObject(value);
}

export interface RegularExpressionFacts {
  readonly caseInsensitive: boolean;
  /** Whether matches begin with a fixed text, so that an index can be searched by it. */
  readonly prefix: boolean;
  /** Whether it ignores case and matches one text, from its beginning to its end: an equality, but for case. */
  readonly whole: boolean;
}

/** `?regex`, with what decides whether an index serves it: `?regex:prefix`, `?regex:i`, `?regex:prefix,i`, `?regex:prefix,whole,i`. */
export function regularExpressionPlaceholder(pattern: string, options: string): string {
  const ignoresCase = options.includes('i');
  const facts = [
    ...(hasPrefix(pattern, options) ? ['prefix'] : []),
    ...(ignoresCase && isWholeText(pattern, options) ? ['whole'] : []),
    ...(ignoresCase ? ['i'] : []),
  ];
  return placeholderOfFacts(facts);
}

function placeholderOfFacts(facts: readonly string[]): string {
  return facts.length === 0 ? '?regex' : `?regex:${facts.join()}`;
}

/** For patterns in a list: what holds for each of them, and whether one ignores case. */
function patternOfAll(placeholders: readonly string[]): string {
  const all = placeholders.map((placeholder) => placeholder.slice('?regex:'.length).split(','));
  return placeholderOfFacts(
    ['prefix', 'whole', 'i'].filter((fact) =>
      fact === 'i' ? all.some((each) => each.includes(fact)) : all.every((each) => each.includes(fact)),
    ),
  );
}

/** Whether it is one text between its ends. A dot stands for a character of it: who builds a pattern of a name seldom escapes them. */
function isWholeText(pattern: string, options: string): boolean {
  const text = /^(?:\^|\\A)([^]+?)(?:\$|\\[zZ])$/.exec(pattern)?.[1]?.replaceAll(/\\[^a-zA-Z0-9]/g, 'x');
  return text !== undefined && !options.includes('m') && !/[[\]^$|()*+?{}\\]/.test(text);
}

/** Characters after which the server reads no further prefix, and those that leave the one before optional. */
const ENDS_PREFIX = /[[^$.(){}+\\]/;
const LEAVES_OPTIONAL = /[*?]/;

/** As the server reads a prefix (measured by explain() on 6.0.27). */
function hasPrefix(pattern: string, options: string): boolean {
  const anchor = /^(?:\^|\\A)/.exec(pattern)?.[0];
  if (anchor === undefined || pattern.includes('|') || (anchor === '^' && options.includes('m'))) return false;
  const quoted = /^\\Q(?:(?!\\E)[^])+/;
  const rest = pattern.slice(anchor.length);
  if (quoted.test(rest)) return true;
  const first = /^\\[^a-zA-Z0-9]/.exec(rest)?.[0] ?? rest.charAt(0);
  const isText = first.length > 1 || (first !== '' && !ENDS_PREFIX.test(first) && !LEAVES_OPTIONAL.test(first));
  return isText && !LEAVES_OPTIONAL.test(rest.charAt(first.length));
}

export const UNKNOWN_REGULAR_EXPRESSION = '?regex:unknown';

/** Null if it is not a placeholder of a regular expression, or one of an unknown pattern. */
export function regularExpressionFacts(placeholder: string): RegularExpressionFacts | null {
  const facts = /^\?regex(?::(.*))?$/.exec(placeholder);
  if (facts === null || placeholder === UNKNOWN_REGULAR_EXPRESSION) return null;
  const names = (facts[1] ?? '').split(',');
  return {
    caseInsensitive: names.includes('i'),
    prefix: names.includes('prefix'),
    whole: names.includes('whole'),
  };
}

function objectPlaceholder(value: object | null): string {
  if (value === null) return '?null';
  if (Array.isArray(value)) return arrayPlaceholder(value);
  if (value instanceof Date) return '?date';
  if (ArrayBuffer.isView(value)) return '?binData';
  const pattern = patternPlaceholder(value);
  if (pattern !== null) return pattern;
  if ('_bsontype' in value) return bsonPlaceholder(value as BsonValue);
  const key = extendedJsonKey(value);
  if (key === undefined) return '?object';
  if (key === '$code' && '$scope' in value) return '?javascriptWithScope';
  return TYPE_BY_EXTENDED_JSON_KEY[key] as string;
}

interface BsonValue {
  readonly _bsontype: unknown;
  readonly scope?: unknown;
}

/**
 * The placeholder of a regular expression as a value of its own, in JavaScript, BSON or Extended JSON; null if it is none.
 *
 * @param further options that stand beside it, as `$options`
 */
export function patternPlaceholder(value: object, further = ''): string | null {
  if (value instanceof RegExp) return regularExpressionPlaceholder(value.source, value.flags + further);
  const { _bsontype: type, $regularExpression: extended } = value as Record<string, unknown>;
  if (type !== 'BSONRegExp' && extendedJsonKey(value) !== '$regularExpression') return null;
  const { pattern = '', options = '' } = bodyOf(type === 'BSONRegExp' ? value : extended);
  return regularExpressionPlaceholder(scalarText(pattern), scalarText(options) + further);
}

function bsonPlaceholder(value: BsonValue): string {
  const name = scalarText(value['_bsontype']);
  if (name === 'Code')
    return value.scope === null || value.scope === undefined ? '?javascript' : '?javascriptWithScope';
  return ownValue(TYPE_BY_BSON_CLASS, name) ?? '?object';
}

/** As the server does: the type that all elements share, or none. Nested arrays are not described. */
function arrayPlaceholder(values: readonly unknown[]): string {
  if (values.length === 0) return '[]';
  const types = values.map(elementType);
  const [first] = types;
  if (types.every((type) => type === first)) return `?array<${first}>`;
  return types.every((type) => type.startsWith('?regex')) ? `?array<${patternOfAll(types)}>` : '?array<>';
}

function elementType(value: unknown): string {
  return Array.isArray(value) ? '?array' : literalPlaceholder(value);
}

function extendedJsonKey(value: object): string | undefined {
  const keys = Object.keys(value);
  const [key] = keys;
  if (key === undefined || keys.length > 3 || !key.startsWith('$')) return undefined;
  if (key === '$regularExpression') return keys.length === 1 ? key : undefined;
  if (!Object.hasOwn(TYPE_BY_EXTENDED_JSON_KEY, key)) return undefined;
  const companions = COMPANIONS[key] ?? [];
  return keys.slice(1).every((name) => companions.includes(name)) ? key : undefined;
}

const COMPANIONS: Readonly<Record<string, readonly string[]>> = {
  $code: ['$scope'],
  $binary: ['$type'],
  $ref: ['$id', '$db'],
};

/**
 * The text of a name or number of any BSON type. A document or array is `?object`: it occurs only in a garbled or
 * forged entry, and its field `toString` would make JavaScript throw.
 */
export function scalarText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return '_bsontype' in value && typeof value.toString === 'function' ? value.toString() : '?object';
}
