import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { upgradeTo8 } from '../../checks/upgrade-to-8.js';
import { upgradeTo9 } from '../../checks/upgrade-to-9.js';
import type { AnyClusterCheck } from '../../src/check.js';
import { wayTo } from '../../src/judgement/upgrades/releases.js';
import { checksOf } from '../../src/lint/reading-options.js';
import type { DocumentEvidence } from '../../src/profile/document-profile.js';
import { fieldTypesOf, type FieldType } from '../../src/profile/field-types.js';
import { foundIn, problemsIn, type Recorded } from '../support/checks/workload-builders.js';
import { document, element, int32, object, string } from '../support/documents/bson-bytes.js';
import { profileOf, profileOfBytes } from '../support/documents/profiles.js';

const typesOf = (profile: DocumentEvidence['profile']) =>
  fieldTypesOf({ profile, sample: { complete: true } } as unknown as DocumentEvidence).fields;

/** The documents of "Compatibility Changes in MongoDB 8.0". */
const PEOPLE = typesOf(
  profileOfBytes([
    document(element(0x10, '_id', int32(1)), element(0x0a, 'name', [])),
    document(element(0x10, '_id', int32(2)), element(0x06, 'name', [])),
    document(
      element(0x10, '_id', int32(3)),
      element(0x04, 'name', object(element(0x02, '0', string('Gabriel')), element(0x06, '1', []))),
    ),
    document(element(0x10, '_id', int32(4)), element(0x04, 'names', object(element(0x02, '0', string('Alice'))))),
  ]),
);

const find = (filter: Document): Recorded => ({ command: { filter } });
const write = (kind: 'update' | 'delete', q: Document): Recorded => ({
  kind,
  command: { q, u: { $set: { x: 1 } }, multi: true },
});
/** With a field that each of the 100 sampled documents has. */
const found = (check: AnyClusterCheck, recorded: Recorded, fields = PEOPLE) =>
  foundIn(check, { recorded: [recorded], fields: [...fields, 'whole'] });

const join = (localField: string, foreignField: string): Recorded => ({
  kind: 'aggregate',
  command: { pipeline: [{ $lookup: { from: 'orders', localField, foreignField, as: 'found' } }] },
});
const group = (name: string): Recorded => ({
  kind: 'aggregate',
  command: { pipeline: [{ $group: { _id: '$c', [name]: { $sum: 1 } } }] },
});
const aggregate = (...pipeline: Document[]): Recorded => ({ kind: 'aggregate', command: { pipeline } });
const ranked = (computed: Document, ...before: Document[]) =>
  aggregate(...before, { $setWindowFields: { sortBy: { score: -1 }, output: { place: computed } } });
const idsFor = async (release?: '8.0' | '9.0') =>
  (await checksOf(release === undefined ? {} : { for: release })).flatMap(({ id, upgradeTo }) =>
    upgradeTo === undefined ? [] : [id],
  );

