import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { heavyLookup } from '../../checks/heavy-lookup.js';
import type { IndexDescription, OperationFigures } from '../../src/check.js';
import { index } from '../support/checks/index-builders.js';
import {
  aggregate,
  foundIn,
  judgeCluster,
  problemIn,
  type GivenCluster,
  type GivenCollection,
  type GivenOperation,
} from '../support/checks/joined-evidence.js';

const MB = 1024 * 1024;

const join = (from: string, localField: string, foreignField = '_id'): Document => ({
  $lookup: { from, localField, foreignField, as: from },
});
const CUSTOMER = join('customers', 'customer');

const seen = (
  executions: number,
  milliseconds = executions,
  rest: Partial<OperationFigures> = {},
): { figures: Partial<OperationFigures> } => ({
  figures: { executions, milliseconds, ...rest },
});
const find = (executions: number, milliseconds?: number): GivenOperation => ({
  command: { filter: { number: 1 } },
  ...seen(executions, milliseconds),
});

/** A hundred executions that examine so many documents each. */
const reading = (documents: number) => seen(100, 100, { documentsExamined: 100 * documents });

const GRAPH: Document = {
  $graphLookup: { from: 'orders', startWith: '$_id', connectFromField: '_id', connectToField: 'parent', as: 'below' },
};

const COLLECTIONS: Readonly<Record<string, GivenCollection>> = {
  orders: {
    documents: 10_000,
    fields: {
      _id: { objectId: 100 },
      customer: { objectId: 100 },
      items: { array: 100 },
      'items[]': { object: 4_000 },
      'items[].product': { objectId: 4_000 },
    },
    elements: { items: 40 },
  },
  customers: { documents: 500, fields: { _id: { objectId: 100 } } },
  products: { documents: 2_000, fields: { _id: { objectId: 100 } } },
  lines: { documents: 30_000, bytes: 100, fields: { order: { objectId: 100 } } },
  events: { documents: 4_000_000, bytes: 300, fields: { order: { objectId: 100 } } },
};

function shop(operations: readonly GivenOperation[], rest: Partial<GivenCluster> = {}): GivenCluster {
  return { collections: COLLECTIONS, operations, ...rest };
}

describe('the share of joins in the work on a collection', () => {
  it.each<[string, readonly GivenOperation[], string | null]>([
    ['all of it', [aggregate([CUSTOMER], seen(500))], 'warning'],
    ['all of very little', [aggregate([CUSTOMER], seen(100))], null],
    ['half of the operations', [aggregate([CUSTOMER], seen(500, 0)), find(500, 0)], 'warning'],
    ['a quarter', [aggregate([CUSTOMER], reading(20)), find(300)], 'info'],
    ['a quarter, by an index', [aggregate([CUSTOMER], seen(1_000)), find(3_000)], null],
    ['22 % by a $graphLookup', [aggregate([GRAPH], seen(2_200)), find(7_800)], null],
    ['one in a hundred', [aggregate([CUSTOMER], seen(100)), find(9_900)], null],
    [
      'one in a hundred that takes most of the time',
      [aggregate([CUSTOMER], seen(100, 90_000)), find(9_900, 10_000)],
      null,
    ],
    [
      'little of the work on it, and most of all work',
      [
        aggregate([CUSTOMER], { figures: { executions: 5, documentsExamined: 10_000, keysExamined: 5_000 } }),
        { ...find(1), figures: { executions: 1, documentsExamined: 10_000, keysExamined: 0 } },
        { ...find(900), on: 'customers', figures: { executions: 900, documentsExamined: 900, keysExamined: 900 } },
      ],
      'warning',
    ],
    [
      'one in a hundred that examines most of the documents',
      [aggregate([CUSTOMER], reading(5_000)), { ...find(9_900), ...seen(9_900, 9_900, { documentsExamined: 9_900 }) }],
      'warning',
    ],
    [
      'one in ten, among writes',
      [
        aggregate([CUSTOMER], seen(100)),
        { kind: 'update', command: { q: { _id: 1 }, u: { $set: { a: 1 } } }, ...seen(900) },
      ],
      null,
    ],
    ['few executions', [aggregate([CUSTOMER], seen(19))], null],
    ['pipelines without joins', [aggregate([{ $group: { _id: '$customer' } }], seen(1_000))], null],
    ['a find on a view that joins', [{ on: 'details', command: { filter: {} }, ...seen(500) }, find(250)], 'warning'],
  ])('%s', (_, operations, severity) => {
    const given = shop(operations, { views: { details: { viewOn: 'orders', pipeline: [CUSTOMER] } } });
    expect(foundIn(heavyLookup, given)).toEqual(severity === null ? [] : [`${severity} shop.orders null`]);
  });

  it('is told with its figures', () => {
    const { message, evidence, confidence } = problemIn(
      heavyLookup,
      shop([aggregate([CUSTOMER], seen(620, 9_300)), find(380, 700)]),
    );
    expect(message).toBe(
      'Joins are 62 % of the operations on shop.orders and 93 % of their time: 620 of 1,000 executions join shop.customers.',
    );
    expect(evidence).toMatchObject({
      source: 'profiler',
      window: '1,000 executions in 2 days',
      executions: 1_000,
      joinExecutions: 620,
      shareOfOperations: 0.62,
      shareOfTime: 0.93,
      averageMs: 15,
      joined: ['shop.customers'],
    });
    expect(confidence).toBe('high');
  });

  it('is that of one source: the one that knows the most of the collection', () => {
    const operations = [
      aggregate([CUSTOMER], { ...seen(100), source: 'logFile' }),
      aggregate([CUSTOMER], seen(30)),
      find(10_000),
    ];
    expect(foundIn(heavyLookup, shop(operations))).toEqual([]);
  });
});

