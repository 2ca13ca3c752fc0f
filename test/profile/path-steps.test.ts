import { expect, it } from 'vitest';
import { isQueryable } from '../../src/profile/path-steps.js';

it.each<[string, boolean]>([
  ['a', true],
  ['a.b', true],
  ['a[].b', true],
  ['a[].b[]', true],
  ['a*b', true],
  ['ref.$id', true],
  ['$a', false],
  ['*', false],
  ['a.*', false],
  ['a.*.b', false],
  ['a[].*[]', false],
  ['["a.b"]', false],
  ['a["b.c"].d', false],
  ['a[][]', false],
  ['a[][].b', false],
])('a query finds the values at %s: %s', (path, expected) => {
  expect(isQueryable(path)).toBe(expected);
});
