import { Binary, BSONRegExp, Code, Decimal128, Double, Long, MaxKey, MinKey, ObjectId, Timestamp, UUID } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { bsonIdentity, compareBson, compareKeys } from '../../src/profile/bson-order.js';
import { freshDatabase, sharedClient } from '../support/database.js';

/** Different values, in no order. */
const VALUES: readonly unknown[] = [
  new MaxKey(),
  'b',
  'B',
  'é',
  '',
  '\u{1f600}',
  '\uffee',
  -1,
  0,
  1.5,
  2,
  Number.NaN,
  Infinity,
  -Infinity,
  Long.fromString('9007199254740993'),
  Long.fromString('9007199254740995'),
  Decimal128.fromString('1.25'),
  new Date(0),
  new Date(-5),
  new Timestamp({ t: 1, i: 2 }),
  new Timestamp({ t: 1, i: 3 }),
  new Timestamp({ t: 3_000_000_000, i: 1 }),
  new ObjectId('000000000000000000000001'),
  new ObjectId('ff0000000000000000000000'),
  new Binary(Buffer.from([1, 2])),
  new Binary(Buffer.from([9])),
  new Binary(Buffer.from([1, 2]), 5),
  new UUID('ffffffff-ffff-4fff-bfff-ffffffffffff'),
  new UUID('00000000-0000-4000-8000-000000000000'),
  true,
  false,
  null,
  {},
  { a: 1 },
  { a: 1, b: 1 },
  { a: 'x' },
  { b: 0 },
  { a: { b: 2 } },
  new BSONRegExp('a', ''),
  new BSONRegExp('a', 'i'),
  new Code('return 1'),
  new MinKey(),
];

describe('the order of values', () => {
  const client = sharedClient();
  const database = freshDatabase(client);

  it("is the server's", async () => {
    const collection = database.collection<{ _id: number; value: unknown }>('values');
    await collection.insertMany(VALUES.map((value, index) => ({ _id: index, value })));
    const sorted = await collection.find().sort({ value: 1 }).toArray();
    const own = VALUES.map((_, index) => index).sort((a, b) => compareBson(VALUES[a], VALUES[b]));
    expect(own).toEqual(sorted.map(({ _id }) => _id));
  });

  it('has identities that tell apart what it tells apart, and nothing else', () => {
    for (const a of VALUES) {
      for (const b of VALUES) expect(bsonIdentity(a) === bsonIdentity(b)).toBe(compareBson(a, b) === 0);
    }
  });

  it.each<[unknown, unknown]>([
    [1, Long.fromNumber(1)],
    [1, new Double(1)],
    [0, -0],
    [2.5, Decimal128.fromString('2.50')],
    [null, undefined],
    [{ a: 1 }, { a: Long.fromNumber(1) }],
  ])('holds %s and %s equal', (a, b) => {
    expect(compareBson(a, b)).toBe(0);
    expect(bsonIdentity(a)).toBe(bsonIdentity(b));
  });

  it('compares compound keys field by field', () => {
    expect(compareKeys(['a', 2], ['a', 10])).toBeLessThan(0);
    expect(compareKeys(['b', 2], ['a', 10])).toBeGreaterThan(0);
    expect(compareKeys(['a', 2], ['a', Long.fromNumber(2)])).toBe(0);
  });
});
