import { describe, expect, it } from 'vitest';
import { inMemorySort } from '../../checks/in-memory-sort/check.js';
import { longInList } from '../../checks/long-in-list.js';
import { absent } from '../../src/presence.js';
import {
  foundIn,
  judgeWorkload,
  problemsIn,
  type GivenWorkload,
  type Recorded,
} from '../support/checks/workload-builders.js';

interface Asked extends Pick<Recorded, 'kind' | 'truncated' | 'plan'> {
  readonly median?: number;
  readonly mean?: number;
  readonly cut?: number;
  readonly executions?: number;
  readonly keys?: number;
  readonly returned?: number;
  readonly sorts?: boolean;
}

const VALUES = Array.from({ length: 201 }, (_, number) => number);
const LIST = { filter: { customer: { $in: VALUES } } };

/** A thousand executions a day of the thirty, unless given otherwise. */
const asked = (command: object, given: Asked = {}): Recorded => {
  const {
    median = 1_000,
    mean = median,
    executions = 30_000,
    keys = 3 * mean,
    returned = 20,
    cut,
    sorts,
    ...rest
  } = given;
  const list = {
    executions,
    values: mean * executions,
    median,
    longest: 2 * median,
    ...(cut !== undefined && { cut }),
  };
  return {
    command,
    plan: 'IXSCAN { customer: 1 }',
    ...rest,
    figures: {
      executions,
      documentsExamined: keys * executions,
      keysExamined: keys * executions,
      documentsReturned: returned * executions,
      inMemorySorts: sorts === true ? executions : 0,
      lists: { customer: list },
    },
  };
};
const of = (given: Asked, command: object = LIST): GivenWorkload => ({
  recorded: [asked(command, given)],
  fields: ['customer', 'at', 'status'],
});
const PAGE = { ...LIST, sort: { at: -1 }, limit: 20 };
const sorted = (given: Asked = {}, command: object = PAGE) => of({ keys: 12_000, sorts: true, ...given }, command);

const stepsOf = (given: GivenWorkload) => problemsIn(longInList, given)[0]?.remedy.steps ?? [];
const codesOf = (given: GivenWorkload) => stepsOf(given).flatMap(({ code }) => code ?? []);

describe('long-in-list', () => {
  it.each<[string, GivenWorkload, string[]]>([
    ['a thousand values', of({}), ['info customer']],
    ['201 values', of({ median: 201 }), ['info customer']],
    ['200 values', of({ median: 200 }), []],
    ['a few long lists among short ones', of({ median: 20, mean: 500 }), []],
    ['another threshold', { ...of({ median: 150 }), thresholds: { values: 100 } }, ['info customer']],
    ['a hundred million values a day', of({ median: 5_000, executions: 700_000 }), ['warning customer']],
    [
      'the same, recorded for an hour and a half',
      { ...of({ median: 5_000, executions: 2_000 }), days: 0.06 },
      ['warning customer'],
    ],
    ['many values in two executions', { ...of({ median: 9_000_000, executions: 2 }), days: 0.06 }, ['info customer']],
    ['a page of 12,000 documents that are sorted', sorted(), ['warning customer']],
    ['the same once a day', sorted({ executions: 30 }), ['info customer']],
    ['a page of 9,000 documents', sorted({ keys: 9_000 }), ['info customer']],
    ['in a pipeline', of({ kind: 'aggregate' }, { pipeline: [{ $match: LIST.filter }] }), ['info customer']],
    ['of an update', of({ kind: 'update' }, { q: LIST.filter, u: { $set: { a: 1 } }, multi: true }), ['info customer']],
    ['a command that was cut', of({ truncated: true, cut: 30_000 }, {}), ['info customer']],
    ['without an index', of({ plan: 'COLLSCAN' }), []],
    ['tested on what another index gives in order', of({ plan: 'IXSCAN { at: -1 }', keys: 50 }, PAGE), []],
    ['behind another field of the index', of({ plan: 'IXSCAN { status: 1, customer: 1 }' }), ['info customer']],
    ['two queries by one field', { recorded: [asked(LIST), asked(PAGE)] }, ['info customer']],
    ['another field', of({}, { filter: { status: { $in: VALUES } } }), []],
    ['a small collection', { ...of({}), documents: 60 }, ['info customer']],
  ])('%s', (_, given, expected) => {
    expect(foundIn(longInList, given)).toEqual(expected);
  });

  it('is not judged if only query stats recorded the operations', () => {
    const given = { recorded: [], profiler: absent('insufficient', 'the profiler is off in shop.') };
    expect(judgeWorkload(longInList, given)).toMatchObject([{ notJudged: 'insufficient', nothingJudged: true }]);
  });

  it('says how many values there are, and at least how many if commands were cut', () => {
    expect(problemsIn(longInList, of({}))[0]).toMatchObject({
      confidence: 'high',
      message:
        'find by `customer` ($in) asks for many values of `customer`: median 1,000, max 2,000 (30,000 executions in 30 days). An execution examines 3,000 index keys on average.',
    });
    expect(problemsIn(longInList, of({ truncated: true, cut: 5 }))[0]).toMatchObject({
      confidence: 'medium',
      message: expect.stringContaining('median at least 1,000, max at least 2,000'),
      evidence: { medianValuesAtLeast: 1_000, mostValuesAtLeast: 2_000 },
    });
  });

  it('prints batches for a page, with the keys that they come to', () => {
    expect(codesOf(sorted())).toEqual([
      'db.getSiblingDB("shop").orders.createIndex({ "customer": 1, "at": -1 })',
      'db.getSiblingDB("shop").orders.find({ "customer": { $in: customerValues } }).sort({ "at": -1 }).limit(limit)',
    ]);
    expect(problemsIn(longInList, sorted())[0]?.evidence['keysExaminedInBatchesEstimated']).toBe(1_100);
    expect(codesOf(sorted({}, { ...PAGE, filter: { ...LIST.filter, status: 'open' } }))[0]).toContain(
      '{ "status": 1, "customer": 1, "at": -1 }',
    );
  });

  it.each<[string, GivenWorkload]>([
    ['no limit', sorted({}, { ...LIST, sort: { at: -1 } })],
    ['a range', sorted({}, { ...PAGE, filter: { ...LIST.filter, status: { $gt: 3 } } })],
    ['a sort by the list', sorted({}, { ...PAGE, sort: { customer: 1 } })],
    ['a collation', sorted({}, { ...PAGE, collation: { locale: 'en', strength: 2 } })],
    ['no sort in memory', sorted({ sorts: false })],
    ['few keys', sorted({ keys: 1_500 })],
    ['fields that are not known', { ...sorted({ truncated: true, cut: 3 }), fields: [] }],
  ])('promises nothing of batches with %s', (_, given) => {
    expect(codesOf(given)).toEqual([]);
    expect(stepsOf(given)[1]?.text).toContain('examine as many keys');
  });

  it('alone tells of a sort that a list breaks', () => {
    expect(foundIn(inMemorySort, sorted())).toEqual([]);
    expect(foundIn(inMemorySort, sorted({ median: 150 }))).toHaveLength(1);
  });
});
