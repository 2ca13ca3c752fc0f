import { BSON, Binary, Decimal128, Double, Long, ObjectId, Timestamp, UUID, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { mixedTypes } from '../../checks/mixed-types/check.js';
import { DocumentProfiler } from '../../src/profile/document-profiler.js';
import { problem, problems, type Given } from '../support/checks/evidence-builders.js';

const list = (length: number, make: (index: number) => Document) => Array.from({ length }, (_, index) => make(index));
const at = (index: number) => new Date(1.7e12 + index);
const isOneIn = (share: number, index: number) => index % share === 0;
const keyed = (index: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: 5 }, (_, key) => [`u${index * 5 + key}@example.com`, { n: value }]));

function profileOf(documents: readonly Document[]): Given {
  const profiler = new DocumentProfiler();
  for (const document of documents) profiler.add(BSON.serialize(document));
  return { profile: profiler.profile() };
}
const text = (documents: readonly Document[]) => problem(mixedTypes, profileOf(documents)).remedy.text;
const found = (documents: readonly Document[]) =>
  problems(mixedTypes, profileOf(documents)).map(
    ({ severity, confidence, path }) => `${severity} ${confidence} ${path}`,
  );

describe('types that never compare equal', () => {
  it.each<[string, Document[], string[]]>([
    [
      'dates, and one in 250 a string',
      list(1_000, (index) => ({ at: isOneIn(250, index) ? 'x' : at(index) })),
      ['warning high at'],
    ],
    ['one stray in a thousand', list(1_000, (index) => ({ at: index === 7 ? 'x' : at(index) })), ['warning medium at']],
    [
      'numbers and strings, half and half',
      list(100, (index) => ({ zip: isOneIn(2, index) ? '01234' : 12_345 })),
      ['warning high zip'],
    ],
    [
      'values beside an id that each element has of its own',
      list(200, (index) => ({ cells: [{ _id: new ObjectId(), value: isOneIn(2, index) ? 'x' : 7 }] })),
      ['warning high cells[].value'],
    ],
    [
      'totals beside an id that elements share',
      list(200, (index) => ({ lines: [{ articleId: index % 5, total: isOneIn(2, index) ? 'x' : 7 }] })),
      ['warning high lines[].total'],
    ],
    [
      'prices of lines, by the number of the article',
      list(100, (index) => ({ lines: [{ article: index, price: isOneIn(2, index) ? 'free' : 7 }] })),
      ['warning high lines[].price'],
    ],
    [
      'ObjectIds and their hex strings',
      list(100, (index) => ({ by: isOneIn(3, index) ? new ObjectId() : new ObjectId().toHexString() })),
      ['warning high by'],
    ],
    [
      '_ids of two types',
      list(100, (index) => ({ _id: isOneIn(3, index) ? new ObjectId() : `id ${index}` })),
      ['warning high _id'],
    ],
    [
      'UUIDs as binary and as text',
      list(100, (index) => ({ device: isOneIn(2, index) ? new UUID() : 'text' })),
      ['warning high device'],
    ],
    [
      'dates and timestamps',
      list(100, (index) => ({ at: isOneIn(2, index) ? at(index) : new Timestamp({ t: 1, i: index }) })),
      ['warning high at'],
    ],
    ['booleans and numbers', list(100, (index) => ({ paid: isOneIn(2, index) ? true : 1 })), ['warning high paid']],
    [
      'in a nested object',
      list(100, (index) => ({ to: { zip: isOneIn(2, index) ? 1 : '1' } })),
      ['warning high to.zip'],
    ],
    [
      'in the objects of an array',
      list(100, (index) => ({ items: [{ price: 3 }, { price: isOneIn(30, index) ? '3' : 3 }] })),
      ['warning high items[].price'],
    ],
    [
      'strays in a list of numbers',
      list(100, (index) => ({
        scores: Array.from({ length: 3 + (index % 5) }, (_, position) => (index === 3 && position === 0 ? '1' : 1)),
      })),
      ['info low scores'],
    ],
    [
      'a field beside a type, but only a few strays',
      list(100, (index) => ({ type: 'order', total: isOneIn(50, index) ? '3' : 3 })),
      ['warning high total'],
    ],
    [
      'a text in place of an embedded document, now and then',
      list(100, (index) => ({ address: isOneIn(50, index) ? 'somewhere' : { city: 'Delft' } })),
      ['warning high address'],
    ],
    [
      'two fields',
      list(100, (index) => ({ a: isOneIn(50, index) ? '3' : 3, b: isOneIn(50, index) ? '3' : at(3) })),
      ['warning high a', 'warning high b'],
    ],
  ])('%s', (_, documents, expected) => {
    expect(found(documents)).toEqual(expected);
  });

  it.each<[string, Document[], unknown]>([
    [
      'strays among numbers',
      list(100, (index) => ({ n: isOneIn(50, index) ? '3' : 3 })),
      { path: 'n', types: ['string', 'symbol'] },
    ],
    [
      'numbers of any kind among strings',
      list(100, (index) => ({ n: isOneIn(50, index) ? 3 : '3' })),
      { path: 'n', types: ['decimal', 'double', 'int', 'long'] },
    ],
    [
      'strays in the objects of an array',
      list(100, (index) => ({ items: [{ price: isOneIn(50, index) ? '3' : 3 }] })),
      { path: 'items.price', types: ['string', 'symbol'] },
    ],
    ['two shapes of a field', list(100, (index) => ({ n: isOneIn(2, index) ? '3' : 3 })), undefined],
    [
      'a field that holds lists, too',
      list(100, (index) => ({ n: isOneIn(50, index) ? '3' : isOneIn(3, index) ? [3, 4] : 3 })),
      undefined,
    ],
    [
      'a field of objects that are sometimes in a list',
      list(300, (index) => {
        const item = { price: isOneIn(50, index) ? '3' : 3 };
        return { item: isOneIn(3, index) ? [{ price: 3 }] : item };
      }),
      undefined,
    ],
    ['names that are data', list(100, (index) => ({ of: keyed(index, isOneIn(50, index) ? '3' : 3) })), undefined],
  ])('says what shows %s, if a query finds just that', (_, documents, expected) => {
    expect(problem(mixedTypes, profileOf(documents)).lookFor).toEqual(expected);
  });

  it('counts each type, and shows no value', () => {
    const { message, evidence, remedy } = problem(
      mixedTypes,
      profileOf(list(1_000, (index) => ({ placed: isOneIn(500, index) ? 'secret text' : at(index) }))),
    );
    expect(message).toContain('998 dates, 2 strings');
    expect(message).toContain('0.2 % of the values');
    expect(evidence).toMatchObject({
      types: { date: 998, string: 2 },
      values: 1_000,
      inMinority: 2,
      minorityShare: 0.002,
    });
    expect(remedy.text).toContain(
      'updateMany({ "placed": { "$type": "string" } }, [{ "$set": { "placed": { "$convert": { "input": "$placed", "to": "date", "onError": "$placed" } } } }])',
    );
    expect(remedy.commands).toBeUndefined();
    expect(JSON.stringify({ message, evidence, remedy })).not.toContain('secret');
  });

  it.each<[string, Document[], string]>([
    [
      'what means something else by it',
      list(100, (index) => ({ paid: isOneIn(50, index) ? 'false' : true })),
      'db.getSiblingDB("shop").products.find({ "paid": { $type: "string" } }).readPref("secondaryPreferred").maxTimeMS(600000) Rewrite them, as the application means them.',
    ],
    [
      'seconds, or milliseconds',
      list(100, (index) => ({ at: isOneIn(50, index) ? 1.7e9 : at(index) })),
      'Rewrite them, as the application means them.',
    ],
    [
      'what the server converts to nothing',
      list(100, (index) => ({ by: isOneIn(50, index) ? { name: 'x' } : 'x' })),
      'Rewrite them, as the application means them.',
    ],
    [
      'an _id, which can not change',
      list(100, (index) => ({ _id: isOneIn(50, index) ? new ObjectId() : `id ${index}` })),
      'Insert those documents again with an _id of the other type',
    ],
  ])('does not convert %s', (_, documents, expected) => {
    expect(text(documents)).toContain(expected);
    expect(text(documents)).not.toContain('updateMany');
  });

  it.each<[string, string, Document[]]>([
    [
      'names that are data',
      'byUser.*.n',
      list(100, (index) => ({ byUser: keyed(index, isOneIn(50, index) ? '3' : 3) })),
    ],
    ['a name with a dot', '["a.b"]', list(100, (index) => ({ 'a.b': isOneIn(50, index) ? '3' : 3 }))],
    [
      'below a name with a dot',
      'to["a.b"].n',
      list(100, (index) => ({ to: { 'a.b': { n: isOneIn(50, index) ? '3' : 3 } } })),
    ],
    ['an array in an array', 'rows[][].n', list(100, (index) => ({ rows: [[{ n: isOneIn(50, index) ? '3' : 3 }]] }))],
  ])('gives no query that finds nothing, and no check by it: %s', (_, path, documents) => {
    const { path: where, remedy } = problem(mixedTypes, profileOf(documents));
    expect(where).toBe(path);
    expect(remedy.steps.filter(({ code }) => code !== undefined)).toEqual([]);
    expect(remedy.text).not.toContain('Look at these values');
    expect(remedy.text).not.toContain('Check');
    expect(remedy.text).toContain('Rewrite them in the application. A query does not find values at this path');
  });

  it('converts to the commonest type of the family, and inside arrays element by element', () => {
    expect(text(list(100, (index) => ({ n: isOneIn(50, index) ? '3' : Long.fromNumber(3) })))).toContain(
      '"to": "long"',
    );
    expect(text(list(100, (index) => ({ items: [{ n: isOneIn(50, index) ? '3' : 3 }] })))).toContain(
      'updateMany({ "items": { "$elemMatch": { "n": { "$type": "string" } } } }, ',
    );
    expect(text(list(100, (index) => ({ rows: [{ items: [{ n: isOneIn(50, index) ? '3' : 3 }] }] })))).toContain(
      'find({ "rows.items.n": { $type: "string" } })',
    );
  });
});

