import { describe, expect, it } from 'vitest';
import { collectionScan } from '../../checks/collection-scan.js';
import { inMemorySort } from '../../checks/in-memory-sort/check.js';
import { poorTargeting } from '../../checks/poor-targeting.js';
import { unselectiveFilter } from '../../checks/unselective-filter.js';
import { index } from '../support/checks/index-builders.js';
import {
  foundIn,
  judgeWorkload,
  problemsIn,
  type GivenWorkload,
  type Recorded,
} from '../support/checks/workload-builders.js';

/** A thousand executions that compare 20,000 keys of an index for one document. */
const ON_KEYS = { documentsExamined: 1_000, keysExamined: 20_000_000, documentsReturned: 1_000 };
const PATTERN: Recorded = {
  command: { filter: { sku: /77-blue/ } },
  plan: 'IXSCAN { sku: 1 }',
  figures: ON_KEYS,
};
const NOR: Recorded = { command: { filter: { $nor: [{ status: 'sent' }, { status: 'paid' }] } } };
/** Each execution reads 19,000 of 20,000 documents by an index on `status`. */
const OF_MOST: Recorded = {
  command: { filter: { sku: /77/, status: 'sent' } },
  plan: 'IXSCAN { status: 1 }',
  figures: { documentsExamined: 19_000_000, keysExamined: 19_000_000, documentsReturned: 14_000 },
};
const sortedPage = (further: object): Recorded => ({
  ...OF_MOST,
  command: { ...OF_MOST.command, sort: { at: -1 }, limit: 50 },
  figures: { ...OF_MOST.figures, inMemorySorts: 1_000, ...further },
});
const inSome = (documents: number): GivenWorkload => ({
  recorded: [{ ...PATTERN, figures: { ...ON_KEYS, keysExamined: 1_000 * documents } }],
  documents,
});
const of = (filter: object, further: Partial<Recorded> = {}): GivenWorkload => ({
  recorded: [{ command: { filter }, ...further }],
});

it('leaves the order of a page to in-memory-sort if the page is most often full, and only then', () => {
  const indexes = [index({ status: 1 })];
  expect(foundIn(inMemorySort, { recorded: [sortedPage({})], indexes })).toHaveLength(1);
  expect(foundIn(inMemorySort, { recorded: [sortedPage({ belowLimit: 800 })], indexes })).toEqual([]);
});