describe('upgrade-to-8, by the documents of the compatibility page', () => {
  it.each<[string, Recorded, string[]]>([
    ['{ name: null }', find({ name: null }), ['warning name']],
    ['$eq', find({ name: { $eq: null } }), ['warning name']],
    ['$in', find({ name: { $in: [null] } }), ['warning name']],
    ['$in with other values', find({ name: { $in: [null, 'Ada'] } }), ['warning name']],
    ['in $or', find({ $or: [{ name: null }, { _id: 7 }] }), ['warning name']],
    ['an aggregation', { kind: 'aggregate', command: { pipeline: [{ $match: { name: null } }] } }, ['warning name']],
    ['an update', write('update', { name: null }), ['error name']],
    ['a delete', write('delete', { name: null }), ['error name']],
    ['a field that is never undefined', find({ names: null }), []],
    ['a value', find({ name: 'Gabriel' }), []],
    ['$ne, which the page does not name', find({ name: { $ne: null } }), []],
    [
      'a field behind $group',
      { kind: 'aggregate', command: { pipeline: [{ $group: { _id: '$name' } }, { $match: { name: null } }] } },
      [],
    ],
  ])('%s', (_what, recorded, expected) => {
    expect(found(upgradeTo8, recorded)).toEqual(expected);
  });

  it('says how many values and executions it rests on', () => {
    const [problem] = problemsIn(upgradeTo8, { recorded: [find({ name: null })], fields: PEOPLE });
    expect(problem?.message).toBe(
      'With 8.0, null no longer matches undefined: find by `name`; 1,000 recorded executions. `name` is undefined in 2 values of 100 sampled documents.',
    );
    expect(problem?.confidence).toBe('high');
  });

  it('a $lookup is affected if the local field is null or missing, and the foreign one undefined', () => {
    expect(found(upgradeTo8, join('names', 'name'))).toEqual(['warning name']);
    expect(found(upgradeTo8, join('names', 'names'))).toEqual([]);
    expect(found(upgradeTo8, join('whole', 'name'))).toEqual([]);
  });

  it.each<[string, Recorded, Record<string, number>, string[]]>([
    ['$rank', ranked({ $rank: {} }), { null: 9, int: 60 }, ['warning score']],
    ['$denseRank', ranked({ $denseRank: {} }), { null: 9 }, ['warning score']],
    ['$rank behind a filter', ranked({ $rank: {} }, { $match: { a: 1 } }), { null: 9 }, ['warning score']],
    ['$rank of what is computed', ranked({ $rank: {} }, { $set: { score: 1 } }), { null: 9 }, []],
    ['$rank without null', ranked({ $rank: {} }), { int: 60 }, []],
    ['$rank without a missing field', ranked({ $rank: {} }), { null: 9, int: 91 }, []],
    ['another function', ranked({ $documentNumber: {} }), { null: 9 }, []],
  ])('%s, of 100 sampled documents', (_what, recorded, types, expected) => {
    const documents = Object.values(types).reduce((sum, count) => sum + count, 0);
    const score: FieldType = { path: 'score', types, documents, elementsPerArray: null, longestString: null };
    expect(foundIn(upgradeTo8, { recorded: [recorded], fields: [score] })).toEqual(expected);
  });

  it('is silent once no sampled document has undefined', () => {
    expect(found(upgradeTo8, find({ name: null }), typesOf(profileOf([{ name: null }, { name: 'Ada' }])))).toEqual([]);
  });
});

/** Source: "Compatibility Changes in MongoDB 9.0": 1 to 4 are its documents, the others their twins. */
const ARRAYS: Readonly<Record<string, { readonly documents: readonly Document[]; readonly changes: boolean }>> = {
  'an array of values': { documents: [{ a: [1] }], changes: true },
  'an empty array': { documents: [{ a: [] }], changes: true },
  'an array of arrays': { documents: [{ a: [[{ b: 3 }]] }], changes: true },
  'an array of arrays beside objects': { documents: [{ a: [[{ b: 2 }], { b: 3 }] }], changes: true },
  'an empty array in some': { documents: [{ a: [{ b: 1 }] }, { a: [] }], changes: true },
  'an array of objects': { documents: [{ a: [{ b: 1 }, { b: null }, {}] }], changes: false },
  'an object': { documents: [{ a: { b: 1 } }], changes: false },
  'no array': { documents: [{ a: 1 }], changes: false },
};

