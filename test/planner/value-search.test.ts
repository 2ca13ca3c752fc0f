import { expect, it } from 'vitest';
import type { IndexDescription } from '../../src/inventory/collection.js';
import { findsByValue, type ValueSearch } from '../../src/planner/value-search.js';
import type { TypeCounts } from '../../src/profile/document-profile.js';
import { index } from '../support/checks/index-builders.js';

const german = { locale: 'de', strength: 3 };

it.each<[IndexDescription['key'], Partial<IndexDescription>, Partial<ValueSearch>, boolean, TypeCounts?]>([
  [{ a: 1 }, {}, {}, true],
  [{ a: -1, b: 1 }, {}, {}, true],
  [{ b: 1, a: 1 }, {}, {}, false],
  [{ b: 1, a: 1 }, {}, { paths: ['b', 'a'] }, true],
  [{ a: 1 }, { hidden: true }, {}, false],
  [{ a: 1 }, { partialFilterExpression: { open: true } }, {}, false],
  [{ a: 1 }, { partialFilterExpression: { a: { $gt: 5 } } }, {}, false, { int: 1 }],
  [{ a: 1 }, { partialFilterExpression: { a: { $exists: true } } }, {}, true],
  [{ a: 1 }, { sparse: true }, {}, true],
  [{ a: 1 }, { sparse: true }, { inExpression: true }, false],
  [{ a: 1 }, {}, { inExpression: true }, false, { int: 1, array: 1 }],
  [{ a: 'hashed' }, {}, {}, true],
  [{ a: 'hashed' }, {}, { inExpression: true }, true],
  [{ a: '2dsphere' }, {}, {}, false],
  [{ a: 1, place: '2dsphere' }, {}, {}, false],
  [{ '$**': 1 }, {}, {}, false],
  [{ '$**': 1 }, {}, {}, true, { objectId: 1, null: 1 }],
  [{ a: 1 }, { collation: german }, {}, false],
  [{ a: 1 }, { collation: german }, { collation: { locale: 'de' } }, true],
  [{ a: 1 }, { collation: german }, {}, true, { objectId: 1 }],
  [{ a: 1 }, {}, { collation: german }, false, { string: 1 }],
  [{ 7: 1, a: 1 }, {}, { paths: ['7', 'a'] }, false],
])('an index on %j %j finds by %j: %s (values of %j)', (key, options, search, expected, types) => {
  const field = { path: 'a', documents: 1, elementsPerArray: null, longestString: null };
  const fieldTypes = types === undefined ? null : { documents: 1, complete: true, fields: [{ ...field, types }] };
  expect(findsByValue(index(key, options), { paths: ['a'], collation: null, ...search }, fieldTypes)).toBe(expected);
});
