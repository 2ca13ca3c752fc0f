import { Long, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { operationShape } from '../../../src/workload/shapes/operation-shape.js';
import { serverPlaceholder } from '../../../src/workload/shapes/placeholder.js';
import type { OperationKind, OperationShape } from '../../../src/workload/workload.js';
import { filterOf, pipelineOf, shapeOf } from '../../support/workload/shapes.js';

describe('stages', () => {
  it.each<[string, Document, readonly Document[]]>([
    [
      '$project',
      { $project: { a: 1, b: { c: 1, d: '$x' }, e: 'text', _id: 0 } },
      [{ $project: { a: true, 'b.c': true, 'b.d': '$x', e: '?string', _id: false } }],
    ],
    ['a $project that excludes', { $project: { b: 0, a: 0 } }, [{ $unset: ['a', 'b'] }]],
    ['$set', { $set: { a: { b: '$x' }, c: { d: 1 } } }, [{ $addFields: { 'a.b': '$x', c: '?object' } }]],
    ['$unset', { $unset: 'a' }, [{ $unset: ['a'] }]],
    ['$unwind', { $unwind: '$a' }, [{ $unwind: { path: '$a' } }]],
    [
      '$count',
      { $count: 'n' },
      [{ $group: { _id: '?null', n: { $sum: '?number' } } }, { $project: { n: true, _id: false } }],
    ],
    [
      '$sortByCount',
      { $sortByCount: '$a' },
      [{ $group: { _id: '$a', count: { $sum: '?number' } } }, { $sort: { count: -1 } }],
    ],
    ['$replaceWith', { $replaceWith: '$a' }, [{ $replaceRoot: { newRoot: '$a' } }]],
    ['$unionWith', { $unionWith: 'old' }, [{ $unionWith: { coll: 'shop.old', pipeline: [] } }]],
    ['$out', { $out: 'new' }, [{ $out: 'shop.new' }]],
    ['$out elsewhere', { $out: { db: 'crm', coll: 'new' } }, [{ $out: 'crm.new' }]],
    ['$merge', { $merge: { into: 'new', on: '_id' } }, [{ $merge: { into: 'shop.new' } }]],
    [
      '$group',
      { $group: { _id: { a: '$a' }, n: { $count: {} }, m: { $max: '$b' } } },
      [{ $group: { _id: { a: '$a' }, n: { $sum: '?number' }, m: { $max: '$b' } } }],
    ],
    [
      '$sort by any number type',
      { $sort: { a: Long.fromNumber(-1), b: { $numberInt: '1' }, c: { $meta: 'textScore' } } },
      [{ $sort: { a: -1, b: 1, c: '?meta' } }],
    ],
    ['$limit', { $limit: 5 }, [{ $limit: '?number' }]],
    ['$documents', { $documents: [{ secret: 1 }] }, [{ $documents: '?object' }]],
    ['$search', { $search: { text: { query: 'secret', path: 'a' } } }, [{ $search: '?object' }]],
    ['a stage that is not known', { $newStage: { secret: 1 } }, [{ $newStage: '?object' }]],
    ['a stage of the router', { $mergeCursors: { remotes: [] } }, []],
  ])('%s', (_stage, stage, shapes) => {
    expect(pipelineOf(stage)).toEqual(shapes);
  });

  it.each<[string, unknown, unknown]>([
    ['literal objects', { $eq: ['$a', { street: 'x' }] }, { $eq: ['$a', '?object'] }],
    ['literal arrays', { $in: ['$a', [1, 2]] }, { $in: ['$a', '?array<?number>'] }],
    ['objects that are built', { name: '$a', kind: 'x' }, { name: '$a', kind: '?string' }],
    ['literals that look like fields', { $literal: '$a' }, '?string'],
    [
      'named arguments',
      { $filter: { input: '$a', as: 'x', cond: { $gt: ['$$x', 1] } } },
      { $filter: { input: '$a', as: 'x', cond: { $gt: ['$$x', '?number'] } } },
    ],
    ['accumulated values', { $mergeObjects: { street: 'x' } }, { $mergeObjects: '?object' }],
    ['conversions', { $convert: { input: '$a', to: 'int' } }, { $convert: { input: '$a', to: 'int' } }],
    ['scripts', { $function: { body: 'secret', args: ['$a'], lang: 'js' } }, { $function: '?javascript' }],
    ['orders', { $sortArray: { input: '$a', sortBy: { b: -1 } } }, { $sortArray: { input: '$a', sortBy: { b: -1 } } }],
  ])('of expressions: %s', (_what, expression, shape) => {
    expect(pipelineOf({ $group: { _id: expression } })).toEqual([{ $group: { _id: shape } }]);
  });
});

describe('commands', () => {
  it.each<[OperationKind, Document, Partial<OperationShape>]>([
    [
      'find',
      { filter: { a: 1 }, sort: { b: -1 }, projection: { c: 1 }, limit: 5, comment: 'secret' },
      { filter: { a: { $eq: '?number' } } as never, sort: { b: -1 }, projection: { c: true }, limited: true },
    ],
    [
      'find',
      { filter: {}, limit: 0, collation: { locale: 'en', strength: 2 } },
      { filter: {} as never, collation: { locale: 'en', strength: 2 } },
    ],
    ['find', { filter: {}, tailable: true, awaitData: true }, { filter: {} as never, tailable: true }],
    ['count', { query: { a: 1 } }, { filter: { a: { $eq: '?number' } } as never }],
    ['distinct', { key: 'a', query: { b: 1 } }, { distinctField: 'a', filter: { b: { $eq: '?number' } } as never }],
    ['delete', { q: { a: 1 }, limit: 1 }, { filter: { a: { $eq: '?number' } } as never }],
    ['delete', { q: {}, limit: 0 }, { filter: {} as never, multi: true }],
    [
      'update',
      { q: { a: 1 }, u: { name: 'secret' } },
      { filter: { a: { $eq: '?number' } } as never, update: '?object' },
    ],
    [
      'update',
      { q: {}, u: [{ $set: { a: '$b' } }], multi: true },
      { filter: {} as never, update: [{ $addFields: { a: '$b' } }], multi: true },
    ],
    [
      'findAndModify',
      { query: { a: 1 }, update: { $inc: { n: 1 } }, fields: { n: 1 } },
      { filter: { a: { $eq: '?number' } } as never, update: { $inc: { n: '?number' } }, projection: { n: true } },
    ],
    ['insert', { documents: [{ secret: 1 }] }, {}],
  ])('%s %j', (kind, command, expected) => {
    expect(shapeOf(kind, command)).toEqual({ namespace: 'shop.orders', kind, ...expected });
  });

  it.each<[Document, unknown]>([
    [
      { $push: { log: { $each: [{ secret: 1 }], $slice: -5, $sort: { at: 1 } } } },
      { $push: { log: { $each: '?array<?object>', $slice: '?number', $sort: { at: 1 } } } },
    ],
    [{ $addToSet: { tags: 'secret' } }, { $addToSet: { tags: '?string' } }],
    [{ $rename: { a: 'b' } }, { $rename: { a: 'b' } }],
    [{ $pull: { a: { $gt: 5 } } }, { $pull: { a: { $gt: '?number' } } }],
    [{ $set: { 'items.$[x].n': 1 } }, { $set: { 'items.$[x].n': '?number' } }],
  ])('update %j', (update, shape) => {
    expect(shapeOf('update', { q: {}, u: update }).update).toEqual(shape);
  });
});

describe('names that are data are not kept', () => {
  it.each([
    ['scores.65f1c0ffee65f1c0ffee65f1.wins', 'scores.*.wins'],
    ['visits.2026-11-21', 'visits.*'],
    ['users.cb77da76-b68a-47a7-931f-5483f84dd276', 'users.*'],
    ['ann@example.org.score', '*'],
    ['years.2026', 'years.*'],
    ['items.0.sku', 'items.0.sku'],
    ['address.city', 'address.city'],
  ])('%s', (path, kept) => {
    expect(filterOf({ [path]: 1 })).toEqual({ [kept]: { $eq: '?number' } });
    expect(pipelineOf({ $group: { _id: `$${path}` } })).toEqual([{ $group: { _id: `$${kept}` } }]);
  });
});

describe('a shape from query stats', () => {
  it('keeps the placeholders of the server and replaces everything else', () => {
    const command = { filter: { a: { $in: '?array<?number>' }, b: 'secret', c: { $regex: '?string' } } };
    const shape = operationShape({ kind: 'find', namespace: 'a.b', command, truncated: false }, serverPlaceholder);
    expect(shape.filter).toEqual({
      a: { $in: '?array<?number>' },
      b: { $eq: '?string' },
      c: { $regex: '?regex:unknown' },
    });
  });
});
