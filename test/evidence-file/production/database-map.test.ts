import { describe, expect, it } from 'vitest';
import { databaseMap } from '../../../src/evidence-file/production/database-map.js';

describe('a map of databases', () => {
  it.each([
    ['a mapped one', ['shop_test=shop'], 'shop_test.orders', 'shop.orders'],
    ['one with its own name', ['shop_test=shop'], 'blog.posts', 'blog.posts'],
    ['dots in the name of a collection', ['shop_test=shop'], 'shop_test.a.b', 'shop.a.b'],
    ['one whose name is that of another in production', ['shop_test=shop'], 'shop.orders', null],
    ['two that change places', ['a=b', 'b=a'], 'a.x', 'b.x'],
  ] as const)('%s', (_, mappings, here, production) => {
    const map = databaseMap(mappings);
    expect(map.toProduction(here)).toBe(production);
    expect(production === null ? null : map.toHere(production)).toBe(production === null ? null : here);
  });

  it('has no name here for a database of production whose name is taken', () => {
    expect(databaseMap(['shop_test=shop']).toHere('shop_test.orders')).toBeNull();
  });

  it.each([
    [['shop'], 'map: shop is not of the form FROM=TO, as in shop_test=shop.'],
    [['=shop'], 'map: =shop is not of the form FROM=TO, as in shop_test=shop.'],
    [['a=b=c'], 'map: a=b=c is not of the form FROM=TO, as in shop_test=shop.'],
    [['a.x=b.x'], 'map: a.x=b.x names databases, without collections and globs.'],
    [['test_*=shop'], 'map: test_*=shop names databases, without collections and globs.'],
    [['a=b', 'a=c'], 'map: a is given twice, as b and as c.'],
    [['a=c', 'b=c'], 'map: a and b are both c in production: lint one at a time.'],
  ])('refuses %j', (mappings, message) => {
    expect(() => databaseMap(mappings)).toThrow(message);
  });
});
