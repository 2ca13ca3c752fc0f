import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { missingLookupIndex } from '../../checks/missing-lookup-index.js';
import { absent, present } from '../../src/presence.js';
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

const LOOKUP: Document = { $lookup: { from: 'payments', localField: 'number', foreignField: 'order', as: 'payments' } };
const EXPRESSION = (condition: Document): Document => ({
  $lookup: {
    from: 'payments',
    let: { n: '$number', ns: '$numbers' },
    pipeline: [{ $match: { $expr: condition } }],
    as: 'payments',
  },
});

function shop(
  payments: GivenCollection,
  operations: readonly GivenOperation[] = [aggregate([LOOKUP])],
  rest: Partial<GivenCluster> = {},
): GivenCluster {
  const orders: GivenCollection = { fields: { _id: { objectId: 100 }, number: { int: 100 } } };
  return { collections: { orders, payments: { fields: { order: { int: 100 } }, ...payments } }, operations, ...rest };
}

const WITHOUT_CASE = { locale: 'en', strength: 2 };

const to = (from: string, foreignField: string) => ({
  $lookup: { from, localField: 'number', foreignField, as: 'b' },
});

describe('an operation with a second join', () => {
  const examined = { figures: { documentsExamined: 100 * 30_000 } };
  const found = (second: Document, linted: GivenCluster['collections'] = {}) => {
    const given = shop({ documents: 10_000 }, [aggregate([LOOKUP, second], examined)]);
    return judgeCluster(missingLookupIndex, { ...given, collections: { ...given.collections, ...linted } }).flatMap(
      (verdict) =>
        'severity' in verdict && verdict.namespace === 'shop.payments'
          ? [[verdict.severity, verdict.evidence['documentsExamined']]]
          : [],
    );
  };
  const refunds: GivenCollection = { documents: 20_000, fields: { order: { int: 100 } } };

  it.each<[string, Document, GivenCluster['collections'], unknown[]]>([
    ['that is linted: each has its share', to('refunds', 'order'), { refunds }, ['warning', 10_000]],
    ['that is not linted: no verdict is worse for that', to('refunds', 'order'), {}, ['warning', null]],
    ['by _id, which needs no share', to('refunds', '_id'), {}, ['error', 30_000]],
  ])('%s', (_, second, linted, expected) => {
    expect(found(second, linted)).toEqual([expected]);
  });
});

describe('a join that finds by the order of a clustered collection', () => {
  const byId = EXPRESSION({ $eq: ['$_id', '$$n'] });
  const payments: GivenCollection = {
    indexes: [index({ _id: 1 }, { clustered: true })],
    fields: { _id: { int: 100 } },
    options: { clustered: true },
  };

  it.each([
    ['6.0.5', ['warning shop.payments _id'], []],
    ['6.0.27', [], []],
    ['7.0.10', [], ['insufficient']],
    ['7.0.28', [], []],
  ])('is judged by the version: %s', (version, found, unknown) => {
    const given = shop(payments, [aggregate([byId])], { version });
    const withoutOther = judgeCluster(missingLookupIndex, given).filter((verdict) => 'notJudged' in verdict);
    expect(foundIn(missingLookupIndex, given)).toEqual(found);
    expect(withoutOther.map(({ notJudged }) => notJudged)).toEqual(unknown);
  });
});

