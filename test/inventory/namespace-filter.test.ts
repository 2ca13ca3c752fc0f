import { describe, expect, it } from 'vitest';
import { mayMatchIn, namedDatabases, namespaceFilter } from '../../src/inventory/namespace-glob.js';
import { globFault, isSystemCollection, isSystemDatabase } from '../../src/inventory/namespace-glob.js';
import { lint } from '../../src/lint/lint.js';

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
    ['alternatives of whole namespaces', ['{shop.orders,crm.leads}'], [], 'crm.leads', true],
    ['a bracket that stands for itself', ['shop.\\[old'], [], 'shop.[old', true],
  ])('%s', (_, include, exclude, namespace, expected) => {
    expect(namespaceFilter({ include, exclude })(namespace)).toBe(expected);
  });
});

describe('the databases that globs name', () => {
  it.each<[string, readonly string[], readonly string[] | null]>([
    ['none', [], null],
    ['outright, each once', ['shop.orders', 'shop.carts', 'crm'], ['shop', 'crm']],
    ['by a pattern', ['shop.*', '{crm,erp}.*'], null],
    ['within brackets that hold a dot', ['{shop.orders,crm.leads}'], null],
    ['by what they are not', ['!shop.tmp'], null],
  ])('%s', (_, include, expected) => {
    expect(namedDatabases(include)).toEqual(expected);
  });

  it.each(['shop', 'shop.orders', '{shop.orders,crm.leads}', '!shop.tmp', '!shop', '*'])(
    '%s may match collections of shop',
    (glob) => {
      expect(mayMatchIn(glob, 'shop')).toBe(true);
    },
  );

  it('are not others than these', () => {
    expect(mayMatchIn('shop.orders', 'crm')).toBe(false);
  });
});

describe('globFault', () => {
  it.each([
    ['shop.orders'],
    ['shop'],
    ['shop.*'],
    ['*'],
    ['*.tmp_*'],
    ['{shop,crm}.*'],
    ['{shop.orders,crm.leads}'],
    ['shop.[a-c]*'],
    ['shop.!(orders|carts)'],
    ['!shop.tmp'],
    ['shop.\\[old'],
    ['shop.a/b'],
    ['shop..hidden'],
  ])('finds none in %s', (glob) => {
    expect(globFault(glob)).toBeNull();
  });

  it.each([
    ['', /^is empty$/],
    ['[', /^lacks a "\]"/],
    ['shop.[ab', /^lacks a "\]"/],
    ['shop.ab]', /^lacks a "\["/],
    ['shop.{a,b', /^lacks a "}"/],
    ['shop.(a|b', /^lacks a "\)"/],
    ['shop.!(a', /^lacks a "\)"/],
    ['shop.[z-a]', /^is malformed: write ranges/],
    ['shop.a\\', /^is malformed: write ranges/],
    ['.orders', /^names no database/],
    ['shop.', /^names no collection/],
    ['shop/orders', /^has a "\/" in the name of the database/],
    [' shop.*', /^has a " " in the name of the database/],
    ['"shop.*"', /^has a """ in the name of the database/],
  ])('says what is wrong with %j', (glob, expected) => {
    expect(globFault(glob)).toMatch(expected);
  });
});

describe('lint', () => {
  it('refuses a broken glob before it connects', async () => {
    const linting = lint({ uri: 'mongodb://localhost:1', exclude: ['shop.['] });
    await expect(linting).rejects.toThrow(/^exclude: the glob shop\.\[ lacks a "\]"/);
  });
});

describe('system namespaces', () => {
  it.each(['admin', 'config', 'local'])('%s is a system database', (name) => expect(isSystemDatabase(name)).toBe(true));
  it.each(['shop', 'administration', 'Local'])('%s is not', (name) => expect(isSystemDatabase(name)).toBe(false));
  it.each(['system.profile', 'system.views', 'system.buckets.readings', 'enxcol_.patients.esc'])(
    '%s is a system collection',
    (name) => expect(isSystemCollection(name)).toBe(true),
  );
  it.each(['systems', 'orders.system', 'system_users'])('%s is not', (name) =>
    expect(isSystemCollection(name)).toBe(false),
  );
});
