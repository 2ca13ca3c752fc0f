import { expect, it } from 'vitest';
import type { IndexDescription } from '../../src/check.js';
import { plannedQuery, type Query } from '../../src/judgement/queries/query.js';
import { doesAsMuch } from '../../src/judgement/queries/scattered-keys.js';
import { index } from '../support/checks/index-builders.js';

const FIND = { status: { $eq: '?string' }, at: { $gt: '?date' } };

/** An index may be given up unattended only if another one does all that it does for each query that uses it. */
it.each<[string, IndexDescription, IndexDescription, boolean]>([
  ['begins with the same fields', index({ status: 1 }), index({ status: 1, at: 1 }), false],
  ['goes on with more fields', index({ status: 1, at: 1, total: 1 }), index({ status: 1, at: 1 }), true],
  ['has them in the opposite direction', index({ status: -1, at: -1 }), index({ status: 1, at: 1 }), true],
  ['has the range in front', index({ at: 1, status: 1 }), index({ status: 1, at: 1 }), false],
  [
    'has another collation',
    index({ status: 1, at: 1 }, { collation: { locale: 'de' } }),
    index({ status: 1, at: 1 }),
    false,
  ],
  ['is hidden', index({ status: 1, at: 1 }, { hidden: true }), index({ status: 1, at: 1 }), false],
  [
    'holds what the query may not ask for',
    index({ status: 1, at: 1 }, { partialFilterExpression: { status: 'open' } }),
    index({ status: 1, at: 1 }),
    false,
  ],
  [
    'is asked beside one of a kind that the model does not know',
    index({ status: 1, at: 1 }),
    index({ status: 'text' }),
    false,
  ],
])('another index that %s', (_, other, own, expected) => {
  const planned = plannedQuery({ filters: [FIND], sort: [['at', -1]], collation: null });
  const query = { planned, collection: { holdsArray: () => false } } as unknown as Query;
  expect(doesAsMuch(other, own, query)).toBe(expected);
});
