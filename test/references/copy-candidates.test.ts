import { describe, expect, it } from 'vitest';
import type { FieldTypes, TypeCounts } from '../../src/check.js';
import { copyCandidates } from '../../src/references/copy-candidates.js';

type Fields = Readonly<Record<string, TypeCounts>>;

function fieldTypes(fields: Fields): FieldTypes {
  const described = Object.entries(fields).map(([path, types]) => ({
    path,
    types,
    documents: 9,
    elementsPerArray: types.array === undefined ? null : 2,
    longestString: 12,
  }));
  return { documents: 9, complete: false, fields: described };
}

const ID: Fields = { _id: { objectId: 9 } };
const TEXT: TypeCounts = { string: 9 };
const CUSTOMER: Fields = {
  ...ID,
  name: TEXT,
  since: { date: 9 },
  age: { int: 9 },
  vip: { bool: 9 },
  account: { objectId: 9 },
  'address.zip_code': TEXT,
  'tags[]': TEXT,
  mixed: { string: 5, int: 4 },
};

const found = (reference: string, fields: Fields, target: Fields = CUSTOMER) =>
  copyCandidates(reference, fieldTypes({ ...ID, ...fields }), fieldTypes(target)).map(
    ({ path, pathFromHolder, sourcePath }) => `${path} (${pathFromHolder}) of ${sourcePath}`,
  );

const isBesideId = (reference: string, fields: Fields) =>
  copyCandidates(reference, fieldTypes(fields), fieldTypes(CUSTOMER)).map((each) => each.isBesideId);

describe('fields that may be copies', () => {
  it.each<[string, string, Fields, readonly string[]]>([
    [
      'beside the id in an embedded object',
      'customer._id',
      { 'customer._id': { objectId: 9 }, 'customer.name': TEXT },
      ['customer.name (name) of name'],
    ],
    [
      'by the name of the reference and their own',
      'customer_id',
      { customer_id: { objectId: 9 }, customer_name: TEXT },
      ['customer_name (customer_name) of name'],
    ],
    [
      'in camel case',
      'customerId',
      { customerId: { objectId: 9 }, customerName: TEXT },
      ['customerName (customerName) of name'],
    ],
    [
      'in an object beside the reference',
      'customer_id',
      { customer_id: { objectId: 9 }, 'customer.name': TEXT },
      ['customer.name (customer.name) of name'],
    ],
    ['by their own name', 'customer', { customer: { objectId: 9 }, name: TEXT }, ['name (name) of name']],
    [
      'of fields further down, however they are written',
      'customer',
      { customer: { objectId: 9 }, customerAddressZipcode: TEXT },
      ['customerAddressZipcode (customerAddressZipcode) of address.zip_code'],
    ],
    [
      'in elements of arrays',
      'lines[].customer_id',
      { 'lines[].customer_id': { objectId: 9 }, 'lines[].customer_name': TEXT },
      ['lines[].customer_name (customer_name) of name'],
    ],
    [
      'of dates and ids',
      'customer._id',
      { 'customer._id': { objectId: 9 }, 'customer.since': { date: 9 }, 'customer.account': { objectId: 9 } },
      ['customer.since (since) of since', 'customer.account (account) of account'],
    ],
  ])('%s', (_, reference, fields, expected) => {
    expect(found(reference, fields)).toEqual(expected);
  });

  it.each<[string, string, Fields]>([
    ['numbers, which are copied to stay as they were', 'customer._id', { 'customer.age': { int: 9 } }],
    ['flags', 'customer._id', { 'customer.vip': { bool: 9 } }],
    ['fields of another type', 'customer._id', { 'customer.name': { objectId: 9 } }],
    ['fields of several types', 'customer._id', { 'customer.mixed': { string: 5, int: 4 } }],
    ['arrays', 'customer._id', { 'customer.tags[]': TEXT }],
    ['fields elsewhere in the document', 'customer._id', { name: TEXT, 'seller.name': TEXT }],
    ['fields by another name', 'customer_id', { customer_nick: TEXT, seller_name: TEXT }],
    [
      'what stands beside an array of references',
      'customers',
      { customers: { array: 9 }, 'customers[]': { objectId: 9 }, name: TEXT },
    ],
    ['the `_id`', 'customer', { customer: { objectId: 9 }, customerId: { objectId: 9 } }],
  ])('are not %s', (_, reference, fields) => {
    expect(found(reference, fields)).toEqual([]);
  });

  it('are told for each field of the target that is named alike', () => {
    const fields = { customer_id: { objectId: 9 }, customer_name: TEXT };
    expect(found('customer_id', fields, { ...ID, name: TEXT, customerName: TEXT })).toEqual([
      'customer_name (customer_name) of customerName',
      'customer_name (customer_name) of name',
    ]);
  });

  it('are told whether they lie beside the id of what they stand for', () => {
    expect(isBesideId('customer._id', { 'customer._id': { objectId: 9 }, 'customer.name': TEXT })).toEqual([true]);
    expect(isBesideId('order.customer_id', { 'order.customer_id': { objectId: 9 }, 'order.name': TEXT })).toEqual([
      false,
    ]);
    expect(isBesideId('id', { id: { objectId: 9 }, name: TEXT })).toEqual([false]);
  });
});
