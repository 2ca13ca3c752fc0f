import { describe, expect, it } from 'vitest';
import { withExpectedSizes, type ExpectedSetting } from '../../src/findings/expected-sizes.js';
import type { Collection } from '../../src/inventory/collection.js';

const ORDERS: Collection = {
  namespace: 'shop.orders',
  database: 'shop',
  name: 'orders',
  kind: 'collection',
  clustered: false,
};

describe('the size that a collection is expected to have', () => {
  it.each<[string, readonly ExpectedSetting[], Collection['expected']]>([
    ['none is given', [], undefined],
    ['a glob of another collection', [{ glob: 'shop.carts', documents: 5 }], undefined],
    ['its own', [{ glob: 'shop.orders', documents: 5 }], { documents: 5, from: 'expect' }],
    ['a whole database', [{ glob: 'shop', documents: 5 }], { documents: 5, from: 'expect' }],
    [
      'the last of several',
      [
        { glob: 'shop.orders', documents: 5 },
        { glob: 'shop.*', documents: 7 },
      ],
      { documents: 7, from: 'expect' },
    ],
    [
      'the last one that gives the figure',
      [
        { glob: 'shop.*', documents: 5 },
        { glob: 'shop.orders', executionsPerDay: 12_000 },
      ],
      { documents: 5, executionsPerDay: 12_000, from: 'expect' },
    ],
  ])('%s', (_, settings, expected) => {
    expect(withExpectedSizes(settings)(ORDERS).expected).toEqual(expected);
  });
});
