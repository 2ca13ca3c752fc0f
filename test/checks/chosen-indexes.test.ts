/** Which index is advised where the order of equality, sort and range is not the cheapest, by what the sample tells. */
import { describe, expect, it } from 'vitest';
import { collectionScan } from '../../checks/collection-scan.js';
import type { IndexDescription } from '../../src/check.js';
import type { FieldType } from '../../src/profile/field-types.js';
import { index } from '../support/checks/index-builders.js';
import { problemsIn, type Recorded } from '../support/checks/workload-builders.js';

const EXECUTIONS = 1_000;

/** A field of numbers in a hundred documents of which each value is in the same share, or the commonest in one of its own. */
function field(path: string, distinct: number, commonest = 1 / distinct, documents = 100): FieldType {
  const alike = distinct === 2 ? commonest ** 2 + (1 - commonest) ** 2 : 1 / distinct;
  return {
    path,
    types: { int: documents },
    documents,
    elementsPerArray: null,
    longestString: null,
    spread: { compared: 2_000, distinct, commonest, alike },
  };
}

function find(filter: object, { sort = {}, limit = 0, returned = 10, belowLimit = 0, longestList = 0 } = {}): Recorded {
  return {
    command: { filter, sort, limit },
    figures: {
      documentsReturned: returned * EXECUTIONS,
      ...(belowLimit > 0 && { belowLimit: belowLimit * EXECUTIONS }),
      longestLiteralArray: longestList,
    },
  };
}

const reading5 = (perDay: number): Recorded[] => {
  const executions = 30 * perDay;
  const figures = { executions, documentsExamined: executions * 20_000, documentsReturned: executions };
  return [{ command: { filter: { customer: 1, kind: 2 } }, figures }];
};

/** Of 30 days. */
function inserts(perDay: number): Recorded {
  return {
    kind: 'insert',
    command: {},
    figures: { executions: 30 * perDay, documentsWritten: 30 * perDay, planSummaries: {}, documentsExamined: 0 },
  };
}

function uncounted({ command, figures }: Recorded): Recorded {
  return { command, figures: { ...figures, documentsExamined: null } };
}

const NEVER_FULL = { sort: { placed: -1 }, limit: 20, belowLimit: 1 };
const BY_TOTAL = { sort: { total: -1 }, limit: 50, returned: 40 };
const FIELDS = [
  field('state', 2, 0.9),
  field('customer', 4_000),
  field('shop', 20),
  field('total', 2_000),
  field('placed', 2_000),
  field('done', 2),
  field('kind', 6),
  field('tenant', 1),
  field('importId', 2_000, undefined, 5),
  // As a sample of jobs has it, of which nearly all have one name: others show whether there are few documents or many.
  { ...field('job', 2, 0.96), path: 'jobOfTwo' },
  {
    ...field('job', 5, 0.96),
    path: 'jobOfFive',
    spread: { compared: 1_000, distinct: 5, commonest: 0.96, alike: 0.92 },
  },
];

function advised(
  recorded: readonly Recorded[],
  indexes: readonly IndexDescription[] = [],
  thresholds: Readonly<Record<string, number>> = {},
): string[] {
  return problemsIn(collectionScan, { recorded, indexes, fields: FIELDS, thresholds }).flatMap(({ remedy }) =>
    (remedy.commands ?? []).flatMap(({ command }) =>
      (command['indexes'] as { readonly name: string }[]).map(({ name }) => name),
    ),
  );
}