describe('what a join without an index is worth', () => {
  it.each<[string, number, Partial<Parameters<typeof aggregate>[1] & object>['figures'], string | null]>([
    ['a hundred documents', 100, {}, null],
    ['a hundred documents, examined thousands of times', 100, { documentsExamined: 100 * 100_000 }, 'info'],
    ['a thousand documents, in no time at all', 1_000, { documentsExamined: 100 * 1_000, milliseconds: 0 }, 'warning'],
    ['two thousand documents, twice a day', 2_000, { executions: 4, documentsExamined: 4 * 2_000 }, 'warning'],
    ['twenty thousand documents', 20_000, { documentsExamined: null }, 'warning'],
    ['two thousand, for each of nine', 2_000, { documentsExamined: 100 * 18_000 }, 'warning'],
    ['a million documents examined a day', 2_000, { documentsExamined: 100 * 20_000 }, 'error'],
    ['a million documents examined an execution', 20_000, { executions: 1, documentsExamined: 1_200_000 }, 'error'],
    ['a million documents, of which nothing is measured', 1_500_000, { documentsExamined: null }, 'warning'],
  ])('%s', (_, documents, figures, severity) => {
    const given = shop({ documents }, [aggregate([LOOKUP], { ...(figures !== undefined && { figures }) })]);
    expect(foundIn(missingLookupIndex, given)).toEqual(severity === null ? [] : [`${severity} shop.payments order`]);
  });

  it('is the same whatever else runs, and however long it takes', () => {
    const other: GivenOperation = {
      command: { filter: { number: 1 } },
      figures: { executions: 1_000, milliseconds: 1_000_000 },
    };
    const [fast, slow] = [0, 90_000].map((milliseconds) =>
      aggregate([LOOKUP], { figures: { milliseconds, documentsExamined: 100 * 2_000 } }),
    ) as [GivenOperation, GivenOperation];
    const found = [[fast, other], [slow], [slow, other]].map((operations) =>
      foundIn(missingLookupIndex, shop({ documents: 2_000 }, operations)),
    );
    expect(new Set(found.flat())).toEqual(new Set(['warning shop.payments order']));
  });

  it('cannot be told of a small collection, unless its size in production is given', () => {
    const join = aggregate([LOOKUP], { figures: { documentsExamined: 100 * 60 } });
    expect(judgeCluster(missingLookupIndex, shop({ documents: 60 }, [join]))).toEqual([
      {
        namespace: 'shop.payments',
        notJudged: 'too-small',
        detail:
          'too small to tell (60 documents); give expected sizes with `expect`. `$lookup` from shop.orders joins shop.payments by `order`, without an index.',
      },
    ]);
    const sized = (expected: object) =>
      problemIn(
        missingLookupIndex,
        shop({ documents: 60, options: { expected: { ...expected, from: 'expect' } } }, [join]),
      );
    const warned = sized({ documents: 5_000 });
    expect(warned).toMatchObject({ severity: 'warning', judgedAt: { documents: 5_000, from: 'expect' } });
    expect(warned.message).toMatch(/reads all 60 documents, .* 60 documents here, 5,000 expected\.$/);
    expect(sized({ documents: 5_000_000 })).toMatchObject({ severity: 'error' });
    expect(sized({ documents: 5_000, executionsPerDay: 12_000 })).toMatchObject({ severity: 'error' });
  });

  it('is divided among the joins of an operation by the sizes of their collections', () => {
    const small: Document = { $lookup: { from: 'notes', localField: 'number', foreignField: 'order', as: 'notes' } };
    const given = shop({ documents: 990_000 }, [
      aggregate([LOOKUP, small], { figures: { documentsExamined: 100 * 1_500_000 } }),
    ]);
    const found = foundIn(missingLookupIndex, {
      ...given,
      collections: { ...given.collections, notes: { documents: 10_000 } },
    });
    expect(found).toEqual(['error shop.payments order', 'warning shop.notes order']);
  });

  it('is told by size in $graphLookup, of which the server counts nothing', () => {
    const stage = {
      $graphLookup: {
        from: 'payments',
        startWith: '$number',
        connectFromField: 'next',
        connectToField: 'order',
        as: 'payments',
      },
    };
    const { severity, evidence } = problemIn(
      missingLookupIndex,
      shop({}, [aggregate([stage], { figures: { documentsExamined: 100 * 12 } })]),
    );
    expect({ severity, examined: evidence['documentsExamined'] }).toEqual({ severity: 'warning', examined: null });
  });

  it.each<[string, number, number | null, string]>([
    ['of which the server counted nothing', 1, null, 'warning'],
    ['of which the server counted most', 1_200_000, 1_200_000, 'error'],
  ])('is told by size where what is joined is unwound, %s', (_, examined, expected, severity) => {
    const pipeline = [{ $match: { _id: 1 } }, LOOKUP, { $unwind: '$payments' }];
    const found = problemIn(
      missingLookupIndex,
      shop({}, [aggregate(pipeline, { figures: { documentsExamined: 100 * examined } })]),
    );
    expect({ severity: found.severity, examined: found.evidence['documentsExamined'] }).toEqual({
      severity,
      examined: expected,
    });
    expect(found.message.includes('examined')).toBe(expected !== null);
  });
});

