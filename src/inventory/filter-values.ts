import { BSON, Decimal128, Double, Int32, Long, ObjectId } from 'mongodb';

/** Compares two values as the server does under the simple collation; null if they are not known to be comparable. */
export function compareValues(one: unknown, other: unknown): number | null {
  const [first, second] = [comparable(one), comparable(other)];
  return first === null || second === null || first.type !== second.type ? null : compareKeys(first.key, second.key);
}

/** Compares values of one type. Texts are compared as the server compares them under the simple collation: by their bytes. */
export function compareKeys(one: Comparable['key'], other: Comparable['key']): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}

export function isSameValue(one: unknown, other: unknown): boolean {
  if (compareValues(one, other) === 0) return true;
  return Buffer.compare(BSON.serialize({ value: one }), BSON.serialize({ value: other })) === 0;
}

export function distinctValues(values: readonly unknown[]): unknown[] {
  return values.filter((value, at) => !values.slice(0, at).some((other) => isSameValue(value, other)));
}

export function isCollatable(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null && !isScalarObject(value));
}

/** A value by whose order filters are compared; those of different types have none. */
export interface Comparable {
  readonly type: 'number' | 'date' | 'string' | 'objectId';
  readonly key: number | string;
}

/** Null if its order is not known, as of a Decimal128 with many digits. */
export function comparable(value: unknown): Comparable | null {
  if (typeof value === 'string') return { type: 'string', key: value };
  if (value instanceof ObjectId) return { type: 'objectId', key: value.toHexString() };
  if (value instanceof Date) return { type: 'date', key: value.getTime() };
  const number = numberOf(value);
  return number === null || Number.isNaN(number) ? null : { type: 'number', key: number };
}

function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (value instanceof Int32 || value instanceof Double) return value.valueOf();
  if (value instanceof Decimal128) return exactNumber(value.toString());
  if (!(value instanceof Long)) return null;
  const number = value.toNumber();
  return Number.isSafeInteger(number) ? number : null;
}

const EXACT = 2 ** 20;

/** Null if a double is not known to be the same. */
function exactNumber(decimal: string): number | null {
  const number = Number(decimal);
  return String(number) === decimal && Number.isSafeInteger(number * EXACT) ? number : null;
}

function isScalarObject(value: object): boolean {
  return '_bsontype' in value || value instanceof Date;
}
