import { describe, expect, it } from 'vitest';
import type { IndexDescription, IndexProposal } from '../../../src/check.js';
import { proposeIndexes, type WantedIndex } from '../../../src/judgement/indexes/index-proposal.js';
import { indexSteps } from '../../../src/judgement/indexes/index-steps.js';
import { index } from '../../support/checks/index-builders.js';
import { joinedCluster, type GivenCollection } from '../../support/checks/joined-evidence.js';

const german = { locale: 'de', strength: 3 };

function wanted(key: IndexDescription['key'], further: Partial<WantedIndex> = {}): WantedIndex {
  return { key, collation: null, isServedBy: () => false, ...further };
}

function proposed(indexes: readonly WantedIndex[], given: GivenCollection): readonly IndexProposal[] {
  const known = joinedCluster({ collections: { orders: given } }).collections.get('shop.orders');
  if (known === undefined) throw new Error('The collection is missing.');
  return proposeIndexes(indexes, known);
}

const fields = { customer: { int: 100 }, placed: { date: 100 }, tags: { array: 100 }, 'tags[]': { string: 200 } };

const isVisibleByCustomer = ({ hidden, key }: IndexDescription) => !hidden && 'customer' in key;
const hasTwoFields = ({ key }: IndexDescription) => Object.keys(key).length === 2;
const isMine = ({ name }: IndexDescription) => name === 'mine';

describe('a proposal', () => {
  it('creates what is missing, at the cost of reading every document', () => {
    expect(proposed([wanted({ customer: 1, placed: -1 })], { documents: 4_000 })).toEqual([
      {
        namespace: 'shop.orders',
        action: 'create',
        name: 'customer_1_placed_-1',
        key: { customer: 1, placed: -1 },
        options: {},
        documents: 4_000,
        supersedes: [],
      },
    ]);
  });

  it('takes names that are free', () => {
    const given = { indexes: [index({ a: 1 }, { sparse: true }), index({ b: 1 }, { name: 'a_1_2' })] };
    const names = proposed([wanted({ a: 1 }), wanted({ a: 1 }, { collation: german }), wanted({ c: 1 })], given);
    expect(names.map(({ name }) => name)).toEqual(['a_1_3', 'a_1_4', 'c_1']);
  });

  it('unhides an index that would do, once', () => {
    const given = { indexes: [index({ customer: 1 }, { hidden: true, name: 'mine' })] };
    const proposals = proposed(
      [
        wanted({ customer: 1 }, { isServedBy: isVisibleByCustomer }),
        wanted({ customer: -1 }, { isServedBy: isVisibleByCustomer }),
      ],
      given,
    );
    expect(proposals).toMatchObject([{ action: 'unhide', name: 'mine' }]);
  });

  it.each<[string, IndexDescription['key'], Partial<GivenCollection>, readonly string[]]>([
    ['its beginning', { customer: 1, placed: -1 }, { indexes: [index({ customer: 1 })] }, ['customer_1']],
    ['one that is unique', { customer: 1, placed: 1 }, { indexes: [index({ customer: 1 }, { unique: true })] }, []],
    ['one that is hidden', { customer: 1, placed: 1 }, { indexes: [index({ customer: 1 }, { hidden: true })] }, []],
    ['one for strings', { customer: 1, placed: 1 }, { indexes: [index({ customer: 1 }, { collation: german })] }, []],
    ['one without array elements', { customer: 1, tags: 1 }, { indexes: [index({ customer: 1 })] }, []],
    ['one without a field that is not known', { customer: 1, age: 1 }, { indexes: [index({ customer: 1 })] }, []],
    [
      'an index hidden so far, that of its beginning',
      { customer: 1, placed: 1 },
      { indexes: [index({ customer: 1, placed: 1 }, { hidden: true }), index({ customer: 1 })] },
      ['customer_1'],
    ],
  ])('supersedes or keeps %s', (_, key, given, expected) => {
    expect(
      proposed([wanted(key, { isServedBy: hasTwoFields })], { fields, ...given }).map(({ supersedes }) => supersedes),
    ).toEqual([expected]);
  });
});

describe('the steps of proposals', () => {
  it('unhide, create, check, and name what is redundant then', () => {
    const proposals = proposed([wanted({ customer: 1, placed: 1 }), wanted({ at: 1 }, { isServedBy: isMine })], {
      fields,
      documents: 1_000,
      indexes: [index({ customer: 1 }), index({ at: 1 }, { hidden: true, name: 'mine' })],
    });
    const steps = indexSteps(proposals, 'Because.');
    expect(steps.map(({ command }) => command?.command)).toEqual([
      { collMod: 'orders', index: { name: 'mine', hidden: false } },
      { createIndexes: 'orders', indexes: [{ key: { customer: 1, placed: 1 }, name: 'customer_1_placed_1' }] },
      undefined,
      undefined,
    ]);
    expect(steps.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Unhide the index `mine` on \{ at: 1 \} of shop\.orders: .* takes no time/),
      'Create an index on { customer: 1, placed: 1 } of shop.orders. Because. ' +
        'The build reads all 1,000 documents on every member that holds data, while reads and writes go on.',
      expect.stringContaining('`accesses.ops` grows'),
      expect.stringMatching(/^`customer_1` is then redundant\. Hide it first/),
    ]);
    expect(steps[2]?.code).toBe(
      'db.getSiblingDB("shop").orders.aggregate([{ "$indexStats": {} }, { "$match": { "name": { "$in": ["customer_1_placed_1", "mine"] } } }])',
    );
  });
});
