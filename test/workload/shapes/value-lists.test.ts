import { ObjectId, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { executionOf, isExecution } from '../../../src/workload/operations/execution.js';
import { FiguresSum } from '../../../src/workload/operations/figures.js';
import { valueListsInText, valueListsOf, type ValueLists } from '../../../src/workload/shapes/value-lists.js';

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
const find = (filter: Document): Document => ({ find: 'orders', filter });
const aggregate = (...pipeline: Document[]): Document => ({ aggregate: 'orders', pipeline });

const list = (values: readonly string[]) => `customer: { $in: [ ${values.join(', ')}, ...`;

describe('the lists of values that a command asks for', () => {
  it.each<[string, Document, ValueLists]>([
    ['of a find', find({ customer: { $in: numbers(300) } }), { customer: 300 }],
    ['an empty one', find({ customer: { $in: [] } }), { customer: 0 }],
    ['beside a condition', find({ total: { $gt: 5 }, 'items.sku': { $in: numbers(3) } }), { 'items.sku': 3 }],
    ['of a count', { count: 'orders', query: { customer: { $in: numbers(3) } } }, { customer: 3 }],
    ['of an update', { q: { customer: { $in: numbers(3) } }, u: { $set: { paid: true } } }, { customer: 3 }],
    ['within alternatives', find({ $or: [{ a: { $in: [1] } }, { b: { $in: numbers(2) } }] }), { a: 1, b: 2 }],
    ['the longest of a path', find({ $and: [{ a: { $in: [1] } }, { a: { $in: numbers(2) } }] }), { a: 2 }],
    ['of an element', find({ items: { $elemMatch: { sku: { $in: numbers(4) } } } }), { 'items.sku': 4 }],
    ['of a pipeline', aggregate({ $match: { customer: { $in: numbers(5) } } }, { $sort: { at: 1 } }), { customer: 5 }],
    ['not of groups', aggregate({ $group: { _id: '$customer' } }, { $match: { _id: { $in: numbers(5) } } }), {}],
    ['not $nin', find({ customer: { $nin: numbers(300) } }), {}],
    ['not an array that is searched for', find({ tags: numbers(300) }), {}],
    ['not by a name that is data', find({ '507f1f77bcf86cd799439011': { $in: [1] } }), { '*': 1 }],
    ['none in a garbled command', { find: 'orders', filter: 7, pipeline: [null, 3] }, {}],
  ])('%s', (_, command, expected) => {
    expect(valueListsOf(command)).toEqual(expected);
  });

  it.each<[string, string, ValueLists]>([
    ['ObjectIds', `{ find: "o", filter: { ${list(["ObjectId('5f')", "ObjectId('60')", 'Obj'])}`, { customer: 2 }],
    ['numbers', `{ find: "o", filter: { total: { $gt: 3.5 }, ${list(['1', '-2.5', '3e+20', '4'])}`, { customer: 4 }],
    ['texts', `{ q: { ${list(['"a b"', '"c"', '"d'])}`, { customer: 2 }],
    ['texts with commas, up to the first', `{ find: "o", filter: { ${list(['"a"', '"b, c"', '"d"'])}`, { customer: 1 }],
    ['dates and UUIDs', `{ find: "o", filter: { ${list(['new Date(1)', 'UUID("a-b")'])}`, { customer: 2 }],
    ['of a pipeline', `{ aggregate: "o", pipeline: [ { $match: { ${list(['1', '2'])}`, { customer: 2 }],
    ['the last', `{ find: "o", filter: { a: { $in: [ 1, 2 ] }, ${list(['1'])}`, { customer: 1 }],
    ['not behind a $group', `{ aggregate: "o", pipeline: [ { $group: { _id: 1 } }, { $match: { ${list(['1'])}`, {}],
    ['not of elements', `{ find: "o", filter: { items: { $elemMatch: { ${list(['1'])}`, {}],
    ['none', '{ insert: "o", documents: [ { a: 1 } ] }', {}],
  ])('in a text that the profiler cut: %s', (_, text, expected) => {
    expect(valueListsInText(text)).toEqual(expected);
  });
});

const entry = (command: Document, truncated = false) => {
  const execution = executionOf({
    fields: { ns: 'shop.orders', command, planSummary: 'IXSCAN { customer: 1 }' },
    operation: 'query',
    at: 1,
    milliseconds: 1,
    responseBytes: 1,
    user: null,
    truncated,
  });
  if (!isExecution(execution)) throw new Error(JSON.stringify(execution));
  return execution;
};
const listsOf = (...entries: ReturnType<typeof entry>[]) => {
  const sum = new FiguresSum();
  for (const each of entries) sum.add(each);
  return sum.figures().lists;
};
const ofLength = (length: number) => entry(find({ customer: { $in: numbers(length) } }));

describe('the lists of all executions', () => {
  it('have their median, longest and sum', () => {
    expect(listsOf(ofLength(3), ofLength(250), ofLength(12_345))).toEqual({
      customer: { executions: 3, values: 12_598, median: 250, longest: 12_345 },
    });
    expect(listsOf(ofLength(12_345))).toEqual({
      customer: { executions: 1, values: 12_345, median: 12_300, longest: 12_345 },
    });
  });

  it('are left out if none is long', () => {
    expect(listsOf(ofLength(100), ofLength(7))).toBeUndefined();
  });

  it('are lower bounds in commands that were cut', () => {
    const text = `{ find: "orders", filter: { customer: { $in: [ ${`ObjectId('5f'), `.repeat(1_300)}Obj...`;
    expect(listsOf(entry({ $truncated: text }), entry(find({ customer: { $in: numbers(283) } }), true))).toEqual({
      customer: { executions: 2, values: 1_583, median: 283, longest: 1_300, cut: 2 },
    });
  });

  it('keep none of the values', () => {
    const id = new ObjectId();
    const lists = listsOf(entry(find({ customer: { $in: Array.from({ length: 300 }, () => id) } })));
    expect(JSON.stringify(lists)).not.toContain(String(id));
  });
});
