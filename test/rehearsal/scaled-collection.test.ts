import { BSON, Double, Int32, ObjectId, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { ScaledCollection } from '../../src/rehearsal/scaled-collection.js';

const SAMPLED = 50;
const SIZE = 400;
const DAY = 86_400_000;
const START = Date.parse('2026-01-01');

/** As a reader has them: with values as BSON types. */
function asRead(documents: readonly Document[]): Document[] {
  return documents.map((document) => BSON.deserialize(BSON.serialize(document), { promoteValues: false }));
}

const sample = asRead(
  Array.from({ length: SAMPLED }, (_, number) => ({
    _id: ObjectId.createFromTime((START + number * DAY) / 1_000),
    number: new Int32(number + 1),
    price: new Double(number * 1.37),
    at: new Date(START + number * DAY),
    email: `user${String(number).padStart(4, '0')}@example.com`,
    state: ['open', 'paid', 'sent'][number % 3],
    address: { city: `city ${number % 4}` },
    tags: [`first${String(number).padStart(5, '0')}`, `tag${String(number).padStart(5, '0')}`],
    flag: number % 2 === 0,
    note: null,
  })),
);
const scaled = new ScaledCollection(sample, SIZE);
const built = Array.from({ length: SIZE }, (_, index) => scaled.document(index));
const distinct = (of: (document: Document) => unknown) =>
  new Set(built.map((document) => BSON.EJSON.stringify(of(document)))).size;

const shares = (documents: readonly Document[]) =>
  ['open', 'paid', 'sent'].map(
    (state) => documents.filter((each) => each['state'] === state).length / documents.length,
  );

describe('a scaled collection', () => {
  it('begins with the sample itself', () => {
    expect(built.slice(0, SAMPLED)).toEqual(sample);
  });

  it('builds the same documents each time', () => {
    const again = new ScaledCollection(sample, SIZE);
    expect(Array.from({ length: SIZE }, (_, index) => again.document(index))).toEqual(built);
  });

  it.each<[string, (document: Document) => unknown]>([
    ['_id', ({ _id }) => _id],
    ['whole numbers', ({ number }) => number],
    ['texts', ({ email }) => email],
    ['elements of arrays', ({ tags }) => tags[1]],
  ])('keeps %s unique that are unique in the sample', (_, of) => {
    expect(distinct(of)).toBe(SIZE);
  });

  it('repeats what repeats in the sample, as often', () => {
    shares(built).forEach((share, index) => expect(share).toBeCloseTo(shares(sample)[index] as number, 2));
    expect(distinct(({ address }) => address.city)).toBe(4);
    expect(distinct(({ flag }) => flag)).toBe(2);
    expect(distinct(({ note }) => note)).toBe(1);
  });

  it('keeps types, lengths and ranges', () => {
    for (const { _id, number, price, at, email } of built) {
      expect([_id, number, price, at].map((value) => value.constructor)).toEqual([ObjectId, Int32, Double, Date]);
      expect(email).toHaveLength('user0000@example.com'.length);
      expect(Number(price)).toBeGreaterThanOrEqual(0);
      expect(Number(price)).toBeLessThanOrEqual((SAMPLED - 1) * 1.37);
      expect(at.getTime()).toBeGreaterThanOrEqual(START);
      expect(at.getTime()).toBeLessThanOrEqual(START + (SAMPLED - 1) * DAY);
      expect(_id.getTimestamp().getTime()).toBeGreaterThanOrEqual(START);
    }
  });

  it('counts unique whole numbers on', () => {
    expect(built.slice(SAMPLED, SAMPLED + 3).map(({ number }) => Number(number))).toEqual([51, 52, 53]);
  });

  it('gives a field that repeats once in a while as many values as the sample makes likely', () => {
    const values = Array.from({ length: 100 }, (_, number) => ({
      _id: number,
      code: `code${String(number - (number % 20 === 1 ? 1 : 0)).padStart(6, '0')}`,
    }));
    const codes = new ScaledCollection(asRead(values), 5_000);
    const fresh = Array.from({ length: 4_900 }, (_, index) => codes.document(index + 100)['code']);
    // Of 100, 5 occur twice: 95 + 90²/10 values are likely.
    expect(new Set(fresh).size).toBeLessThanOrEqual(905);
    expect(new Set(fresh).size).toBeGreaterThan(800);
  });

  it('varies one field of an _id that is a document', () => {
    const ids = asRead(Array.from({ length: 20 }, (_, number) => ({ _id: { tenant: `t${number % 2}`, number } })));
    const collection = new ScaledCollection(ids, 200);
    const all = Array.from({ length: 200 }, (_, index) => collection.document(index)['_id'] as Document);
    expect(new Set(all.map(({ tenant }) => tenant)).size).toBe(2);
    expect(new Set(all.map((id) => BSON.EJSON.stringify(id))).size).toBe(200);
  });
});

describe('a scaled collection that refers to another', () => {
  const customers = new ScaledCollection(
    asRead(Array.from({ length: 20 }, (_, number) => ({ _id: ObjectId.createFromTime(number) }))),
    200,
  );
  const all = new Set(Array.from({ length: 200 }, (_, index) => String(customers.document(index)['_id'])));
  const ordersOf = (customer: (number: number) => unknown) => {
    const orders = new ScaledCollection(
      asRead(Array.from({ length: 100 }, (_, number) => ({ _id: number, customer: customer(number) }))),
      1_000,
    );
    orders.link('customer', { target: customers, path: '_id' });
    return Array.from({ length: 1_000 }, (_, index) => orders.document(index)['customer']);
  };

  it('keeps references to sampled documents', () => {
    const referred = ordersOf((number) => ObjectId.createFromTime(number % 10));
    expect(new Set(referred.map(String)).size).toBe(10);
    expect(referred.slice(0, 3)).toEqual([0, 1, 2].map((number) => ObjectId.createFromTime(number)));
  });

  it.each([
    ['that repeat', 30],
    ['that do not', 100],
  ])('lets references %s to documents that were not sampled point to existing ones', (_, different) => {
    const referred = ordersOf((number) => ObjectId.createFromTime(10_000 + (number % different)));
    expect(referred.filter((id) => !all.has(String(id)))).toEqual([]);
  });

  it('spreads references that do not repeat over all of the scaled documents', () => {
    expect(new Set(ordersOf((number) => ObjectId.createFromTime(10_000 + number)).map(String)).size).toBeGreaterThan(
      150,
    );
  });
});