describe('a view that joins', () => {
  const views = { details: { viewOn: 'orders', pipeline: [LOOKUP] } };

  it.each([
    [200, []],
    [5_000, ['warning shop.payments order']],
    [50_000, ['warning shop.payments order']],
    [5_000_000, ['warning shop.payments order']],
  ])('of %i documents is judged by that alone', (documents, expected) => {
    const given = shop({ documents }, [], { views });
    expect(foundIn(missingLookupIndex, given)).toEqual(expected);
  });

  it('is told from its definition, with less confidence', () => {
    const { confidence, evidence, message } = problemIn(missingLookupIndex, shop({}, [], { views }));
    expect(confidence).toBe('medium');
    expect(evidence).toMatchObject({
      source: 'view definition',
      window: 'definition of shop.details',
      executions: null,
    });
    expect(message).toBe(
      '`$lookup` in the definition of shop.details joins shop.payments by `order`. No index there serves it. Each execution reads all 20,000 documents, once per outer document or once into a hash table.',
    );
  });

  it('is told by the workload where it was read', () => {
    const read: GivenOperation = {
      on: 'details',
      command: { filter: { number: 1 } },
      figures: { documentsExamined: 100 * 20_000 },
    };
    const { confidence, evidence } = problemIn(missingLookupIndex, shop({}, [read], { views }));
    expect({ confidence, source: evidence.source, from: evidence['joinedFrom'] }).toEqual({
      confidence: 'high',
      source: 'profiler',
      from: ['shop.orders'],
    });
  });
});

describe('one finding for each foreign field', () => {
  it('whatever pipelines and sources tell of it', () => {
    const operations = [
      aggregate([LOOKUP]),
      aggregate([{ $match: { number: 1 } }, LOOKUP], { source: 'queryStats' }),
      aggregate([LOOKUP], { on: 'carts', source: 'logFile' }),
      aggregate([EXPRESSION({ $eq: ['$order', '$$n'] })]),
    ];
    expect(foundIn(missingLookupIndex, shop({}, operations))).toEqual(['warning shop.payments order']);
  });

  it('and for each of several fields', () => {
    const byCustomer: Document = {
      $lookup: { from: 'payments', localField: 'customer', foreignField: 'customer', as: 'payments' },
    };
    expect(foundIn(missingLookupIndex, shop({}, [aggregate([LOOKUP, byCustomer])])).sort()).toEqual([
      'warning shop.payments customer',
      'warning shop.payments order',
    ]);
  });

  it('of linted collections alone', () => {
    const elsewhere: Document = {
      $lookup: { from: 'unknown', localField: 'number', foreignField: 'order', as: 'payments' },
    };
    expect(foundIn(missingLookupIndex, shop({}, [aggregate([elsewhere])]))).toEqual([]);
  });
});

const withStatus = (status: unknown): Document => ({
  $lookup: {
    from: 'payments',
    localField: 'number',
    foreignField: 'order',
    pipeline: [{ $match: { status } }],
    as: 'payments',
  },
});

describe('an index that serves is enough', () => {
  const both = EXPRESSION({ $and: [{ $eq: ['$customer', '$$ns'] }, { $eq: ['$order', '$$n'] }] });
  const either = EXPRESSION({ $or: [{ $eq: ['$customer', '$$ns'] }, { $eq: ['$order', '$$n'] }] });

  it.each<[string, Document, Partial<GivenCollection>, readonly string[]]>([
    ['on the field', LOOKUP, { indexes: [index({ order: 1 })] }, []],
    ['that begins with it', LOOKUP, { indexes: [index({ order: -1, at: 1 })] }, []],
    ['hashed', LOOKUP, { indexes: [index({ order: 'hashed' })] }, []],
    ['behind another field', LOOKUP, { indexes: [index({ at: 1, order: 1 })] }, ['warning shop.payments order']],
    ['hidden', LOOKUP, { indexes: [index({ order: 1 }, { hidden: true })] }, ['warning shop.payments order']],
    [
      'with another collation',
      LOOKUP,
      { indexes: [index({ order: 1 }, { collation: WITHOUT_CASE })], fields: { order: { string: 100 } } },
      [],
    ],
    ['for one of two keys that hold together', both, { indexes: [index({ customer: 1 })] }, []],
    ['for one of two alternatives', either, { indexes: [index({ customer: 1 })] }, ['warning shop.payments order']],
    ['for both alternatives', either, { indexes: [index({ customer: 1 }), index({ order: 1 })] }, []],
    ['for neither alternative', either, {}, ['warning shop.payments customer', 'warning shop.payments order']],
  ])('%s', (_, stage, payments, expected) => {
    expect(foundIn(missingLookupIndex, shop(payments, [aggregate([stage])]))).toEqual(expected);
  });

  it('a sparse one by version, form and values', () => {
    const payments = { indexes: [index({ order: 1 }, { sparse: true })] };
    const concise: Document = { $lookup: { ...(LOOKUP['$lookup'] as Document), pipeline: [] } };
    expect(foundIn(missingLookupIndex, shop(payments, [aggregate([concise])], { version: '6.0.27' }))).toEqual([]);
    const optional: GivenCluster = shop(payments, [aggregate([concise])], { version: '6.0.27' });
    const orders = { fields: { number: { int: 60, null: 40 } } };
    expect(foundIn(missingLookupIndex, { ...optional, collections: { ...optional.collections, orders } })).toEqual([
      'warning shop.payments order',
    ]);
  });

  it('a partial one whose filter is on what the join asks for', () => {
    const open = index({ order: 1 }, { partialFilterExpression: { status: 'open' } });
    expect(foundIn(missingLookupIndex, shop({ indexes: [open] }, [aggregate([withStatus('open')])]))).toEqual([]);
    expect(foundIn(missingLookupIndex, shop({ indexes: [open] }, [aggregate([withStatus(7)])]))).toEqual([
      'warning shop.payments order',
    ]);
    expect(foundIn(missingLookupIndex, shop({ indexes: [open] }))).toEqual(['warning shop.payments order']);
  });
});

