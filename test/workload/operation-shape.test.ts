import {
  Binary,
  BSONRegExp,
  Code,
  Decimal128,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  UUID,
  type Document,
} from 'mongodb';
import { describe, expect, it } from 'vitest';
import { operationKey, operationShape } from '../../src/evidence/workload/operation-shape.js';
import { literalPlaceholder, serverPlaceholder } from '../../src/evidence/workload/placeholder.js';
import type { OperationKind, OperationShape } from '../../src/evidence/workload/workload.js';

function shapeOf(kind: OperationKind, command: Document): OperationShape {
  return operationShape({ kind, namespace: 'shop.orders', command, truncated: false }, literalPlaceholder);
}

function filterOf(filter: Document): unknown {
  return shapeOf('find', { filter }).filter;
}

function pipelineOf(...pipeline: Document[]): unknown {
  return shapeOf('aggregate', { pipeline }).pipeline;
}

describe('a value is replaced by its type', () => {
  it.each<[string, unknown, string]>([
    ['string', 'secret', '?string'],
    ['number', 5, '?number'],
    ['long', Long.fromNumber(5), '?number'],
    ['decimal', Decimal128.fromString('5.5'), '?number'],
    ['bool', true, '?bool'],
    ['null', null, '?null'],
    ['date', new Date(0), '?date'],
    ['objectId', new ObjectId(), '?objectId'],
    ['uuid', new UUID(), '?binData'],
    ['binary', new Binary(Buffer.from('x')), '?binData'],
    ['timestamp', new Timestamp({ t: 1, i: 1 }), '?timestamp'],
    ['minKey', new MinKey(), '?minKey'],
    ['maxKey', new MaxKey(), '?maxKey'],
    ['javascript', new Code('x'), '?javascript'],
    ['object', { street: 'x' }, '?object'],
    ['empty object', {}, '?object'],
    ['array', [1, 2], '?array<?number>'],
    ['mixed array', [1, 'a'], '?array<>'],
    ['empty array', [], '[]'],
    ['array of arrays', [[1]], '?array<?array>'],
    ['extended JSON date', { $date: '2026-01-01T00:00:00Z' }, '?date'],
    ['extended JSON objectId', { $oid: '65f1c0ffee65f1c0ffee65f1' }, '?objectId'],
    ['extended JSON long', { $numberLong: '5' }, '?number'],
    ['extended JSON binary', { $binary: { base64: '', subType: '0' } }, '?binData'],
    ['extended JSON uuid', { $uuid: 'cb77da76-b68a-47a7-931f-5483f84dd276' }, '?binData'],
    ['extended JSON reference', { $ref: 'people', $id: 5 }, '?object'],
  ])('%s', (_type, value, placeholder) => {
    expect(filterOf({ a: value })).toEqual({ a: { $eq: placeholder } });
    expect(pipelineOf({ $addFields: { a: { $literal: value } } })).toEqual([{ $addFields: { a: placeholder } }]);
  });
});

describe('of a regular expression only what decides about indexes is kept', () => {
  it.each<[unknown, string]>([
    [/secret/, '?regex'],
    [/secret/i, '?regex:i'],
    [/^secret/, '?regex:prefix'],
    [/^secret/i, '?regex:prefix,i'],
    [/^secret|other/, '?regex'],
    [/^.*secret/, '?regex'],
    [/^secret/m, '?regex'],
    [new BSONRegExp('(?i)secret', ''), '?regex'],
    [new BSONRegExp('\\Asecret', 'i'), '?regex:prefix,i'],
    [{ $regex: 'secret', $options: 'i' }, '?regex:i'],
    [{ $regex: '^secret' }, '?regex:prefix'],
    [{ $regex: /secret/i }, '?regex:i'],
    [{ $regularExpression: { pattern: '^secret', options: 'i' } }, '?regex:prefix,i'],
  ])('%j', (value, placeholder) => {
    expect(filterOf({ name: value })).toEqual({ name: { $regex: placeholder } });
  });

  it('in an expression too', () => {
    const match = { $regexMatch: { input: '$name', regex: 'secret', options: 'i' } };
    expect(filterOf({ $expr: match })).toEqual({ $expr: { $regexMatch: { input: '$name', regex: '?regex:i' } } });
  });
});

