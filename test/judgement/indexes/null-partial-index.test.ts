import { describe, expect, it } from 'vitest';
import type { IndexDescription } from '../../../src/check.js';
import { servesNulls } from '../../../src/judgement/indexes/null-partial-index.js';
import type { SuggestedIndex } from '../../../src/judgement/indexes/suggested-index.js';
import { index } from '../../support/checks/index-builders.js';

const OF_LIVE = { partialFilterExpression: { deletedAt: null } };
const ASKED: SuggestedIndex = {
  equality: ['owner', 'deletedAt'],
  further: [['placed', -1]],
  sorts: true,
  nulls: ['deletedAt'],
};
const ORDER_ALONE: SuggestedIndex = { ...ASKED, equality: ['deletedAt'] };

/** Labelled by the plans of a server: its queries use such an index, or do not. */
describe('a partial index over documents without a value', () => {
  it.each<[string, IndexDescription, SuggestedIndex, boolean]>([
    ['serves what asks for null', index({ owner: 1, placed: -1 }, OF_LIVE), ASKED, true],
    ['serves it read backwards', index({ owner: 1, placed: 1 }, OF_LIVE), ASKED, true],
    ['serves it with the field in its key', index({ deletedAt: 1, owner: 1, placed: -1 }, OF_LIVE), ASKED, true],
    [
      'serves it if its filter is in words',
      index({ owner: 1, placed: -1 }, { partialFilterExpression: { $and: [{ deletedAt: { $eq: null } }] } }),
      ASKED,
      true,
    ],
    ['gives an order', index({ placed: -1 }, OF_LIVE), ORDER_ALONE, true],
    [
      'finds nothing by a field that is not asked for',
      index({ kind: 1 }, OF_LIVE),
      { ...ORDER_ALONE, further: [] },
      false,
    ],
    ['does not serve a value', index({ owner: 1, placed: -1 }, OF_LIVE), { ...ASKED, nulls: [] }, false],
    [
      'does not serve what asks for another null',
      index({ owner: 1, placed: -1 }, OF_LIVE),
      { ...ASKED, nulls: ['owner'] },
      false,
    ],
    [
      'does not serve if it leaves out more',
      index({ owner: 1, placed: -1 }, { partialFilterExpression: { deletedAt: null, total: { $gt: 5 } } }),
      ASKED,
      false,
    ],
    [
      'does not serve if it holds others',
      index({ owner: 1, placed: -1 }, { partialFilterExpression: { deletedAt: { $exists: true } } }),
      ASKED,
      false,
    ],
    ['does not serve in another order', index({ placed: -1, owner: 1 }, OF_LIVE), ASKED, false],
    ['does not serve if it is sparse', index({ owner: 1, placed: -1 }, { ...OF_LIVE, sparse: true }), ASKED, false],
    ['is not a whole index', index({ owner: 1, placed: -1 }), ASKED, false],
  ])('%s', (_, existing, asked, expected) => {
    expect(servesNulls(existing, asked, null)).toBe(expected);
  });
});
