import { describe, expect, it } from 'vitest';
import { neverMatchingCondition } from '../../checks/never-matching-condition.js';
import type { FieldType } from '../../src/profile/field-types.js';
import { foundIn, type GivenWorkload, problemsIn, type Recorded } from '../support/checks/workload-builders.js';

const field = (path: string, types: FieldType['types'], further: Partial<FieldType> = {}): FieldType => ({
  path,
  types,
  documents: Math.max(...Object.values(types)),
  elementsPerArray: null,
  longestString: null,
  ...further,
});

const FIELDS = [
  field('customer', { objectId: 1_000 }),
  field('placed', { string: 990, null: 10 }),
  field('total', { double: 400, int: 600 }),
  field('code', { string: 500, int: 500 }),
  field('tags', { array: 1_000 }, { elementsPerArray: 3 }),
  field('tags[]', { string: 3_000 }),
  field('items', { array: 1_000 }, { elementsPerArray: 2 }),
  field('items[]', { object: 2_000 }),
  field('items[].sku', { int: 2_000 }),
  field('rare', { int: 40 }),
  field('first', { int: 7 }),
  field('readers', { array: 1_000 }, { elementsPerArray: 0 }),
];

/** A query that examined and returned nothing, 40 times. */
const asked = (filter: object, further: Partial<Recorded> = {}): GivenWorkload => ({
  fields: FIELDS,
  recorded: [
    {
      command: { filter },
      plan: 'IXSCAN { customer: 1 }',
      figures: { executions: 40, documentsExamined: 0, keysExamined: 0, documentsReturned: 0 },
      ...further,
    },
  ],
});
const DATE = new Date(1.7e12);
const figures = (of: object) => ({ executions: 40, documentsExamined: 0, documentsReturned: 0, ...of });

describe('never-matching-condition', () => {
  it.each<[string, GivenWorkload, string[]]>([
    ['an ObjectId asked for as text', asked({ customer: 'a' }), ['warning customer']],
    ['a list of them', asked({ customer: { $in: ['a', 'b'] } }), ['warning customer']],
    ['texts asked for since a date', asked({ placed: { $gte: DATE } }), ['warning placed']],
    ['numbers by a pattern', asked({ total: /^1/ }), ['warning total']],
    ['beside a condition that may match', asked({ total: 1, customer: 'a' }), ['warning customer']],
    ['an element of an array', asked({ tags: 7 }), ['warning tags']],
    ['a field of elements', asked({ 'items.sku': 'x' }), ['warning items.sku']],
    ['the same within $elemMatch', asked({ items: { $elemMatch: { sku: 'x' } } }), ['warning items.sku']],
    ['every branch of $or', asked({ $or: [{ customer: 'a' }, { placed: DATE }] }), ['warning customer']],
    [
      'an update of nothing',
      asked(
        {},
        {
          kind: 'update',
          command: { q: { customer: 'a' }, u: { $set: { a: 1 } } },
          figures: figures({ documentsWritten: 0 }),
        },
      ),
      ['warning customer'],
    ],
    [
      'a delete by a field that no document has',
      asked(
        {},
        { kind: 'delete', command: { q: { userId: 'a' }, limit: 0 }, figures: figures({ documentsWritten: 0 }) },
      ),
      ['info userId'],
    ],
    ['somebody who tried it', asked({ customer: 'a' }, { figures: figures({ executions: 1 }) }), ['info customer']],
  ])('reports %s', (_, given, expected) => {
    expect(foundIn(neverMatchingCondition, given)).toEqual(expected);
  });

  it.each<[string, GivenWorkload]>([
    ['the stored type', asked({ total: 7 })],
    ['a list with the stored type', asked({ total: { $in: ['7', 7] } })],
    ['one of several stored types', asked({ code: 'x' })],
    ['null', asked({ customer: null })],
    ['a branch of $or that may match', asked({ $or: [{ customer: 'a' }, { total: 7 }] })],
    ['a negation', asked({ customer: { $ne: 'a' } })],
    ['a pattern on texts', asked({ placed: /^2026/ })],
    ['an expression, which compares all types', asked({ $expr: { $gt: ['$placed', DATE] } })],
    ['an array as a whole', asked({ tags: { $eq: ['a'] } })],
    ['an element of arrays that are all empty', asked({ readers: 'a' })],
    ['a field that was not seen', asked({ other: 'a' })],
    [
      'a covered count, which examines keys alone',
      asked(
        {},
        {
          kind: 'count',
          command: { query: { customer: 'a' } },
          figures: figures({ documentsReturned: null, keysExamined: 9_000 }),
        },
      ),
    ],
    [
      'a delete of what is older, by a field that none has now',
      asked(
        {},
        {
          kind: 'delete',
          command: { q: { deletedAt: { $lt: DATE } }, limit: 0 },
          figures: figures({ documentsWritten: 0 }),
        },
      ),
    ],
    ['a field of few values', asked({ rare: 'a' })],
    ['a query that found something', asked({ customer: 'a' }, { figures: figures({ documentsReturned: 3 }) })],
  ])('is silent on %s', (_, given) => {
    expect(foundIn(neverMatchingCondition, given)).toEqual([]);
  });

  it('takes few values if all documents were read, and a count that is not known to be 0', () => {
    const counted: Recorded = {
      kind: 'count',
      command: { query: { rare: 'a' } },
      plan: 'COLLSCAN',
      figures: { executions: 40, documentsExamined: 40 * 40, documentsReturned: null },
    };
    const given = { fields: FIELDS, complete: true };
    expect(foundIn(neverMatchingCondition, { ...given, recorded: [counted] })).toEqual(['warning rare']);
    const ofFew = { ...counted, command: { query: { first: 'a' } } };
    expect(foundIn(neverMatchingCondition, { ...given, recorded: [ofFew] })).toEqual([]);
  });

  it('says both types, and converts the value or what is stored', () => {
    const [problem] = problemsIn(neverMatchingCondition, { ...asked({ placed: { $gte: DATE } }), complete: true });
    expect(problem?.message).toBe(
      'find by `placed` ($gte) can never match: it compares `placed` with a date, and all 990 sampled values are strings. The server raises no error (40 executions in 30 days).',
    );
    expect(problem?.remedy.text).toContain('Compare `placed` with a string');
    expect(problem?.remedy.steps[1]?.code).toContain('updateMany');
  });
});