describe('filters that say the same have one shape', () => {
  it.each<[string, Document, Document]>([
    ['equality', { a: 1 }, { a: { $eq: 2 } }],
    ['$and', { a: 1, b: 2 }, { $and: [{ a: 1 }, { b: 2 }] }],
    ['$and within $and', { a: 1, b: 2 }, { $and: [{ $and: [{ a: 1 }] }, { b: 2 }] }],
    ['two bounds', { a: { $gt: 1, $lt: 5 } }, { $and: [{ a: { $gt: 1 } }, { a: { $lt: 5 } }] }],
    ['order', { a: 1, b: 2 }, { b: 1, a: 2 }],
    ['$not $eq', { a: { $ne: 1 } }, { a: { $not: { $eq: 1 } } }],
    ['$not $in', { a: { $nin: [1] } }, { a: { $not: { $in: [1, 2] } } }],
    ['branches that differ in values', { $or: [{ a: 1 }, { a: 2 }] }, { a: 1 }],
    ['lists of any length', { a: { $in: [1, 2] } }, { a: { $in: [1, 2, 3] } }],
    ['a comment', { a: 1, $comment: 'secret' }, { a: 1 }],
  ])('%s', (_what, one, other) => {
    expect(operationKey(shapeOf('find', { filter: one }))).toBe(operationKey(shapeOf('find', { filter: other })));
  });

  it.each<[string, Document, unknown]>([
    [
      'predicates that collide',
      { $and: [{ a: { $gt: 1 } }, { a: { $gt: 'x' } }] },
      { a: { $gt: '?number' }, $and: [{ a: { $gt: '?string' } }] },
    ],
    ['$or', { $or: [{ a: 1 }, { b: 1 }] }, { $or: [{ a: { $eq: '?number' } }, { b: { $eq: '?number' } }] }],
    ['$elemMatch of documents', { a: { $elemMatch: { b: 1 } } }, { a: { $elemMatch: { b: { $eq: '?number' } } } }],
    ['$elemMatch of values', { a: { $elemMatch: { $gt: 1 } } }, { a: { $elemMatch: { $gt: '?number' } } }],
    ['$all', { a: { $all: [1] } }, { a: { $all: '?array<?number>' } }],
    ['$where', { $where: 'this.secret' }, { $where: '?javascript' }],
    ['$text', { $text: { $search: 'secret' } }, { $text: { $search: '?string' } }],
    [
      'geometry',
      {
        a: {
          $geoWithin: {
            $box: [
              [0, 0],
              [1, 1],
            ],
          },
        },
      },
      { a: { $geoWithin: '?object' } },
    ],
    ['$expr', { $expr: { $gt: ['$a', { $add: ['$b', 1] }] } }, { $expr: { $gt: ['$a', { $add: ['$b', '?number'] }] } }],
    [
      'fields that JavaScript objects have',
      { constructor: 1, toString: 2 },
      { constructor: { $eq: '?number' }, toString: { $eq: '?number' } },
    ],
  ])('%s', (_what, filter, shape) => {
    expect(filterOf(filter)).toEqual(shape);
  });

  it('keeps a field named __proto__ a field', () => {
    const filter = filterOf(JSON.parse('{"__proto__": 1, "a": 2}'));
    expect(Object.keys(filter as object)).toEqual(['__proto__', 'a']);
  });
});

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
    ['count', { query: { a: 1 } }, { filter: { a: { $eq: '?number' } } as never }],
    ['distinct', { key: 'a', query: { b: 1 } }, { distinctField: 'a', filter: { b: { $eq: '?number' } } as never }],
    ['delete', { q: { a: 1 }, limit: 1 }, { filter: { a: { $eq: '?number' } } as never }],
    ['delete', { q: {}, limit: 0 }, { filter: {} as never, multi: true }],
    ['update', { q: { a: 1 }, u: { name: 'secret' } }, { filter: { a: { $eq: '?number' } } as never, update: '?object' }],
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
    expect(shape.filter).toEqual({ a: { $in: '?array<?number>' }, b: { $eq: '?string' }, c: { $regex: '?regex:unknown' } });
  });
});