describe('unselective-filter', () => {
  it.each<[string, GivenWorkload, string[]]>([
    ['a pattern on the keys of an index', { recorded: [PATTERN] }, ['warning sku']],
    ['a pattern on documents', of({ sku: /77-blue/ }), ['warning sku']],
    ['a pattern behind .*', of({ sku: /^.*77-blue/ }), ['warning sku']],
    ['a pattern for an ending', of({ sku: /blue$/ }), ['warning sku']],
    ['a pattern, a hundred times a day', { recorded: [PATTERN], days: 10 }, ['error sku']],
    ['a pattern, ten times a day', { recorded: [PATTERN], days: 100 }, ['info sku']],
    ['a pattern beside a negation', of({ sku: /77/, status: { $ne: 'sent' } }), ['warning sku']],
    ['patterns in alternatives', of({ $or: [{ sku: /77/ }, { title: /77/ }] }), ['warning sku']],
    ['$nor of values', { recorded: [NOR] }, ['warning status']],
    ['$nor of conditions', of({ $nor: [{ status: 'sent', total: 5 }] }), ['warning null']],
    ['$not of a pattern', of({ sku: { $not: /^SKU/ } }), ['warning sku']],
    ['$nin on what may be an array', of({ tags: { $nin: ['a', 'b'] } }), ['warning tags']],
    [
      'a pattern in 60 documents, of which five million are expected',
      {
        recorded: [{ ...PATTERN, figures: { ...ON_KEYS, keysExamined: 60_000 } }],
        documents: 60,
        expected: { documents: 5_000_000 },
      },
      ['error sku'],
    ],
    ['a pattern in 1,000 documents, again and again', inSome(1_000), ['warning sku']],
    ['a pattern in 1,500 documents, a thousand times a day', { ...inSome(1_500), days: 1 }, ['error sku']],
    ['a pattern beside an equality that finds most', { recorded: [OF_MOST] }, ['warning sku']],
    [
      'the same, sorted for a page that is hardly ever full',
      { recorded: [sortedPage({ belowLimit: 800 })] },
      ['warning sku'],
    ],
    ['the same, sorted for a page that is most often full', { recorded: [sortedPage({})] }, []],
    ['an anchored pattern', of({ sku: /^SKU77/ }), []],
    ['a pattern that ignores case', of({ sku: /77/i }), []],
    ['a pattern beside an equality', of({ sku: /77/, customer: 5 }), []],
    ['a pattern beside a range', of({ sku: /77/, at: { $gt: new Date() } }), []],
    ['900 keys', { recorded: [{ ...PATTERN, figures: { ...ON_KEYS, keysExamined: 900_000 } }] }, []],
    ['a third of the documents', of({ sku: /77/ }, { figures: { documentsReturned: 7_000_000 } }), []],
    [
      'the first that match',
      { recorded: [{ ...PATTERN, figures: { ...ON_KEYS, keysExamined: 52_000, documentsReturned: 10_000 } }] },
      [],
    ],
    [
      'a sort of what an index finds',
      {
        recorded: [
          {
            command: { filter: { tags: { $nin: ['a'] } }, sort: { at: 1 }, limit: 20 },
            plan: 'IXSCAN { tags: 1 }',
            figures: { inMemorySorts: 1_000 },
          },
        ],
      },
      [],
    ],
    ['no condition', of({}), []],
    ['an equality', of({ sku: 'SKU77-blue' }), []],
    ['$exists', of({ sku: { $exists: true } }), []],
    ['a text search', of({ $text: { $search: 'blue' } }), []],
  ])('%s', (_, given, expected) => {
    expect(foundIn(unselectiveFilter, given)).toEqual(expected);
  });

  it('says what is compared, and prints the queries in the fields of the application', () => {
    const [finding] = problemsIn(unselectiveFilter, {
      recorded: [{ ...PATTERN, command: { filter: { sku: /77-blue/, status: { $ne: 'sent' } } } }],
    });
    expect(finding?.message).toBe(
      'Only an unanchored pattern selects documents: find by `sku` ($regex), `status` ($ne). An execution compares 20,000 index keys to return 1, in 5 ms on average (1,000 executions in 30 days).',
    );
    expect(finding?.remedy.steps?.flatMap(({ code }) => code ?? [])).toEqual([
      'db.getSiblingDB("shop").orders.find({ "sku": skuValue, "status": { $ne: statusValue } })',
      'db.getSiblingDB("shop").orders.find({ "sku": /^skuBeginning/, "status": { $ne: statusValue } })',
      'db.getSiblingDB("shop").orders.createIndex({ "sku": 1 })',
      'db.getSiblingDB("shop").orders.createIndex({ "sku": "text" })',
      'db.getSiblingDB("shop").orders.find({ $text: { $search: words } })',
    ]);
    expect(finding?.remedy.commands).toBeUndefined();
    expect(JSON.stringify(finding)).not.toMatch(/77|blue|sent/);
  });

  it('writes $nor as $nin, and names the index that is there', () => {
    const [finding] = problemsIn(unselectiveFilter, { recorded: [NOR], indexes: [index({ status: 1 })] });
    const [rewrite, existing] = finding?.remedy.steps ?? [];
    expect(rewrite?.code).toBe('db.getSiblingDB("shop").orders.find({ "status": { $nin: statusValues } })');
    expect(existing?.text).toBe('The index `status_1` serves that already.');
  });

  it.each([
    ['a pattern', { sku: /77-blue/ }],
    ['$nor', { $nor: [{ status: 'sent' }] }],
    ['$not of a pattern', { sku: { $not: /^SKU/ } }],
  ])('%s is told by no other check', (_, filter) => {
    expect(foundIn(collectionScan, of(filter))).toEqual([]);
    expect(foundIn(poorTargeting, of(filter, { plan: 'IXSCAN { at: 1 }' }))).toEqual([]);
  });

  it('tells nothing by 60 documents', () => {
    const small: Recorded = { ...PATTERN, figures: { ...ON_KEYS, keysExamined: 60_000 } };
    expect(judgeWorkload(unselectiveFilter, { recorded: [small], documents: 60 })).toEqual([
      { namespace: 'shop.orders', notJudged: 'too-small', detail: expect.stringContaining('Run there: find by `sku`') },
    ]);
  });
});
