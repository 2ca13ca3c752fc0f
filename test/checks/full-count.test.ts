import { describe, expect, it } from 'vitest';
import { fullCount } from '../../checks/full-count.js';
import { index } from '../support/checks/index-builders.js';
import {
  foundIn,
  judgeWorkload,
  problemsIn,
  type GivenWorkload,
  type Recorded,
} from '../support/checks/workload-builders.js';

/** As drivers send `countDocuments({})`. */
const COUNT_ALL = [{ $match: {} }, { $group: { _id: 1, n: { $sum: 1 } } }];

const counted = (documents: number, executions = 1_000, pipeline: readonly object[] = COUNT_ALL): Recorded => ({
  kind: 'aggregate',
  command: { pipeline },
  figures: { executions, documentsExamined: documents * executions, documentsReturned: executions },
});

const of = (documents: number, executions?: number): GivenWorkload => ({
  documents,
  recorded: [counted(documents, executions)],
});

describe('full-count', () => {
  it.each<[string, GivenWorkload, string[]]>([
    ['120,000 documents, 33 times a day', of(120_000), ['error null']],
    ['12,000 documents, repeated', of(12_000), ['warning null']],
    ['4,000 documents, repeated', of(4_000), ['warning null']],
    ['120,000 documents, twice', of(120_000, 2), ['info null']],
    ['120,000 documents, ten times a day', of(120_000, 300), ['warning null']],
    ['2,000 documents', of(2_000), ['warning null']],
    ['2,000 documents, once a day', of(2_000, 30), ['info null']],
    ['two million documents', of(2_000_000), ['error null']],
    ['50,000 documents, 3,000 times a day', of(50_000, 90_000), ['error null']],
    ['$count', { documents: 120_000, recorded: [counted(120_000, 1_000, [{ $count: 'orders' }])] }, ['error null']],
    [
      '$group and a projection',
      {
        documents: 120_000,
        recorded: [counted(120_000, 1_000, [{ $group: { _id: null, n: { $sum: 1 } } }, { $project: { _id: 0 } }])],
      },
      ['error null'],
    ],
    [
      'two ways to count one collection',
      { documents: 120_000, recorded: [counted(120_000), counted(120_000, 1_000, [{ $count: 'orders' }])] },
      ['error null'],
    ],
    [
      '2,000 documents, of which two million are expected',
      { ...of(2_000), expected: { documents: 2_000_000 } },
      ['error null'],
    ],
    [
      'of a condition by which an index finds most documents',
      {
        documents: 120_000,
        indexes: [index({ at: 1 })],
        fields: ['at'],
        recorded: [
          {
            ...counted(80_000, 1_000, [{ $match: { at: { $gt: 3 } } }, ...COUNT_ALL.slice(1)]),
            plan: 'IXSCAN { at: 1 }',
          },
        ],
      },
      ['error null'],
    ],
    [
      'of one by which it finds a third of them',
      {
        documents: 120_000,
        indexes: [index({ at: 1 })],
        fields: ['at'],
        recorded: [
          {
            ...counted(40_000, 1_000, [{ $match: { at: { $gt: 3 } } }, ...COUNT_ALL.slice(1)]),
            plan: 'IXSCAN { at: 1 }',
          },
        ],
      },
      ['error null'],
    ],
    [
      'of one by the command',
      {
        documents: 120_000,
        indexes: [index({ at: 1 })],
        fields: ['at'],
        recorded: [
          { ...counted(40_000), kind: 'count', command: { query: { at: { $gt: 3 } } }, plan: 'IXSCAN { at: 1 }' },
        ],
      },
      ['error null'],
    ],
    [
      'of one that an index lacks a field of',
      {
        documents: 120_000,
        indexes: [index({ at: 1 })],
        fields: ['at', 'state'],
        recorded: [
          {
            ...counted(80_000, 1_000, [{ $match: { at: { $gt: 3 }, state: 2 } }, ...COUNT_ALL.slice(1)]),
            plan: 'IXSCAN { at: 1 }',
          },
        ],
      },
      [],
    ],
    [
      'of those that have an _id, which are all',
      {
        documents: 120_000,
        recorded: [counted(120_000, 1_000, [{ $match: { _id: { $exists: true } } }, ...COUNT_ALL.slice(1)])],
      },
      ['error null'],
    ],
    ['keys of the _id index', { documents: 120_000, recorded: [{ ...counted(0), plan: 'COUNT_SCAN { _id: 1 }' }] }, []],
    [
      'a condition',
      {
        documents: 120_000,
        recorded: [counted(120_000, 1_000, [{ $match: { status: 'open' } }, { $group: { _id: 1, n: { $sum: 1 } } }])],
      },
      [],
    ],
    [
      'a count for each value',
      { documents: 120_000, recorded: [counted(120_000, 1_000, [{ $group: { _id: '$status', n: { $sum: 1 } } }])] },
      [],
    ],
    [
      'a sum of a field',
      { documents: 120_000, recorded: [counted(120_000, 1_000, [{ $group: { _id: null, n: { $sum: '$total' } } }])] },
      [],
    ],
    [
      'a count after a limit',
      { documents: 120_000, recorded: [counted(120_000, 1_000, [{ $limit: 1 }, { $count: 'orders' }])] },
      [],
    ],
    [
      'a count behind $unwind',
      { documents: 120_000, recorded: [counted(120_000, 1_000, [{ $unwind: '$items' }, { $count: 'items' }])] },
      [],
    ],
    [
      'a count of the metadata',
      { documents: 120_000, recorded: [{ kind: 'count', command: { query: {} }, plan: 'RECORD_STORE_FAST_COUNT' }] },
      [],
    ],
  ])('%s', (_, given, expected) => {
    expect(foundIn(fullCount, given)).toEqual(expected);
  });

  it('says what an execution examines, and which commands read the metadata or the _id index', () => {
    const [finding] = problemsIn(fullCount, of(120_000));
    expect(finding?.message).toBe(
      'Counts by reading every document; collection metadata already has the total. An execution examines 120,000 documents, in 5 ms on average (1,000 executions in 30 days).',
    );
    expect(finding?.remedy.steps?.map(({ code }) => code)).toEqual([
      'db.getSiblingDB("shop").orders.estimatedDocumentCount()',
      'db.getSiblingDB("shop").orders.countDocuments({}, { hint: "_id_" })',
      'db.getSiblingDB("shop").orders.countDocuments({}, { limit: 1 })',
    ]);
    expect(finding?.remedy.commands).toBeUndefined();
  });

  it('tells nothing by 900 documents', () => {
    expect(judgeWorkload(fullCount, of(900))).toEqual([
      {
        namespace: 'shop.orders',
        notJudged: 'too-small',
        detail: expect.stringContaining('Run there: aggregate.'),
      },
    ]);
  });
});
