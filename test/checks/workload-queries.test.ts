import { describe, expect, it } from 'vitest';
import { caseInsensitiveRegex } from '../../checks/case-insensitive-regex.js';
import { collectionScan } from '../../checks/collection-scan/check.js';
import { inMemorySort } from '../../checks/in-memory-sort/check.js';
import { poorTargeting } from '../../checks/poor-targeting/check.js';
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

const BY_CUSTOMER: Recorded = { command: { filter: { customer: 4_711 } } };
const SORTED_BY_CUSTOMER: Recorded = { command: { filter: { customer: 4_711 }, sort: { placed: -1 } } };
const WITH_SORT: Recorded = {
  command: { filter: { status: 'open' }, sort: { placed: -1 } },
  plan: 'IXSCAN { status: 1 }',
  figures: { inMemorySorts: 1_000, documentsReturned: 20_000_000 },
};
const BY_STATUS: Recorded = {
  command: { filter: { status: 'open', number: 3 } },
  plan: 'IXSCAN { status: 1 }',
  figures: { documentsReturned: 1_000 },
};
const PATTERN: Recorded = {
  command: { filter: { mail: /^ada$/i } },
  plan: 'IXSCAN { mail: 1 }',
  figures: { keysExamined: 20_000_000, documentsExamined: 1_000 },
};
const totals = (examined: number, returned = 0) => ({
  documentsExamined: 1_000 * examined,
  documentsReturned: 1_000 * returned,
});
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

