import { describe, expect, it } from 'vitest';
import { queryWithoutItsIndex } from '../../checks/query-without-its-index.js';
import type { Collection, IndexDescription, OperationFigures, Severity } from '../../src/check.js';
import { absent, present } from '../../src/presence.js';
import { index } from '../support/checks/index-builders.js';
import { judgeCluster, problemIn, problemsIn, type GivenCluster } from '../support/checks/joined-evidence.js';

const BY_STATUS = index({ status: 1 });
const BY_CUSTOMER = index({ customer: 1 });
const BY_BOTH = index({ customer: 1, status: 1 });

interface Case {
  readonly here?: readonly IndexDescription[];
  readonly there?: readonly IndexDescription[];
  readonly plans?: readonly string[];
  readonly filter?: Readonly<Record<string, unknown>>;
  readonly documents?: number;
  readonly figures?: Partial<OperationFigures>;
  readonly source?: 'profiler' | 'queryStats';
  readonly production?: Collection['production'];
  readonly onlyInProduction?: readonly string[];
  readonly onlyHere?: readonly string[];
}

/** A query by `status` that ran ten times in two days in production, by an index of its own. */
function given({
  here = [],
  there = [BY_STATUS],
  plans = ['IXSCAN { status: 1 }'],
  filter = { status: 'open' },
  documents = 20_000,
  figures = {},
  source = 'profiler',
  onlyInProduction = [],
  onlyHere = [],
  production = present({
    namespace: 'shop.orders',
    documentsHere: 60,
    indexes: present(there),
    fields: { onlyInProduction, onlyHere },
  }),
}: Case): GivenCluster {
  return {
    collections: { orders: { documents, indexes: here, options: { production } } },
    operations: [
      {
        command: { filter },
        source,
        figures: {
          executions: 10,
          documentsExamined: 30,
          ...(source === 'profiler' && { planSummaries: Object.fromEntries(plans.map((plan) => [plan, 10])) }),
          ...figures,
        },
      },
    ],
  };
}

const OFTEN = { executions: 1_000 };

/** What was seen in production, what is here, and the severity; null if nothing is wrong. */
const CASES: readonly (readonly [string, Case, Severity | null])[] = [
  ['the index is not here', {}, 'warning'],
  ['two million documents', { documents: 2_000_000 }, 'error'],
  ['ten million documents a day', { figures: OFTEN }, 'error'],
  ['900 documents', { documents: 900, figures: OFTEN }, null],
  ['the index is here', { here: [BY_STATUS] }, null],
  ['the index is here by another name', { here: [index({ status: 1 }, { name: 'open_orders' })] }, null],
  ['a longer index here begins with it', { here: [index({ status: 1, at: 1 })] }, null],
  ['the index is hidden here', { here: [index({ status: 1 }, { hidden: true })] }, 'warning'],
  ['the index is sparse here, and holds what it asks for', { here: [index({ status: 1 }, { sparse: true })] }, null],
  ['production scans for it', { plans: ['COLLSCAN'], there: [] }, null],
  ['production has dropped it since', { there: [BY_CUSTOMER] }, null],
  ['production finds by _id', { plans: ['IDHACK'], filter: { _id: 1 } }, null],
  [
    'a shorter index here finds by the first field',
    {
      there: [BY_BOTH],
      here: [BY_CUSTOMER],
      plans: ['IXSCAN { customer: 1, status: 1 }'],
      filter: { customer: 1, status: 'open' },
    },
    'info',
  ],
  [
    'a shorter index here has the first field in another collation',
    {
      there: [BY_BOTH],
      here: [index({ customer: 1 }, { collation: { locale: 'en', strength: 2 } })],
      plans: ['IXSCAN { customer: 1, status: 1 }'],
      filter: { customer: 'Ada', status: 'open' },
    },
    'warning',
  ],
  [
    'one of two indexes that it used is here',
    { there: [BY_STATUS, BY_CUSTOMER], here: [BY_CUSTOMER], plans: ['IXSCAN { status: 1 }', 'IXSCAN { customer: 1 }'] },
    null,
  ],
  ['query stats show it, without a plan', { source: 'queryStats' }, 'warning'],
  ['query stats show it, and no index of production serves it', { source: 'queryStats', there: [BY_CUSTOMER] }, null],
  [
    'a partial index of production',
    { there: [index({ status: 1 }, { partialFilterExpression: { status: { $exists: true } } })] },
    'warning',
  ],
  ['production does not have the collection', { production: present(null) }, null],
];

describe('query-without-its-index', () => {
  it.each(CASES)('%s', (_, each, expected) => {
    const found = problemsIn(queryWithoutItsIndex, given(each)).map(({ severity }) => severity);
    expect(found).toEqual(expected === null ? [] : [expected]);
  });

  it('is less sure without a plan', () => {
    expect(problemIn(queryWithoutItsIndex, given({})).confidence).toBe('high');
    expect(problemIn(queryWithoutItsIndex, given({ source: 'queryStats' })).confidence).toBe('medium');
  });

  it('proposes the index of production, or to unhide it', () => {
    const missing = problemIn(queryWithoutItsIndex, given({}));
    expect(missing).toMatchObject({ path: 'status_1', pathIs: 'missing-index' });
    expect(missing.remedy.commands).toEqual([
      { db: 'shop', command: { createIndexes: 'orders', indexes: [{ key: { status: 1 }, name: 'status_1' }] } },
    ]);
    const hidden = problemIn(queryWithoutItsIndex, given({ here: [index({ status: 1 }, { hidden: true })] }));
    expect(hidden.pathIs).toBeUndefined();
    expect(hidden.remedy.commands?.[0]?.command).toEqual({
      collMod: 'orders',
      index: { name: 'status_1', hidden: false },
    });
  });

  it('gives no command for an index with values or promises', () => {
    for (const options of [{ unique: true }, { partialFilterExpression: { status: 'open' } }])
      expect(
        problemIn(queryWithoutItsIndex, given({ there: [index({ status: 1 }, options)] })).remedy.commands,
      ).toBeUndefined();
  });

  it('says which field is gone, and which took its place', () => {
    const renamed = problemIn(
      queryWithoutItsIndex,
      given({ here: [index({ state: 1 })], onlyInProduction: ['status'], onlyHere: ['state', 'at'] }),
    );
    expect(renamed.evidence).toMatchObject({ fieldNotHere: 'status', fieldInItsPlace: 'state' });
    expect(renamed.message).toContain('No document here has `status`, and an index here has `state` in its place');
    const gone = problemIn(queryWithoutItsIndex, given({ onlyInProduction: ['status'], onlyHere: ['at'] }));
    expect(gone.evidence).toMatchObject({ fieldNotHere: 'status', fieldInItsPlace: null });
  });

  it('does not judge what is not known of production', () => {
    const unknown = absent('privilege', 'in production: listing the collections of shop.');
    for (const production of [
      unknown,
      present({ namespace: 'shop.orders', documentsHere: 60, indexes: unknown, fields: null }),
    ]) {
      const verdicts = judgeCluster(queryWithoutItsIndex, given({ production }));
      expect(verdicts.filter((verdict) => 'notJudged' in verdict)).toMatchObject([
        { namespace: 'shop.orders', notJudged: 'privilege' },
      ]);
      expect(problemsIn(queryWithoutItsIndex, given({ production }))).toEqual([]);
    }
  });
});
