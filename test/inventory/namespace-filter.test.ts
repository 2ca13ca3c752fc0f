import { describe, expect, it } from 'vitest';
import { namespaceFilter } from '../../src/inventory/namespace-filter.js';
import { isSystemCollection, isSystemDatabase } from '../../src/inventory/system-namespaces.js';

describe('namespaceFilter', () => {
  it.each([
    ['everything without globs', [], [], 'shop.orders', true],
    ['a collection', ['shop.orders'], [], 'shop.orders', true],
    ['another collection', ['shop.orders'], [], 'shop.orders2', false],
    ['a database by glob', ['shop.*'], [], 'shop.orders', true],
    ['a database by name', ['shop'], [], 'shop.orders', true],
    ['a database by name, not its namesake', ['shop'], [], 'shop2.orders', false],
    ['a collection with dots', ['shop.*'], [], 'shop.orders.archive', true],
    ['a collection with a slash', ['shop.*'], [], 'shop.a/b', true],
    ['a collection that begins with a dot', ['shop.*'], [], 'shop..hidden', true],
    ['one in every database', ['*.orders'], [], 'shop.orders', true],
    ['a star', ['*'], [], 'shop.orders', true],
    ['alternatives', ['{shop,crm}.*'], [], 'crm.leads', true],
    ['excluded', [], ['shop.tmp*'], 'shop.tmp_1', false],
    ['not excluded', [], ['shop.tmp*'], 'shop.orders', true],
    ['included and excluded', ['shop.*'], ['*.orders'], 'shop.orders', false],
    ['an excluded database', [], ['shop'], 'shop.orders', false],
  ])('%s', (_, include, exclude, namespace, expected) => {
    expect(namespaceFilter({ include, exclude })(namespace)).toBe(expected);
  });
});

describe('system namespaces', () => {
  it.each(['admin', 'config', 'local'])('%s is a system database', (name) => expect(isSystemDatabase(name)).toBe(true));
  it.each(['shop', 'administration', 'Local'])('%s is not', (name) => expect(isSystemDatabase(name)).toBe(false));
  it.each(['system.profile', 'system.views', 'system.buckets.readings', 'enxcol_.patients.esc'])(
    '%s is a system collection',
    (name) => expect(isSystemCollection(name)).toBe(true),
  );
  it.each(['systems', 'orders.system', 'system_users'])('%s is not', (name) => expect(isSystemCollection(name)).toBe(false));
});
