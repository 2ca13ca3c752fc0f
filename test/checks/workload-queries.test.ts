import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { caseInsensitiveRegex } from '../../checks/case-insensitive-regex.js';
import { collectionScan } from '../../checks/collection-scan.js';
import { inMemorySort } from '../../checks/in-memory-sort/check.js';
import { poorTargeting } from '../../checks/poor-targeting.js';
import { absent } from '../../src/presence.js';
import { index } from '../support/checks/index-builders.js';
import type { ReportedProblem } from '../support/checks/reported-problem.js';
import {
  foundIn,
  judgeWorkload,
  problemsIn,
  type GivenWorkload,
  type Recorded,
} from '../support/checks/workload-builders.js';
import { BY_CUSTOMER, BY_STATUS, PATTERN, WITH_SORT, totals } from '../support/queries/recorded-queries.js';

const SORTED_BY_CUSTOMER: Recorded = { command: { filter: { customer: 4_711 }, sort: { placed: -1 } } };
/** Two hundred executions. */
const few = (examined: number, returned: number) => ({
  executions: 200,
  documentsExamined: 200 * examined,
  documentsReturned: 200 * returned,
});
/** Often, and 300 documents examined for one. */
const cheap = (recorded: Recorded): Recorded => ({
  ...recorded,
  figures: { executions: 100_000, documentsExamined: 30_000_000, documentsReturned: 100_000 },
});

const pipeline = (...stages: readonly object[]): Recorded => ({ kind: 'aggregate', command: { pipeline: stages } });
const UNWIND = { $unwind: '$items' };
const DOUBLED = { $addFields: { doubled: { $multiply: ['$total', 2] } } };
const GROUP = { $group: { _id: '$status', count: { $sum: 1 } } };

describe('a filter behind other stages', () => {
  it.each<[string, Recorded, string[]]>([
    ['$unwind and $addFields', pipeline(UNWIND, DOUBLED, { $match: { customer: 7 } }), ['warning customer_1']],
    [
      'a filter of another field',
      pipeline(UNWIND, { $match: { 'items.sku': 1, customer: 7 } }),
      ['warning customer_1'],
    ],
    ['an $unwind of its own field', pipeline(UNWIND, { $match: { 'items.sku': 1 } }), []],
    ['an $addFields of its own field', pipeline(DOUBLED, { $match: { doubled: 7 } }), []],
    ['a $limit', pipeline({ $limit: 900 }, { $match: { customer: 7 } }), []],
    ['a $group', pipeline(GROUP, { $match: { count: 7 } }), []],
  ])('%s', (_, recorded, expected) => {
    expect(foundIn(collectionScan, { recorded: [recorded] }).filter((found) => found.endsWith('_1'))).toEqual(expected);
  });
});

/** What ran, what is found of it, and what else is given. */
type Row = [what: string, recorded: Recorded | readonly Recorded[], found: readonly string[], given?: Rest];
type Rest = Omit<GivenWorkload, 'recorded'>;

const given = (recorded: Row[1], rest: Rest = {}): GivenWorkload => ({
  ...rest,
  recorded: Array.isArray(recorded) ? (recorded as readonly Recorded[]) : [recorded as Recorded],
});
const withFigures = (
  recorded: Recorded,
  figures: NonNullable<Recorded['figures']>,
  command: object = {},
): Recorded => ({
  ...recorded,
  figures,
  command: { ...recorded.command, ...command },
});
const find = (filter: Document, rest: object = {}): Recorded => ({ command: { filter, ...rest } });
const inGerman = index({ customer: 1 }, { name: 'c', collation: { locale: 'de' } });
const COUNT: Recorded = { ...BY_CUSTOMER, kind: 'count', command: { query: { customer: 1 } } };
const FOUND = ['warning customer_1'];

