import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { earlyLookup } from '../../checks/early-lookup/check.js';
import {
  aggregate,
  judgeCluster,
  problemIn,
  problemsIn,
  type GivenCluster,
} from '../support/checks/joined-evidence.js';

const BUYER = { $lookup: { from: 'buyers', localField: 'buyer', foreignField: '_id', as: 'buyer' } };
const FIRST = { $addFields: { buyer: { $first: '$buyer' } } };
const KEEPING_ALL = { $unwind: { path: '$buyer', preserveNullAndEmptyArrays: true } };
const NEWEST = [{ $sort: { placed: -1 } }, { $limit: 20 }];
const INNER = { $unwind: '$buyer' };
const AS_OTHER = { $lookup: { from: 'buyers', localField: 'buyer', foreignField: '_id', as: 'who' } };
const groupBy = (by: unknown, name: unknown = { $first: '$buyer.name' }) => ({
  $group: { _id: by, name, n: { $sum: 1 } },
});
const BY_BUYER = groupBy('$buyer', { $first: '$who.name' });
const LARGEST = [{ $sort: { n: -1 } }, { $limit: 20 }];
const COUNT = { $count: 'orders' };
const PAGE_AND_COUNT = { $facet: { page: NEWEST, total: [COUNT] } };

interface Run {
  readonly executions?: number;
  /** Per execution. */
  readonly examined?: number;
  readonly returned?: number;
  readonly plan?: string;
  readonly documents?: number;
  readonly expected?: number;
  readonly days?: number;
  readonly truncated?: boolean;
  /** How many of 100 sampled orders hold an array of buyers. */
  readonly arrays?: number;
}

function cluster(pipeline: readonly Document[], run: Run = {}): GivenCluster {
  const { executions = 100, examined = 24_000, returned = 20, plan = 'COLLSCAN', documents = 12_000, days = 2 } = run;
  const options = run.expected === undefined ? {} : { expected: { documents: run.expected, from: 'expect' as const } };
  return {
    collections: {
      orders: {
        documents,
        options,
        fields: {
          buyer: { objectId: 100 - (run.arrays ?? 0), ...(run.arrays !== undefined && { array: run.arrays }) },
        },
      },
      buyers: { documents: 400 },
    },
    days,
    operations: [
      aggregate(pipeline, {
        truncated: run.truncated === true,
        figures: {
          executions,
          documentsExamined: examined * executions,
          documentsReturned: returned * executions,
          planSummaries: { [plan]: executions },
        },
      }),
    ],
  };
}

const found = (given: GivenCluster) =>
  problemsIn(earlyLookup, given).map(({ severity, path }) => `${severity} ${path}`);

