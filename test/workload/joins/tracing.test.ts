import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { BY_FIELDS, SERVED, byExpression, joins, keyText, view } from '../../support/joins/pipelines.js';

describe('the outer side', () => {
  it.each<[string, Document, string]>([
    ['converted', { id: { $toObjectId: '$customerId' } }, 'shop.orders.customerId $toObjectId'],
    [
      'under $convert',
      { id: { $convert: { input: '$customerId', to: 'objectId' } } },
      'shop.orders.customerId $convert to objectId',
    ],
    ['with a default', { id: { $ifNull: ['$customerId', 0] } }, 'shop.orders.customerId'],
    ['an element of an array', { id: { $arrayElemAt: ['$customerIds', 0] } }, 'shop.orders.customerIds'],
    ['computed', { id: { $concat: ['$a', '$b'] } }, 'computed'],
    ['a constant', { id: 5 }, 'constant'],
  ])('%s', (_what, variables, origin) => {
    const [join] = joins([byExpression({ $eq: ['$key', '$$id'] }, variables)]);
    expect(join?.keys.map(keyText)).toEqual([`${origin} $eq shop.customers.key → index shop.customers.key`]);
  });

  it.each<[string, readonly Document[], string, string]>([
    ['a rename', [{ $project: { buyer: '$customerId' } }], 'buyer', 'shop.orders.customerId'],
    ['a nested rename', [{ $addFields: { buyer: '$person.id' } }], 'buyer', 'shop.orders.person.id'],
    ['a field below a renamed one', [{ $addFields: { buyer: '$person' } }], 'buyer.id', 'shop.orders.person.id'],
    ['an object that is built', [{ $project: { buyer: { id: '$customerId' } } }], 'buyer.id', 'shop.orders.customerId'],
    ['$unwind', [{ $unwind: '$items' }], 'items.sku', 'shop.orders.items.sku'],
    ['the key of a $group', [{ $group: { _id: '$customerId' } }], '_id', 'shop.orders.customerId'],
    ['one of several keys', [{ $group: { _id: { buyer: '$customerId' } } }], '_id.buyer', 'shop.orders.customerId'],
    [
      '$first of a $group',
      [{ $group: { _id: '$x', buyer: { $first: '$customerId' } } }],
      'buyer',
      'shop.orders.customerId',
    ],
    [
      '$first of whole documents',
      [{ $group: { _id: '$x', doc: { $first: '$$ROOT' } } }],
      'doc.customerId',
      'shop.orders.customerId',
    ],
    [
      '$addToSet',
      [{ $group: { _id: '$x', buyers: { $addToSet: '$customerId' } } }],
      'buyers',
      'shop.orders.customerId',
    ],
    ['$sortByCount', [{ $sortByCount: '$customerId' }], '_id', 'shop.orders.customerId'],
    ['$replaceRoot', [{ $replaceRoot: { newRoot: '$order' } }], 'customerId', 'shop.orders.order.customerId'],
    ['$replaceWith an object', [{ $replaceWith: { buyer: '$customerId' } }], 'buyer', 'shop.orders.customerId'],
    ['$bucketAuto', [{ $bucketAuto: { groupBy: '$customerId', buckets: 4 } }], '_id', 'shop.orders.customerId'],
    ['an inclusion', [{ $project: { customerId: 1 } }], 'customerId', 'shop.orders.customerId'],
    ['an exclusion of others', [{ $project: { total: 0 } }], 'customerId', 'shop.orders.customerId'],
    ['a count', [{ $group: { _id: '$x', n: { $sum: 1 } } }], 'n', 'opaque-stage'],
    ['an inclusion of others', [{ $project: { total: 1 } }], 'customerId', 'removed'],
    ['$unset', [{ $unset: 'customerId' }], 'customerId', 'removed'],
    [
      'merged objects',
      [{ $replaceRoot: { newRoot: { $mergeObjects: ['$$ROOT', '$x'] } } }],
      'customerId',
      'opaque-stage',
    ],
    ['an index of $unwind', [{ $unwind: { path: '$items', includeArrayIndex: 'i' } }], 'i', 'opaque-stage'],
  ])('is traced through %s', (_what, before, localField, origin) => {
    const [join] = joins([...before, { $lookup: { ...BY_FIELDS.$lookup, localField } }]);
    expect(join?.keys.map(keyText)).toEqual([`${origin} $eq shop.customers.key → index shop.customers.key`]);
  });

  it('is traced into the collection joined before', () => {
    const second = { $lookup: { from: 'regions', localField: 'customer.regionId', foreignField: '_id', as: 'region' } };
    const [, join] = joins([BY_FIELDS, { $unwind: '$customer' }, second]);
    expect(join?.keys.map(keyText)).toEqual(['shop.customers.regionId $eq shop.regions._id → index shop.regions._id']);
    expect(join?.position).toMatchObject({ afterUnwind: ['customer'] });
  });

  it('is traced into a branch of $facet', () => {
    const [join] = joins([
      { $project: { buyer: '$customerId' } },
      { $facet: { one: [{ $lookup: { ...BY_FIELDS.$lookup, localField: 'buyer' } }] } },
    ]);
    expect(join?.keys.map(keyText)).toEqual([SERVED]);
  });
});

