import { describe, expect, it } from 'vitest';
import { mappedNamespace } from '../../src/inventory/namespace-glob.js';

describe('a database that has another name elsewhere', () => {
  it.each([
    ['shop_test.orders', 'shop.orders'],
    ['shop_test', 'shop'],
    ['shop_test.a.b', 'shop.a.b'],
    ['shop_tests.orders', 'shop_tests.orders'],
    ['other.shop_test', 'other.shop_test'],
  ])('turns %s into %s', (namespace, expected) =>
    expect(mappedNamespace(namespace, [{ from: 'shop_test', to: 'shop' }])).toBe(expected),
  );
});