it.each<[string, readonly IndexDescription[], readonly string[]]>([
  ['counts by what they examine', [index({ order: 1 })], ['warning shop.orders null']],
  ['is none by what a missing index costs: missing-lookup-index finds it', [], []],
])('a small share of joins %s', (_, indexes, expected) => {
  const collections = { ...COLLECTIONS, lines: { ...COLLECTIONS['lines'], indexes } };
  const operations = [aggregate([join('lines', '_id', 'order')], reading(30_001)), find(9_900)];
  expect(foundIn(heavyLookup, shop(operations, { collections }))).toEqual(expected);
});

it.each<[string, number, readonly string[]]>([
  ['scanned before their index was built: no finding, since it serves them now', 0, []],
  ['read as many keys as documents: a warning', 30_000, ['warning shop.orders null']],
])('joins that %s', (_, keys, expected) => {
  const collections = { ...COLLECTIONS, lines: { ...COLLECTIONS['lines'], indexes: [index({ order: 1 })] } };
  const figures = { documentsExamined: 100 * 30_001, keysExamined: 100 * (keys + 1), planSummaries: { IDHACK: 100 } };
  const operations = [
    aggregate([{ $match: { _id: 1 } }, join('lines', '_id', 'order')], seen(100, 100, figures)),
    find(9_900),
  ];
  expect(foundIn(heavyLookup, shop(operations, { collections }))).toEqual(expected);
});

describe('a small collection', () => {
  const small: GivenCollection = { ...COLLECTIONS['orders'], documents: 60 };
  const operations = [aggregate([CUSTOMER], seen(500))];

  it('is too small to tell', () => {
    expect(judgeCluster(heavyLookup, shop(operations, { collections: { ...COLLECTIONS, orders: small } }))).toEqual([
      {
        namespace: 'shop.orders',
        notJudged: 'too-small',
        detail: expect.stringMatching(
          /^too small to tell \(60 documents\); give expected sizes with `expect`\. Joins are 100 %/,
        ),
      },
    ]);
  });

  it('is judged at the size that is expected', () => {
    const orders: GivenCollection = { ...small, options: { expected: { documents: 5_000_000, from: 'expect' } } };
    expect(problemIn(heavyLookup, shop(operations, { collections: { ...COLLECTIONS, orders } }))).toMatchObject({
      severity: 'warning',
      judgedAt: { documents: 5_000_000, from: 'expect' },
      message: expect.stringMatching(/ 60 documents here, 5,000,000 expected\.$/),
    });
  });
});

