import { describe, expect, it } from 'vitest';
import type { IndexDescription } from '../../src/inventory/collection.js';
import { indexRelation, keyRelation } from '../../src/inventory/index-key.js';
import { index } from '../support/checks/index-builders.js';

type Key = IndexDescription['key'];
type Options = Partial<IndexDescription>;

const german = { locale: 'de', strength: 3 };
const partial = { partialFilterExpression: { open: true } };

describe('a key, beside another one', () => {
  it.each<[Key, Key, ReturnType<typeof keyRelation>]>([
    [{ a: 1 }, { a: 1, b: 1 }, 'prefix'],
    [{ a: 1, b: -1 }, { a: 1, b: -1, c: 1 }, 'prefix'],
    [{ a: 1, b: -1 }, { a: -1, b: 1, c: 1 }, 'reversed prefix'],
    [{ a: 1 }, { a: 1 }, 'same key'],
    [{ a: 1 }, { a: -1 }, 'same key'],
    [{ a: 1, b: 1 }, { a: 1, b: -1, c: 1 }, null],
    [{ a: 1, b: 1 }, { a: 1 }, null],
    [{ a: 1 }, { b: 1, a: 1 }, null],
    [{ a: 1 }, { ab: 1, c: 1 }, null],
    [{ a: 'hashed' }, { a: 'hashed', b: 1 }, 'prefix'],
    [{ a: 'hashed' }, { a: 1, b: 1 }, null],
    [{ a: 1 }, { a: 1, place: '2dsphere' }, null],
    [{ a: 1 }, { a: 1, 'b.$**': 1 }, null],
    [{ '$**': 1 }, { '$**': 1 }, null],
    // The driver hands out { a: 1, 0: 1 } as { 0: 1, a: 1 }.
    [{ 0: 1 }, { a: 1, 0: 1 }, null],
    [{ 0: 1 }, { 0: 1 }, 'same key'],
  ])('%j in %j: %s', (key, other, expected) => {
    expect(keyRelation(key, other)).toBe(expected);
  });
});

describe('an index on { a: 1 }, beside one on { a: 1, b: 1 }', () => {
  it.each<[string, Options, Options, ReturnType<typeof indexRelation>]>([
    ['of the same options', {}, {}, 'prefix'],
    ['itself hidden', { hidden: true }, {}, 'prefix'],
    ['that is hidden', {}, { hidden: true }, null],
    ['that is sparse', {}, { sparse: true }, null],
    ['itself sparse', { sparse: true }, {}, null],
    ['both sparse', { sparse: true }, { sparse: true }, 'prefix'],
    ['that is partial', {}, partial, null],
    ['itself partial', partial, {}, null],
    ['both partial', partial, partial, 'prefix'],
    ['both partial, by another filter', partial, { partialFilterExpression: { open: false } }, null],
    ['of another collation', {}, { collation: german }, null],
    ['of the same collation, written shorter', { collation: german }, { collation: { locale: 'de' } }, 'prefix'],
    ['of another strength', { collation: german }, { collation: { ...german, strength: 1 } }, null],
  ])('%s: %s', (_, options, otherOptions, expected) => {
    expect(indexRelation(index({ a: 1 }, options), index({ a: 1, b: 1 }, otherOptions))).toBe(expected);
  });
});
