import * as fc from 'fast-check';
import { BSON, type Document } from 'mongodb';

const { Binary, BSONRegExp, BSONSymbol, Code, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } =
  BSON;

/** Few names, so that documents share paths; each odd in its own way, and none such that it looks like data by itself. */
const NAMES = [
  '_id',
  'a',
  'ab',
  'abc',
  'abcd',
  'items',
  'createdAt',
  'ünïcödé',
  'a-b',
  '$set',
  '',
  'long'.repeat(10),
  '7',
  '__proto__',
];

const hex = (length: number) =>
  fc
    .array(fc.nat(15), { minLength: length, maxLength: length })
    .map((digits) => digits.map((digit) => digit.toString(16)).join(''));
const withoutNul = fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replaceAll('\0', ''));

const scalar: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false, new MinKey(), new MaxKey()),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.integer().map((value) => new Int32(value)),
  fc.double().map((value) => new Double(value)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => Long.fromBigInt(value)),
  fc.date({ noInvalidDate: true }),
  hex(24).map((value) => ObjectId.createFromHexString(value)),
  fc.uint8Array({ maxLength: 40 }).map((value) => new Binary(value, 0)),
  fc.uint8Array({ maxLength: 40 }).map((value) => new Binary(value, Binary.SUBTYPE_BYTE_ARRAY)),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => new Timestamp(value)),
  fc.integer().map((value) => Decimal128.fromString(`${value}.5`)),
  withoutNul.map((text) => new BSONRegExp(text, 'im')),
  withoutNul.map((text) => new BSONSymbol(text)),
  withoutNul.map((text) => new Code(text)),
  withoutNul.map((text) => new Code(text, { a: 1 })),
);

const { value } = fc.letrec<{ value: unknown; object: Document; array: unknown[] }>((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, scalar, tie('object'), tie('array')),
  object: fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 6 }),
  array: fc.array(tie('value'), { maxLength: 12 }),
}));

/** A document of every type that a driver can write, as BSON. */
export const anyDocument: fc.Arbitrary<Uint8Array> = fc
  .dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 10 })
  .map((document) => BSON.serialize(document));