describe('the index that is advised', () => {
  it.each<[string, readonly Recorded[], string[]]>([
    [
      'the range in place of the sort, if fewer match than the limit and many are equal',
      [find({ state: 1, placed: { $gt: 7 } }, { ...BY_TOTAL, belowLimit: 1 })],
      ['state_1_placed_1'],
    ],
    [
      'the sort, if the limit is reached: nobody knows how many match',
      [find({ state: 1, placed: { $gt: 7 } }, BY_TOTAL)],
      ['state_1_total_-1_placed_1'],
    ],
    [
      'the sort, if few are equal',
      [find({ customer: 1, placed: { $gt: 7 } }, { ...BY_TOTAL, returned: 2, belowLimit: 1 })],
      ['customer_1_total_-1_placed_1'],
    ],
    [
      'one for all that narrow by a field with few documents a value',
      [find({ customer: 1, kind: 2 }), find({ customer: 1, shop: 3 }), find({ customer: 1 }, { sort: { placed: -1 } })],
      ['customer_1_placed_-1'],
    ],
    [
      'one each, if many documents have the value that they share',
      [find({ shop: 1, kind: 2 }), find({ shop: 1 }, { sort: { placed: -1 }, returned: 1_000 })],
      ['shop_1_kind_1', 'shop_1_placed_-1'],
    ],
    ['a field of two values last', [find({ done: 1, customer: 2 })], ['customer_1_done_1']],
    [
      'none on what most documents have, if a place in an array may be what leaves few',
      [find({ state: 1, 'lines.0': { $exists: true } })],
      [],
    ],
    [
      'one of one value last, though few match, if they are too many for the sample to have missed another value',
      [find({ tenant: 1, placed: { $gt: 7 } }, { returned: 2_000 })],
      ['placed_1_tenant_1'],
    ],
    [
      'one of one value first, if those that match may have another',
      [find({ tenant: 1, placed: { $gt: 7 } })],
      ['tenant_1_placed_1'],
    ],
    ['one of nearly one value last', [find({ jobOfTwo: 1, customer: 2 })], ['customer_1_jobOfTwo_1']],
    ['the same if the sample shows rare values', [find({ jobOfFive: 1, customer: 2 })], ['customer_1_jobOfFive_1']],
    [
      'the order of a page alone, if half of its documents match',
      [
        find({ done: 1 }, { sort: { placed: 1 }, limit: 20, returned: 20 }),
        find({ placed: 3 }, { sort: { placed: 1 } }),
      ],
      ['placed_1'],
    ],
    [
      'the order of a page within a value that few documents have',
      [
        find({ state: 1 }, { sort: { placed: 1 }, limit: 20, returned: 20 }),
        find({ placed: 3 }, { sort: { placed: 1 } }),
      ],
      ['state_1_placed_1', 'placed_1'],
    ],
    [
      'a sparse one for a field that few documents have',
      [find({ importId: { $exists: true } })],
      ['importId_1_sparse'],
    ],
    ['none for a field that all have', [find({ placed: { $exists: true } })], []],
    ['none for documents without a field', [find({ importId: { $exists: false } })], []],
    [
      'none for $or if a branch finds most, and what is found is tested',
      [find({ text: /x/, $or: [{ customer: 1 }, { state: 1 }] })],
      [],
    ],
    [
      'none for a list of all values that there are',
      [find({ state: { $in: [1, 2] }, text: /x/ }, { longestList: 2 })],
      [],
    ],
    [
      'one for a list of some of them',
      [find({ kind: { $in: [1, 2] }, text: /x/ }, { longestList: 2 })],
      ['kind_1_text_1'],
    ],
    [
      'one for a list of all of them, if few documents have any',
      [find({ importId: { $in: [1, 2] }, text: /x/ }, { longestList: 2_000 })],
      ['importId_1_text_1'],
    ],
    [
      'one for lists of which one may be of all, and nobody knows which',
      [find({ state: { $in: [1, 2] }, kind: { $in: [1, 2] }, text: /x/ }, { longestList: 2 })],
      ['kind_1_state_1_text_1'],
    ],
    [
      'one for each branch of $or otherwise',
      [find({ text: /x/, $or: [{ customer: 1 }, { shop: 1 }] })],
      ['customer_1', 'shop_1'],
    ],
    [
      'the order of a page if a branch of $or finds many, whatever is asked',
      [find({ $or: [{ customer: 1 }, { done: 1 }] }, BY_TOTAL)],
      ['total_-1'],
    ],
    [
      'one for each branch of $or in the order of a page if a value may find few',
      [find({ $or: [{ customer: 1 }, { shop: 1 }] }, BY_TOTAL)],
      ['customer_1_total_-1', 'shop_1_total_-1'],
    ],
    [
      'none that a page which is never full would read whole',
      [find({ placed: { $gt: 7 } }), find({ text: /x/ }, NEVER_FULL)],
      [],
    ],
    [
      'one that saves more than twice of that, though no source counts what is read',
      [
        uncounted(find({ placed: { $gt: 7 } })),
        uncounted(find({ placed: { $lt: 7 } })),
        uncounted(find({ placed: { $gt: 7, $lt: 9 } })),
        find({ text: /x/ }, NEVER_FULL),
      ],
      ['placed_1'],
    ],
    [
      'the longer one, if one does for both',
      [find({ shop: 1, customer: 2, done: 3 }), find({ customer: 1, done: 2 })],
      ['customer_1_done_1_shop_1'],
    ],
  ])('is %s', (_, recorded, names) => {
    expect(advised(recorded).toSorted()).toEqual(names.toSorted());
  });

  it.each([3_900, 4_100])(
    'is the same of two that read as much within what a sample tells: 4,000 and %i values',
    (buyers) => {
      const newest = { sort: { placed: -1 } };
      const recorded = [find({ customer: 1, buyer: 2 }), find({ customer: 1 }, newest), find({ buyer: 1 }, newest)];
      const problems = problemsIn(collectionScan, {
        recorded,
        indexes: [],
        fields: [...FIELDS, field('buyer', buyers)],
      });
      expect(problems.map(({ path, evidence }) => [path, (evidence['queries'] as string[]).length])).toEqual([
        ['buyer_1_placed_-1', 1],
        ['customer_1_placed_-1', 2],
      ]);
    },
  );

  it.each<[string, IndexDescription[], string]>([
    ['begins as one that is there', [index({ shop: 1 })], 'shop_1_customer_1'],
    ['begins as one on a field of two values, whose place it takes', [index({ done: 1 })], 'done_1_customer_1'],
    ['does not begin as one on a field of nearly one value', [index({ jobOfFive: 1 })], 'customer_1_jobOfFive_1'],
  ])('%s', (_, indexes, name) => {
    const [asked] = Object.keys(indexes[0]?.key ?? {});
    expect(advised([find({ customer: 1, [String(asked)]: 2 })], indexes, { documents: 0 })).toEqual([name]);
  });

  it('is none if one that is there reads a few documents more', () => {
    expect(advised([find({ customer: 1, kind: 2 })], [index({ customer: 1 })])).toEqual([]);
    expect(advised([find({ shop: 1, kind: 2 })], [index({ shop: 1 })])).toEqual(['shop_1_kind_1']);
    expect(advised([find({ customer: 1, kind: 2 })], [index({ customer: 1 }, { sparse: true })])).toEqual([]);
    expect(advised([find({ customer: null, kind: 2 })], [index({ customer: 1 }, { sparse: true })])).toEqual([
      'customer_1_kind_1',
    ]);
  });

  const READING_1000 = [find({ shop: 1, kind: 2 })];
  it.each<[string, readonly Recorded[], number]>([
    ['one, if all executions together read a million documents a day', reading5(250_000), 1],
    ['none, if all executions together read fewer', reading5(150_000), 0],
    ['one, if few writes are recorded', [...READING_1000, inserts(100)], 1],
    ['none, if it would follow more writes than it saves', [...READING_1000, inserts(20_000)], 0],
  ])('is %s', (_, recorded, count) => {
    const indexes = [index({ customer: 1 }), index({ shop: 1 })];
    expect(advised(recorded, indexes)).toHaveLength(count);
  });

  it('is a sparse one that is there', () => {
    const recorded = [find({ importId: { $exists: true } })];
    expect(advised(recorded, [index({ importId: 1 }, { sparse: true })])).toEqual([]);
    expect(advised(recorded, [index({ importId: 1 })])).toEqual(['importId_1_sparse']);
  });

  const DELETED = { ...field('deletedAt', 2, 0.5, 80), path: 'deletedAt', types: { date: 80, null: 20 } };
  it.each<[string, readonly Recorded[], boolean]>([
    ['if all that it serves asks for null', [find({ shop: 1, deletedAt: null })], true],
    [
      'unless another query asks by the same fields for a value',
      [find({ shop: 1, deletedAt: null }), find({ shop: 1, deletedAt: 3 })],
      false,
    ],
    [
      'unless another one shares the index',
      [find({ shop: 1, deletedAt: null }), find({ shop: 1, deletedAt: 3 }, { sort: { placed: -1 }, returned: 1_000 })],
      false,
    ],
  ])('may be a partial one %s', (_, recorded, isOffered) => {
    const problems = problemsIn(collectionScan, { recorded, indexes: [], fields: [...FIELDS, DELETED] });
    const codes = problems.flatMap(({ remedy }) => remedy.steps.flatMap(({ code = '' }) => code));
    expect(problems).toHaveLength(1);
    expect(codes.some((code) => code.includes('partialFilterExpression'))).toBe(isOffered);
  });
});