describe('collection-scan', () => {
  it.each<[string, GivenWorkload, string[]]>([
    ['20,000 documents read for ten', { recorded: [BY_CUSTOMER] }, ['warning customer_1']],
    ['20,000 documents read, 500 times a day', { recorded: [BY_CUSTOMER], days: 2 }, ['error customer_1']],
    ['two million read', { recorded: [{ ...BY_CUSTOMER, figures: totals(2_000_000) }] }, ['error customer_1']],
    [
      '2,000 read, often',
      { recorded: [{ ...BY_CUSTOMER, figures: totals(2_000) }], documents: 2_000 },
      ['warning customer_1'],
    ],
    [
      '2,000 read, a hundred times a day',
      {
        recorded: [{ ...BY_CUSTOMER, figures: few(2_000, 0) }],
        documents: 2_000,
        days: 2,
      },
      ['warning customer_1'],
    ],
    [
      '900 read before the collection grew',
      { recorded: [{ ...BY_CUSTOMER, figures: totals(900) }] },
      ['warning customer_1'],
    ],
    [
      '900 read to find the first, in a collection that has more',
      { recorded: [{ ...BY_CUSTOMER, command: { ...BY_CUSTOMER.command, limit: 1 }, figures: few(900, 1) }] },
      ['info customer_1'],
    ],
    [
      '900 read to find the first page',
      { recorded: [{ ...BY_CUSTOMER, command: { ...BY_CUSTOMER.command, limit: 20 }, figures: few(900, 20) }] },
      [],
    ],
    [
      '900 read, which is nearly all that the database is busy with',
      { recorded: [{ ...BY_CUSTOMER, figures: few(900, 0) }], documents: 900 },
      ['info customer_1'],
    ],
    [
      '900 read, a million documents a day',
      {
        recorded: [
          { ...BY_CUSTOMER, figures: { executions: 5_000, documentsExamined: 4_500_000, documentsReturned: 0 } },
        ],
        documents: 900,
        days: 2,
      },
      ['warning customer_1'],
    ],
    [
      '900 read, and more by others',
      {
        recorded: [
          { ...BY_CUSTOMER, figures: few(900, 0) },
          { command: { filter: { status: 1 } }, plan: 'IXSCAN { status: 1 }' },
        ],
        documents: 900,
      },
      [],
    ],
    [
      'ten a day',
      { recorded: [{ ...BY_CUSTOMER, figures: { executions: 20, documentsExamined: 400_000, documentsReturned: 0 } }] },
      ['info customer_1'],
    ],
    ['a third of all is wanted', { recorded: [{ ...BY_CUSTOMER, figures: totals(20_000, 7_000) }] }, []],
    ['no condition', { recorded: [{ command: { filter: {} } }] }, []],
    [
      'an aggregation without a condition',
      { recorded: [{ kind: 'aggregate', command: { pipeline: [{ $group: { _id: '$status' } }] } }] },
      [],
    ],
    ['a sample', { recorded: [{ kind: 'aggregate', command: { pipeline: [{ $sample: { size: 5 } }] } }] }, []],
    ['an index scan', { recorded: [{ ...BY_CUSTOMER, plan: 'IXSCAN { customer: 1 }' }] }, []],
    ['a tailable cursor', { recorded: [{ command: { filter: { customer: 4_711 }, tailable: true } }] }, []],
    ['a text search', { recorded: [{ command: { filter: { $text: { $search: 'a' } } } }] }, []],
    ['its index is there by now', { recorded: [BY_CUSTOMER], indexes: [index({ customer: -1, placed: 1 })] }, []],
    [
      'its index is sparse, and lacks what it asks for',
      { recorded: [{ command: { filter: { customer: null } } }], indexes: [index({ customer: 1 }, { sparse: true })] },
      ['warning customer_1'],
    ],
    [
      'its index has another collation, in which numbers are found all the same',
      { recorded: [BY_CUSTOMER], indexes: [index({ customer: 1 }, { name: 'c', collation: { locale: 'de' } })] },
      [],
    ],
    [
      'its index has another collation, in which texts are not found',
      {
        recorded: [{ command: { filter: { customer: 'Ada' } } }],
        indexes: [index({ customer: 1 }, { name: 'c', collation: { locale: 'de' } })],
      },
      ['warning customer_1'],
    ],
    ['a pattern that ignores case', { recorded: [{ command: { filter: { mail: /ada/i } } }] }, []],
    ['a command that was cut', { recorded: [{ ...BY_CUSTOMER, truncated: true }] }, ['info null']],
    [
      'two queries that one index serves',
      { recorded: [BY_CUSTOMER, { ...BY_CUSTOMER, kind: 'count', command: { query: { customer: 1 } } }] },
      ['warning customer_1'],
    ],
    [
      'an index that begins another one',
      { recorded: [BY_CUSTOMER, SORTED_BY_CUSTOMER, { command: { filter: { customer: 1, placed: { $gt: 5 } } } }] },
      ['warning customer_1_placed_-1'],
    ],
    [
      'the same fields in either order',
      {
        recorded: [
          { command: { filter: { customer: 1, status: 1 } } },
          { command: { filter: { status: 1, customer: 1 } } },
        ],
      },
      ['warning customer_1_status_1'],
    ],
    [
      'the same fields in either order, told the other way around',
      {
        recorded: [
          { command: { filter: { status: 1, customer: 1 } } },
          { command: { filter: { customer: 1, status: 1 } } },
        ],
      },
      ['warning customer_1_status_1'],
    ],
    [
      'a cheap query that runs often beside it',
      { recorded: [SORTED_BY_CUSTOMER, cheap(BY_CUSTOMER)] },
      ['error customer_1_placed_-1'],
    ],
    ['a cheap query before the collection grew', { recorded: [cheap(BY_CUSTOMER)] }, ['error customer_1']],
    [
      'indexes that only share a field',
      { recorded: [SORTED_BY_CUSTOMER, { command: { filter: { status: 1, customer: 1 } } }] },
      ['warning customer_1_placed_-1', 'warning status_1_customer_1'],
    ],
    [
      'an index that begins one of another collation, for numbers',
      { recorded: [BY_CUSTOMER, { command: { ...SORTED_BY_CUSTOMER.command, collation: { locale: 'de' } } }] },
      ['warning customer_1_placed_-1_de'],
    ],
    ['a field name that is data', { recorded: [{ command: { filter: { 'byDay.2024-05-01': 3 } } }] }, ['warning null']],
  ])('%s', (_, given, expected) => {
    expect(foundIn(collectionScan, given)).toEqual(expected);
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
      'No index serves find by `customer` ($eq), sorted by `placed` descending and 1 similar query',
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

describe('poor-targeting', () => {
  it.each<[string, GivenWorkload, string[]]>([
    ['20,000 examined for one', { recorded: [BY_STATUS] }, ['warning status_1_number_1']],
    [
      'two million examined for one',
      { recorded: [{ ...BY_STATUS, figures: totals(2_000_000, 1) }] },
      ['error status_1_number_1'],
    ],
    ['20,000 examined for one, 500 times a day', { recorded: [BY_STATUS], days: 2 }, ['error status_1_number_1']],
    [
      '20,000 examined for a hundred',
      { recorded: [{ ...BY_STATUS, figures: totals(20_000, 100) }] },
      ['warning status_1_number_1'],
    ],
    [
      '20,000 of 60,000 examined for a thousand',
      { recorded: [{ ...BY_STATUS, figures: totals(20_000, 1_000) }], documents: 60_000 },
      [],
    ],
    [
      'all of 20,000 examined for a thousand',
      { recorded: [{ ...BY_STATUS, figures: totals(20_000, 1_000) }] },
      ['warning status_1_number_1'],
    ],
    ['all of 20,000 examined for 5,000', { recorded: [{ ...BY_STATUS, figures: totals(20_000, 5_000) }] }, []],
    ['900 examined for none', { recorded: [{ ...BY_STATUS, figures: totals(900) }] }, []],
    [
      'a cheap query that runs often beside it',
      { recorded: [BY_STATUS, { ...cheap(BY_STATUS), command: { filter: { status: 'open' } } }] },
      ['warning status_1_number_1'],
    ],
    [
      'one that finds what it wants and runs often beside it',
      {
        recorded: [
          BY_STATUS,
          { ...BY_STATUS, figures: { executions: 50_000, documentsExamined: 1e9, documentsReturned: 1e9 } },
        ],
      },
      ['warning status_1_number_1'],
    ],
    ['a collection scan', { recorded: [{ ...BY_STATUS, plan: 'COLLSCAN' }] }, []],
    ['a count', { recorded: [{ ...BY_STATUS, kind: 'count', command: { query: { status: 'open' } } }] }, []],
    [
      'a group',
      {
        recorded: [
          {
            ...BY_STATUS,
            kind: 'aggregate',
            command: { pipeline: [{ $match: { status: 1 } }, { $group: { _id: 1 } }] },
          },
        ],
      },
      [],
    ],
    [
      'a join',
      {
        recorded: [
          {
            ...BY_STATUS,
            kind: 'aggregate',
            command: {
              pipeline: [
                { $match: { status: 1 } },
                { $lookup: { from: 'a', localField: 'a', foreignField: 'b', as: 'c' } },
              ],
            },
          },
        ],
      },
      [],
    ],
    [
      'a limit behind a sort in memory',
      {
        recorded: [
          {
            ...WITH_SORT,
            command: { ...WITH_SORT.command, limit: 5 },
            figures: { inMemorySorts: 1_000, ...totals(20_000, 5) },
          },
        ],
      },
      [],
    ],
    ['its index is there by now', { recorded: [BY_STATUS], indexes: [index({ number: 1, status: 1 })] }, []],
  ])('%s', (_, given, expected) => {
    expect(foundIn(poorTargeting, given)).toEqual(expected);
  });
});

describe('in-memory-sort', () => {
  it.each<[string, GivenWorkload, string[]]>([
    ['20,000 documents sorted', { recorded: [WITH_SORT] }, ['warning status_1_placed_-1']],
    [
      '2,000 documents sorted',
      { recorded: [{ ...WITH_SORT, figures: { inMemorySorts: 1_000, ...totals(20_000, 2_000) } }] },
      ['info status_1_placed_-1'],
    ],
    [
      'a few sorted often beside it',
      {
        recorded: [
          WITH_SORT,
          {
            ...WITH_SORT,
            command: { ...WITH_SORT.command, limit: 1 },
            figures: { inMemorySorts: 1e5, executions: 1e5, documentsExamined: 1e6, documentsReturned: 1e5 },
          },
        ],
      },
      ['warning status_1_placed_-1'],
    ],
    [
      'ten documents sorted',
      { recorded: [{ ...WITH_SORT, figures: { inMemorySorts: 1_000, ...totals(20_000, 10) } }] },
      [],
    ],
    [
      'ten that spilled to disk',
      { recorded: [{ ...WITH_SORT, figures: { inMemorySorts: 1_000, diskUses: 3, ...totals(20_000, 10) } }] },
      ['warning status_1_placed_-1'],
    ],
    ['no sort in memory', { recorded: [{ ...WITH_SORT, figures: { documentsReturned: 20_000_000 } }] }, []],
    ['a scan by a condition', { recorded: [{ ...WITH_SORT, plan: 'COLLSCAN' }] }, []],
    [
      'a scan without a condition',
      { recorded: [{ ...WITH_SORT, plan: 'COLLSCAN', command: { filter: {}, sort: { placed: -1 }, limit: 10 } }] },
      ['warning placed_-1'],
    ],
    [
      'a sort behind a group',
      {
        recorded: [
          {
            ...WITH_SORT,
            kind: 'aggregate',
            command: { pipeline: [{ $group: { _id: '$a' } }, { $sort: { _id: 1 } }] },
          },
        ],
      },
      [],
    ],
    [
      'a range on another field',
      { recorded: [{ ...WITH_SORT, command: { filter: { total: { $gt: 5 } }, sort: { placed: 1 } } }] },
      ['info null'],
    ],
    ['its index is there by now', { recorded: [WITH_SORT], indexes: [index({ status: 1, placed: 1 })] }, []],
  ])('%s', (_, given, expected) => {
    expect(foundIn(inMemorySort, given)).toEqual(expected);
  });
});

describe('case-insensitive-regex', () => {
  it.each<[string, GivenWorkload, string[]]>([
    ['20,000 keys compared', { recorded: [PATTERN] }, ['warning mail']],
    [
      '20,000 documents compared',
      { recorded: [{ ...PATTERN, plan: 'COLLSCAN', figures: totals(20_000) }] },
      ['warning mail'],
    ],
    ['900 compared', { recorded: [{ ...PATTERN, figures: totals(900) }] }, []],
    ['a pattern that heeds case', { recorded: [{ ...PATTERN, command: { filter: { mail: /^ada$/ } } }] }, []],
    [
      'a scan by another condition, too',
      {
        recorded: [
          { ...PATTERN, plan: 'COLLSCAN', command: { filter: { mail: /ada/i, customer: 3 } }, figures: totals(20_000) },
        ],
      },
      [],
    ],
    [
      'in an alternative',
      { recorded: [{ ...PATTERN, command: { filter: { $or: [{ mail: /ada/i }, { name: /ada/i }] } } }] },
      ['warning mail'],
    ],
  ])('%s', (_, given, expected) => {
    expect(foundIn(caseInsensitiveRegex, given)).toEqual(expected);
  });

  it('names the index that compares without case and is not used', () => {
    const indexes = [index({ mail: 1 }, { name: 'mail_without_case', collation: { locale: 'de', strength: 2 } })];
    const [finding] = problemsIn(caseInsensitiveRegex, { recorded: [PATTERN], indexes });
    const [existing, asking] = finding?.remedy.steps ?? [];
    expect(existing).toEqual({ text: expect.stringContaining('the index mail_without_case compares without case') });
    expect(asking?.code).toContain('.collation({ locale: "de", strength: 2 })');
    expect(finding?.remedy.commands).toBeUndefined();
    expect(JSON.stringify(finding)).not.toContain('ada');
  });
});
