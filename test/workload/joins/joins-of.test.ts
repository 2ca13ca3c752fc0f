import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { BY_FIELDS, SERVED, byExpression, byPipeline, joins, keyText } from '../../support/joins/pipelines.js';

describe('a key is found', () => {
  it.each<[string, Document]>([
    ['by localField and foreignField', BY_FIELDS],
    ['in the concise correlated form', { $lookup: { ...BY_FIELDS.$lookup, pipeline: [{ $match: { active: true } }] } }],
    ['in $expr', byExpression({ $eq: ['$key', '$$id'] })],
    ['with its sides exchanged', byExpression({ $eq: ['$$id', '$key'] })],
    ['in $and', byExpression({ $and: [{ $eq: ['$key', '$$id'] }, { $eq: ['$kind', 'b2b'] }] })],
    ['in $and within $and', byExpression({ $and: [{ $and: [{ $eq: ['$key', '$$id'] }] }] })],
    ['in an $or of one', byExpression({ $or: [{ $eq: ['$key', '$$id'] }] })],
    ['in an $or over one field', byExpression({ $or: [{ $eq: ['$key', '$$id'] }, { $eq: ['$key', 5] }] })],
    ['by $$ROOT of the foreign document', byExpression({ $eq: ['$$ROOT.key', '$$id'] })],
    ['by $$CURRENT', byExpression({ $eq: ['$$CURRENT.key', '$$id'] })],
    ['by $$ROOT of the outer document', byExpression({ $eq: ['$key', '$$id'] }, { id: '$$ROOT.customerId' })],
    ['in a field of a variable', byExpression({ $eq: ['$key', '$$order.customerId'] }, { order: '$$ROOT' })],
    [
      'beside other predicates of the $match',
      byPipeline([{ $match: { active: true, $expr: { $eq: ['$key', '$$id'] } } }]),
    ],
    [
      'in the $and of a $match',
      byPipeline([{ $match: { $and: [{ active: true }, { $expr: { $eq: ['$key', '$$id'] } }] } }]),
    ],
    [
      'in the second $match',
      byPipeline([{ $match: { active: true } }, { $match: { $expr: { $eq: ['$key', '$$id'] } } }]),
    ],
    [
      'behind stages that comparisons pass',
      byPipeline([{ $sort: { at: 1 } }, { $unwind: '$tags' }, { $match: { $expr: { $eq: ['$key', '$$id'] } } }]),
    ],
    ['behind a rename', byPipeline([{ $project: { k: '$key' } }, { $match: { $expr: { $eq: ['$k', '$$id'] } } }])],
    [
      'behind two renames',
      byPipeline([
        { $addFields: { a: '$key' } },
        { $project: { k: '$a' } },
        { $match: { $expr: { $eq: ['$k', '$$id'] } } },
      ]),
    ],
    [
      'in $graphLookup',
      {
        $graphLookup: {
          from: 'customers',
          startWith: '$customerId',
          connectFromField: 'parent',
          connectToField: 'key',
          as: 'customer',
        },
      },
    ],
    [
      'in a database named beside the collection',
      { $lookup: { ...BY_FIELDS.$lookup, from: { db: 'shop', coll: 'customers' } } },
    ],
  ])('%s', (_form, stage) => {
    const [join, ...others] = joins([stage]);
    expect(others).toEqual([]);
    expect(join?.keys.map(keyText)).toEqual([SERVED]);
    expect(join).toMatchObject({
      source: { base: 'shop.orders' },
      foreign: { namespace: 'shop.customers', base: 'shop.customers' },
      as: 'customer',
    });
  });
});

