import { describe, expect, it } from 'vitest';
import type { FieldType, IndexDescription, TypeCounts } from '../../src/check.js';
import { present } from '../../src/evidence/evidence.js';
import { candidateFields } from '../../src/evidence/references/candidate-fields.js';
import { referenceQuestions, type ReferringCollection } from '../../src/evidence/references/reference-questions.js';
import { nameInField, nameOfTarget, suggestsTarget } from '../../src/evidence/references/suggested-target.js';
import { ID_INDEX, index } from '../checks/index-builders.js';

type Fields = Readonly<Record<string, TypeCounts>>;

/** Strings are as long as the text of an ObjectId, unless given otherwise. */
function fieldTypes(fields: Fields, longestString = 24): FieldType[] {
  return Object.entries(fields).map(([path, types]) => ({
    path,
    types,
    documents: Object.values(types).reduce((sum, count) => sum + count, 0),
    elementsPerArray: null,
    longestString: types.string === undefined ? null : longestString,
  }));
}

const candidates = (fields: Fields, indexes: readonly IndexDescription[] = [], longest?: number) =>
  candidateFields({ documents: 100, complete: false, fields: fieldTypes(fields, longest) }, [ID_INDEX, ...indexes]).map(({ path }) => path);

describe('fields that may refer to something', () => {
  it.each<[string, Fields, readonly IndexDescription[], readonly string[]]>([
    ['scalars that ids are made of', { a: { objectId: 9 }, b: { binData: 9 }, c: { string: 9 }, d: { int: 9 }, e: { long: 5, double: 4 } }, [], ['a', 'c', 'd', 'e', 'b']],
    ['nothing else', { a: { date: 9 }, b: { bool: 9 }, c: { object: 9 }, d: { null: 9 } }, [], []],
    ['not _id, nor what is in it', { _id: { objectId: 9 }, '_id.a': { objectId: 9 } }, [], []],
    ['not what is in arrays, or under names that are data', { 'a[]': { objectId: 9 }, 'a[].b': { objectId: 9 }, 'c.*': { objectId: 9 } }, [], []],
    ['nested ones', { customer: { object: 9 }, 'customer._id': { objectId: 9 } }, [], ['customer._id']],
    ['of one kind', { a: { objectId: 6, string: 4 }, b: { objectId: 9, null: 90 }, c: { objectId: 19, string: 1 } }, [], ['b', 'c']],
    ['that occur', { a: { objectId: 4 } }, [], []],
    ['that no index begins with', { a: { objectId: 9 }, b: { objectId: 9 } }, [index({ a: 1, b: 1 })], ['b']],
    ['or a hidden or partial one', { a: { objectId: 9 }, b: { objectId: 9 } }, [index({ a: 1 }, { hidden: true }), index({ b: 1 }, { partialFilterExpression: { c: 1 } })], ['a', 'b']],
    ['one on each way', { a: { objectId: 90, object: 9 }, 'a.b': { objectId: 9 } }, [], ['a']],
  ])('%s', (_, fields, indexes, expected) => {
    expect(candidates(fields, indexes)).toEqual(expected);
  });

  it('are no texts', () => {
    expect(candidates({ a: { string: 9 } }, [], 64)).toEqual(['a']);
    expect(candidates({ a: { string: 9 } }, [], 65)).toEqual([]);
  });
});

describe('names', () => {
  it.each([
    ['customerId', 'customers', true],
    ['customer_id', 'customers', true],
    ['customer', 'Customers', true],
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

function collection(name: string, fields: Fields, longest?: number): ReferringCollection {
  return {
    collection: { namespace: `shop.${name}`, database: 'shop', name, kind: 'collection', clustered: false },
    evidence: { fieldTypes: present({ documents: 100, complete: false, fields: fieldTypes(fields, longest) }), indexes: present([ID_INDEX]) },
  };
}

const asked = (collections: readonly ReferringCollection[]) =>
  referenceQuestions(collections).questions.map(({ collection: { name }, path, targets }) => `${name}.${path} → ${targets.map((target) => target.name).join()}`);

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
    const questions = asked([collection('orders', { thing: reference, _id: { date: 9 } }, longest), collection('customers', { _id: id }, 12)]);
    expect(questions).toEqual(isAsked ? ['orders.thing → customers'] : []);
  });

  it('numbers where the name suggests it, as text too', () => {
    const customers = collection('customers', { _id: { int: 9 } });
    expect(asked([collection('orders', { customerId: { long: 9 } }), customers])).toEqual(['orders.customerId → customers']);
    expect(asked([collection('orders', { customerId: { string: 9 } }, 3), customers])).toEqual(['orders.customerId → customers']);
  });

  it('in the own collection too', () => {
    expect(asked([collection('categories', { _id: { objectId: 9 }, parent: { objectId: 9 } })])).toEqual(['categories.parent → categories']);
  });

  it('by names alone in a database of many collections, and that is said', () => {
    const others = Array.from({ length: 120 }, (_, number) => collection(`part${number}x`, { _id: { objectId: 9 } }));
    const orders = collection('orders', { customer: { objectId: 9 }, thing: { objectId: 9 }, note: { string: 9 } }, 12);
    const all = [orders, collection('customers', { _id: { objectId: 9 } }), ...others];
    expect(asked(all)).toEqual(['orders.customer → customers']);
    expect(referenceQuestions(all).gaps).toMatchObject([{ reason: 'bound', detail: expect.stringContaining('1 field whose') }]);
  });
});
