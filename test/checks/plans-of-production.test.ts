/** What production recorded with its indexes is not held against those of a branch. */
import { describe, expect, it } from 'vitest';
import { collectionScan } from '../../checks/collection-scan.js';
import { heavyLookup } from '../../checks/heavy-lookup.js';
import { inMemorySort } from '../../checks/in-memory-sort/check.js';
import { missingLookupIndex } from '../../checks/missing-lookup-index.js';
import type { IndexDescription, OperationFigures } from '../../src/check.js';
import { present } from '../../src/presence.js';
import { index } from '../support/checks/index-builders.js';
import { aggregate, problemIn, problemsIn, type GivenCluster } from '../support/checks/joined-evidence.js';

const BY_ORDER = index({ order: 1 });
const LOOKUP = { $lookup: { from: 'payments', localField: 'number', foreignField: 'order', as: 'payments' } };

const inProduction = (name: string, indexes: readonly IndexDescription[]) => ({
  production: present({ namespace: `live.${name}`, documentsHere: 60, indexes: present(indexes), fields: null }),
});

const queried = (here: readonly IndexDescription[], figures: Partial<OperationFigures>): GivenCluster => ({
  collections: { orders: { documents: 20_000, indexes: here, options: inProduction('orders', []) } },
  operations: [{ command: { filter: { status: 1 }, sort: { at: 1 } }, figures }],
});

/** A join that ran a hundred times in two days, among ten times as many reads by `_id`. */
function joins(
  here: readonly IndexDescription[],
  there: readonly IndexDescription[],
  documentsExamined: number,
): GivenCluster {
  return {
    collections: {
      orders: { fields: { number: { int: 100 } }, options: inProduction('orders', []) },
      payments: { documents: 20_000, indexes: here, options: inProduction('payments', there) },
    },
    operations: [
      aggregate([LOOKUP], { figures: { executions: 100, documentsExamined: 100 * documentsExamined } }),
      {
        command: { filter: { _id: 1 } },
        figures: { executions: 1_000, documentsExamined: 1_000, planSummaries: { IDHACK: 1_000 } },
      },
    ],
  };
}

describe('a join that production serves by an index that is not here', () => {
  const found = problemIn(missingLookupIndex, joins([], [BY_ORDER], 2));

  it('costs a scan an execution at least, whatever was recorded', () => {
    expect(found.severity).toBe('error');
    expect(found.message).toContain('Production has the index order_1 for it.');
    expect(found.evidence).toMatchObject({ documentsExamined: null, documentsHere: 60, foreignDocuments: 20_000 });
  });

  it('is found by what was recorded if production has no index either', () => {
    const both = problemIn(missingLookupIndex, joins([], [], 20_001));
    expect(both.message).not.toContain('Production has');
    expect(both.evidence).toMatchObject({ documentsExamined: 20_001 });
  });
});

describe('a join that production scans for, and an index here serves', () => {
  const served = joins([BY_ORDER], [], 20_001);

  it('is none without an index', () => {
    expect(problemsIn(missingLookupIndex, served)).toEqual([]);
  });

  it('is not weighed by what it examined without the index', () => {
    expect(problemsIn(heavyLookup, joins([BY_ORDER], [BY_ORDER], 20_001))).toHaveLength(1);
    expect(problemsIn(heavyLookup, served)).toEqual([]);
  });
});

describe('a query that production scans or sorts for', () => {
  const scan = { planSummaries: { COLLSCAN: 100 }, documentsExamined: 2_000_000, documentsReturned: 100 };
  const sort = {
    ...scan,
    planSummaries: { 'IXSCAN { status: 1 }': 100 },
    inMemorySorts: 100,
    documentsReturned: 2_000_000,
  };

  it.each([
    ['a scan', collectionScan, scan],
    ['a sort', inMemorySort, sort],
  ] as const)('is served by an index here: %s', (_, check, figures) => {
    expect(problemsIn(check, queried([], figures))).toHaveLength(1);
    expect(problemsIn(check, queried([index({ status: 1, at: 1 })], figures))).toEqual([]);
  });
});