describe('early-lookup', () => {
  it.each<[string, readonly Document[], Run, string[]]>([
    ['a page cut behind a reshaped join', [BUYER, FIRST, ...NEWEST], {}, ['warning null']],
    ['a page cut behind an unwound join', [BUYER, KEEPING_ALL, ...NEWEST], {}, ['warning null']],
    ['a page in a facet', [BUYER, PAGE_AND_COUNT], { returned: 1 }, ['warning null']],
    ['joined documents that are counted only', [BUYER, COUNT], { returned: 1 }, ['warning null']],
    ['joined documents that are projected away', [BUYER, { $project: { total: 1 } }], {}, ['warning null']],
    [
      'found by an index',
      [{ $match: { a: 1 } }, BUYER, FIRST, ...NEWEST],
      { plan: 'IXSCAN { a: 1 }' },
      ['warning null'],
    ],
    ['a million a time', [BUYER, FIRST, ...NEWEST], { examined: 1_013_000 }, ['error null']],
    ['a hundred million a day', [BUYER, FIRST, ...NEWEST], { executions: 20_000 }, ['error null']],
    ['run twice', [BUYER, FIRST, ...NEWEST], { executions: 2, days: 0.05 }, ['info null']],
    ['run ten times a day', [BUYER, FIRST, ...NEWEST], { executions: 20 }, ['info null']],
    [
      'twelve million expected, with a test of it',
      [BUYER, FIRST, ...NEWEST],
      { executions: 1, documents: 60, examined: 120, expected: 12_000_000, days: 0.01 },
      ['error null'],
    ],
    ['groups by the field of the join', [AS_OTHER, BY_BUYER], { returned: 400 }, ['warning null']],
    [
      'groups by it whose joined documents are unwound',
      [AS_OTHER, { $unwind: '$who' }, BY_BUYER],
      { returned: 400 },
      ['warning null'],
    ],
    ['groups by the joined key', [BUYER, INNER, groupBy('$buyer._id')], { returned: 400 }, ['warning null']],
    [
      'groups by it and another field',
      [AS_OTHER, groupBy({ buyer: '$buyer', state: '$state' })],
      { returned: 400 },
      ['warning null'],
    ],
    [
      'groups by it and a joined field',
      [BUYER, INNER, groupBy({ buyer: '$buyer._id', country: '$buyer.country' })],
      { returned: 400 },
      ['warning null'],
    ],
    [
      'groups by it whose joined documents are filtered',
      [AS_OTHER, { $match: { 'who.country': 1 } }, BY_BUYER],
      { returned: 400 },
      ['warning null'],
    ],
    ['groups, ordered and limited', [AS_OTHER, BY_BUYER, ...LARGEST], {}, ['warning null']],
    [
      'groups found by an index',
      [{ $match: { a: 1 } }, AS_OTHER, BY_BUYER],
      { plan: 'IXSCAN { a: 1 }', returned: 400 },
      ['warning null'],
    ],
    // Joining the groups saves little, or not what another join costs.
    ['groups of three', [AS_OTHER, BY_BUYER], { returned: 4_000 }, []],
    [
      'groups of 900 documents',
      [{ $match: { a: 1 } }, AS_OTHER, BY_BUYER],
      { examined: 1_800, plan: 'IXSCAN { a: 1 }', returned: 10 },
      [],
    ],
    ['groups behind which others are left out', [AS_OTHER, BY_BUYER, { $match: { n: 3 } }], {}, []],
    // These could not be grouped first with the same results.
    ['groups by a joined field', [AS_OTHER, groupBy('$who.country')], { returned: 4 }, []],
    ['groups with all joined documents', [AS_OTHER, groupBy('$buyer', { $push: '$who.name' })], { returned: 400 }, []],
    ['groups of a page', [AS_OTHER, { $limit: 9_000 }, BY_BUYER], { returned: 400 }, []],
    ['groups by what replaced the local field', [BUYER, INNER, groupBy('$buyer')], { returned: 400 }, []],
    ['groups of orders with many buyers', [AS_OTHER, { $unwind: '$who' }, BY_BUYER], { returned: 400, arrays: 3 }, []],
    // The server reorders these itself.
    ['a page cut directly behind the join', [BUYER, ...NEWEST], {}, []],
    ['a filter of stored fields behind the join', [BUYER, FIRST, { $match: { status: 1 } }], {}, []],
    ['a limit alone', [BUYER, FIRST, { $limit: 20 }], {}, []],
    // These could not be rewritten with the same results.
    ['sorted by a joined field', [BUYER, FIRST, { $sort: { 'buyer.name': 1 } }, { $limit: 20 }], {}, []],
    [
      'sorted by a computed field',
      [BUYER, { $addFields: { x: { $add: ['$a', 1] } } }, { $sort: { x: 1 } }, { $limit: 20 }],
      {},
      [],
    ],
    ['filtered by a joined field', [BUYER, FIRST, { $match: { 'buyer.country': 1 } }, ...NEWEST], {}, []],
    ['unwound, which leaves out those without a buyer', [BUYER, { $unwind: '$buyer' }, ...NEWEST], {}, []],
    ['unwound, and orders with many buyers', [BUYER, KEEPING_ALL, ...NEWEST], { arrays: 3 }, []],
    ['grouped by a joined field', [BUYER, { $group: { _id: '$buyer.country', n: { $sum: 1 } } }], {}, []],
    ['grouped with whole documents', [BUYER, { $group: { _id: '$a', all: { $push: '$$ROOT' } } }], {}, []],
    [
      'a facet that groups by a joined field',
      [BUYER, { $facet: { page: NEWEST, by: [{ $group: { _id: '$buyer.country' } }] } }],
      {},
      [],
    ],
    // These waste nothing, or it is not known.
    ['a page that holds nearly all', [BUYER, FIRST, ...NEWEST], { examined: 1_200, returned: 500 }, []],
    ['few documents', [BUYER, FIRST, ...NEWEST], { examined: 200 }, []],
    ['a scan whose filter left few to join', [{ $match: { a: 1 } }, BUYER, FIRST, ...NEWEST], { examined: 12_000 }, []],
    ['a scan whose filter left most to join', [{ $match: { a: 1 } }, BUYER, FIRST, ...NEWEST], {}, ['warning null']],
    ['a command that was cut', [BUYER, FIRST, ...NEWEST], { truncated: true }, []],
    ['names that are data', [BUYER, FIRST, { $sort: { '5f1b2c3d4e5f6a7b8c9d0e1f': 1 } }, { $limit: 20 }], {}, []],
  ])('%s', (_, pipeline, run, expected) => {
    expect(found(cluster(pipeline, run))).toEqual(expected);
  });

  it('leaves views alone', () => {
    const given = cluster([FIRST, ...NEWEST]);
    const [operation] = given.operations ?? [];
    if (operation === undefined) throw new Error('No operation.');
    const views = { joined: { viewOn: 'orders', pipeline: [BUYER] } };
    expect(found({ ...given, views, operations: [{ ...operation, on: 'joined' }] })).toEqual([]);
  });

  it('is too small to tell of 60 orders', () => {
    expect(
      judgeCluster(earlyLookup, cluster([BUYER, FIRST, ...NEWEST], { documents: 60, examined: 120 })),
    ).toMatchObject([{ notJudged: 'too-small', namespace: 'shop.orders' }]);
  });

  it('says why, and what to do about it', () => {
    const { message, remedy } = problemIn(earlyLookup, cluster([BUYER, KEEPING_ALL, PAGE_AND_COUNT]));
    expect(message).toBe(
      'An aggregate examines 24,000 documents per execution to return 20 (100 executions in 2 days). Its `$lookup` of shop.buyers is too early: the `$facet` after it shows only a page.',
    );
    expect(remedy.steps[0]?.text).toBe('Join in the branch that shows the page, behind its `$limit`.');
  });
});