describe('collection-scan', () => {
  it.each<Row>([
    ['20,000 documents read for ten', BY_CUSTOMER, FOUND],
    ['20,000 documents read, 500 times a day', BY_CUSTOMER, ['error customer_1'], { days: 2 }],
    ['two million read', withFigures(BY_CUSTOMER, totals(2_000_000)), ['error customer_1']],
    ['2,000 read, often', withFigures(BY_CUSTOMER, totals(2_000)), FOUND, { documents: 2_000 }],
    ['2,000, 100 times a day', withFigures(BY_CUSTOMER, few(2_000, 0)), FOUND, { documents: 2_000, days: 2 }],
    ['900 read before the collection grew', withFigures(BY_CUSTOMER, totals(900)), FOUND],
    [
      '900 read to find the first, in a collection that has more',
      withFigures(BY_CUSTOMER, few(900, 1), { limit: 1 }),
      ['info customer_1'],
    ],
    ['900 read to find the first page', withFigures(BY_CUSTOMER, few(900, 20), { limit: 20 }), []],
    [
      '900 read, which is nearly all that the database is busy with',
      withFigures(BY_CUSTOMER, few(900, 0)),
      ['info customer_1'],
      { documents: 900 },
    ],
    [
      '900 read, a million documents a day',
      withFigures(BY_CUSTOMER, { executions: 5_000, documentsExamined: 4_500_000, documentsReturned: 0 }),
      FOUND,
      { documents: 900, days: 2 },
    ],
    [
      '900 read, and more by others',
      [withFigures(BY_CUSTOMER, few(900, 0)), { ...find({ status: 1 }), plan: 'IXSCAN { status: 1 }' }],
      [],
      { documents: 900 },
    ],
    [
      'ten a day',
      withFigures(BY_CUSTOMER, { executions: 20, documentsExamined: 400_000, documentsReturned: 0 }),
      ['info customer_1'],
    ],
    ['a third of all is wanted', withFigures(BY_CUSTOMER, totals(20_000, 7_000)), []],
    ['no condition', find({}), []],
    ['an aggregation without a condition', pipeline({ $group: { _id: '$status' } }), []],
    ['a sample', pipeline({ $sample: { size: 5 } }), []],
    ['an index scan', { ...BY_CUSTOMER, plan: 'IXSCAN { customer: 1 }' }, []],
    ['a tailable cursor', find({ customer: 4_711 }, { tailable: true }), []],
    ['a text search', find({ $text: { $search: 'a' } }), []],
    ['its index is there by now', BY_CUSTOMER, [], { indexes: [index({ customer: -1, placed: 1 })] }],
    [
      'its index is sparse, and lacks what it asks for',
      find({ customer: null }),
      FOUND,
      { indexes: [index({ customer: 1 }, { sparse: true })] },
    ],
    [
      'its index has another collation, in which numbers are found all the same',
      BY_CUSTOMER,
      [],
      { indexes: [inGerman] },
    ],
    [
      'its index has another collation, in which texts are not found',
      find({ customer: 'Ada' }),
      FOUND,
      { indexes: [inGerman] },
    ],
    ['a pattern that ignores case', find({ mail: /ada/i }), []],
    ['a command that was cut', { ...BY_CUSTOMER, truncated: true }, ['info null']],
    ['two queries that one index serves', [BY_CUSTOMER, COUNT], FOUND],
    [
      'an index that begins another one',
      [BY_CUSTOMER, SORTED_BY_CUSTOMER, find({ customer: 1, placed: { $gt: 5 } })],
      ['warning customer_1_placed_-1'],
    ],
    [
      'the same fields in either order',
      [find({ customer: 1, status: 1 }), find({ status: 1, customer: 1 })],
      ['warning customer_1_status_1'],
    ],
    [
      'the same fields in either order, told the other way around',
      [find({ status: 1, customer: 1 }), find({ customer: 1, status: 1 })],
      ['warning customer_1_status_1'],
    ],
    [
      'a cheap query that runs often beside it',
      [SORTED_BY_CUSTOMER, cheap(BY_CUSTOMER)],
      ['error customer_1_placed_-1'],
    ],
    ['a cheap query before the collection grew', cheap(BY_CUSTOMER), ['error customer_1']],
    [
      'indexes that only share a field',
      [SORTED_BY_CUSTOMER, find({ status: 1, customer: 1 })],
      ['warning customer_1_placed_-1', 'warning status_1_customer_1'],
    ],
    [
      'an index that begins one of another collation, for numbers',
      [BY_CUSTOMER, { command: { ...SORTED_BY_CUSTOMER.command, collation: { locale: 'de' } } }],
      ['warning customer_1_placed_-1_de'],
    ],
    ['a field name that is data', find({ 'byDay.2024-05-01': 3 }), ['warning null']],
  ])('%s', (_, recorded, expected, rest) => {
    expect(foundIn(collectionScan, given(recorded, rest))).toEqual(expected);
  });

  it('is not judged, once, where neither the source nor the metadata tells how much a scan reads', () => {
    const recorded = [BY_CUSTOMER, { command: { filter: { status: 'open' } } }].map((each) => ({
      ...each,
      figures: { documentsExamined: null },
    }));
    expect(judgeWorkload(collectionScan, { recorded, documents: null })).toEqual([
      { namespace: 'shop.orders', notJudged: 'privilege', detail: 'reading the sizes of shop.orders: not authorized.' },
    ]);
    expect(foundIn(collectionScan, { recorded })).toEqual(['warning customer_1', 'warning status_1']);
  });

  it.each([0, 1])(
    'creates all indexes that alternatives want besides the one that they share with another query (%d)',
    (turn) => {
      const recorded = [BY_CUSTOMER, { command: { filter: { $or: [{ customer: 1 }, { status: 1 }] } } }];
      const [finding, ...others] = problemsIn(collectionScan, {
        recorded: turn === 0 ? recorded : recorded.toReversed(),
      });
      const keys = finding?.remedy.commands?.flatMap(({ command }) =>
        (command['indexes'] as { key: object }[]).map(({ key }) => key),
      );
      expect([keys, others]).toEqual([[{ customer: 1 }, { status: 1 }], []]);
      expect(foundIn(collectionScan, { recorded, indexes: [index({ customer: 1 }), index({ status: 1 })] })).toEqual(
        [],
      );
    },
  );

  it('names indexes apart that differ in the strength of their collation alone', () => {
    const recorded = [1, 2].map((strength) => ({
      command: { filter: { customer: 'Ada' }, collation: { locale: 'de', strength } },
    }));
    const [{ remedy }] = problemsIn(collectionScan, { recorded }) as readonly [ReportedProblem];
    expect(remedy.commands?.[0]?.command['indexes']).toEqual([
      { key: { customer: 1 }, name: 'customer_1_de', collation: expect.objectContaining({ strength: 1 }) },
      { key: { customer: 1 }, name: 'customer_1_de_2', collation: expect.objectContaining({ strength: 2 }) },
    ]);
  });

  it('gives the command, and says no value', () => {
    const [finding] = problemsIn(collectionScan, {
      recorded: [{ command: { filter: { customer: 4_711, total: { $gt: 815 } }, sort: { placed: -1 } } }],
    });
    expect(finding?.remedy.commands).toEqual([
      {
        db: 'shop',
        command: {
          createIndexes: 'orders',
          indexes: [{ key: { customer: 1, placed: -1, total: 1 }, name: 'customer_1_placed_-1_total_1' }],
        },
      },
    ]);
    expect(JSON.stringify(finding)).not.toMatch(/4711|815/);
    expect(finding?.evidence.window).toBe('1,000 executions in 30 days');
  });

  it.each<[string, Record<string, unknown>, string]>([
    [
      'where names are data',
      { 'byDay.2024-05-01': 3 },
      'The name of the field looks like data (`*` in the message) and is not kept',
    ],
    ['where _id is asked for by another collation', { _id: 5 }, 'No index finds documents by $eq as used here.'],
    ['where the operator finds nothing', { tags: { $size: 3 } }, 'No index finds documents by $size as used here.'],
  ])('says why it names no index: %s', (_, filter, text) => {
    const { steps, commands } = problemsIn(collectionScan, { recorded: [{ command: { filter } }] })[0]?.remedy ?? {};
    expect(steps?.[0]).toEqual({ text: expect.stringContaining(text) });
    expect(commands).toBeUndefined();
  });

  it('counts the queries that one index serves together', () => {
    const [finding] = problemsIn(collectionScan, { recorded: [BY_CUSTOMER, SORTED_BY_CUSTOMER] });
    expect(finding?.message).toContain(
      'No index serves find by `customer`, sorted by `placed` descending and 1 similar query',
    );
    expect(finding?.evidence.window).toBe('2,000 executions in 30 days');
  });

  it('judges hundreds of kinds of queries of one collection', () => {
    const recorded = Array.from({ length: 250 }, (_, number): Recorded => {
      const flags = Array.from({ length: 12 }, (__, bit) => bit).filter((bit) => (number >> bit) % 2 === 1);
      return {
        command: {
          filter: {
            ...Object.fromEntries(flags.map((bit) => [`flag${bit}`, true])),
            [`field${number % 97}`]: { $gt: 1 },
          },
        },
      };
    });
    expect(problemsIn(collectionScan, { recorded }).length).toBeGreaterThan(60);
  });

  it('says once what a source keeps back', () => {
    const verdicts = judgeWorkload(collectionScan, {
      recorded: [],
      profiler: absent('privilege', 'reading the profiler: not allowed.'),
    });
    expect(verdicts.filter((verdict) => 'notJudged' in verdict && verdict.notJudged === 'privilege')).toHaveLength(1);
  });
});

