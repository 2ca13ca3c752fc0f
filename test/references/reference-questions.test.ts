import { describe, expect, it } from 'vitest';
import type { FieldType, TypeCounts } from '../../src/check.js';
import type { KeptCollection } from '../../src/evidence/source.js';
import { present } from '../../src/presence.js';
import { candidateFields } from '../../src/references/candidate-fields.js';
import { referenceQuestions } from '../../src/references/reference-questions.js';
import { nameInField, nameOfTarget, suggestsTarget } from '../../src/references/suggested-target.js';

type Fields = Readonly<Record<string, TypeCounts>>;

/** Strings are as long as the text of an ObjectId, and arrays have three elements, unless given otherwise. */
function fieldTypes(fields: Fields, longestString = 24, elements = 3): FieldType[] {
  return Object.entries(fields).map(([path, types]) => ({
    path,
    types,
    documents: Object.values(types).reduce((sum, count) => sum + count, 0),
    elementsPerArray: types.array === undefined ? null : elements,
    longestString: types.string === undefined ? null : longestString,
  }));
}

const candidates = (fields: Fields, longest?: number) =>
  candidateFields({ documents: 100, complete: false, fields: fieldTypes(fields, longest) }, null).map(
    ({ path }) => path,
  );

describe('fields that may refer to something', () => {
  it.each<[string, Fields, readonly string[]]>([
    [
      'scalars that ids are made of',
      { a: { objectId: 9 }, b: { binData: 9 }, c: { string: 9 }, d: { int: 9 }, e: { long: 5, double: 4 } },
      ['a', 'c', 'd', 'e', 'b'],
    ],
    ['nothing else', { a: { date: 9 }, b: { bool: 9 }, c: { object: 9 }, d: { null: 9 } }, []],
    ['not _id, nor what is in it', { _id: { objectId: 9 }, '_id.a': { objectId: 9 } }, []],
    [
      'elements of arrays, and what is in them',
      { a: { array: 9 }, 'a[]': { objectId: 9 }, 'b[].c': { objectId: 9 }, 'b[].d[]': { objectId: 9 } },
      ['a', 'b[].c', 'b[].d'],
    ],
    [
      'not what is in arrays of arrays, or under names that are data',
      { 'a[][]': { objectId: 9 }, 'c.*': { objectId: 9 }, '["d.e"]': { objectId: 9 } },
      [],
    ],
    ['nested ones', { customer: { object: 9 }, 'customer._id': { objectId: 9 } }, ['customer._id']],
    [
      'of one kind',
      { a: { objectId: 6, string: 4 }, b: { objectId: 9, null: 90 }, c: { objectId: 19, string: 1 } },
      ['b', 'c'],
    ],
    ['that occur', { a: { objectId: 4 } }, []],
    ['one on each way', { a: { objectId: 90, object: 9 }, 'a.b': { objectId: 9 } }, ['a']],
    ['one at each place', { a: { objectId: 90, array: 9 }, 'a[]': { objectId: 9 } }, ['a']],
  ])('%s', (_, fields, expected) => {
    expect(candidates(fields)).toEqual(expected);
  });

  it('are no texts', () => {
    expect(candidates({ a: { string: 9 } }, 64)).toEqual(['a']);
    expect(candidates({ a: { string: 9 } }, 65)).toEqual([]);
  });

  it('are no images', () => {
    const found = [0.01, 0.9].map((shareOfBytes) => {
      const fields = fieldTypes({ a: { binData: 90 } }).map((field) => ({ ...field, shareOfBytes }));
      return candidateFields({ documents: 100, complete: false, fields }, 2_000).length;
    });
    expect(found).toEqual([1, 0]);
  });
});

