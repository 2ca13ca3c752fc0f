import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { rebuiltArray } from '../../checks/rebuilt-array.js';
import { aggregate, problemsIn, type GivenCluster } from '../support/checks/joined-evidence.js';

const APART = { $unwind: '$items' };
const TOTAL = { total: { $sum: '$items.price' } };
const by = (accumulators: Document): Document[] => [APART, { $group: { _id: '$_id', ...accumulators } }];

interface Run {
  readonly executions?: number;
  readonly returned?: number;
  readonly days?: number;
  readonly types?: Record<string, number>;
  readonly elementTypes?: Record<string, number>;
}

function cluster(pipeline: readonly Document[], run: Run = {}): GivenCluster {
  const { executions = 100, returned = 4_000, days = 2, types = { array: 90 }, elementTypes = { object: 400 } } = run;
  const fields = { items: types, 'items[]': elementTypes, 'items[].price': { int: 400 } };
  const documents = { documentsExamined: returned * executions, documentsReturned: returned * executions };
  return {
    collections: { orders: { fields, elements: { items: 5 } } },
    days,
    operations: [
      aggregate(pipeline, { figures: { executions, ...documents, planSummaries: { COLLSCAN: executions } } }),
    ],
  };
}

const found = (pipeline: readonly Document[], run?: Run) =>
  problemsIn(rebuiltArray, cluster(pipeline, run)).map(({ severity, path }) => `${severity} ${path}`);

describe('rebuilt-array', () => {
  it.each<[string, readonly Document[], Run, string[]]>([
    ['a sum', by(TOTAL), {}, ['info items']],
    ['behind a filter', [{ $match: { status: 'open' } }, ...by(TOTAL)], {}, ['info items']],
    ['200,000 elements', by(TOTAL), { returned: 40_000 }, ['warning items']],
    ['200,000 elements at night', by(TOTAL), { returned: 40_000, executions: 2 }, ['info items']],
    ['the elements again', by({ items: { $push: '$items' }, at: { $first: '$at' } }), {}, ['info items']],
    ['few elements', by(TOTAL), { returned: 1_000 }, []],
    ['grouped by another field', [APART, { $group: { _id: '$items.sku', ...TOTAL } }], {}, []],
    ['filtered elements', [APART, { $match: { 'items.price': 3 } }, by(TOTAL)[1]!], {}, []],
    ['empty arrays kept', [{ $unwind: { path: '$items', preserveNullAndEmptyArrays: true } }, by(TOTAL)[1]!], {}, []],
    ['a set, whose order is not defined', by({ skus: { $addToSet: '$items.sku' } }), {}, []],
    ['whole documents', by({ all: { $push: '$$ROOT' } }), {}, []],
    ['the first element', by({ one: { $first: '$items' } }), {}, []],
    ['a sum of another field', by({ sum: { $sum: '$weight' } }), {}, []],
    ['a limit', [...by(TOTAL), { $limit: 10 }], {}, []],
    ['single values beside arrays', by(TOTAL), { types: { array: 80, object: 10 } }, []],
    ['arrays of arrays', by(TOTAL), { elementTypes: { array: 400 } }, []],
  ])('%s', (_, pipeline, run, expected) => {
    expect(found(pipeline, run)).toEqual(expected);
  });
});
