import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { BY_FIELDS, byPipeline, joins } from '../../support/joins/pipelines.js';

describe('conditions', () => {
  it('are those of the sub-pipeline that need nothing of the outer document', () => {
    const [join] = joins([
      byPipeline([
        { $match: { active: true, $expr: { $and: [{ $eq: ['$key', '$$id'] }, { $gt: [5, '$rank'] }] } } },
        { $limit: 1 },
        { $match: { kind: { $in: ['a', 'b'] } } },
      ]),
    ]);
    expect(join?.conditions).toEqual([
      { path: 'active', operator: '$eq', operand: '?bool', isIndexable: true },
      { path: 'rank', operator: '$lt', operand: '?number', isIndexable: true },
      { path: 'kind', operator: '$in', operand: '?array<?string>', isIndexable: false },
    ]);
  });

  it('of $graphLookup are its restriction', () => {
    const [join] = joins([
      {
        $graphLookup: {
          from: 'customers',
          startWith: '$a',
          connectFromField: 'b',
          connectToField: 'key',
          as: 'c',
          restrictSearchWithMatch: { active: true },
        },
      },
    ]);
    expect(join?.conditions).toEqual([{ path: 'active', operator: '$eq', operand: '?bool', isIndexable: true }]);
  });
});

describe('the position', () => {
  const filtering = { $match: { 'customer.kind': 'b2b' } };

  it.each<[string, readonly Document[], object]>([
    ['alone', [BY_FIELDS], {}],
    ['behind an $unwind', [{ $unwind: '$items' }, BY_FIELDS], { afterUnwind: ['items'] }],
    ['before a $match on what it joined', [BY_FIELDS, filtering], { filteredAfter: true }],
    [
      'before a $match in $expr on what it joined',
      [BY_FIELDS, { $match: { $expr: { $eq: ['$customer.kind', 1] } } }],
      { filteredAfter: true },
    ],
    ['behind a $match', [{ $match: { a: 1 } }, BY_FIELDS, filtering], {}],
    ['behind a $limit', [{ $limit: 1 }, BY_FIELDS, filtering], {}],
    ['behind a $group', [{ $group: { _id: '$a' } }, BY_FIELDS, filtering], {}],
    ['before a $match on the source', [BY_FIELDS, { $match: { total: { $gt: 1 } } }], {}],
    ['before a $match behind a $group', [BY_FIELDS, { $group: { _id: '$a' } }, { $match: { n: 1 } }], {}],
  ])('%s', (_where, pipeline, expected) => {
    expect(joins(pipeline)[0]?.position).toEqual({ afterUnwind: [], filteredAfter: false, ...expected });
  });
});
