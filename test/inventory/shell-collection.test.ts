import { describe, expect, it } from 'vitest';
import { shellCollection } from '../../src/namespace.js';

describe('shellCollection', () => {
  it.each([
    ['shop.orders', 'db.getSiblingDB("shop").getCollection("orders")'],
    ['shop.order-items.2024', 'db.getSiblingDB("shop").getCollection("order-items.2024")'],
    ['shop.of "x"', 'db.getSiblingDB("shop").getCollection("of \\"x\\"")'],
  ])('names %s', (namespace, expected) => {
    expect(shellCollection(namespace)).toBe(expected);
  });
});