describe('views', () => {
  const people = view('people', 'customers', [{ $match: { active: true } }, { $project: { id: '$key', name: 1 } }]);
  const bought = view('bought', 'orders', [
    { $project: { buyer: '$customerId' } },
    { $lookup: { ...BY_FIELDS.$lookup, localField: 'buyer' } },
  ]);

  it('as the foreign side are traced to their collection', () => {
    const [join] = joins(
      [{ $lookup: { from: 'people', localField: 'customerId', foreignField: 'id', as: 'customer' } }],
      [people],
    );
    expect(join?.foreign).toEqual({ namespace: 'shop.people', base: 'shop.customers' });
    expect(join?.keys.map(keyText)).toEqual([SERVED]);
    expect(join?.conditions).toEqual([{ path: 'active', operator: '$eq', operand: '?bool', isIndexable: true }]);
  });

  it('as the foreign side of $expr and of $graphLookup too', () => {
    const expression = {
      $lookup: {
        from: 'people',
        let: { id: '$customerId' },
        pipeline: [{ $match: { $expr: { $eq: ['$id', '$$id'] } } }],
        as: 'c',
      },
    };
    const graph = {
      $graphLookup: { from: 'people', startWith: '$customerId', connectFromField: 'a', connectToField: 'id', as: 'c' },
    };
    expect(joins([expression, graph], [people]).flatMap(({ keys }) => keys.map(keyText))).toEqual([SERVED, SERVED]);
  });

  it('that hold a comparison up are said to', () => {
    const newest = view('newest', 'customers', [{ $sort: { at: -1 } }, { $limit: 100 }]);
    const [join] = joins(
      [{ $lookup: { from: 'newest', localField: 'customerId', foreignField: 'key', as: 'c' } }],
      [newest],
    );
    expect(join?.keys[0]?.index).toEqual({
      possible: false,
      because: 'stage-before',
      stage: '$limit',
    });
  });

  it('as the source bring their joins and renames', () => {
    const [ofView, own] = joins(
      [{ $lookup: { from: 'regions', localField: 'buyer', foreignField: 'owner', as: 'r' } }],
      [bought],
      'bought',
    );
    expect(ofView).toMatchObject({ at: 'view.1', source: { namespace: 'shop.bought', base: 'shop.orders' } });
    expect(own?.keys.map(keyText)).toEqual([
      'shop.orders.customerId $eq shop.regions.owner → index shop.regions.owner',
    ]);
  });

  it('that join bring their joins to whoever joins them', () => {
    const found = joins(
      [{ $lookup: { from: 'bought', localField: 'x', foreignField: 'buyer', as: 'b' } }],
      [bought],
      'shops',
    );
    expect(found.map(({ at }) => at)).toEqual(['0', '0.$lookup.view.1']);
    expect(found[0]?.keys.map(keyText)).toEqual([
      'shop.shops.x $eq shop.orders.customerId → index shop.orders.customerId',
    ]);
  });

  it('in $unionWith bring their joins', () => {
    expect(joins([{ $unionWith: 'bought' }], [bought]).map(({ at }) => at)).toEqual(['0.$unionWith.view.1']);
  });

  it('whose definitions go in circles end', () => {
    const one = view('one', 'orders', [{ $lookup: { from: 'two', localField: 'a', foreignField: 'b', as: 'c' } }]);
    const two = view('two', 'orders', [{ $lookup: { from: 'one', localField: 'a', foreignField: 'b', as: 'c' } }]);
    expect(joins([], [one, two], 'one').length).toBeLessThan(50);
  });

  it('that multiply joins end too', () => {
    const ten = Array.from({ length: 10 }, () => ({
      $lookup: { from: 'many', localField: 'a', foreignField: 'b', as: 'c' },
    }));
    expect(joins([], [view('many', 'orders', ten)], 'many')).toHaveLength(1_000);
  });
});
