/** Which index is proposed for recorded queries, and what they are estimated to examine with it. */
import { describe, expect, it } from 'vitest';
import { collectionScan } from '../../checks/collection-scan.js';
import type { IndexDescription } from '../../src/check.js';
import type { FieldType } from '../../src/profile/field-types.js';
import { index } from '../support/checks/index-builders.js';
import { problemsIn, type Recorded } from '../support/checks/workload-builders.js';

const BY_CUSTOMER: Recorded = { command: { filter: { customer: 4_711 } } };
const GROUP = { $group: { _id: '$status', count: { $sum: 1 } } };
const pipeline = (...stages: readonly object[]): Recorded => ({ kind: 'aggregate', command: { pipeline: stages } });
const sorted = (filter: object, sort: object): Recorded => ({ command: { filter, sort } });
const find = (filter: object): Recorded => ({ command: { filter } });
const keysFor = (...recorded: readonly Recorded[]) =>
  problemsIn(collectionScan, { recorded }).flatMap(({ remedy }) =>
    (remedy.commands ?? []).flatMap(({ command }) => command['indexes'] as { readonly name: string }[]),
  );

describe('the index that is proposed', () => {
  it('proposes one index for sorts in both directions', () => {
    const proposed = keysFor(
      sorted({ state: 1 }, { placed: 1 }),
      sorted({ state: 1 }, { placed: -1 }),
      sorted({ state: { $gt: 3 } }, { state: 1, placed: 1 }),
    );
    expect(proposed.map(({ name }) => name)).toEqual(['state_1_placed_1']);
  });

  it.each([
    [0.44, null, 'would match so many documents that it saves nothing'],
    [0.01, 'place_1', 'Create an index on { place: 1 }'],
  ])('is none for a range on values of which two are alike by a chance of %d: %s', (alike, path, text) => {
    const place: FieldType = {
      path: 'place',
      types: { string: 1_000 },
      documents: 1_000,
      elementsPerArray: null,
      longestString: 9,
      spread: { compared: 1_000, distinct: 300, commonest: alike, alike },
    };
    // Up to a limit, nobody knows how many match.
    const recorded = [{ command: { filter: { place: { $in: [/^a$/, /^a\/b/] } }, limit: 300 } }];
    const [problem] = problemsIn(collectionScan, { recorded, fields: [place] });
    expect(problem?.path).toBe(path);
    expect(problem?.remedy.text).toContain(text);
  });

  it.each<[string, readonly Recorded[], string[]]>([
    ['one field of two', [find({ state: 1, customer: 2 }), find({ customer: 2 })], ['customer_1_state_1']],
    [
      'each alternative but those by `_id`, unsorted: the order of these is another',
      [
        {
          command: {
            filter: { $or: [{ _id: { $in: [1, 2] } }, { customer: 1 }, { shop: 2 }] },
            sort: { placed: -1 },
            limit: 9,
          },
        },
      ],
      ['customer_1', 'shop_1'],
    ],
    ['each beginning of three', [find({ a: 1, b: 1, c: 1 }), find({ c: 1 }), find({ b: 1, c: 1 })], ['c_1_b_1_a_1']],
    [
      'a sort by a field that another query sets equal',
      [find({ placed: 1, state: 1 }), sorted({ state: 1 }, { placed: -1 })],
      ['state_1_placed_-1'],
    ],
    [
      'behind what they share, a sort of one of them',
      [sorted({ state: 1, customer: 2 }, { placed: -1 }), find({ customer: 2 })],
      ['customer_1_state_1_placed_-1'],
    ],
    [
      'not if both sort after what they share',
      [sorted({ customer: 2 }, { placed: -1 }), find({ state: 1, customer: 2 })],
      ['state_1_customer_1', 'customer_1_placed_-1'],
    ],
    ['not if they share nothing', [find({ a: 1, b: 1 }), find({ c: 1 })], ['a_1_b_1', 'c_1']],
    [
      'the more of two that exclude each other',
      [find({ a: 1, b: 1, c: 1 }), find({ b: 1 }), find({ c: 1 }), find({ a: 1, c: 1 })],
      ['c_1_a_1_b_1', 'b_1'],
    ],
  ])('serves several kinds of queries by the order of what they set equal: %s', (_, recorded, names) => {
    const proposed = keysFor(...recorded).map(({ name }) => name);
    expect(proposed.toSorted()).toEqual(names.toSorted());
  });

  it('begins as an index that is there, which is superfluous then', () => {
    const [problem] = problemsIn(collectionScan, {
      recorded: [find({ state: 1, customer: 2 })],
      indexes: [index({ customer: 1 })],
      fields: ['state', 'customer'],
    });
    expect(problem?.path).toBe('customer_1_state_1');
    expect(problem?.proposes).toMatchObject([{ supersedes: ['customer_1'] }]);
  });

  it.each<[string, IndexDescription]>([
    ['unique', index({ customer: 1 }, { unique: true })],
    ['partial', index({ customer: 1 }, { partialFilterExpression: { state: 1 } })],
    ['hidden', index({ customer: 1 }, { hidden: true })],
    ['of another collation', index({ customer: 1 }, { collation: { locale: 'de' } })],
  ])('keeps the order of the query beside an index that stays: %s', (_, there) => {
    const [problem] = problemsIn(collectionScan, {
      recorded: [find({ state: 1, customer: 2 })],
      indexes: [there],
      fields: ['state', 'customer'],
    });
    expect(problem?.path).toBe('state_1_customer_1');
  });

  it.each<[string, Recorded, string[]]>([
    ['alone', { command: { filter: { readers: { $in: [null, 'ada'] } } } }, ['readers_1']],
    [
      'beside an equality',
      { command: { filter: { author: 7, readers: { $in: [null, 'ada'] } } } },
      ['author_1_readers_1'],
    ],
    [
      'beside a sort',
      { command: { filter: { readers: { $in: [null, 'ada'] } }, sort: { placed: -1 }, limit: 20 } },
      ['placed_-1'],
    ],
    [
      'of one type',
      { command: { filter: { readers: { $in: ['eve', 'ada'] } }, sort: { placed: -1 } } },
      ['readers_1_placed_-1'],
    ],
    ['beside a search without case', { command: { filter: { readers: { $in: [null, 'a'] }, name: /x/i } } }, []],
  ])('leads an index by a list of values of several types only if nothing else narrows: %s', (_, recorded, names) => {
    expect(keysFor(recorded).map(({ name }) => name)).toEqual(names);
  });

  it.each<[string, Recorded, number | undefined]>([
    ['what is returned', { command: { filter: { customer: 7 } } }, 10],
    ['a page in order', { command: { filter: { customer: 7 }, sort: { placed: -1 }, limit: 10 } }, 10],
    ['none of a covered query', { command: { filter: { customer: 7 }, projection: { customer: 1, _id: 0 } } }, 0],
    ['none of a count', { kind: 'count', command: { query: { customer: 7 } } }, 0],
    ['none of a count by an aggregate', pipeline({ $match: { customer: 7 } }, { $count: 'all' }), 0],
    ['unknown of a count of null', { kind: 'count', command: { query: { customer: null } } }, undefined],
    ['unknown of a group', pipeline({ $match: { customer: 7 } }, GROUP), undefined],
    ['unknown where documents are tested', { command: { filter: { customer: 7, items: { $size: 3 } } } }, undefined],
    [
      'unknown where all are sorted',
      { command: { filter: { total: { $gt: 7 } }, sort: { placed: -1 }, limit: 10 } },
      undefined,
    ],
    ['each branch of $or', { command: { filter: { $or: [{ customer: 7 }, { number: 8 }] } } }, 10],
    [
      'unknown of an $or beside another condition',
      { command: { filter: { customer: 7, $or: [{ number: 7 }, { total: 8 }] } } },
      undefined,
    ],
  ])('estimates what is examined with the index: %s', (_, recorded, expected) => {
    const [finding] = problemsIn(collectionScan, {
      recorded: [recorded],
      fields: ['customer', 'number', 'placed', 'total'],
    });
    expect(finding?.remedy.commands).toBeDefined();
    expect(finding?.evidence['documentsExaminedWithIndex']).toBe(expected);
  });

  it('gives the range of the estimate, and each query that one index serves', () => {
    const [one] = problemsIn(collectionScan, { recorded: [BY_CUSTOMER] });
    expect(one?.evidence['documentsExaminedWithIndexRange']).toEqual([
      expect.closeTo(9.804, 3),
      expect.closeTo(10.196, 3),
    ]);
    const [both] = problemsIn(collectionScan, {
      recorded: [BY_CUSTOMER, pipeline({ $match: { customer: 7 } }, GROUP)],
    });
    expect(both?.evidence).not.toHaveProperty('documentsExaminedWithIndex');
    expect(both?.evidence['documentsExaminedWithIndexByQuery']).toEqual([10, null]);
  });
});
