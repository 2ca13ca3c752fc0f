import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { BY_FIELDS, SERVED, byExpression, byPipeline, joins, keyText } from '../../support/joins/pipelines.js';

describe('no index can serve', () => {
  it.each<[string, unknown, string]>([
    ['$in with a list of variables', { $in: ['$key', ['$$id']] }, 'membership'],
    ['$in with a variable that is an array', { $in: ['$key', '$$ids'] }, 'membership'],
    ['$in with an array of the foreign document', { $in: ['$$id', '$keys'] }, 'membership'],
    ['$in with several foreign fields', { $in: ['$$id', ['$key', '$kind']] }, 'membership'],
    ['$in with foreign arrays put together', { $in: ['$$id', { $concatArrays: ['$keys', '$kinds'] }] }, 'membership'],
    ['a converted foreign field', { $eq: [{ $toString: '$key' }, '$$id'] }, 'converted-foreign-field'],
    [
      'a foreign field under $convert',
      { $eq: [{ $convert: { input: '$key', to: 'int' } }, '$$id'] },
      'converted-foreign-field',
    ],
    ['a computed foreign side', { $eq: [{ $toLower: '$email' }, '$$id'] }, 'computed-foreign-field'],
    ['$ifNull on the foreign side', { $eq: [{ $ifNull: ['$key', 0] }, '$$id'] }, 'computed-foreign-field'],
    [
      'arrays that are compared',
      {
        $eq: [
          ['$key', '$kind'],
          ['$$id', 'x'],
        ],
      },
      'computed-foreign-field',
    ],
    ['$cond', { $cond: [{ $eq: ['$key', '$$id'] }, true, false] }, 'wrapped-comparison'],
    ['$not', { $not: [{ $ne: ['$key', '$$id'] }] }, 'wrapped-comparison'],
    ['$let', { $let: { vars: { k: '$key' }, in: { $eq: ['$$k', '$$id'] } } }, 'wrapped-comparison'],
    ['$cmp', { $eq: [{ $cmp: ['$key', '$$id'] }, 0] }, 'wrapped-comparison'],
    ['$ne', { $ne: ['$key', '$$id'] }, 'inequality'],
    ['an $or with a branch of its own', { $or: [{ $eq: ['$key', '$$id'] }, { $eq: ['$kind', 'x'] }] }, 'alternatives'],
  ])('%s', (_what, expression, because) => {
    const [join] = joins([byExpression(expression, { id: '$customerId', ids: '$customerIds' })]);
    expect(join?.keys).toHaveLength(1);
    expect(join?.keys[0]?.index).toEqual({ possible: false, because, stage: null });
  });

  it.each<[string, Document]>([
    ['$limit', { $limit: 10 }],
    ['$skip', { $skip: 10 }],
    ['$sample', { $sample: { size: 10 } }],
    ['$replaceRoot', { $replaceRoot: { newRoot: '$inner' } }],
    ['$replaceRoot', { $replaceWith: { key: '$key' } }],
    ['$group', { $group: { _id: '$kind', key: { $first: '$key' } } }],
    ['$setWindowFields', { $setWindowFields: { sortBy: { at: 1 }, output: { n: { $sum: 1 } } } }],
    ['$redact', { $redact: '$$KEEP' }],
  ])('a comparison behind %s', (stage, before) => {
    const [join] = joins([byPipeline([before, { $match: { $expr: { $eq: ['$key', '$$id'] } } }])]);
    expect(join?.keys[0]?.index).toMatchObject({
      possible: false,
      because: 'stage-before',
      stage,
    });
  });

  it('a field renamed from a nested path', () => {
    const [join] = joins([
      byPipeline([{ $addFields: { k: '$address.key' } }, { $match: { $expr: { $eq: ['$k', '$$id'] } } }]),
    ]);
    expect(join?.keys.map(keyText)).toEqual([
      'shop.orders.customerId $eq shop.customers.address.key → no index: nested-rename $addFields',
    ]);
  });

  it('a field that a stage before computes', () => {
    const [join] = joins([
      byPipeline([{ $addFields: { key: { $toInt: '$key' } } }, { $match: { $expr: { $eq: ['$key', '$$id'] } } }]),
    ]);
    expect(join?.keys.map(keyText)).toEqual([
      'shop.orders.customerId $eq shop.customers.key $toInt → no index: stage-before $addFields',
    ]);
  });
});

describe('an $or over several fields', () => {
  it('needs an index for each branch', () => {
    const [join] = joins([byExpression({ $or: [{ $eq: ['$key', '$$id'] }, { $eq: ['$oldKey', '$$id'] }] })]);
    expect(join?.keys.map((key) => [key.branch, keyText(key)])).toEqual([
      [0, SERVED],
      [1, 'shop.orders.customerId $eq shop.customers.oldKey → index shop.customers.oldKey'],
    ]);
  });

  it('may stand in the filter', () => {
    const filter = { $or: [{ $expr: { $eq: ['$key', '$$id'] } }, { $expr: { $eq: ['$oldKey', '$$id'] } }] };
    expect(joins([byPipeline([{ $match: filter }])])[0]?.keys.map(({ branch }) => branch)).toEqual([0, 1]);
  });
});

describe('a range', () => {
  it.each([
    [{ $gte: ['$at', '$$from'] }, '$gte'],
    [{ $gte: ['$$from', '$at'] }, '$lte'],
    [{ $lt: ['$at', '$$from'] }, '$lt'],
    [{ $gt: ['$$from', '$at'] }, '$lt'],
  ])('%j is %s', (expression, operator) => {
    const [join] = joins([byExpression(expression, { from: '$at' })]);
    expect(join?.keys[0]).toMatchObject({
      operator,
      foreign: { written: 'at' },
      index: { possible: true, path: 'at' },
    });
  });
});

describe('a path with a name that is data', () => {
  it('is not judged', () => {
    const [join] = joins([{ $lookup: { ...BY_FIELDS.$lookup, foreignField: 'scores.65f1c0ffee65f1c0ffee65f1.id' } }]);
    expect(join?.keys[0]?.index).toEqual({ possible: null, because: 'name-is-data', stage: null });
    expect(JSON.stringify(join)).not.toContain('c0ffee');
  });
});