const quarter = (pipeline: readonly Document[], figures: Partial<OperationFigures> = {}) => [
  aggregate(pipeline, seen(100, 100, { documentsExamined: 100 * 20, ...figures })),
  find(300, 300),
];

describe('what makes an info a warning', () => {
  const lines: GivenCollection = { ...COLLECTIONS['lines'], indexes: [index({ order: 1 })] };

  it.each<[string, readonly Document[], Partial<OperationFigures>, string, string]>([
    ['two joins', [CUSTOMER, join('products', 'product')], {}, 'info', ''],
    [
      'three joins',
      [CUSTOMER, join('products', 'product'), join('lines', '_id', 'order')],
      {},
      'warning',
      'One pipeline makes 3 joins.',
    ],
    ['few children', [join('lines', '_id', 'order')], {}, 'info', ''],
    [
      'four hundred children',
      [join('events', '_id', 'order')],
      {},
      'warning',
      'Each document is joined with 400 documents on average.',
    ],
    [
      'a filter on what was joined',
      [CUSTOMER, { $match: { 'customers.city': 'x' } }],
      { documentsReturned: 100 * 50 },
      'warning',
      'A `$match` after the join discards most of the joined documents.',
    ],
    [
      'one that keeps much of it',
      [CUSTOMER, { $match: { 'customers.city': 'x' } }],
      { documentsReturned: 100 * 5_000 },
      'info',
      '',
    ],
    [
      'one on the outer document, which the server moves',
      [CUSTOMER, { $match: { number: 1 } }],
      { documentsReturned: 100 },
      'info',
      '',
    ],
    [
      'one behind a first filter',
      [{ $match: { number: 1 } }, CUSTOMER, { $match: { 'customers.city': 'x' } }],
      { documentsReturned: 100 },
      'info',
      '',
    ],
  ])('%s', (_, pipeline, figures, severity, text) => {
    const found = problemIn(heavyLookup, shop(quarter(pipeline, figures), { collections: { ...COLLECTIONS, lines } }));
    expect(found).toMatchObject({ severity, message: expect.stringContaining(text) });
  });

  it('is an error where the joined documents come near the 100 MB at which a join fails', () => {
    const events: GivenCollection = { ...COLLECTIONS['events'], bytes: 150_000 };
    const found = problemIn(
      heavyLookup,
      shop(quarter([join('events', '_id', 'order')]), { collections: { ...COLLECTIONS, events } }),
    );
    expect(found).toMatchObject({ severity: 'error', evidence: { joinedBytes: expect.closeTo(57 * MB, -6) } });
  });
});

const write = (executions: number): GivenOperation => ({
  on: 'customers',
  kind: 'update',
  command: { q: { _id: 1 }, u: { $set: { a: 1 } } },
  ...seen(executions),
});
const textOf = (operations: readonly GivenOperation[]) => problemIn(heavyLookup, shop(operations)).remedy.text;

