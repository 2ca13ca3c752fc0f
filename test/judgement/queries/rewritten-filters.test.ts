import { describe, expect, it } from 'vitest';
import { plainNegation } from '../../../checks/unselective-filter.js';
import { filterText } from '../../../src/judgement/queries/range-page.js';
import { filterShape } from '../../../src/workload/shapes/filter-shape.js';
import { literalPlaceholder } from '../../../src/workload/shapes/placeholder.js';

const shape = (filter: object) => filterShape(filter, literalPlaceholder);

describe('a filter for mongosh, without its values', () => {
  it.each([
    [{}, '{}'],
    [{ status: 'open' }, '{ "status": statusValue }'],
    [{ 'address.city': 'Ulm' }, '{ "address.city": cityValue }'],
    [{ status: { $in: ['a', 'b'] } }, '{ "status": { $in: statusValues } }'],
    [{ at: { $gte: new Date(), $lt: new Date() } }, '{ "at": { $gte: atFrom, $lt: atTo } }'],
    [{ deleted: null }, '{ "deleted": null }'],
    [{ deleted: { $ne: null } }, '{ "deleted": { $ne: null } }'],
    [{ sku: /^SKU/ }, '{ "sku": /^skuBeginning/ }'],
    [{ sku: /blue/i }, '{ "sku": /skuPattern/i }'],
    [{ total: { $not: { $gt: 5 } } }, '{ "total": { $not: { $gt: totalFrom } } }'],
    [
      { items: { $elemMatch: { sku: 'a', price: { $lt: 5 } } } },
      '{ "items": { $elemMatch: { "sku": skuValue, "price": { $lt: priceTo } } } }',
    ],
    [{ $or: [{ a: 1 }, { b: { $gt: 2 } }] }, '{ $or: [{ "a": aValue }, { "b": { $gt: bFrom } }] }'],
    [{ 'a-b': 1, '7': 2 }, '{ "7": value, "a-b": abValue }'],
  ])('%j', (filter, text) => {
    expect(filterText([shape(filter)])).toBe(text);
  });

  it('joins several', () => {
    expect(filterText([shape({ a: 1 }), shape({}), shape({ b: 2 })])).toBe(
      '{ $and: [{ "a": aValue }, { "b": bValue }] }',
    );
  });
});

describe('$nor as $nin', () => {
  it.each<[object, string | null]>([
    [{ $nor: [{ status: 'sent' }] }, '{ "status": { $nin: statusValues } }'],
    [{ $nor: [{ status: 'sent' }, { status: { $in: ['a'] } }] }, '{ "status": { $nin: statusValues } }'],
    [{ $nor: [{ status: 'sent' }, { kind: 5 }] }, '{ "status": { $nin: statusValues }, "kind": { $nin: kindValues } }'],
    [
      { total: { $ne: 5 }, $nor: [{ status: 'sent' }] },
      '{ "total": { $ne: totalValue }, "status": { $nin: statusValues } }',
    ],
    [{ $nor: [{ status: 'sent', kind: 5 }] }, null],
    [{ $nor: [{ total: { $gt: 5 } }] }, null],
    [{ status: { $ne: 'gone' }, $nor: [{ status: 'sent' }] }, null],
    [{ status: { $ne: 'gone' } }, null],
  ])('%j', (filter, text) => {
    const plain = plainNegation([shape(filter)]);
    expect(plain === null ? null : filterText(plain)).toBe(text);
  });
});