const BAD_TARGET = ['warning status_1_number_1'];
const grouped = (...stages: readonly object[]): Recorded => ({ ...BY_STATUS, ...pipeline(...stages) });
const OPEN = { $match: { status: 1 } };

describe('poor-targeting', () => {
  it.each<Row>([
    ['20,000 examined for one', BY_STATUS, BAD_TARGET],
    ['two million examined for one', withFigures(BY_STATUS, totals(2_000_000, 1)), ['error status_1_number_1']],
    ['20,000 examined for one, 500 times a day', BY_STATUS, ['error status_1_number_1'], { days: 2 }],
    ['20,000 examined for a hundred', withFigures(BY_STATUS, totals(20_000, 100)), BAD_TARGET],
    [
      '20,000 of 60,000 for a thousand',
      withFigures(BY_STATUS, totals(20_000, 1_000)),
      BAD_TARGET,
      { documents: 60_000 },
    ],
    ['20,000 of 60,000 for 3,000', withFigures(BY_STATUS, totals(20_000, 3_000)), [], { documents: 60_000 }],
    ['all of 20,000 examined for a thousand', withFigures(BY_STATUS, totals(20_000, 1_000)), BAD_TARGET],
    ['all of 20,000 examined for 5,000', withFigures(BY_STATUS, totals(20_000, 5_000)), []],
    ['900 examined for none', withFigures(BY_STATUS, totals(900)), []],
    [
      'a cheap query that runs often beside it',
      [BY_STATUS, { ...cheap(BY_STATUS), command: { filter: { status: 'open' } } }],
      BAD_TARGET,
    ],
    [
      'one that finds what it wants and runs often beside it',
      [BY_STATUS, withFigures(BY_STATUS, { executions: 50_000, documentsExamined: 1e9, documentsReturned: 1e9 })],
      BAD_TARGET,
    ],
    ['a collection scan', { ...BY_STATUS, plan: 'COLLSCAN' }, []],
    ['a count', { ...BY_STATUS, kind: 'count', command: { query: { status: 'open' } } }, []],
    ['a group', grouped(OPEN, { $group: { _id: 1 } }), []],
    ['a join', grouped(OPEN, { $lookup: { from: 'a', localField: 'a', foreignField: 'b', as: 'c' } }), []],
    [
      'a limit behind a sort in memory',
      withFigures(WITH_SORT, { inMemorySorts: 1_000, ...totals(20_000, 5) }, { limit: 5 }),
      [],
    ],
    ['its index is there by now', BY_STATUS, [], { indexes: [index({ number: 1, status: 1 })] }],
  ])('%s', (_, recorded, expected, rest) => {
    expect(foundIn(poorTargeting, given(recorded, rest))).toEqual(expected);
  });
});

