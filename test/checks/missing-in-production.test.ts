import { describe, expect, it } from 'vitest';
import { missingInProduction } from '../../checks/missing-in-production.js';
import type { Collection, IndexDescription } from '../../src/check.js';
import { absent, present } from '../../src/presence.js';
import { judge, problem, problems } from '../support/checks/evidence-builders.js';
import { ID_INDEX, index } from '../support/checks/index-builders.js';

type Production = NonNullable<Collection['production']>;

const withIndexes = (there: readonly IndexDescription[]): Production =>
  present({ namespace: 'live.products', documentsHere: 60, indexes: present([ID_INDEX, ...there]), fields: null });

const given = (production: Production, ...here: readonly IndexDescription[]) => ({
  collection: { production },
  storage: { count: 3_100_000 },
  indexes: [ID_INDEX, ...here],
});

const text = (options: Partial<IndexDescription>) =>
  problem(missingInProduction, given(withIndexes([]), index({ a: 1 }, options))).remedy.text;

describe('missing-in-production', () => {
  it.each([
    ['the same indexes', [index({ a: 1 })], [index({ a: 1 })], []],
    ['the same by another name', [index({ a: 1 }, { name: 'mine' })], [index({ a: 1 })], []],
    ['a new one', [index({ a: 1 }), index({ b: 1 })], [index({ a: 1 })], ['b_1']],
    ['another order of fields', [index({ a: 1, b: 1 })], [index({ b: 1, a: 1 })], ['a_1_b_1']],
    ['another collation', [index({ a: 1 }, { collation: { locale: 'de' } })], [index({ a: 1 })], ['a_1']],
    [
      'a filter of the same shape, whose values are not in the file',
      [index({ a: 1 }, { partialFilterExpression: { state: { $eq: 'open' } } })],
      [index({ a: 1 }, { partialFilterExpression: { state: { $eq: '00000001' } } })],
      [],
    ],
    [
      'a filter of another shape',
      [index({ a: 1 }, { partialFilterExpression: { state: { $eq: 'open' } } })],
      [index({ a: 1 }, { partialFilterExpression: { state: { $eq: 1 } } })],
      ['a_1'],
    ],
  ] as const)('%s', (_, here, there, expected) => {
    const found = problems(missingInProduction, given(withIndexes(there), ...here));
    expect(found.map(({ path }) => path)).toEqual(expected);
    expect(found.every(({ severity }) => severity === 'info')).toBe(true);
  });

  it('says what the build reads in production, and how to run it there', () => {
    const found = problem(missingInProduction, given(withIndexes([]), index({ a: 1 })));
    expect(found.message).toContain('all 3,100,000 documents. 60 documents here, 3,100,000 in production.');
    expect(found.remedy.steps[0]?.code).toBe(
      'db.getSiblingDB("live").products.createIndex({ "a": 1 }, { "name": "a_1" })',
    );
    expect(found.remedy.commands).toBeUndefined();
  });

  it('warns of what a unique or a TTL index does there', () => {
    expect(text({ unique: true })).toContain('the build fails');
    expect(text({ expireAfterSeconds: 60 })).toContain('deletes the documents');
  });

  it('is a collection that production does not have', () => {
    expect(problem(missingInProduction, given(present(null), index({ a: 1 })))).toMatchObject({
      path: null,
      severity: 'info',
    });
  });

  it('does not judge what is not known of production', () => {
    const unknown = absent('insufficient', 'shop.products was left out when the evidence of production was collected.');
    expect(judge(missingInProduction, given(unknown, index({ a: 1 })))).toMatchObject([{ notJudged: 'insufficient' }]);
  });
});