describe('types that may be meant', () => {
  it.each<[string, Document[], string[]]>([
    [
      'two kinds of documents, with a field that says which',
      list(100, (index) => ({ type: isOneIn(2, index) ? 'a' : 'b', amount: isOneIn(2, index) ? 3 : 'three' })),
      ['info low amount'],
    ],
    [
      'versions of a schema',
      list(100, (index) => ({ schemaVersion: isOneIn(50, index) ? 1 : 2, at: isOneIn(50, index) ? 'x' : at(index) })),
      ['info low at'],
    ],
    [
      'embedded in some, referenced in others',
      list(100, (index) => ({ author: isOneIn(2, index) ? { name: 'x' } : new ObjectId() })),
      ['info low author'],
    ],
  ])('%s', (_, documents, expected) => {
    expect(found(documents)).toEqual(expected);
  });
});

describe('types that go together', () => {
  it.each<[string, Document[]]>([
    [
      'all kinds of numbers, whole ones',
      list(100, (index) => ({ n: [1, new Double(2), Long.fromNumber(3), Decimal128.fromString('4')][index % 4] })),
    ],
    ['whole numbers and fractions', list(100, (index) => ({ n: isOneIn(2, index) ? 1 : 1.5 }))],
    ['null and missing', list(100, (index) => [{ at: at(index) }, { at: null }, {}][index % 3] as Document)],
    ['a value or an array of them', list(100, (index) => ({ tag: isOneIn(2, index) ? 'a' : ['a', 'b'] }))],
    [
      'attributes',
      list(100, (index) => ({
        attributes: [
          { k: 'watts', v: index },
          { k: 'colour', v: 'red' },
        ],
      })),
    ],
    [
      'values of fields that a board defines, beside their ids',
      list(200, (index) => ({
        fields: [0, 1, 2].map((which) => ({
          _id: `field${which}`,
          value: [index, `x${index}`, isOneIn(2, index)][which],
        })),
      })),
    ],
    [
      'answers beside the id of their question',
      list(200, (index) => ({ answers: [{ questionId: index % 4, answer: isOneIn(2, index) ? 'x' : 7 }] })),
    ],
    [
      'answers beside the number of the question',
      list(100, (index) => ({
        answers: [
          { q: 1, a: index },
          { q: 2, a: 'yes' },
          { q: 3, a: true },
        ],
      })),
    ],
    ['a setting beside its name', list(100, (index) => ({ name: 'x', value: isOneIn(30, index) ? true : 'on' }))],
    [
      'an audit trail',
      list(100, (index) => ({
        changes: [
          { field: 'x', from: index, to: 'y' },
          { field: 'x', from: 'y', to: at(index) },
        ],
      })),
    ],
    ['tuples', list(100, (index) => ({ price: ['EUR', index] }))],
    [
      'rows of a table',
      list(100, (index) => ({ rows: Array.from({ length: index % 4 }, () => ['EUR', index, at(index)]) })),
    ],
    [
      'a list of anything',
      list(100, (index) => ({
        args: Array.from({ length: index % 6 }, (_, position) => (position % 2 === 0 ? 'x' : 3)),
      })),
    ],
    [
      'a map whose names are data',
      list(100, (index) => ({
        settings: Object.fromEntries(
          Array.from({ length: 5 }, (_, key) => [`u${index * 5 + key}@example.com`, key % 2 === 0 ? 3 : 'x']),
        ),
      })),
    ],
    ['too few to tell', list(19, (index) => ({ n: index === 0 ? '1' : 1 }))],
    [
      'binary data of several subtypes',
      list(100, (index) => ({ data: isOneIn(2, index) ? new UUID() : new Binary(Buffer.alloc(8)) })),
    ],
  ])('%s', (_, documents) => {
    expect(found(documents)).toEqual([]);
  });
});