const SORTS = { inMemorySorts: 1_000 };

describe('in-memory-sort', () => {
  it.each<Row>([
    ['20,000 documents sorted', WITH_SORT, ['warning status_1_placed_-1']],
    ['2,000 sorted', withFigures(WITH_SORT, { ...SORTS, ...totals(20_000, 2_000) }), ['info status_1_placed_-1']],
    [
      'a few sorted often beside it',
      [
        WITH_SORT,
        withFigures(
          WITH_SORT,
          { inMemorySorts: 1e5, executions: 1e5, documentsExamined: 1e6, documentsReturned: 1e5 },
          { limit: 1 },
        ),
      ],
      ['warning status_1_placed_-1'],
    ],
    ['ten documents sorted', withFigures(WITH_SORT, { ...SORTS, ...totals(20_000, 10) }), []],
    [
      'ten that spilled to disk',
      withFigures(WITH_SORT, { ...SORTS, diskUses: 3, ...totals(20_000, 10) }),
      ['warning status_1_placed_-1'],
    ],
    ['no sort in memory', withFigures(WITH_SORT, { documentsReturned: 20_000_000 }), []],
    ['a scan by a condition', { ...WITH_SORT, plan: 'COLLSCAN' }, []],
    [
      'a scan without a condition',
      { ...WITH_SORT, plan: 'COLLSCAN', command: { filter: {}, sort: { placed: -1 }, limit: 10 } },
      ['warning placed_-1'],
    ],
    ['a sort behind a group', { ...WITH_SORT, ...pipeline({ $group: { _id: '$a' } }, { $sort: { _id: 1 } }) }, []],
    [
      'a range on another field',
      { ...WITH_SORT, ...find({ total: { $gt: 5 } }, { sort: { placed: 1 } }) },
      ['info null'],
    ],
    ['its index is there by now', WITH_SORT, [], { indexes: [index({ status: 1, placed: 1 })] }],
  ])('%s', (_, recorded, expected, rest) => {
    expect(foundIn(inMemorySort, given(recorded, rest))).toEqual(expected);
  });
});

