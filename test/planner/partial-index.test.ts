import type { Document } from 'mongodb';
import { expect, it } from 'vitest';
import type { IndexDescription } from '../../src/check.js';
import { accessOf } from '../../src/planner/access-of.js';
import { isRefused } from '../../src/planner/access.js';
import { isAsGood } from '../../src/planner/as-good.js';
import { predicateOfShape } from '../../src/planner/filter-predicate.js';
import { index } from '../support/checks/index-builders.js';

const OF_LIVE = { partialFilterExpression: { deletedAt: null } };
const WITHOUT_ARRAYS = { holdsArray: () => false };
const WHOLE = index({ owner: 1, deletedAt: 1, placed: -1 });
const ASKED = { owner: { $eq: '?objectId' }, deletedAt: { $eq: '?null' } };

/** Whether an index does for a query by owner, in order, what one over all documents with all its fields would do. */
function serves(existing: IndexDescription, filter: Document): boolean {
  const query = { filter: predicateOfShape(filter), sort: [['placed', -1]] as const, returns: null, collation: null };
  const [found, whole] = [existing, WHOLE].map((each) => accessOf(each, WITHOUT_ARRAYS, query));
  return found !== undefined && whole !== undefined && !isRefused(found) && !isRefused(whole) && isAsGood(found, whole);
}

/** Labelled by the plans of a server: its queries use such an index, or do not. */
it.each<[string, IndexDescription, Document, boolean]>([
  ['serves what asks for null', index({ owner: 1, placed: -1 }, OF_LIVE), ASKED, true],
  ['serves it read backwards', index({ owner: 1, placed: 1 }, OF_LIVE), ASKED, true],
  ['serves it with the field in its key', index({ deletedAt: 1, owner: 1, placed: -1 }, OF_LIVE), ASKED, true],
  [
    'serves it if its filter is in words',
    index({ owner: 1, placed: -1 }, { partialFilterExpression: { $and: [{ deletedAt: { $eq: null } }] } }),
    ASKED,
    true,
  ],
  [
    'does not serve a value',
    index({ owner: 1, placed: -1 }, OF_LIVE),
    { ...ASKED, deletedAt: { $eq: '?date' } },
    false,
  ],
  [
    'does not serve what asks for another null',
    index({ owner: 1, placed: -1 }, OF_LIVE),
    { owner: { $eq: '?null' } },
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
])('a partial index over documents without a value %s', (_, existing, filter, expected) => {
  expect(serves(existing, filter)).toBe(expected);
});
