import { BSON_TYPES, type BsonType, type TypeCounts } from './document-profile.js';

/** Type bytes of BSON elements, as https://bsonspec.org/spec.html numbers them. */
export const DOUBLE = 0x01;
export const STRING = 0x02;
export const OBJECT = 0x03;
export const ARRAY = 0x04;
export const BIN_DATA = 0x05;
export const UNDEFINED = 0x06;
export const OBJECT_ID = 0x07;
export const BOOL = 0x08;
export const DATE = 0x09;
export const NULL = 0x0a;
export const REGEX = 0x0b;
export const DB_POINTER = 0x0c;
export const JAVASCRIPT = 0x0d;
export const SYMBOL = 0x0e;
export const JAVASCRIPT_WITH_SCOPE = 0x0f;
export const INT = 0x10;
export const TIMESTAMP = 0x11;
export const LONG = 0x12;
export const DECIMAL = 0x13;
export const MAX_KEY = 0x7f;
export const MIN_KEY = 0xff;

export const OBJECT_ID_BYTES = 12;

/** Bytes of the smallest object or array: its length and its terminator. */
export const EMPTY_OBJECT_BYTES = 5;

/** In `VALUE_BYTES`, the type's values carry their length themselves. */
export const VARIABLE = -1;
export const UNKNOWN = -2;

export const VALUE_BYTES: Int8Array = new Int8Array(256).fill(UNKNOWN);
for (const type of [NULL, UNDEFINED, MIN_KEY, MAX_KEY]) VALUE_BYTES[type] = 0;
for (const type of [DOUBLE, DATE, TIMESTAMP, LONG]) VALUE_BYTES[type] = 8;
for (const type of [STRING, OBJECT, ARRAY, BIN_DATA, REGEX, DB_POINTER, JAVASCRIPT, SYMBOL, JAVASCRIPT_WITH_SCOPE]) {
  VALUE_BYTES[type] = VARIABLE;
}
VALUE_BYTES[BOOL] = 1;
VALUE_BYTES[INT] = 4;
VALUE_BYTES[DECIMAL] = 16;
VALUE_BYTES[OBJECT_ID] = OBJECT_ID_BYTES;

/** Places in a list of counts by type: the type bytes up to `DECIMAL` as they are, then minKey and maxKey. */
export const TYPE_SLOTS = DECIMAL + 3;
const MIN_KEY_SLOT = DECIMAL + 1;
const MAX_KEY_SLOT = DECIMAL + 2;

export function typeSlot(type: number): number {
  if (type <= DECIMAL) return type;
  return type === MIN_KEY ? MIN_KEY_SLOT : MAX_KEY_SLOT;
}

export function typeCounts(countsBySlot: readonly number[]): TypeCounts {
  const counts: TypeCounts = {};
  BSON_TYPES.forEach((type: BsonType, index) => {
    const count = countsBySlot[index + 1] ?? 0;
    if (count > 0) counts[type] = count;
  });
  return counts;
}

/** Where a value of any type ends. */
export function valueEnd(view: DataView, bytes: Uint8Array, type: number, at: number): number {
  return at + (type === OBJECT || type === ARRAY ? view.getInt32(at, true) : scalarBytes(view, bytes, type, at));
}

/** @param type neither an object nor an array; the value must be known to be valid */
export function scalarBytes(view: DataView, bytes: Uint8Array, type: number, at: number): number {
  const size = VALUE_BYTES[type] as number;
  if (size !== VARIABLE) return size;
  switch (type) {
    case STRING:
    case JAVASCRIPT:
    case SYMBOL:
      return 4 + view.getInt32(at, true);
    case BIN_DATA:
      return 5 + view.getInt32(at, true);
    case DB_POINTER:
      return 4 + view.getInt32(at, true) + OBJECT_ID_BYTES;
    case REGEX: {
      const options = bytes.indexOf(0, at) + 1;
      return bytes.indexOf(0, options) + 1 - at;
    }
    default:
      return view.getInt32(at, true);
  }
}
