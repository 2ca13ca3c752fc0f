import { ObjectId, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { schemaVersions } from '../../checks/schema-versions.js';
import { judge, problem, type Given } from '../support/checks/evidence-builders.js';
import { profileOf } from '../support/documents/profiles.js';

const DAY = 86_400;
const START = Date.UTC(2024, 0, 1) / 1_000;
const CUSTOMERS = 400;

/** One customer a day, read whole unless told otherwise; each is made by its number. */
const customers = (make: (index: number) => Document, rest: Given = {}, secondsBetween = DAY): Given => ({
  storage: { count: 5_000 },
  sample: { complete: true },
  ...rest,
  profile: {
    profile: undefined,
    ...profileOf(
      Array.from({ length: CUSTOMERS }, (_, index) => ({
        _id: ObjectId.createFromTime(START + index * secondsBetween),
        name: `Customer ${index}`,
        ...make(index),
      })),
    ),
  } as Given['profile'] & object,
});
const isOld = (index: number) => index < 150;
const numbers = (index: number) => ({ home: `01 ${index}`, work: `02 ${index}`, mobile: `07 ${index}` });
const contacts = (index: number) => ({ contacts: [{ kind: 'mobile', number: `07 ${index}` }] });
const telephones = (index: number): Document => (isOld(index) ? numbers(index) : contacts(index));

const many = (fields: number, documents = 5_000) =>
  profileOf(
    Array.from({ length: documents }, (_, index) => ({
      _id: ObjectId.createFromTime(START + index * DAY),
      ...(index < documents / 2 ? numbers(index) : contacts(index)),
      ...Object.fromEntries(Array.from({ length: fields }, (__, field) => [`property${field}x`, 'a'])),
    })),
  ).shapes;

const codeOf = (given: Given) =>
  problem(schemaVersions, given).remedy.steps.flatMap(({ code }) => code?.split('\n') ?? []);

describe('generations of documents', () => {
  it.each<[string, Given, [path: string, says: string]]>([
    [
      'three fields that became a list',
      customers(telephones),
      [
        'contacts',
        '2 generations among 400 documents: 150 with `home`, `work` and `mobile`, mostly created from 2024-01 to 2024-05; ' +
          '250 with `contacts` (array), mostly created from 2024-06 to 2025-01.',
      ],
    ],
    [
      'with optional fields and nulls in both',
      customers((index) => ({
        ...telephones(index),
        ...(index % 3 === 0 && { vat: `NL ${index}` }),
        ...(index % 7 === 0 && { fax: index }),
        ...(!isOld(index) && { home: null }),
      })),
      ['contacts', '250 with `contacts` (array)'],
    ],
    [
      'a value that became an array',
      customers((index) => ({ tag: isOld(index) ? 'new' : ['new', 'paid'] })),
      ['tag', '150 with `tag`, mostly created from 2024-01 to 2024-05; 250 with `tag` (array)'],
    ],
    [
      'three generations',
      customers((index) =>
        index < 100 ? { name1: 'a', name2: 'b' } : index < 250 ? { fullName: 'a b' } : { person: { first: 'a' } },
      ),
      ['person', '3 generations among 400 documents: 100 with `name1` and `name2`'],
    ],
    [
      'documents that were rewritten as they were saved, a few of the old ones',
      customers((index) => (isOld(index) && index % 10 > 0 ? numbers(index) : contacts(index))),
      ['contacts', '265 with `contacts`'],
    ],
    [
      'with the counter of Mongoose, which is no version',
      customers((index) => ({ ...telephones(index), __v: isOld(index) ? 0 : 1 })),
      ['contacts', '2 generations'],
    ],
    [
      'with a version for locking, whose values tell nothing',
      customers((index) => ({ ...telephones(index), version: index % 5 })),
      ['contacts', '2 generations'],
    ],
    [
      'with a kind that both have',
      customers((index) => ({ ...telephones(index), type: index % 2 === 0 ? 'person' : 'company' })),
      ['contacts', '2 generations'],
    ],
    [
      'in a collection that is large elsewhere',
      customers(telephones, {
        storage: { count: 400 },
        collection: { expected: { documents: 9_000, from: 'expect' } },
      }),
      ['contacts', '400 documents here, 9,000 expected.'],
    ],
  ])('%s', (_, given, [path, says]) => {
    const found = problem(schemaVersions, given);
    expect([found.severity, found.path]).toEqual(['info', path]);
    expect(found.message).toContain(says);
  });

  it.each<[string, Given, unknown[]]>([
    ['a version that the oldest lack', customers((i) => ({ ...telephones(i), ...(!isOld(i) && { _v: 2 }) })), ['_v']],
    ['a version of the schema anywhere', customers((i) => ({ ...telephones(i), meta: { schema_version: 3 } })), []],
    ['a number that tells the shape', customers((i) => ({ ...telephones(i), format: isOld(i) ? 1 : 2 })), ['format']],
    [
      'kinds of things, told by a field',
      customers((i) =>
        i < 200
          ? { kind: 'card', number: 'x', expires: 'y', cvc: 'z' }
          : { kind: 'iban', iban: 'x', bic: 'y', owner: 'z' },
      ),
      ['kind'],
    ],
    [
      'kinds of things that are created side by side',
      customers((i) => (i % 2 === 0 ? { number: 'x', expires: 'y', cvc: 'z' } : { iban: 'x', bic: 'y', owner: 'z' })),
      ['% of the pairs, the older document has the later shape'],
    ],
    ['fields that were added', customers((i) => (isOld(i) ? {} : { ...numbers(i), ...contacts(i) })), []],
    [
      'optional fields',
      customers((i) => ({ ...(i % 2 === 0 && { a: 1, b: 2, c: 3 }), ...(i % 3 === 0 && { d: 4 }) })),
      [],
    ],
    [
      'one field that takes the place of another',
      customers((i) => (isOld(i) ? { soldAt: i } : { reservedUntil: i })),
      [],
    ],
    [
      'a value that became an object, which mixed-types reports',
      customers((i) => ({ at: isOld(i) ? 'x' : { x: 1 } })),
      [],
    ],
    ['a small collection', customers(telephones, { storage: { count: 999 } }), []],
    ['documents of three days', customers(telephones, {}, 600), []],
    ['a rare shape', customers((i) => (i < 15 ? numbers(i) : contacts(i))), []],
    [
      'a rare shape, as far as a sample shows',
      customers((i) => (i < 25 ? numbers(i) : contacts(i)), { sample: { complete: false } }),
      [],
    ],
  ])('is silent: %s', (_, given, excused) => {
    const verdicts = judge(schemaVersions, given);
    expect(verdicts).toEqual(
      excused.map((text) => ({ exempt: expect.stringContaining(String(text)), path: expect.anything() })),
    );
  });

  it('does not judge shapes of documents whose age is unknown', () => {
    const given = customers((index) => ({ ...telephones(index), _id: index }));
    expect(judge(schemaVersions, given)).toEqual([
      { notJudged: 'unsupported', detail: expect.stringContaining('not ObjectIds') },
    ]);
  });

  it('numbers documents by a field that no other shape has, and those of one field by its type', () => {
    expect(codeOf(customers(telephones)).slice(0, 2)).toEqual([
      'db.getSiblingDB("shop").products.updateMany({ "home": { "$ne": null }, "schemaVersion": { "$exists": false } }, { "$set": { "schemaVersion": 1 } })',
      'db.getSiblingDB("shop").products.updateMany({ "contacts": { "$ne": null }, "schemaVersion": { "$exists": false } }, { "$set": { "schemaVersion": 2 } })',
    ]);
    expect(
      codeOf(customers((index) => ({ tag: isOld(index) ? 'new' : ['new'] })))
        .slice(0, 2)
        .join(),
    ).toMatch(
      /"tag": \{ "\$ne": null, "\$not": \{ "\$type": \[ ?"array", "object" ?\] \} \}.*"tag": \{ "\$type": "array" \}/s,
    );
  });

  it('compares at most 1,000 documents, spread over all, and none of hundreds of fields', () => {
    const shapes = many(3)?.shapes.map(({ documents }) => documents) ?? [];
    expect(many(3)?.documents).toBeLessThanOrEqual(1_000);
    expect(Math.abs((shapes[0] ?? 0) - (shapes[1] ?? 9))).toBeLessThanOrEqual(1);
    expect(many(120)).toBeUndefined();
  });

  it('says within which bounds thresholds take effect', () => {
    const { share } = schemaVersions.thresholds;
    expect(many(3, 49)).toBeUndefined();
    expect(many(3, 50)?.documents).toBe(50);
    expect(many(3, 1_001)?.documents).toBe(501);
    expect(share.description).toContain('0.02 or more');
  });
});
