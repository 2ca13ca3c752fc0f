import { Binary, Decimal128, Long, ObjectId, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { filterOfRanks, rankedFilters } from '../../src/evidence-file/file-collection.js';
import { predicateOf, predicateOfShape } from '../../src/planner/filter-predicate.js';
import { implies } from '../../src/planner/implied.js';
import { literalPlaceholder } from '../../src/workload/shapes/placeholder.js';
import {
  constant,
  date,
  double,
  integer,
  oneof,
  property,
  assert,
  string,
  array,
  record,
  constantFrom,
} from '../support/fast-check.js';

const literal = oneof(
  integer({ min: -20, max: 20 }),
  double({ noNaN: true }),
  string({ maxLength: 3 }),
  date({ noInvalidDate: true }),
  constant(null),
  constant(true),
  constant(false),
  integer({ min: 0, max: 3 }).map((number) => new ObjectId(number.toString(16).padStart(24, '0'))),
  integer({ min: 0, max: 3 }).map((number) => Decimal128.fromString(String(number))),
  integer({ min: 0, max: 3 }).map((number) => Long.MAX_VALUE.sub(number)),
  integer({ min: 0, max: 3 }).map((number) => new Binary(Buffer.from([number]))),
  record({ city: string({ maxLength: 1 }) }),
);
const field = constantFrom('a', 'b');
const condition = oneof(
  literal.map((value): Document => ({ $eq: value })),
  constantFrom('$gt', '$gte', '$lt', '$lte').chain((operator) =>
    literal.map((value): Document => ({ [operator]: value })),
  ),
  array(literal, { minLength: 1, maxLength: 3 }).map((values): Document => ({ $in: values })),
  constantFrom<Document>({ $exists: true }, { $type: 'string' }),
);
const filter = array(
  field.chain((name) => condition.map((one): Document => ({ [name]: one }))),
  { minLength: 1, maxLength: 3 },
).map((all): Document => ({ $and: all }));

describe('a filter whose literals are ranked', () => {
  it('shows types and ranks, and no value', () => {
    const [first, second] = rankedFilters([
      {
        status: 'secret',
        at: { $gt: new Date('2024-05-06') },
        total: { $in: [-7, 12, 12.5] },
        gone: { $exists: false },
      },
      {
        $and: [{ status: 'another' }, { $or: [{ total: 0 }, { of: { $type: ['string', 2] } }] }],
        'a.b': { c: 'secret' },
      },
    ]);
    expect(first).toEqual({
      status: '?string#2',
      at: { $gt: '?date#1' },
      total: { $in: ['?number#-1', '?number#1', '?number#2'] },
      gone: { $exists: false },
    });
    expect(second).toEqual({
      $and: [{ status: '?string#1' }, { $or: [{ total: '?number#0' }, { of: { $type: ['string', 2] } }] }],
      'a.b': { c: '?string#2' },
    });
  });

  it('implies the same, and is implied by the same', () => {
    assert(
      property(filter, filter, (one, other) => {
        const [oneThere, otherThere] = rankedFilters([one, other]).map(filterOfRanks) as [Document, Document];
        for (const strings of ['simple', 'same', 'different'] as const) {
          const before = implies(predicateOf(one), predicateOf(other), strings);
          expect(implies(predicateOf(oneThere), predicateOf(otherThere), strings)).toBe(before);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is met by the same shapes', () => {
    const shape = record({
      path: field,
      operator: constantFrom('$eq', '$gt', '$gte', '$lt', '$lte', '$in'),
      operand: literal.map(literalPlaceholder),
    }).map(({ path, operator, operand }): Document => ({ [path]: { [operator]: operand } }));
    assert(
      property(filter, shape, (partial, given) => {
        const [there] = rankedFilters([partial]).map(filterOfRanks) as [Document];
        const impliedBy = (required: Document) => implies(predicateOfShape(given), predicateOf(required), 'simple');
        expect(impliedBy(there)).toBe(impliedBy(partial));
      }),
      { numRuns: 300 },
    );
  });
});