describe('upgrade-to-9, by the documents of the compatibility page', () => {
  it.each(Object.entries(ARRAYS))('%s on the way of a comparison with null', (_what, { documents, changes }) => {
    const fields = typesOf(profileOf(documents));
    const expected = changes ? ['warning a.b'] : [];
    for (const condition of [
      null,
      { $eq: null },
      { $ne: null },
      { $in: [null] },
      { $nin: [null] },
      { $gte: null },
      { $lte: null },
    ])
      expect([condition, found(upgradeTo9, find({ 'a.b': condition }), fields)]).toEqual([condition, expected]);
    expect(found(upgradeTo9, write('update', { 'a.b': null }), fields)).toEqual(changes ? ['error a.b'] : []);
  });

  const values = typesOf(
    profileOf([
      { a: [1], c: 1 },
      { a: [2], c: null },
    ]),
  );

  it.each<[string, Recorded]>([
    ['no dotted path', find({ a: null })],
    ['a value', find({ 'a.b': 1 })],
    ['an operator that the page does not name', find({ 'a.b': { $gt: null } })],
    ['one element', find({ a: { $elemMatch: { b: null } } })],
    ['the number of an element', find({ 'a.0': null })],
    ['another path', find({ 'c.b': null })],
    ['$exists, which both releases answer alike', find({ 'a.b': { $exists: false } })],
  ])('nothing: %s', (_what, recorded) => {
    expect(found(upgradeTo9, recorded, values)).toEqual([]);
  });

  it('a $lookup whose foreign path goes through an array of values, for local documents without the field', () => {
    expect(found(upgradeTo9, join('c', 'a.b'), values)).toEqual(['warning a.b']);
    expect(found(upgradeTo9, join('whole', 'a.b'), values)).toEqual([]);
  });

  it('a $group with an empty field name fails, and others do not', () => {
    expect(found(upgradeTo9, group(''), values)).toEqual(['error $group']);
    expect(found(upgradeTo9, group('n'), values)).toEqual([]);
  });

  it.each<[string, string[], boolean]>([
    ['timestamp', ['timestamp.hours'], true],
    ['timestamp.hours', ['kind', 'timestamp'], true],
    ['timestamp', ['timestamp'], true],
    ['timestamp', ['kind'], false],
    ['timestamp', ['timestamps', 'times'], false],
  ])('a $densify of %s by %j fails: %j', (field, partitionByFields, fails) => {
    const range = { step: 1, unit: 'hour', bounds: 'full' };
    for (const more of [{ partitionByFields }, {}])
      expect(found(upgradeTo9, aggregate({ $densify: { field, ...more, range } }), values)).toEqual(
        fails && 'partitionByFields' in more ? ['error $densify'] : [],
      );
  });

  it.each([
    [2 * 1024 ** 3, ['warning memory']],
    [1024 ** 3, []],
    [undefined, []],
  ])('an operation that took %s bytes of memory may fail', (peakMemoryBytes, expected) => {
    const figures = peakMemoryBytes === undefined ? {} : { peakMemoryBytes };
    expect(found(upgradeTo9, { ...find({ c: 1 }), figures }, values)).toEqual(expected);
  });

  it('JavaScript is for a person to look at', () => {
    expect(found(upgradeTo9, find({ $where: 'this.at.getHours() < 9' }), values)).toEqual(['info $where']);
    const body = { $function: { body: 'function (at) { return at.getHours() }', args: ['$at'], lang: 'js' } };
    const computed: Recorded = {
      kind: 'aggregate',
      command: { pipeline: [{ $match: { $expr: { $eq: [body, 8] } } }] },
    };
    expect(found(upgradeTo9, computed, values)).toEqual(['info $function']);
  });
});

describe('--for', () => {
  it.each([
    [
      '6.0.5',
      '8.0',
      /^The upgrade from 6\.0 to 8\.0 must go through 7\.0: .* 7\.0 changes no query, by its compatibility page\.$/,
    ],
    [
      '4.4.29',
      '9.0',
      /must go through 5\.0, 6\.0, 7\.0 and 8\.0: .* What 5\.0 and 6\.0 change is not judged\. 7\.0 changes/,
    ],
    ['7.0.28', '9.0', /must go through 8\.0: set featureCompatibilityVersion to each before the next\.$/],
  ] as const)('says what an upgrade from %s to %s passes', (version, target, expected) => {
    expect(wayTo(target, version, false)).toMatch(expected);
  });

  it('says nothing of an upgrade to the next release, and what cannot be queried with 7.0', () => {
    expect(wayTo('8.0', '7.0.28', true)).toBeNull();
    expect(wayTo('8.0', '6.0.5', true)).toContain('migrate these collections');
  });

  it('runs the checks of the releases that the upgrade passes, and none without it', async () => {
    expect(await idsFor()).toEqual([]);
    expect(await idsFor('8.0')).toEqual(['upgrade-to-8']);
    expect(await idsFor('9.0')).toEqual(['upgrade-to-8', 'upgrade-to-9']);
  });

  it('is asked for if nothing but such a check is wanted', async () => {
    await expect(checksOf({ checks: [upgradeTo9] })).rejects.toThrow(
      'upgrade-to-9: name the release of the upgrade, with --for 8.0 or 9.0.',
    );
  });
});