const commandOf = (given: GivenCluster) =>
  problemIn(missingLookupIndex, given).remedy.commands?.map(({ command }) => command);

describe('the remedy', () => {
  it('creates the index', () => {
    expect(commandOf(shop({}))).toEqual([
      { createIndexes: 'payments', indexes: [{ key: { order: 1 }, name: 'order_1' }] },
    ]);
  });

  it('gives it a name that is free', () => {
    const indexes = [
      index({ order: 1 }, { partialFilterExpression: { open: true } }),
      index({ other: 1 }, { name: 'order_1_2' }),
    ];
    expect(commandOf(shop({ indexes }))).toMatchObject([{ indexes: [{ name: 'order_1_3' }] }]);
  });

  it('gives it the collation that the join compares by', () => {
    const operations = [aggregate([LOOKUP], { collation: WITHOUT_CASE })];
    expect(commandOf(shop({}, operations))).toMatchObject([
      { indexes: [{ key: { order: 1 }, collation: WITHOUT_CASE }] },
    ]);
    const german = { options: { collation: { locale: 'de' } } };
    expect(commandOf(shop(german))).toMatchObject([{ indexes: [{ collation: { locale: 'simple' } }] }]);
  });

  it('creates one for each collation', () => {
    const operations = [aggregate([LOOKUP], { collation: WITHOUT_CASE }), aggregate([LOOKUP])];
    const indexes = [
      { key: { order: 1 }, name: 'order_1', collation: WITHOUT_CASE },
      { key: { order: 1 }, name: 'order_1_2' },
    ];
    const texts = {
      orders: { fields: { _id: { objectId: 100 }, number: { string: 100 } } },
      payments: { fields: { order: { string: 100 } } },
    };
    expect(commandOf({ ...shop({}, operations), collections: texts })).toEqual([
      { createIndexes: 'payments', indexes },
    ]);
    // No collation makes a difference to numbers.
    expect(commandOf(shop({}, operations))).toMatchObject([{ indexes: indexes.slice(0, 1) }]);
  });

  it('covers all equalities of the join where none of the fields holds arrays', () => {
    const both = EXPRESSION({ $and: [{ $eq: ['$order', '$$n'] }, { $eq: ['$customer', '$$ns'] }] });
    const fields = { order: { int: 100 }, customer: { int: 100 } };
    expect(commandOf(shop({ fields }, [aggregate([both])]))).toMatchObject([
      { indexes: [{ key: { order: 1, customer: 1 } }] },
    ]);
    expect(commandOf(shop({ fields }, [aggregate([both]), aggregate([LOOKUP])]))).toMatchObject([
      { indexes: [{ key: { order: 1 } }] },
    ]);
  });

  it('shows a hidden index again', () => {
    const { remedy, message } = problemIn(
      missingLookupIndex,
      shop({ indexes: [index({ order: 1 }, { hidden: true })] }),
    );
    expect(remedy.commands).toEqual([
      { db: 'shop', command: { collMod: 'payments', index: { name: 'order_1', hidden: false } } },
    ]);
    expect(message).toContain('The index order_1 does not serve it: it is hidden');
  });

  it.each<[string, Document, string]>([
    ['$expr with $in', EXPRESSION({ $in: ['$order', '$$ns'] }), 'Write the join with `localField` and `foreignField`'],
    [
      'a converted foreign field',
      EXPRESSION({ $eq: [{ $toString: '$order' }, '$$n'] }),
      'Convert the outer side in `let`',
    ],
    ['a computed foreign field', EXPRESSION({ $eq: [{ $add: ['$order', 1] }, '$$n'] }), 'Store the computed value'],
    [
      'a wrapped comparison',
      EXPRESSION({ $not: [{ $ne: ['$order', '$$n'] }] }),
      'Compare the field with the variable directly',
    ],
  ])('is to rewrite %s, without a command', (_, stage, text) => {
    const { path, remedy, message } = problemIn(missingLookupIndex, shop({}, [aggregate([stage])]));
    expect({ path, commands: remedy.commands }).toEqual({ path: 'order', commands: undefined });
    expect(remedy.text).toContain(text);
    expect(message).toContain('No index can serve this join: ');
    expect(remedy.steps.at(-1)?.text).toMatch(/^Run mongolint again/);
  });

  it('is to compare elements where the field holds arrays, which $expr does not', () => {
    const payments: GivenCollection = { fields: { order: { array: 100 }, 'order[]': { int: 300 } } };
    const { remedy, message } = problemIn(
      missingLookupIndex,
      shop(payments, [aggregate([EXPRESSION({ $eq: ['$order', '$$n'] })])]),
    );
    expect(remedy.commands).toBeUndefined();
    expect(message).toContain('some documents hold arrays at "order", and $expr compares an array as a whole');
    expect(remedy.text).toMatch(/^Write the join with `localField` and `foreignField`: they compare each element/);
  });

  it('is both if an index helps some of the joins and others must be rewritten', () => {
    const { remedy } = problemIn(
      missingLookupIndex,
      shop({}, [aggregate([LOOKUP]), aggregate([EXPRESSION({ $in: ['$order', '$$ns'] })])]),
    );
    expect(remedy.commands).toHaveLength(1);
    expect(remedy.text).toMatch(
      /^Create an index on \{ order: 1 \}.*Rewrite the other joins, as follows\. Write the join with `localField`/,
    );
  });
});

