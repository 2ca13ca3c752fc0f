import { expect, it } from 'vitest';
import { describedIndex } from '../../src/evidence/indexes.js';

// Stood in: a server of 9.0. Source: "Release Notes for MongoDB 9.0", Known Issues, SERVER-89953.
it.each([
  ['the simple collation, as 9.0 lists it', { locale: 'simple' }, undefined],
  ['no collation, as others list it', undefined, undefined],
  ['a collation', { locale: 'de', strength: 2 }, { locale: 'de', strength: 2 }],
])('an index of %s', (_what, collation, expected) => {
  const listed = { v: 2, key: { a: 1 }, name: 'a_1', ...(collation !== undefined && { collation }) };
  expect(describedIndex('listIndexes', listed).collation).toEqual(expected);
});

it.each([NaN, Infinity])('an index of direction %s is described in another shape than a server has', (direction) => {
  const listed = { v: 2, key: { a: direction }, name: 'a' };
  expect(() => describedIndex('listIndexes', listed)).toThrow('no finite direction in its key');
});
