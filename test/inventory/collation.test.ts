import type { Document } from 'mongodb';
import { expect, it } from 'vitest';
import { isSameCollation } from '../../src/inventory/collation.js';

/** As `listIndexes` completes `{locale: 'en', strength: 2}`. */
const LISTED = {
  locale: 'en',
  caseLevel: false,
  caseFirst: 'off',
  strength: 2,
  numericOrdering: false,
  alternate: 'non-ignorable',
  maxVariable: 'punct',
  normalization: false,
  backwards: false,
  version: '57.1',
};

it.each<[Document | null | undefined, Document | null | undefined]>([
  [undefined, null],
  [null, { locale: 'simple' }],
  [LISTED, { locale: 'en', strength: 2 }],
  [LISTED, { locale: 'en', strength: 2, caseFirst: 'off' }],
  [{ ...LISTED, locale: 'fr_CA', strength: 3, backwards: true }, { locale: 'fr_CA' }],
  [{ ...LISTED, locale: 'th', strength: 3, alternate: 'shifted', normalization: true }, { locale: 'th' }],
  [{ ...LISTED, locale: 'da', strength: 3, caseFirst: 'upper' }, { locale: 'da' }],
  [{ ...LISTED, locale: 'vi', strength: 3, normalization: true }, { locale: 'vi' }],
])('%j and %j are the same', (one, other) => {
  expect(isSameCollation(one, other)).toBe(true);
  expect(isSameCollation(other, one)).toBe(true);
});

it.each<[Document | null | undefined, Document | null | undefined]>([
  [undefined, { locale: 'en' }],
  [LISTED, { locale: 'simple' }],
  [LISTED, { locale: 'en' }],
  [LISTED, { locale: 'de', strength: 2 }],
  [LISTED, { locale: 'en', strength: 2, numericOrdering: true }],
  [
    { ...LISTED, locale: 'fr_CA', strength: 3, backwards: true },
    { locale: 'fr_CA', backwards: false },
  ],
])('%j and %j differ', (one, other) => {
  expect(isSameCollation(one, other)).toBe(false);
  expect(isSameCollation(other, one)).toBe(false);
});
