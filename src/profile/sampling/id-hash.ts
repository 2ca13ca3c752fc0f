import { createHash, type Hash } from 'node:crypto';
import { Decimal128 } from 'mongodb';
import {
  ARRAY,
  DECIMAL,
  DOUBLE,
  INT,
  LONG,
  MAX_KEY,
  MIN_KEY,
  NULL,
  OBJECT,
  UNDEFINED,
  scalarBytes,
} from '../bson-types.js';

const SEED = 0;
const END = 0;
const NUMBER = 10;
const LENGTH_BYTES = 4;
const FIRST_ELEMENT = LENGTH_BYTES;

/** By type byte, so that types that can be equal share one. Source: `canonicalizeBSONType` of the server. */
const CANONICAL: Readonly<Record<number, number>> = {
  [END]: 0,
  [UNDEFINED]: 0,
  [NULL]: 5,
  [DOUBLE]: NUMBER,
  [INT]: NUMBER,
  [LONG]: NUMBER,
  [DECIMAL]: NUMBER,
  0x02: 15,
  0x0e: 15,
  [OBJECT]: 20,
  [ARRAY]: 25,
  0x05: 30,
  0x07: 35,
  0x08: 40,
  0x09: 45,
  0x11: 47,
  0x0b: 50,
  0x0c: 55,
  0x0d: 60,
  0x0f: 65,
  [MAX_KEY]: 127,
  [MIN_KEY]: -1,
};

const LARGEST = 2n ** 63n - 1n;
const SMALLEST = -(2n ** 63n);

/**
 * The hash of the first field of a document, `_id`: the same as of `$toHashedIndexKey` and of a hashed index, a signed
 * number of 64 bits. Numbers are hashed as whole ones, so that `5`, `5.0` and `NumberLong(5)` are one.
 * Source: `BSONElementHasher` of the server, and live tests against it; JavaScript with a scope differs.
 *
 * @param document valid BSON of one field at least
 */
export function idHash(document: Uint8Array): bigint {
  const view = new DataView(document.buffer, document.byteOffset, document.byteLength);
  const hash = createHash('md5').update(int32(SEED));
  addElement(hash, { bytes: document, view }, FIRST_ELEMENT, false);
  return hash.digest().readBigInt64LE(0);
}

interface Bson {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** Returns where the next element begins. */
function addElement(hash: Hash, { bytes, view }: Bson, start: number, isNamed: boolean): number {
  const type = bytes[start] as number;
  const at = bytes.indexOf(0, start + 1) + 1;
  hash.update(int32(CANONICAL[type] ?? type));
  if (isNamed) hash.update(bytes.subarray(start + 1, at));
  if (type === OBJECT || type === ARRAY) {
    const end = at + view.getInt32(at, true);
    for (let element = at + LENGTH_BYTES; element < end - 1;)
      element = addElement(hash, { bytes, view }, element, true);
    hash.update(int32(END));
    return end;
  }
  const end = at + scalarBytes(view, bytes, type, at);
  hash.update(CANONICAL[type] === NUMBER ? int64(wholeNumber(bytes, view, type, at)) : bytes.subarray(at, end));
  return end;
}

function wholeNumber(bytes: Uint8Array, view: DataView, type: number, at: number): bigint {
  if (type === INT) return BigInt(view.getInt32(at, true));
  if (type === LONG) return view.getBigInt64(at, true);
  return type === DOUBLE ? within(view.getFloat64(at, true)) : wholeDecimal(bytes.slice(at, at + 16));
}

function within(value: number): bigint {
  if (Number.isNaN(value)) return 0n;
  if (value >= Number(LARGEST)) return LARGEST;
  return value <= Number(SMALLEST) ? SMALLEST : BigInt(Math.trunc(value));
}

/** Decimals are rounded, half to even. */
function wholeDecimal(bytes: Uint8Array): bigint {
  const text = new Decimal128(Buffer.from(bytes)).toString();
  const [, sign, whole, fraction = ''] = /^(-?)(\d{1,18})(?:\.(\d*))?$/.exec(text) ?? [];
  if (whole === undefined) return within(Number(text));
  const half = fraction.replace(/0+$/, '');
  const isUp = half === '5' ? BigInt(whole) % 2n === 1n : half > '5';
  const rounded = BigInt(whole) + (isUp ? 1n : 0n);
  return sign === '-' ? -rounded : rounded;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
}
