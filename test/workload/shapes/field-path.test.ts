import { describe, expect, it } from 'vitest';
import { planSummaryShape } from '../../../src/workload/operations/execution.js';
import { fieldPath } from '../../../src/workload/shapes/sort-shape.js';
import { pipelineOf } from '../../support/workload/shapes.js';

describe('a field path', () => {
  it.each([
    '',
    '_id',
    '$total',
    '$$ROOT',
    '$$order.items.0.sku',
    'a-b',
    'address_line_2',
    'items.$[].qty',
    'items.$[each].qty',
    'items.$.qty',
    '$**',
    'details.$**',
    'größe',
    '订单.编号',
    'shippingAddressLine2',
    'byYear.24.total',
    'ref.$id',
    'sha256Checksum',
  ])('%j stays', (path) => {
    expect(fieldPath(path)).toBe(path);
    expect(fieldPath(fieldPath(path))).toBe(path);
  });

  it.each([
    ['balances.DE89370400440532013000', 'balances.*'],
    ['$balances.John Smith.eur', '$balances.*.eur'],
    ['$$order.prices.20240131', '$$order.prices.*'],
    ['byYear.2024.total', 'byYear.*.total'],
    ['members.5f5f5f5f5f5f5f5f5f5f5f5f.role', 'members.*.role'],
    ['mails.john@example.com.seen', '*'],
    ['sessions.dGhpc0lzQVRva2Vu9', 'sessions.*'],
    ['phones.+4917012345', 'phones.*'],
    [`notes.${'x'.repeat(41)}`, 'notes.*'],
  ])('%j is kept as %j', (path, kept) => {
    expect(fieldPath(path)).toBe(kept);
    expect(fieldPath(kept)).toBe(kept);
  });

  it.each([
    ['IXSCAN { balances.John Smith: 1, at: -1 }', 'IXSCAN { balances.*: 1, at: -1 }'],
    ['IXSCAN { prices.a,b: 1 }, IXSCAN { at: 1 }', 'IXSCAN { * }, IXSCAN { at: 1 }'],
    ['IXSCAN { prices.a, b: c: 1 }', 'IXSCAN { * }'],
    ['IXSCAN { prices.a}b: 1 }', 'IXSCAN { * }'],
    ['IXSCAN { $**: 1 }', 'IXSCAN { $**: 1 }'],
    ['IXSCAN { $_path: 1, total: 1 }', 'IXSCAN { $_path: 1, total: 1 }'],
  ])('in the plan summary %j is kept as in %j', (summary, kept) => {
    expect(planSummaryShape(summary)).toBe(kept);
  });

  it('that is a variable stays bound to it, whatever its name', () => {
    const lookup = {
      from: 'b',
      let: { customer20240131: '$k' },
      pipeline: [{ $match: { $expr: { $eq: ['$k', '$$customer20240131'] } } }],
      as: 'x',
    };
    expect(pipelineOf({ $lookup: lookup })).toEqual([
      {
        $lookup: {
          from: 'shop.b',
          let: { '*': '$k' },
          pipeline: [{ $match: { $expr: { $eq: ['$k', '$$*'] } } }],
          as: 'x',
        },
      },
    ]);
  });
});
