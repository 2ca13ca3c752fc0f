import type { Document } from 'mongodb';
import { expect, it } from 'vitest';
import type { IndexDescription } from '../../src/inventory/collection.js';
import { accessOf } from '../../src/planner/access-of.js';
import { isRefused, type SortField } from '../../src/planner/access.js';
import { predicateOf } from '../../src/planner/filter-predicate.js';
import { index } from '../support/checks/index-builders.js';

const EITHER = { $or: [{ c: { $exists: true } }, { b: 3 }] };
const ON_A = index({ a: 1 });
/** No list of values is read value by value for an order behind it: an array is in the key. */
const ON_A_B = index({ a: 1, b: 1, arr: 1 });
const ENGLISH = { locale: 'en', strength: 2 };
const COLLECTION = { holdsArray: (path: string) => path === 'arr' };

interface Expected {
  readonly filter: Document;
  readonly sort?: readonly SortField[];
  readonly collation?: Document;
  readonly version?: string;
  /** How the first field is bounded; null if the index is refused. */
  readonly bounds: string | null;
  readonly givesOrder?: boolean;
  readonly testsDocuments?: boolean;
  readonly returns?: readonly string[];
  readonly covered?: boolean;
}

/** As servers of both versions did; each was found by the differential suite. */
it.each<[string, IndexDescription, Expected]>([
  [
    'a value that is also compared with an array',
    ON_A_B,
    { filter: { $and: [{ a: { $gt: [1, 2] } }, { a: 1 }] }, sort: [['b', 1]], bounds: 'points', givesOrder: true },
  ],
  [
    'a value that an expression compares across types',
    ON_A_B,
    { filter: { a: 0, $expr: { $gt: ['s1', '$a'] } }, sort: [['b', 1]], bounds: 'points', givesOrder: true },
  ],
  [
    'values of which one begins as a regular expression asks',
    ON_A_B,
    {
      filter: { a: { $in: ['s1', 'q'] }, $or: [{ a: { $in: [/^s/] } }] },
      sort: [['b', 1]],
      bounds: 'points',
      givesOrder: true,
    },
  ],
  [
    'values beyond strings, asked for by another collation',
    index({ a: 1 }),
    {
      filter: { $expr: { $lt: [true, '$a'] } },
      collation: ENGLISH,
      sort: [['a', 1]],
      bounds: 'range',
      givesOrder: true,
    },
  ],
  [
    'a type beside an expression across types',
    ON_A,
    { filter: { a: { $type: 'date' }, $expr: { $lte: [true, '$a'] } }, bounds: 'type' },
  ],
  ['at most an empty object', index({ '$**': 1 }), { filter: { a: { $lte: {} } }, bounds: 'points' }],
  ['a list that repeats null', index({ '$**': 1 }), { filter: { a: { $nin: [null, null] } }, bounds: 'all' }],
  [
    'a field that is there, which may hold objects',
    index({ '$**': 1 }),
    { filter: { b: { $exists: true } }, returns: ['b'], bounds: 'all', covered: false },
  ],
  [
    'numbers that are hashed alike',
    index({ a: 'hashed' }),
    { filter: { a: { $in: [2, 2.5] } }, sort: [['a', 1]], bounds: 'points', givesOrder: true },
  ],
  [
    'a value beside an expression that is one of those of $nor',
    index({ a: 1 }, { sparse: true }),
    { filter: { a: 1, $nor: [{ $expr: { $gt: ['$a', 1] }, b: 1 }, { b: 2 }] }, version: '7.0.28', bounds: 'points' },
  ],
  [
    'alternatives on one hashed field, whose hashes it walks at once',
    index({ a: 'hashed' }),
    { filter: { $or: [{ a: 1 }, { a: { $exists: false } }] }, sort: [['a', 1]], bounds: 'points', givesOrder: false },
  ],
  [
    'hashed numbers that are one, by their fractions two',
    index({ a: 'hashed' }),
    { filter: { $and: [{ a: { $in: [1, 2] } }, { a: 1.5 }] }, sort: [['a', 1]], bounds: 'points', givesOrder: true },
  ],
  [
    'alternatives, each with what is asked beside them',
    index({ a: 'hashed', b: 1 }),
    {
      filter: { b: { $gt: [1, 2] }, $or: [{ a: null }, { a: 0, c: 1 }] },
      sort: [['b', 1]],
      bounds: 'points',
      givesOrder: true,
    },
  ],
  ['a contradiction, on 6.0', ON_A, { filter: { a: 1, $nor: [{}, { b: 1 }] }, version: '6.0.5', bounds: 'points' }],
  ['a contradiction, on 7.0', ON_A, { filter: { a: 1, $nor: [{}, { b: 1 }] }, version: '7.0.28', bounds: null }],
  [
    'a branch that contradicts itself, on 7.0',
    ON_A,
    { filter: { $or: [{ a: 3 }, { $nor: [{}, { b: 1 }] }] }, version: '7.0.28', bounds: 'points' },
  ],
  [
    'alternatives that its documents meet, on 7.0',
    index({ c: -1 }, { partialFilterExpression: EITHER }),
    { filter: { c: true, ...EITHER }, version: '7.0.28', bounds: 'points', testsDocuments: false },
  ],
])(
  'an index serves %s',
  (_, searched, { filter, sort = [], returns = null, collation = null, version, ...expected }) => {
    const query = { filter: predicateOf(filter), sort, returns, collation };
    const access = accessOf(searched, COLLECTION, query, version === undefined ? {} : { version });
    const said = isRefused(access) ? { bounds: null } : { ...access, bounds: access.scans[0].bounds[0]?.kind };
    expect(said).toMatchObject(expected);
  },
);
