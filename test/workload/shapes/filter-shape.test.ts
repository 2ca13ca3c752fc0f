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
import { operationKey } from '../../../src/workload/shapes/operation-shape.js';
import { filterOf, pipelineOf, shapeOf } from '../../support/workload/shapes.js';

it('keeps that there is an _id where there may be none', () => {
  const exists = { _id: { $exists: true } };
  const missing = { _id: { $exists: false } };
  const elements = { a: { $elemMatch: { b: { $eq: '?number' }, ...exists } } };
  expect(filterOf({ a: { $elemMatch: { b: 1, ...exists } } })).toEqual(elements);
  expect(filterOf(missing)).toEqual(missing);
  expect(filterOf({ _id: { $ne: null } })).toEqual({ _id: { $ne: '?null' } });
  expect(pipelineOf({ $match: exists }, { $match: exists }, { $unset: '_id' }, { $match: exists })).toEqual([
    { $match: {} },
    { $match: {} },
    { $unset: ['_id'] },
    { $match: exists },
  ]);
});

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
    [/^secret$/i, '?regex:prefix,whole,i'],
    [/^secret$/, '?regex:prefix'],
    [/^se\.cret\+a@b.c$/i, '?regex:prefix,whole,i'],
    [new BSONRegExp('\\Asecret\\z', 'i'), '?regex:prefix,whole,i'],
    [/^secret$/im, '?regex:i'],
    [/^secret.*$/i, '?regex:prefix,i'],
    [/^sec[rR]et$/i, '?regex:prefix,i'],
    [/^secret\d$/i, '?regex:prefix,i'],
    [/^secret\$/i, '?regex:prefix,i'],
    [/^secret|other$/i, '?regex:i'],
    [/^secret|other/, '?regex'],
    [/^.*secret/, '?regex'],
    [/^secret/m, '?regex'],
    [new BSONRegExp('(?i)secret', ''), '?regex'],
    [new BSONRegExp('\\Asecret', 'i'), '?regex:prefix,i'],
    [{ $regex: 'secret', $options: 'i' }, '?regex:i'],
    [{ $regex: /^secret$/, $options: 'i' }, '?regex:prefix,whole,i'],
    [{ $regex: new BSONRegExp('secret'), $options: 'i' }, '?regex:i'],
    [{ $regex: { $regularExpression: { pattern: '^secret', options: '' } }, $options: 'im' }, '?regex:i'],
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
    ['existence', { a: { $exists: 1 } }, { a: { $exists: true } }],
    ['absence', { a: { $exists: false } }, { a: { $not: { $exists: true } } }],
    ['$and', { a: 1, b: 2 }, { $and: [{ a: 1 }, { b: 2 }] }],
    ['$and within $and', { a: 1, b: 2 }, { $and: [{ $and: [{ a: 1 }] }, { b: 2 }] }],
    ['two bounds', { a: { $gt: 1, $lt: 5 } }, { $and: [{ a: { $gt: 1 } }, { a: { $lt: 5 } }] }],
    ['order', { a: 1, b: 2 }, { b: 1, a: 2 }],
    ['$not $eq', { a: { $ne: 1 } }, { a: { $not: { $eq: 1 } } }],
    ['$not $in', { a: { $nin: [1, 3] } }, { a: { $not: { $in: [1, 2] } } }],
    ['a list of one value', { a: { $in: [1] } }, { a: 1 }],
    ['a list of one pattern', { a: { $in: [/^x/] } }, { a: /^x/ }],
    ['a negated list of one value', { a: { $nin: [1] } }, { a: { $ne: 1 } }],
    ['a branch that asks nothing', { a: 1, $or: [{ b: 1 }, {}] }, { a: 1 }],
    ['an expression that is true', { a: 1, $expr: true }, { a: 1 }],
    ['that there is an _id', { a: 1, _id: { $exists: true } }, { a: 1 }],
    ['a branch with every _id', { a: 1, $or: [{ b: 1 }, { _id: { $exists: true } }] }, { a: 1 }],
    ['every _id but one', { _id: { $exists: true, $ne: 1 } }, { _id: { $ne: 1 } }],
    [
      'what an ODM puts beside a comparison',
      { $expr: { $and: [{ $eq: ['$a', 1] }, { $ne: ['$a', '$$REMOVE'] }] } },
      { $expr: { $eq: ['$a', 1] } },
    ],
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