describe('the remedy', () => {
  it.each<[string, readonly GivenOperation[], string]>([
    [
      'copies fields that are read far more than written',
      [aggregate([CUSTOMER], seen(1_000)), write(10)],
      'Copy into shop.orders the few fields of shop.customers that are read, beside the reference (extended reference). Each write to those fields must then update the copies too: there are 100 joins per write.',
    ],
    [
      'copies fields that are never written',
      [aggregate([CUSTOMER], seen(1_000))],
      'update the copies too: none was recorded',
    ],
    [
      'copies fields of documents that are only added: no copy is made stale by that',
      [aggregate([CUSTOMER], seen(1_000)), { on: 'customers', kind: 'insert', command: {}, ...seen(500) }],
      'Copy into shop.orders the few fields of shop.customers that are read',
    ],
    [
      'does not copy what is written all the time',
      [aggregate([CUSTOMER], seen(1_000)), write(500)],
      'Do not copy fields of shop.customers: it is written too often (less than 10 joins per write).',
    ],
    [
      'embeds the few',
      [aggregate([join('lines', '_id', 'order')], seen(1_000))],
      'Embed shop.lines into shop.orders: each document has 3 of them on average, 300 B.',
    ],
    [
      'embeds of those that may become many only a few',
      [aggregate([join('lines', '_id', 'order')], seen(1_000))],
      'If some have hundreds, or their number keeps growing, embed only the few',
    ],
    [
      'begins with the index that is missing',
      [aggregate([CUSTOMER, join('lines', '_id', 'order')], seen(1_000))],
      'First index shop.lines by `order` (see missing-lookup-index). Then judge the joins again: ',
    ],
    [
      'keeps ancestors in a tree',
      [aggregate([GRAPH], seen(1_000))],
      'Store the `_id`s of all ancestors in each document of shop.orders',
    ],
    [
      'keeps ancestors where children are of the same collection',
      [aggregate([join('orders', '_id', 'parent')], seen(1_000))],
      'Store the `_id`s of all ancestors in each document of shop.orders',
    ],
    [
      'copies from a document into the one that refers to it',
      [aggregate([join('orders', 'parent')], seen(1_000))],
      'Copy into shop.orders the few fields of shop.orders that are read, beside the reference',
    ],
    ['keeps a part of the many', [aggregate([join('events', '_id', 'order')], seen(1_000))], 'subset pattern'],
    [
      'copies into the elements of an array',
      [aggregate([join('products', 'items.product')], seen(1_000))],
      'Copy into shop.orders the few fields of shop.products that are read, beside the reference (extended reference).',
    ],
    [
      'materialises what is found by values of an array that are no _ids',
      [aggregate([join('events', 'items.product', 'order')], seen(1_000))],
      'Copy into shop.orders the fields of shop.events that are read, or materialize the joined result with `$merge`.',
    ],
    [
      'materialises what many joins make',
      [aggregate([CUSTOMER, CUSTOMER, CUSTOMER], seen(1_000))],
      'Consider materialising the result of the pipeline that makes 3 joins',
    ],
    [
      'filters first',
      [aggregate([CUSTOMER, { $match: { 'customers.city': 'x' } }], seen(1_000, 1_000, { documentsReturned: 1_000 }))],
      'Filter first: start the pipeline from shop.customers',
    ],
  ])('%s', (_, operations, text) => {
    expect(textOf(operations)).toContain(text);
  });

  it.each([
    ['an index is there', { indexes: [index({ order: 1 })] }],
    ['there is little to read', { documents: 900 }],
  ])('begins with no index where %s', (_, lines: GivenCollection) => {
    const collections = { ...COLLECTIONS, lines: { ...COLLECTIONS['lines'], ...lines } };
    const { remedy } = problemIn(
      heavyLookup,
      shop([aggregate([join('lines', '_id', 'order')], seen(1_000))], { collections }),
    );
    expect(remedy.text).not.toContain('First index');
  });

  it('is one action a step, and ends with how to check that it worked', () => {
    const operations = [aggregate([CUSTOMER, join('lines', '_id', 'order')], seen(1_000))];
    const { steps } = problemIn(heavyLookup, shop(operations)).remedy;
    expect(steps.map(({ text }) => text.slice(0, text.indexOf(' ')))).toEqual(['First', 'Copy', 'Embed', 'Rerun']);
  });
});

describe('where only slow operations were recorded', () => {
  const slow = { operations: 'slow', slowMilliseconds: 100 } as const;

  it('shares are of those, with less confidence', () => {
    const { message, confidence, severity } = problemIn(
      heavyLookup,
      shop([aggregate([CUSTOMER], reading(5_000))], { coverage: slow }),
    );
    expect({ severity, confidence }).toEqual({ severity: 'warning', confidence: 'medium' });
    expect(message).toContain('100 % of the slow operations on shop.orders');
  });

  it('is less severe, unless joins examine much', () => {
    expect(foundIn(heavyLookup, shop([aggregate([CUSTOMER], reading(20))], { coverage: slow }))).toEqual([
      'info shop.orders null',
    ]);
  });

  it('knows a profiler that is off by now, but recorded everything', () => {
    const { message } = problemIn(
      heavyLookup,
      shop([aggregate([CUSTOMER], seen(500, 500))], { coverage: { operations: 'none', slowMilliseconds: 100 } }),
    );
    expect(message).toContain('100 % of the operations on shop.orders');
  });
});
