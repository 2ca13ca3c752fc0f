import { describe, expect, it } from 'vitest';
import { globMatcher, syntaxFault } from '../../src/text/glob.js';

const STARS = 'a*'.repeat(20);
const NAME = 'a'.repeat(45);

describe('a glob over names', () => {
  it.each([
    ['shop.orders', 'shop.orders', true],
    ['shop.orders', 'shop.orders2', false],
    ['shop.*', 'shop.a/b.c\nd', true],
    ['*', '.hidden', true],
    ['shop.?', 'shop.', false],
    ['shop.[a-c]x', 'shop.bx', true],
    ['shop.[!a-c]x', 'shop.bx', false],
    ['shop.[]a]', 'shop.]', true],
    ['shop.[a-]', 'shop.-', true],
    ['shop.{a,b{c,d}}', 'shop.bd', true],
    ['shop.{a}', 'shop.{a}', true],
    ['log_{1..3}', 'log_2', true],
    ['log_{1..3}', 'log_4', false],
    ['@(a|b)+', 'b+', true],
    ['?(a)b', 'b', true],
    ['+(ab)', 'abab', true],
    ['+(ab)', '', false],
    ['*(ab)', '', true],
    ['shop.!(orders|carts)', 'shop.orders', false],
    ['shop.!(orders|carts)', 'shop.orders2', true],
    ['!shop.tmp', 'shop.orders', true],
    ['!shop.tmp', 'shop.tmp', false],
    ['shop.\\[old', 'shop.[old', true],
    ['a|b', 'a', false],
    // One with a fault stands for itself.
    ['shop.[old', 'shop.[old', true],
    ['shop.[old', 'shop.o', false],
    // No engine that goes back could say these.
    [`${STARS}!`, NAME, false],
    [STARS, NAME, true],
    [`${'*(a|aa)'.repeat(10)}!`, NAME, false],
    ['+(+(+(+(a))))!', NAME, false],
    ['!(!(!(!(a*)*)*)*)b', NAME, false],
    [`${'{a,aa}'.repeat(20)}!`, NAME, false],
    [`${'(a|'.repeat(240)}a${')'.repeat(240)}`, NAME, false],
    ['*'.repeat(1_001), NAME, false],
  ])('%s of %j: %s', (glob, name, expected) => {
    expect(globMatcher([glob])(name)).toBe(expected);
  });

  it('is one of several', () => {
    const matches = globMatcher(['shop.*', 'crm.*']);
    expect(['shop.a', 'crm.a', 'erp.a'].map(matches)).toEqual([true, true, false]);
  });

  it.each(['{'.repeat(1_000), '('.repeat(1_000), '['.repeat(1_000), '\\'.repeat(999), '*'.repeat(1_001)])(
    'is refused if it can mean nothing: %s',
    (glob) => {
      expect(syntaxFault(glob)).not.toBeNull();
    },
  );
});

describe('a glob over paths', () => {
  it.each([
    ['*.js', 'a.js', true],
    ['*.js', 'src/a.js', false],
    ['src/*.js', 'src/a.js', true],
    ['**/*.js', 'a.js', true],
    ['**/*.js', 'src/b/a.js', true],
    ['**', 'src/a.js', true],
    ['src/**', 'src/b/a.js', true],
    ['src/**', 'lib/a.js', false],
    ['legacy/**/x?', 'legacy/x1', true],
    ['*', '.hidden', false],
    ['**/*', 'a/.git/b', false],
    ['.*', '.hidden', true],
    ['{src,lib}/**', 'lib/a/b.js', true],
    ['!(*.test).js', 'a.test.js', false],
    ['!(*.test).js', 'a.js', true],
    ['[!b]*', 'a/b', false],
    [`${'**/'.repeat(20)}!`, 'a/'.repeat(20), false],
  ])('%s of %j: %s', (glob, path, expected) => {
    expect(globMatcher([glob], 'paths')(path)).toBe(expected);
  });
});
