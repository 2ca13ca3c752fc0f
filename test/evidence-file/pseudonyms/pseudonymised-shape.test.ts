import { describe, expect, it } from 'vitest';
import { Pseudonyms } from '../../../src/evidence-file/pseudonyms/pseudonyms.js';
import { renamedShape } from '../../../src/evidence-file/renamed-shape.js';
import { regularExpressionPlaceholder } from '../../../src/workload/shapes/placeholder.js';

const names = new Pseudonyms(Buffer.from('a secret of the user'));
const n = (name: string) => names.of(name);
const of = (shape: unknown) => renamedShape(shape, { namespace: n, name: n });

describe('a shape with pseudonyms', () => {
  it.each<[string, unknown, unknown]>([
    [
      'a filter',
      { total: { $gt: '?number' }, $or: [{ a: '?null' }] },
      { [n('total')]: { $gt: '?number' }, $or: [{ [n('a')]: '?null' }] },
    ],
    [
      'ranks of literals',
      { kind: '?string#2', at: { $lt: '?date#-1' } },
      { [n('kind')]: '?string#2', [n('at')]: { $lt: '?date#-1' } },
    ],
    ['what looks like a type and is none', { a: '?customer' }, { [n('a')]: n('?customer') }],
    ['types that are asked for', { a: { $type: ['string', 'int'] } }, { [n('a')]: { $type: ['string', 'int'] } }],
    ['a regular expression', { a: '?regex:prefix,i' }, { [n('a')]: '?regex:prefix,i' }],
    [
      'a join',
      [{ $lookup: { from: 'shop.customers', localField: 'customer', foreignField: '_id', as: 'as' } }],
      [{ $lookup: { from: n('shop.customers'), localField: n('customer'), foreignField: '_id', as: n('as') } }],
    ],
    [
      'a join by a pipeline',
      {
        $lookup: {
          from: 'a',
          let: { from: '$key' },
          pipeline: [{ $match: { $expr: { $eq: ['$k', '$$from'] } } }],
          as: 'b',
        },
      },
      {
        $lookup: {
          from: n('a'),
          let: { [n('from')]: `$${n('key')}` },
          pipeline: [{ $match: { $expr: { $eq: [`$${n('k')}`, `$$${n('from')}`] } } }],
          as: n('b'),
        },
      },
    ],
    [
      'a group',
      { $group: { _id: '$from', as: { $sum: '$total' } } },
      { $group: { _id: n('$from'), [n('as')]: { $sum: n('$total') } } },
    ],
    [
      'a condition',
      { $cond: { if: '$a', then: '?number', else: '$b' } },
      { $cond: { if: n('$a'), then: '?number', else: n('$b') } },
    ],
    [
      'an update',
      { $push: { 'items.0.tags': { $each: '?array<?string>' } } },
      { $push: { [n('items.0.tags')]: { $each: '?array<?string>' } } },
    ],
    [
      'a schema',
      {
        $jsonSchema: {
          bsonType: 'object',
          required: ['required', 'b'],
          properties: { required: { bsonType: 'int', enum: '?array<?number>' } },
        },
      },
      {
        $jsonSchema: {
          bsonType: 'object',
          required: [n('required'), n('b')],
          properties: { [n('required')]: { bsonType: 'int', enum: '?array<?number>' } },
        },
      },
    ],
  ])('%s', (_, shape, expected) => expect(of(shape)).toEqual(expected));

  it.each([
    ['ada', ''],
    ['ada', 'i'],
    ['^ada', ''],
    ['^ada', 'i'],
    ['^ada$', 'i'],
  ])('keeps all that is known of /%s/%s', (pattern, options) => {
    const shape = { $regex: regularExpressionPlaceholder(pattern, options) };
    expect(of(shape)).toEqual(shape);
  });
});
