import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { Collection } from '../../../src/inventory/collection.js';
import { mergeViews, profiledViews, resolveViews } from '../../../src/workload/sources/views.js';

function view(name: string, viewOn: string, pipeline: readonly Document[]): Collection {
  return { namespace: `shop.${name}`, database: 'shop', name, kind: 'view', clustered: false, viewOn, pipeline };
}

const ORDERS: Collection = {
  namespace: 'shop.orders',
  database: 'shop',
  name: 'orders',
  kind: 'collection',
  clustered: false,
};
const LOOKUP = { $lookup: { from: 'customers', localField: 'a', foreignField: 'b', as: 'c' } };

describe('views of the inventory', () => {
  it('are traced through views, with the stages of all, and without values', () => {
    const views = resolveViews([
      view('dear', 'joined', [{ $match: { total: { $gt: 100 } } }]),
      ORDERS,
      view('joined', 'orders', [LOOKUP]),
    ]);
    const joined = { $lookup: { from: 'shop.customers', localField: 'a', foreignField: 'b', as: 'c' } };
    expect(views).toEqual([
      {
        namespace: 'shop.dear',
        base: 'shop.orders',
        pipeline: [joined, { $match: { total: { $gt: '?number' } } }],
        source: 'inventory',
      },
      { namespace: 'shop.joined', base: 'shop.orders', pipeline: [joined], source: 'inventory' },
    ]);
  });

  it('that are defined in a circle do not hang', () => {
    expect(resolveViews([view('one', 'two', []), view('two', 'one', [])])).toHaveLength(2);
  });
});

describe('views of the profiler', () => {
  const entry = {
    viewNamespace: 'shop.dear',
    dependencyChain: ['dear', 'joined', 'orders'],
    resolvedPipeline: [{ $match: { total: 5 } }],
  };

  it('fill in for what the inventory does not list', () => {
    const found = profiledViews([entry]);
    expect(found).toMatchObject([
      { namespace: 'shop.dear', base: 'shop.orders', pipeline: [{ $match: { total: { $eq: '?number' } } }] },
    ]);
    const own = resolveViews([view('dear', 'orders', [])]);
    expect(mergeViews(own, found)).toEqual(own);
    expect(mergeViews([], found)).toEqual(found);
  });

  it.each<[string, unknown]>([
    ['none', undefined],
    ['no list', {}],
    ['no documents', [null, 5]],
    [
      'time-series collections',
      [
        {
          viewNamespace: 'shop.temperatures',
          dependencyChain: ['temperatures', 'system.buckets.temperatures'],
          resolvedPipeline: [],
        },
      ],
    ],
  ])('are not %s', (_what, resolvedViews) => {
    expect(profiledViews(resolvedViews)).toEqual([]);
  });

  it('on time-series collections are on those', () => {
    const unpack = { $_internalUnpackBucket: { timeField: 'at' } };
    const found = profiledViews([
      {
        viewNamespace: 'shop.hot',
        dependencyChain: ['hot', 'temperatures', 'system.buckets.temperatures'],
        resolvedPipeline: [unpack, { $match: { a: 1 } }],
      },
    ]);
    expect(found).toMatchObject([{ base: 'shop.temperatures', pipeline: [{ $match: { a: { $eq: '?number' } } }] }]);
  });
});