describe('the form', () => {
  it.each<[string, Document]>([
    ['fields', BY_FIELDS],
    ['fields-and-pipeline', { $lookup: { ...BY_FIELDS.$lookup, pipeline: [{ $limit: 1 }] } }],
    ['expression', byExpression({ $eq: ['$key', '$$id'] })],
    [
      'graph',
      {
        $graphLookup: {
          from: 'customers',
          startWith: '$customerId',
          connectFromField: 'a',
          connectToField: 'key',
          as: 'c',
        },
      },
    ],
    ['uncorrelated', { $lookup: { from: 'customers', pipeline: [{ $match: { kind: 'b2b' } }], as: 'c' } }],
    ['uncorrelated', byPipeline([{ $match: { key: '$$id' } }])],
    ['expression', byPipeline([{ $addFields: { order: '$$id' } }])],
  ])('%s', (form, stage) => {
    expect(joins([stage]).map((join) => join.form)).toEqual([form]);
  });

  it('has no key where nothing is compared', () => {
    expect(joins([byPipeline([{ $addFields: { order: '$$id' } }])])[0]?.keys).toEqual([]);
  });
});

describe('a join is found wherever it stands', () => {
  it.each<[string, readonly Document[], string]>([
    ['at the top', [{ $match: { a: 1 } }, BY_FIELDS], '1'],
    ['in $facet', [{ $facet: { one: [{ $count: 'n' }], two: [{ $limit: 3 }, BY_FIELDS] } }], '0.$facet.two.1'],
    ['before $merge', [BY_FIELDS, { $merge: { into: 'report' } }], '0'],
    ['before $out', [BY_FIELDS, { $out: 'report' }], '0'],
  ])('%s', (_where, pipeline, at) => {
    const found = joins(pipeline);
    expect(found.map((join) => [join.at, join.keys.map(keyText)])).toEqual([[at, [SERVED]]]);
  });

  it('in $unionWith, on the collection of the union', () => {
    const found = joins([{ $unionWith: { coll: 'archive', pipeline: [BY_FIELDS] } }]);
    expect(found[0]).toMatchObject({ at: '0.$unionWith.0', source: { base: 'shop.archive' } });
    expect(found[0]?.keys.map(keyText)).toEqual([
      'shop.archive.customerId $eq shop.customers.key → index shop.customers.key',
    ]);
  });

  it('within another join, with the variables of both', () => {
    const inner = {
      $lookup: {
        from: 'regions',
        let: { region: '$regionId' },
        pipeline: [{ $match: { $expr: { $and: [{ $eq: ['$_id', '$$region'] }, { $eq: ['$shop', '$$id'] }] } } }],
        as: 'region',
      },
    };
    const [outer, nested] = joins([byPipeline([{ $match: { $expr: { $eq: ['$key', '$$id'] } } }, inner])]);
    expect(outer?.keys.map(keyText)).toEqual([SERVED]);
    expect(nested).toMatchObject({ at: '0.$lookup.1', source: { base: 'shop.customers' } });
    expect(nested?.keys.map(keyText)).toEqual([
      'shop.customers.regionId $eq shop.regions._id → index shop.regions._id',
      'shop.orders.customerId $eq shop.regions.shop → index shop.regions.shop',
    ]);
  });

  it('in another database', () => {
    const [join] = joins([{ $lookup: { ...BY_FIELDS.$lookup, from: { db: 'crm', coll: 'people' } } }]);
    expect(join?.foreign).toEqual({ namespace: 'crm.people', base: 'crm.people' });
  });

  it('not where documents of the command are joined', () => {
    expect(joins([{ $lookup: { pipeline: [{ $documents: [{ a: 1 }] }], as: 'x' } }])).toEqual([]);
  });

  it('where such documents join a collection', () => {
    const pipeline = [
      { $documents: [{ a: 1 }] },
      { $lookup: { from: 'b', localField: 'a', foreignField: 'k', as: 'y' } },
    ];
    expect(joins([{ $lookup: { pipeline, as: 'x' } }])).toMatchObject([
      { source: { base: 'shop.$cmd.aggregate' }, foreign: { base: 'shop.b' } },
    ]);
  });
});
