import { describe, expect, it } from 'vitest';
import type { LookFor } from '../../../src/finding/look-for.js';
import type { IndexDescription } from '../../../src/inventory/collection.js';
import { lookUpFilter, servesLookUp } from '../../../src/references/look-ups/look-up-known.js';

// The labels were written before the first run of the code.

const strings: LookFor = { path: 'amount', types: ['string', 'symbol'] };

describe('the query that finds a known finding', () => {
  it.each<[string, LookFor, object | null]>([
    ['stray types', strings, { amount: { $type: ['string', 'symbol'] } }],
    ['within array elements', { path: 'items.price', types: ['date'] }, { 'items.price': { $type: ['date'] } }],
    ['large documents', { bytes: 8 }, { $expr: { $gte: [{ $bsonSize: '$$ROOT' }, 8] } }],
    ['an operator in place of a field', { path: '$where', types: ['string'] }, null],
    ['a field name that is data', { path: 'byDay.*.count', types: ['string'] }, null],
    ['arrays, for which $type has another meaning', { path: 'tags', types: ['array'] }, null],
    ['a type that does not exist', { path: 'tags', types: ['text'] }, null],
  ])('of %s', (_, lookFor, filter) => {
    expect(lookUpFilter(lookFor)).toEqual(filter);
  });
});

const index = (key: IndexDescription['key'], changes: Partial<IndexDescription> = {}): IndexDescription => ({
  name: 'any',
  key,
  unique: false,
  sparse: false,
  hidden: false,
  clustered: false,
  ...changes,
});

describe('an index', () => {
  it.each<[string, IndexDescription, LookFor, boolean]>([
    ['on the field', index({ amount: 1 }), strings, true],
    ['on the field, descending', index({ amount: -1 }), strings, true],
    ['that begins with the field', index({ amount: 1, at: 1 }), strings, true],
    ['that lacks only documents without the field', index({ amount: 1 }, { sparse: true }), strings, true],
    ['that ends with the field', index({ at: 1, amount: 1 }), strings, false],
    ['of hashes', index({ amount: 'hashed' }), strings, false],
    ['of words', index({ amount: 'text' }), strings, false],
    ['on any field', index({ '$**': 1 }), strings, false],
    ['that is hidden', index({ amount: 1 }, { hidden: true }), strings, false],
    ['that is being built', index({ amount: 1 }, { building: true }), strings, false],
    ['that lacks documents', index({ amount: 1 }, { partialFilterExpression: { amount: { $gt: 0 } } }), strings, false],
    ['of a language', index({ amount: 1 }, { collation: { locale: 'de' } }), strings, false],
    ['on another field', index({ _id: 1 }), strings, false],
    ['for the size of documents', index({ amount: 1 }), { bytes: 8 }, false],
  ])('%s', (_, one, lookFor, serves) => {
    expect(servesLookUp(one, lookFor)).toBe(serves);
  });
});
