import { describe, expect, it } from 'vitest';
import { plainFilters } from '../../../checks/expression-filter.js';
import { filterText } from '../../../src/judgement/queries/range-page.js';
import { filterShape } from '../../../src/workload/shapes/filter-shape.js';
import { literalPlaceholder } from '../../../src/workload/shapes/placeholder.js';

const shape = (filter: object) => filterShape(filter, literalPlaceholder);
const DAY = new Date(0);
const PERIOD = '{ "at": { $gte: atFrom, $lt: atTo } }';
const text = (filter: object): string | null => {
  const plain = plainFilters([shape(filter)]);
  return plain === null ? null : filterText(plain);
};

describe('an expression as a plain condition', () => {
  it.each<[object, string | null]>([
    [{ $eq: ['$number', 7] }, '{ "number": numberValue }'],
    [{ $gt: ['$number', 7] }, '{ "number": { $gt: numberFrom } }'],
    [{ $gt: [7, '$number'] }, '{ "number": { $lt: numberTo } }'],
    [{ $gte: ['$at', '$$NOW'] }, '{ "at": { $gte: atFrom } }'],
    [{ $gte: ['$at', { $subtract: ['$$NOW', 5] }] }, '{ "at": { $gte: atFrom } }'],
    [
      { $gte: ['$at', { $dateSubtract: { startDate: '$$NOW', unit: 'day', amount: 3 } }] },
      '{ "at": { $gte: atFrom } }',
    ],
    [{ $in: ['$status', ['open', 'paid']] }, '{ "status": { $in: statusValues } }'],
    [{ $in: ['red', '$tags'] }, '{ "tags": tagsValue }'],
    [{ $not: [{ $in: ['$status', ['open', 'paid']] }] }, '{ "status": { $nin: statusValues } }'],
    [{ $not: { $gt: ['$number', 7] } }, '{ "number": { $not: { $gt: numberFrom } } }'],
    [
      { $and: [{ $eq: ['$customer', 5] }, { $in: ['$status', ['open', 'paid']] }] },
      '{ "customer": customerValue, "status": { $in: statusValues } }',
    ],
    [
      { $and: [{ $gte: ['$at', DAY] }, { $lt: ['$at', DAY] }] },
      '{ $and: [{ "at": { $gte: atFrom } }, { "at": { $lt: atTo } }] }',
    ],
    [
      { $or: [{ $eq: ['$customer', 5] }, { $eq: ['$status', 'open'] }] },
      '{ $or: [{ "customer": customerValue }, { "status": statusValue }] }',
    ],
    [{ $eq: [{ $year: '$at' }, 2_020] }, PERIOD],
    [{ $eq: [{ $year: { date: '$at', timezone: 'Europe/Berlin' } }, 2_020] }, PERIOD],
    [{ $gte: [{ $year: '$at' }, 2_020] }, '{ "at": { $gte: atFrom } }'],
    [{ $eq: [{ $dateTrunc: { date: '$at', unit: 'day' } }, DAY] }, PERIOD],
    [{ $eq: [{ $dateToString: { date: '$at', format: '%Y-%m-%d' } }, '2020-10-13'] }, PERIOD],
    [{ $and: [{ $eq: [{ $year: '$at' }, 2_020] }, { $eq: [{ $month: '$at' }, 5] }] }, PERIOD],
    [{ $regexMatch: { input: '$sku', regex: '^SKU77-' } }, '{ "sku": /^skuBeginning/ }'],
    [{ $eq: [{ $month: '$at' }, 5] }, null],
    [{ $and: [{ $eq: [{ $year: '$at' }, 2_020] }, { $eq: [{ $dayOfMonth: '$at' }, 5] }] }, null],
    [{ $regexMatch: { input: '$sku', regex: '77-' } }, null],
    [{ $regexMatch: { input: '$sku', regex: '^SKU77-', options: 'i' } }, null],
    [{ $lt: ['$total', '$paid'] }, null],
    [{ $gt: [{ $multiply: ['$price', 2] }, 90] }, null],
    [{ $eq: [{ $toLower: '$sku' }, 'a'] }, null],
    [{ $eq: ['$a', '$$ROOT.b'] }, null],
    [{ $function: { body: 'x', args: ['$a'], lang: 'js' } }, null],
    [
      { $and: [{ $ne: ['$a', 1] }, { $ne: ['$a', 2] }] },
      '{ $and: [{ "a": { $ne: aValue } }, { "a": { $ne: aValue } }] }',
    ],
  ])('%j', (expression, expected) => {
    expect(text({ $expr: expression })).toBe(expected);
  });

  it('keeps the other conditions', () => {
    expect(text({ status: { $ne: 'gone' }, $expr: { $in: ['$number', [1, 2]] } })).toBe(
      '{ "status": { $ne: statusValue }, "number": { $in: numberValues } }',
    );
    expect(text({ $or: [{ status: 'open' }, { $expr: { $in: ['$number', [1, 2]] } }] })).toBe(
      '{ $or: [{ "status": statusValue }, { "number": { $in: numberValues } }] }',
    );
  });
});
