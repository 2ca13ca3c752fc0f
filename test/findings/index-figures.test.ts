import { describe, expect, it } from 'vitest';
import { indexFigures } from '../../src/findings/shared-indexes.js';
import type { IndexCost, IndexProposal } from '../../src/inventory/index-proposal.js';
import { joinedCluster } from '../support/checks/joined-evidence.js';

const COST: IndexCost = {
  entries: 1_000,
  areEntriesEstimated: false,
  size: { estimate: 20_000, least: 8_000, most: 40_000 },
  supersededBytes: 4_096,
};

function proposal(further: Partial<IndexProposal> = {}): IndexProposal {
  return {
    namespace: 'shop.orders',
    action: 'create',
    name: 'customer_1_placed_1',
    key: { customer: 1, placed: 1 },
    options: {},
    documents: 1_000,
    supersedes: ['customer_1'],
    cost: COST,
    ...further,
  };
}

const { cost: _cost, ...WITHOUT_COST } = proposal();

describe('the figures of advised indexes', () => {
  it('are what one costs and what it makes superfluous', () => {
    const { workload } = joinedCluster({
      collections: { orders: {} },
      operations: [{ kind: 'insert', command: {}, figures: { documentsWritten: 60 } }],
    });
    expect(indexFigures([proposal()], workload)).toEqual({
      newIndexEntries: 1_000,
      newIndexBytesEstimated: 20_000,
      newIndexBytesRange: [8_000, 40_000],
      newIndexWrites: 60,
      newIndexWritesWindow: 'profiler, 2 days',
      newIndexWritesPerDay: 30,
      superfluousIndexes: ['customer_1'],
      superfluousIndexBytes: 4_096,
    });
  });

  it('are added up, estimated if one of them is', () => {
    const tags = proposal({
      name: 'tags_1',
      supersedes: [],
      cost: { ...COST, entries: 500, areEntriesEstimated: true },
    });
    expect(indexFigures([proposal(), tags], null)).toEqual({
      newIndexEntriesEstimated: 1_500,
      newIndexBytesEstimated: 40_000,
      newIndexBytesRange: [16_000, 80_000],
      superfluousIndexes: ['customer_1'],
    });
  });

  it('leave out sizes that are unknown of one of them', () => {
    const other = proposal({ name: 'shape_1', supersedes: [], cost: { ...COST, size: null } });
    expect(indexFigures([proposal({ supersedes: [] }), other], null)).toEqual({ newIndexEntries: 2_000 });
  });

  it.each<[string, readonly IndexProposal[]]>([
    ['the cost of one is unknown', [proposal(), WITHOUT_COST]],
    ['the index is there and hidden', [proposal({ action: 'unhide' })]],
    ['there is none', []],
  ])('are none if %s', (_, indexes) => {
    expect(indexFigures(indexes, null)).toEqual({});
  });
});