const SCANNED: Recorded = { ...PATTERN, plan: 'COLLSCAN', figures: totals(20_000) };

describe('case-insensitive-regex', () => {
  it.each<Row>([
    ['20,000 keys compared', PATTERN, ['warning mail']],
    ['20,000 documents compared', SCANNED, ['warning mail']],
    ['900 compared', { ...PATTERN, figures: totals(900) }, []],
    ['a pattern that heeds case', { ...PATTERN, ...find({ mail: /^ada$/ }) }, []],
    ['a scan by another condition, too', { ...SCANNED, ...find({ mail: /ada/i, customer: 3 }) }, []],
    ['in an alternative', { ...PATTERN, ...find({ $or: [{ mail: /ada/i }, { name: /ada/i }] }) }, ['warning mail']],
  ])('%s', (_, recorded, expected, rest) => {
    expect(foundIn(caseInsensitiveRegex, given(recorded, rest))).toEqual(expected);
  });

  it('names the index that compares without case and is not used', () => {
    const indexes = [index({ mail: 1 }, { name: 'mail_without_case', collation: { locale: 'de', strength: 2 } })];
    const [finding] = problemsIn(caseInsensitiveRegex, { recorded: [PATTERN], indexes });
    const [existing, asking] = finding?.remedy.steps ?? [];
    expect(existing).toEqual({ text: expect.stringContaining('the index mail_without_case ignores case') });
    expect(asking?.code).toContain('.collation({ locale: "de", strength: 2 })');
    expect(finding?.remedy.commands).toBeUndefined();
    expect(JSON.stringify(finding)).not.toContain('ada');
  });
});