const notJudged = (given: GivenCluster) =>
  judgeCluster(missingLookupIndex, given).flatMap((verdict) =>
    'notJudged' in verdict ? [[verdict.namespace, verdict.notJudged]] : [],
  );

describe('what is not judged is said', () => {
  it.each<[string, GivenCluster, unknown]>([
    ['nothing where all is known', shop({}), []],
    ['indexes that could not be read', shop({ indexes: null }), [['shop.payments', 'privilege']]],
    ['sizes that could not be read', shop({ documents: null }), [['shop.payments', 'privilege']]],
    [
      'fields that can be traced to no stored one',
      shop({}, [], {
        views: {
          without: { viewOn: 'payments', pipeline: [{ $unset: 'order' }] },
          details: {
            viewOn: 'orders',
            pipeline: [{ $lookup: { ...(LOOKUP['$lookup'] as Document), from: 'without' } }],
          },
        },
      }),
      [['shop.payments', 'insufficient']],
    ],
    [
      'a source without the privilege',
      shop({}, [], { sources: { recentLog: absent('privilege', 'not authorized') } }),
      [[undefined, 'privilege']],
    ],
    [
      'sources that are off, in one entry',
      shop({}, [], { sources: { profiler: absent('insufficient', 'off') } }),
      [[undefined, 'insufficient']],
    ],
    [
      'nothing of sources that are off where logs tell',
      shop({}, [], {
        sources: {
          profiler: absent('insufficient', 'off'),
          logFile: present({
            parts: [
              {
                file: 'mongod.log',
                coverage: { operations: 'slow', slowMilliseconds: null, sampleRate: null },
                window: null,
                entries: 5,
                ignored: 0,
                unreadable: 0,
                bounded: false,
              },
            ],
            gaps: [],
          }),
        },
      }),
      [],
    ],
    [
      'a field whose name looks like data',
      shop({}, [
        aggregate([
          { $lookup: { from: 'payments', localField: 'number', foreignField: 'orders.John Smith', as: 'found' } },
        ]),
      ]),
      [['shop.payments', 'insufficient']],
    ],
    [
      'aggregates that a source had cut, whatever is left of their joins',
      shop({}, [
        aggregate([{ $match: { a: 1 } }], { truncated: true }),
        aggregate([{ $lookup: { from: 'payments', localField: 'number' } }], { truncated: true }),
        aggregate([{ $graphLookup: { from: 'payments', startWith: '$number' } }], { truncated: true }),
      ]),
      [['shop.orders', 'bound']],
    ],
  ])('%s', (_, given, expected) => {
    expect(notJudged(given)).toEqual(expected);
  });
});

it('a name that looks like data is told as such, and not told', () => {
  const [verdict] = judgeCluster(
    missingLookupIndex,
    shop({}, [
      aggregate([
        { $lookup: { from: 'payments', localField: 'number', foreignField: 'orders.John Smith', as: 'found' } },
      ]),
    ]),
  );
  expect(verdict).toMatchObject({ detail: expect.stringContaining('whose names look like data') });
  expect(JSON.stringify(verdict)).not.toContain('John');
});
