import { BSON, Long, type Binary, type Document, type ObjectId, type Timestamp } from 'mongodb';
import { compareTexts } from '../text/compare-texts.js';

// Lowest first. Source: MongoDB manual, "Comparison/Sort Order". A missing field counts as null in a shard key.
const TypeOrder = {
  minKey: 0,
  null: 1,
  number: 2,
  string: 3,
  object: 4,
  array: 5,
  binary: 6,
  objectId: 7,
  boolean: 8,
  date: 9,
  timestamp: 10,
  regularExpression: 11,
  code: 12,
  maxKey: 13,
} as const;

type TypeOrder = (typeof TypeOrder)[keyof typeof TypeOrder];

/** Compares two values as the server orders them in an index, under the simple collation: below 0, 0, or above 0. */
export function compareBson(a: unknown, b: unknown): number {
  const type = typeOrder(a);
  const difference = type - typeOrder(b);
  if (difference !== 0) return difference;
  switch (type) {
    case TypeOrder.number:
      return compareNumbers(a, b);
    case TypeOrder.string:
      return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
    case TypeOrder.object:
      return compareObjects(a as Document, b as Document);
    case TypeOrder.array:
      return compareLists(a as unknown[], b as unknown[]);
    case TypeOrder.binary:
      return compareBinaries(a as Binary, b as Binary);
    case TypeOrder.objectId:
      return Buffer.compare((a as ObjectId).id, (b as ObjectId).id);
    case TypeOrder.boolean:
    case TypeOrder.date:
      return Number(a) - Number(b);
    case TypeOrder.timestamp:
      return (a as Timestamp).compare(b as Timestamp);
    case TypeOrder.regularExpression:
    case TypeOrder.code:
      return compareTexts(BSON.EJSON.stringify({ a }), BSON.EJSON.stringify({ a: b }));
    default:
      return 0;
  }
}

export function compareKeys(a: readonly unknown[], b: readonly unknown[]): number {
  for (const [index, value] of a.entries()) {
    const order = compareBson(value, b[index]);
    if (order !== 0) return order;
  }
  return 0;
}

/** A text that two values share only if `compareBson` calls them equal. For counting; it is a document value. */
export function bsonIdentity(value: unknown): string {
  const type = typeOrder(value);
  if (type === TypeOrder.number) return `${type}:${numberIdentity(value)}`;
  if (type === TypeOrder.string) return `${type}:${String(value)}`;
  if (type === TypeOrder.null || type === TypeOrder.minKey || type === TypeOrder.maxKey) return String(type);
  if (type === TypeOrder.array) return `${type}:[${(value as unknown[]).map(bsonIdentity).join(',')}]`;
  if (type !== TypeOrder.object) return `${type}:${BSON.EJSON.stringify({ value }, { relaxed: false })}`;
  const fields = Object.entries(value as Document).map(
    ([name, each]) => `${JSON.stringify(name)}:${bsonIdentity(each)}`,
  );
  return `${type}:{${fields.join(',')}}`;
}

function typeOrder(value: unknown): TypeOrder {
  if (value === null || value === undefined) return TypeOrder.null;
  if (typeof value === 'number' || typeof value === 'bigint') return TypeOrder.number;
  if (typeof value === 'string') return TypeOrder.string;
  if (typeof value === 'boolean') return TypeOrder.boolean;
  if (Array.isArray(value)) return TypeOrder.array;
  if (value instanceof Date) return TypeOrder.date;
  if (value instanceof RegExp) return TypeOrder.regularExpression;
  return BSON_CLASS_ORDER[String((value as Document)['_bsontype'])] ?? TypeOrder.object;
}

const BSON_CLASS_ORDER: Readonly<Record<string, TypeOrder>> = {
  MinKey: TypeOrder.minKey,
  Double: TypeOrder.number,
  Int32: TypeOrder.number,
  Long: TypeOrder.number,
  Decimal128: TypeOrder.number,
  BSONSymbol: TypeOrder.string,
  Binary: TypeOrder.binary,
  UUID: TypeOrder.binary,
  ObjectId: TypeOrder.objectId,
  Timestamp: TypeOrder.timestamp,
  BSONRegExp: TypeOrder.regularExpression,
  DBRef: TypeOrder.regularExpression,
  Code: TypeOrder.code,
  MaxKey: TypeOrder.maxKey,
};

function compareNumbers(a: unknown, b: unknown): number {
  if (a instanceof Long && b instanceof Long) return a.compare(b);
  const [x, y] = [Number(String(a)), Number(String(b))];
  if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(y)) - Number(Number.isNaN(x));
  return x < y ? -1 : x > y ? 1 : 0;
}

function numberIdentity(value: unknown): string {
  if (value instanceof Long) return value.toString();
  const number = Number(String(value));
  // -0 equals 0, and a whole number is written like a Long.
  return Number.isInteger(number) ? (number === 0 ? '0' : BigInt(number).toString()) : String(number);
}

function compareObjects(a: Document, b: Document): number {
  const [left, right] = [Object.entries(a), Object.entries(b)];
  for (const [index, [name, value]] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order =
      typeOrder(value) - typeOrder(other[1]) || compareTexts(name, other[0]) || compareBson(value, other[1]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  const length = Math.min(a.length, b.length);
  return compareKeys(a.slice(0, length), b.slice(0, length)) || a.length - b.length;
}

function compareBinaries(a: Binary, b: Binary): number {
  return a.length() - b.length() || a.sub_type - b.sub_type || Buffer.compare(bytesOf(a), bytesOf(b));
}

/** Without the room that the binary's buffer may have beyond its value. */
export function bytesOf(binary: Binary): Uint8Array {
  return binary.buffer.subarray(0, binary.length());
}
