import { describe, expect, it } from 'vitest';
import { shellCollection } from '../../src/namespace.js';

describe('shellCollection', () => {
  it.each([
    ['shop.orders', 'db.getSiblingDB("shop").orders'],
    ['shop.order_lines2', 'db.getSiblingDB("shop").order_lines2'],
    ['shop.stats', 'db.getSiblingDB("shop").getCollection("stats")'],
    ['shop.getUsers', 'db.getSiblingDB("shop").getCollection("getUsers")'],
    ['shop._drafts', 'db.getSiblingDB("shop").getCollection("_drafts")'],
    ['shop.order-items.2024', 'db.getSiblingDB("shop").getCollection("order-items.2024")'],
    ['shop.of "x"', 'db.getSiblingDB("shop").getCollection("of \\"x\\"")'],
  ])('names %s', (namespace, expected) => {
    expect(shellCollection(namespace)).toBe(expected);
  });
});