describe('names', () => {
  it.each([
    ['customerId', 'customers', true],
    ['customer_id', 'customers', true],
    ['customer', 'Customers', true],
    ['customerIds', 'customers', true],
    ['customer_ids', 'customers', true],
    ['lines[].customer_id', 'customers', true],
    ['bids', 'bids', true],
    ['customer._id', 'customers', true],
    ['billing.customerRef', 'crm.customers', true],
    ['customerId', 'crm_customers', true],
    ['parentOrderId', 'orders', true],
    ['categoryId', 'categories', true],
    ['addressId', 'addresses', true],
    ['box', 'boxes', true],
    ['statusCode', 'orders', false],
    ['paid', 'orders', false],
    ['_id', 'ids', false],
    ['no', 'notes', false],
  ])('%s suggests %s: %s', (field, target, expected) => {
    expect(suggestsTarget(nameInField(field), nameOfTarget(target))).toBe(expected);
  });
});

function collection(name: string, fields: Fields, longest?: number, elements?: number): KeptCollection {
  return {
    collection: { namespace: `shop.${name}`, database: 'shop', name, kind: 'collection', clustered: false },
    evidence: {
      fieldTypes: present({ documents: 100, complete: false, fields: fieldTypes(fields, longest, elements) }),
    },
  };
}

const asked = (collections: readonly KeptCollection[]) =>
  referenceQuestions(collections).questions.map(
    ({ collection: { name }, path, targets }) => `${name}.${path} → ${targets.map((target) => target.name).join()}`,
  );

describe('what is asked', () => {
  it.each<[string, TypeCounts, number, TypeCounts, boolean]>([
    ['ObjectIds among ObjectIds', { objectId: 9 }, 0, { objectId: 9 }, true],
    ['ObjectIds among strings', { objectId: 9 }, 0, { string: 9 }, true],
    ['texts of ObjectIds among them', { string: 9 }, 24, { objectId: 9 }, true],
    ['other texts not', { string: 9 }, 12, { objectId: 9 }, false],
    ['texts of UUIDs among them', { string: 9 }, 36, { binData: 9 }, true],
    ['strings among strings', { string: 9 }, 12, { string: 9 }, true],
    ['numbers not, where no name suggests it', { int: 9 }, 0, { int: 9 }, false],
    ['ObjectIds not among numbers', { objectId: 9 }, 0, { int: 9 }, false],
  ])('%s', (_, reference, longest, id, isAsked) => {
    const questions = asked([
      collection('orders', { thing: reference, _id: { date: 9 } }, longest),
      collection('customers', { _id: id }, 12),
    ]);
    expect(questions).toEqual(isAsked ? ['orders.thing → customers'] : []);
  });

  it('numbers where the name suggests it, as text too', () => {
    const customers = collection('customers', { _id: { int: 9 } });
    expect(asked([collection('orders', { customerId: { long: 9 } }), customers])).toEqual([
      'orders.customerId → customers',
    ]);
    expect(asked([collection('orders', { customerId: { string: 9 } }, 3), customers])).toEqual([
      'orders.customerId → customers',
    ]);
  });

  it('in the own collection too', () => {
    expect(asked([collection('categories', { _id: { objectId: 9 }, parent: { objectId: 9 } })])).toEqual([
      'categories.parent → categories',
    ]);
  });

  it('not in long arrays, and that is said', () => {
    const long = collection(
      'orders',
      { tags: { array: 9 }, 'tags[]': { objectId: 9 }, _id: { objectId: 9 } },
      24,
      25_001,
    );
    expect(asked([long])).toEqual([]);
    expect(referenceQuestions([long]).gaps).toMatchObject([
      {
        reason: 'bound',
        detail: expect.stringContaining('1 array that may hold references has more than 25,000 elements'),
      },
    ]);
  });

  it('by names alone in a database of many collections, and that is said', () => {
    const others = Array.from({ length: 120 }, (_, number) => collection(`part${number}x`, { _id: { objectId: 9 } }));
    const orders = collection('orders', { customer: { objectId: 9 }, thing: { objectId: 9 }, note: { string: 9 } }, 12);
    const all = [orders, collection('customers', { _id: { objectId: 9 } }), ...others];
    expect(asked(all)).toEqual(['orders.customer → customers']);
    expect(referenceQuestions(all).gaps).toMatchObject([
      { reason: 'bound', detail: expect.stringContaining('1 field whose') },
    ]);
  });
});
