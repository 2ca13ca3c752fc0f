import { describe, expect, it } from 'vitest';
import { shardKeyOf } from '../../../src/inventory/sharding.js';
import { filterTarget, keyTargeting, type Target } from '../../../src/judgement/shard-keys/targeting.js';
import { filterShape } from '../../../src/workload/shapes/filter-shape.js';
import type { FigureSource, Operation, OperationFigures, OperationShape } from '../../../src/workload/workload.js';

const shapeOf = (filter: object) => filterShape(filter, () => '?literal');
const RANGED = shardKeyOf({ customer: 1, at: 1 });
const HASHED = shardKeyOf({ customer: 'hashed' });

describe('where a filter goes', () => {
  it.each<[object, Target, Target]>([
    [{ customer: 1, at: 2 }, 'one', 'one'],
    [{ customer: 1 }, 'few', 'one'],
    [{ customer: 1, total: { $gt: 5 } }, 'few', 'one'],
    [{ customer: { $in: [1, 2] } }, 'few', 'few'],
    [{ customer: { $gt: 1 } }, 'few', 'all'],
    [{ customer: { $gte: 1, $lt: 5 }, at: 3 }, 'few', 'all'],
    [{ customer: { $ne: 1 } }, 'all', 'all'],
    [{ customer: { $exists: true } }, 'all', 'all'],
    [{ at: 2 }, 'all', 'all'],
    [{}, 'all', 'all'],
    [{ $and: [{ customer: 1 }, { at: 2 }] }, 'one', 'one'],
    [{ $or: [{ customer: 1, at: 1 }, { customer: { $in: [2] } }] }, 'few', 'few'],
    [{ $or: [{ customer: 1 }, { total: 5 }] }, 'all', 'all'],
    [{ customer: 1, at: 3, $or: [{ total: 1 }, { state: 2 }] }, 'one', 'one'],
    [{ customer: 1, $or: [{ total: 1 }, { state: 2 }] }, 'few', 'one'],
    [{ $expr: { $eq: ['$customer', 1] } }, 'all', 'all'],
    [{ 'customer.name': 1 }, 'all', 'all'],
  ])('%j', (filter, ranged, hashed) => {
    expect({ ranged: filterTarget(shapeOf(filter), RANGED), hashed: filterTarget(shapeOf(filter), HASHED) }).toEqual({
      ranged,
      hashed,
    });
  });
});

function operation(shape: Partial<OperationShape>, figures: Partial<Record<FigureSource, number>>): Operation {
  const counted = Object.entries(figures).map(([source, executions]) => [source, { executions } as OperationFigures]);
  return {
    shape: { namespace: 'shop.orders', kind: 'find', ...shape } as OperationShape,
    figures: Object.fromEntries(counted),
  };
}

describe('where the operations on a collection go', () => {
  it('is counted by the source that saw most, inserts and other collections apart', () => {
    const operations = [
      operation({ filter: shapeOf({ customer: 1, at: 1 }) }, { profiler: 10, recentLog: 3 }),
      operation({ filter: shapeOf({ customer: 1 }) }, { profiler: 60 }),
      operation({ kind: 'update', filter: shapeOf({ total: 1 }) }, { profiler: 20, queryStats: 80 }),
      operation(
        { kind: 'aggregate', pipeline: [{ $match: shapeOf({ customer: 1 }) }, { $group: {} }] as never },
        { profiler: 7 },
      ),
      operation({ kind: 'aggregate', pipeline: [{ $group: {} }] as never }, { profiler: 3 }),
      operation({ kind: 'insert' }, { profiler: 1_000 }),
      operation({ namespace: 'shop.customers', filter: shapeOf({}) }, { profiler: 1_000 }),
    ];
    expect(keyTargeting(operations, 'shop.orders', RANGED)).toEqual({
      source: 'profiler',
      executions: 100,
      one: 10,
      few: 67,
      all: 23,
      contacted: null,
    });
  });

  it('is counted by logs of mongos if there are any, as each shard records what goes to several', () => {
    const filter = shapeOf({ total: 1 });
    const find = operation({ filter }, { logFile: 90, routerLog: 30 });
    const figures = { executions: 30, shardsContacted: { 1: 3, 3: 27 } } as unknown as OperationFigures;
    const routed = { ...find, figures: { ...find.figures, routerLog: figures } };
    const targeted = operation({ filter: shapeOf({ customer: 1, at: 1 }) }, { logFile: 10, routerLog: 10 });
    expect(keyTargeting([routed, targeted], 'shop.orders', RANGED)).toEqual({
      source: 'routerLog',
      executions: 40,
      one: 10,
      few: 0,
      all: 30,
      contacted: { executions: 30, several: 27 },
    });
  });

  it('is not known where none was seen', () => {
    expect(keyTargeting([], 'shop.orders', RANGED)).toBeNull();
    expect(keyTargeting([operation({ kind: 'insert' }, { profiler: 5 })], 'shop.orders', RANGED)).toBeNull();
  });
});
