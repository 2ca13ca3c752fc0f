import { BSON, ObjectId, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { missingValidator } from '../../checks/missing-validator.js';
import { DocumentProfiler } from '../../src/profile/document-profiler.js';
import { judge, problem, problems, type Given } from '../support/checks/evidence-builders.js';
import { ID_INDEX, index as indexOn } from '../support/checks/index-builders.js';

const list = (length: number, make: (index: number) => Document) => Array.from({ length }, (_, index) => make(index));
const invoice = (index: number): Document => ({
  _id: new ObjectId(),
  number: index,
  customer: { _id: new ObjectId(), country: 'NL' },
  placed: new Date(1.7e12 + index),
  items: [{ sku: `secret ${index}`, quantity: 2 }],
  paid: index % 2 === 0,
  ...(index % 10 === 0 && { note: 'secret note' }),
});

const wide = (index: number): Document => ({
  ...invoice(index),
  data: Object.fromEntries(Array.from({ length: 120 }, (_, field) => [`field${field}`, field])),
});

function given(documents: readonly Document[], rest: Given = {}): Given {
  const profiler = new DocumentProfiler();
  for (const document of documents) profiler.add(BSON.serialize(document));
  return { profile: profiler.profile(), storage: { count: 50_000 }, ...rest };
}

const few = (documents: number) =>
  problems(
    missingValidator,
    given(list(200, invoice), {
      storage: { count: 200 },
      collection: { expected: { documents, from: 'expect' } },
    }),
  );

describe('a stable shape without a validator', () => {
  it.each<[string, Given]>([
    [
      'with an index by which nothing expires',
      given(list(500, invoice), { indexes: [ID_INDEX, indexOn({ placed: 1 })] }),
    ],
    [
      'of which few have the mark of a mapper',
      given(list(500, (number) => (number === 0 ? { ...invoice(number), __v: 0 } : invoice(number)))),
    ],
    [
      'with a field that only looks like such a mark',
      given(list(500, (number) => ({ ...invoice(number), _class: number }))),
    ],
  ])('is told of documents %s', (_, documents) => {
    expect(problems(missingValidator, documents)).toHaveLength(1);
  });

  it('is judged at the size that is expected', () => {
    expect(few(50_000)).toMatchObject([{ judgedAt: { documents: 50_000, from: 'expect' } }]);
    expect(few(5_000)).toEqual([]);
  });

  it('is one of many: whoever keeps the schema elsewhere reads one finding', () => {
    const [first] = problem(missingValidator, given(list(500, invoice))).adviceForAll ?? [];
    expect(first?.text).toContain('Decide where the schema is kept');
  });

  it('comes with a validator of types and required fields, and no values', () => {
    const found = problem(missingValidator, given(list(500, invoice)));
    expect(found).toMatchObject({ severity: 'info', confidence: 'medium', path: null });
    expect(found.evidence['requiredFields']).toEqual(['_id', 'number', 'customer', 'placed', 'items', 'paid']);
    expect(found.remedy.commands).toEqual([
      {
        db: 'shop',
        command: {
          collMod: 'products',
          validator: {
            $jsonSchema: {
              bsonType: 'object',
              required: ['_id', 'number', 'customer', 'placed', 'items', 'paid'],
              properties: {
                _id: { bsonType: 'objectId' },
                number: { bsonType: 'number' },
                customer: {
                  bsonType: 'object',
                  required: ['_id', 'country'],
                  properties: { _id: { bsonType: 'objectId' }, country: { bsonType: 'string' } },
                },
                placed: { bsonType: 'date' },
                items: {
                  bsonType: 'array',
                  items: {
                    bsonType: 'object',
                    required: ['sku', 'quantity'],
                    properties: { sku: { bsonType: 'string' }, quantity: { bsonType: 'number' } },
                  },
                },
                paid: { bsonType: 'bool' },
                note: { bsonType: 'string' },
              },
            },
          },
          validationLevel: 'moderate',
          validationAction: 'warn',
        },
      },
    ]);
    expect(JSON.stringify(found)).not.toContain('secret');
  });

  it.each<[string, Given]>([
    [
      'with fields that may be null',
      given(list(500, (index) => ({ ...invoice(index), paid: index % 3 === 0 ? null : true }))),
    ],
    ['with an empty validator', given(list(500, invoice), { collection: { validator: {} } })],
    [
      'with a map whose names are data',
      given(
        list(500, (index) => ({
          ...invoice(index),
          scores: Object.fromEntries(Array.from({ length: 6 }, (_, key) => [new ObjectId().toHexString(), key])),
        })),
      ),
    ],
  ])('%s', (_, all) => {
    expect(problem(missingValidator, all).severity).toBe('info');
  });

  it('leaves deep levels open where there are too many fields', () => {
    const { commands } = problem(missingValidator, given(list(200, wide))).remedy;
    const schema = JSON.stringify(commands);
    expect(schema).toContain('"data":{"bsonType":"object"}');
    expect(schema).not.toContain('field7');
  });
});

it('does not judge where the options could not be listed', () => {
  const [verdict] = judge(missingValidator, given(list(500, invoice), { collection: { optionsUnknown: true } }));
  expect(verdict).toMatchObject({ notJudged: 'privilege', detail: expect.stringContaining('listCollections on shop') });
});

describe('collections that are left alone', () => {
  it.each<[string, Given]>([
    ['with a validator', given(list(500, invoice), { collection: { validator: { $jsonSchema: {} } } })],
    ['with a query as validator', given(list(500, invoice), { collection: { validator: { number: { $gt: 0 } } } })],
    ['capped', given(list(500, invoice), { collection: { capped: { sizeBytes: 1e6 } } })],
    ["GridFS's files", given(list(500, invoice), { collection: { name: 'fs.files' } })],
    ["GridFS's chunks", given(list(500, invoice), { collection: { name: 'images.chunks' } })],
    [
      'whose documents expire',
      given(list(500, invoice), { indexes: [ID_INDEX, indexOn({ placed: 1 }, { expireAfterSeconds: 3_600 })] }),
    ],
    ['that Mongoose writes', given(list(500, (number) => ({ ...invoice(number), __v: number % 3 })))],
    ['that Spring Data writes', given(list(500, (number) => ({ ...invoice(number), _class: 'shop.Invoice' })))],
    ['small', given(list(500, invoice), { storage: { count: 9_999 } })],
    ['too little sampled', given(list(99, invoice))],
    ['of two kinds', given(list(500, (index) => (index % 2 === 0 ? { a: 1, b: 2, c: 3 } : { d: 1, e: 2, f: 3 })))],
    ['with mixed types', given(list(500, (index) => ({ ...invoice(index), number: index % 50 === 0 ? 'x' : 1 })))],
    [
      'with mixed types deep inside',
      given(list(500, (index) => ({ ...invoice(index), items: [{ sku: index % 50 === 0 ? 7 : 'x' }] }))),
    ],
    [
      'with names that are data',
      given(
        list(500, (index) =>
          Object.fromEntries(Array.from({ length: 8 }, (_, key) => [`u${index * 8 + key}@example.com`, key])),
        ),
      ),
    ],
  ])('%s', (_, all) => {
    expect(problems(missingValidator, all)).toEqual([]);
  });
});
