import { Long, ObjectId } from 'mongodb';
import type { Document } from 'mongodb';
import { expect, it } from 'vitest';
import { predicateOf } from '../../src/planner/filter-predicate.js';
import { implies, type StringComparison } from '../../src/planner/implied.js';

const ONE_ID = '507f1f77bcf86cd799439011';
const LATER_ID = '507f1f77bcf86cd799439012';

it.each<[Document, Document, StringComparison?]>([
  [{ a: 1 }, {}],
  [{ a: 1 }, { a: 1 }],
  [{ a: 1 }, { a: { $eq: 1 } }],
  [{ a: 1, b: 2 }, { b: 2 }],
  [{ $and: [{ a: 1 }, { b: 2 }] }, { a: 1, b: 2 }],
  [{ a: 1, b: 2 }, { $and: [{ a: 1 }, { b: 2 }] }],
  [{ a: Long.fromNumber(1) }, { a: 1 }],
  [{ a: 1 }, { $or: [{ a: 1 }, { b: 2 }] }],
  [{ a: { $in: [1] } }, { a: 1 }],
  [{ a: 2 }, { a: { $in: [1, 2, 3] } }],
  [{ a: { $in: [1, 2] } }, { a: { $in: [1, 2] } }],
  [{ a: 3 }, { a: { $gt: 2 } }],
  [{ a: 2 }, { a: { $gte: 2 } }],
  [{ a: { $in: [3, 4] } }, { a: { $gt: 2 } }],
  [{ a: { $gt: 2 } }, { a: { $gt: 2 } }],
  [{ a: { $gt: 3 } }, { a: { $gt: 2 } }],
  [{ a: { $gt: 2 } }, { a: { $gte: 2 } }],
  [{ a: { $lt: 2 } }, { a: { $lte: 2 } }],
  [{ a: new Date(5) }, { a: { $lt: new Date(6) } }],
  [{ a: new ObjectId(LATER_ID) }, { a: { $gt: new ObjectId(ONE_ID) } }],
  [{ a: 1 }, { a: { $exists: true } }],
  [{ a: { $in: [1, 'x'] } }, { a: { $exists: true } }],
  [{ a: { $gt: 1 } }, { a: { $exists: true } }],
  [{ a: { $type: 'int' } }, { a: { $exists: true } }],
  [{ a: { $type: 'int' } }, { a: { $type: 'int' } }],
  [{ a: /x/ }, { a: { $exists: true } }],
  [{ a: { $exists: true } }, { a: { $exists: true } }],
  [{ a: 'x' }, { a: 'x' }],
  [{ a: 'x' }, { a: 'x' }, 'same'],
  [{ a: 'y' }, { a: { $gt: 'x' } }],
  [{ a: 'x' }, { a: { $exists: true } }, 'different'],
  [{ a: { $in: [] } }, { a: { $in: ['x'] } }, 'different'],
  [{ a: { $in: [] } }, { a: 1 }],
])('%j is within %j (%s)', (filter, indexed, strings = 'simple') => {
  expect(implies(predicateOf(filter), predicateOf(indexed), strings)).toBe(true);
});

it.each<[Document, Document, StringComparison?]>([
  [{}, { a: 1 }],
  [{ a: 2 }, { a: 1 }],
  [{ b: 1 }, { a: 1 }],
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ $or: [{ a: 1 }, { b: 2 }] }, { a: 1 }],
  [{ a: { $in: [1, 2] } }, { a: 1 }],
  [{ a: { $in: [1, 4] } }, { a: { $in: [1, 2, 3] } }],
  [{ a: { $in: [1, 2] } }, { a: { $in: [1, 2, 3] } }],
  [{ a: 2 }, { a: { $gt: 2 } }],
  [{ a: { $in: [1, 3] } }, { a: { $gt: 2 } }],
  [{ a: { $gte: 2 } }, { a: { $gt: 2 } }],
  [{ a: { $gt: 1 } }, { a: { $gt: 2 } }],
  [{ a: { $lt: 1 } }, { a: { $gt: 2 } }],
  [{ a: 3 }, { a: { $gt: new Date(2) } }],
  [{ a: 3 }, { a: { $gt: '2' } }],
  [{ a: null }, { a: { $exists: true } }],
  [{ a: { $in: [1, null] } }, { a: { $exists: true } }],
  [{ a: 1 }, { a: { $type: 'int' } }],
  [{ a: 1 }, { a: { $exists: false } }],
  [{ a: 'x' }, { a: 'x' }, 'different'],
  [{ a: 'y' }, { a: { $gt: 'x' } }, 'same'],
  [{ a: ['x'] }, { a: ['x'] }, 'different'],
  [{ a: { $in: [] } }, { a: { $type: 'int' } }],
  [{ b: 1, $expr: { $eq: ['$a', 1] } }, { a: 1 }],
])('%j is not within %j (%s)', (filter, indexed, strings = 'simple') => {
  expect(implies(predicateOf(filter), predicateOf(indexed), strings)).toBe(false);
});
