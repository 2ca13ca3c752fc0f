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

  it('matches a part of the name here, for one database at a time', () => {
    const map = databaseMap(['shop_test_*=shop', 'blog_test=blog']);
    expect(map.toHere('shop.orders')).toBeNull();
    expect(map.toProduction('shop_test_3.orders')).toBe('shop.orders');
    expect(map.toHere('shop.orders')).toBe('shop_test_3.orders');
    expect(map.toProduction('shop.orders')).toBeNull();
    expect(map.toProduction('other.orders')).toBe('other.orders');
    expect(map.toProduction('blog_test.posts')).toBe('blog.posts');
    expect(() => map.toProduction('shop_test_4.orders')).toThrow(
      'map: shop_test_3 and shop_test_4 are both shop in production: lint one at a time.',
    );
  });

  it.each([
    [['shop'], 'map: shop is not of the form FROM=TO, as in shop_test=shop.'],
    [['=shop'], 'map: =shop is not of the form FROM=TO, as in shop_test=shop.'],
    [['a=b=c'], 'map: a=b=c is not of the form FROM=TO, as in shop_test=shop.'],
    [
      ['a.x=b.x'],
      'map: a.x=b.x names databases, without collections; only a "*" in the first one stands for any text.',
    ],
    [['a=b*'], 'map: a=b* names databases, without collections; only a "*" in the first one stands for any text.'],
    [['a=b', 'a=c'], 'map: a is given twice, as b and as c.'],
    [['a=c', 'b=c'], 'map: a and b are both c in production: lint one at a time.'],
  ])('refuses %j', (mappings, message) => {
    expect(() => databaseMap(mappings)).toThrow(message);
  });
});
