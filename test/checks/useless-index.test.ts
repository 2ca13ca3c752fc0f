import { describe, expect, it } from 'vitest';
import { uselessIndex } from '../../checks/useless-index/check.js';
import type { IndexDescription } from '../../src/check.js';
import type { FieldType } from '../../src/profile/field-types.js';
import { index } from '../support/checks/index-builders.js';
import { foundIn, problemsIn, type GivenWorkload, type Recorded } from '../support/checks/workload-builders.js';

const MB = 1024 * 1024;
/** A field of a hundred sampled documents. */
const field = (path: string, distinct: number, rest: Partial<FieldType> = {}, commonest = 1 / distinct): FieldType => ({
  path,
  types: { string: 100 },
  documents: 100,
  elementsPerArray: null,
  longestString: 8,
  spread: { compared: 100, distinct, commonest, alike: 0.5 },
  ...rest,
});
const boolean = (path: string) => field(path, 2, { types: { bool: 100 } });
const nothing = (path: string) => field(path, 0, { types: { null: 100 }, spread: null });
const used = (plan: string, documentsExamined: number, executions = 50): Recorded => ({
  command: { filter: { status: 'open' } },
  plan,
  figures: { executions, documentsExamined: documentsExamined * executions },
});
const of = (
  indexed: IndexDescription,
  fields: readonly FieldType[],
  rest: Partial<GivenWorkload> = {},
): GivenWorkload => ({
  recorded: [],
  documents: 20_000,
  indexes: [indexed],
  fields: [field('name', 90), ...fields],
  ...rest,
});
const status = index({ status: 1 });
const compound = index({ status: 1, placed: 1 });
const elsewhere = used('IXSCAN { name: 1 }', 1);
const often = used('IXSCAN { name: 1 }', 1, 500);

describe('indexes of few values', () => {
  it.each<[string, GivenWorkload, string[]]>([
    ['two', of(status, [field('status', 2)]), ['info status_1']],
    ['one', of(status, [field('status', 1)]), ['info status_1']],
    ['one, and documents without the field', of(status, [field('status', 1, { documents: 60 })]), ['info status_1']],
    ['three', of(status, [field('status', 3)]), []],
    ['two, and documents without the field', of(status, [field('status', 2, { documents: 60 })]), []],
    ['two, one of them rare', of(status, [field('status', 2, {}, 0.97)]), []],
    ['one, and a few documents with it', of(status, [field('status', 1, { documents: 3 })]), []],
    ['two, hashed', of(index({ status: 'hashed' }), [field('status', 2)]), ['info status_hashed']],
    [
      'two, by which a query examines half',
      of(status, [field('status', 2)], { recorded: [used('IXSCAN { status: 1 }', 9_000)] }),
      ['info status_1'],
    ],
    [
      'two, by which a page is read',
      of(status, [field('status', 2)], { recorded: [used('IXSCAN { status: 1 }', 20)] }),
      [],
    ],
    [
      'two, by which documents are counted',
      of(status, [field('status', 2)], { recorded: [used('COUNT_SCAN { status: 1 }', 0)] }),
      [],
    ],
    ['two, before another field, and nothing recorded', of(compound, [field('status', 2), field('placed', 80)]), []],
    [
      'two, before another field, and no query uses it',
      of(compound, [field('status', 2)], { recorded: [elsewhere] }),
      ['info status_1_placed_1'],
    ],
    [
      'two, before another field, and a query uses it',
      of(compound, [field('status', 2)], { recorded: [elsewhere, used('IXSCAN { status: 1, placed: 1 }', 20)] }),
      [],
    ],
    ['two, partial', of({ ...status, partialFilterExpression: { a: 1 } }, [field('status', 2)]), []],
    ['two, unique', of({ ...status, unique: true }, [field('status', 2)]), []],
    ['two, hidden', of({ ...status, hidden: true }, [field('status', 2)]), []],
    [
      'one, sparse, of which others have none',
      of({ ...status, sparse: true }, [field('status', 1, { documents: 60 })]),
      [],
    ],
    ['two, in arrays', of(status, [field('status', 2, { types: { array: 100 } }), field('status[]', 2)]), []],
    ['two, in a small collection', of(status, [field('status', 2)], { documents: 9_000 }), []],
    ['null in all, in a small collection', of(status, [nothing('status')], { documents: 2_000 }), ['info status_1']],
    [
      'null in all, before another field, and nothing recorded',
      of(compound, [nothing('status'), field('placed', 80)], { complete: true }),
      [],
    ],
    [
      'null in all, before another field, and no query uses it',
      of(compound, [nothing('status'), field('placed', 80)], { recorded: [elsewhere] }),
      ['info status_1_placed_1'],
    ],
    [
      'null in all, before another field, and a query of those without it uses it',
      of(compound, [nothing('status'), field('placed', 80)], {
        recorded: [elsewhere, used('IXSCAN { status: 1, placed: 1 }', 20)],
      }),
      [],
    ],
    ['null in all, TTL', of(index({ status: 1 }, { expireAfterSeconds: 60 }), [nothing('status')]), []],
    [
      'null in all but one, in a small collection',
      of(status, [field('status', 1, { types: { null: 99, string: 1 } })], { documents: 2_000 }),
      [],
    ],
    [
      'two, of which many documents are expected',
      of(status, [field('status', 2)], { documents: 900, expected: { documents: 50_000 } }),
      ['info status_1'],
    ],
  ])('%s', (_, given, expected) => {
    expect(foundIn(uselessIndex, given)).toEqual(expected);
  });

  it.each<[string, GivenWorkload, string[]]>([
    ['five', of(status, [field('status', 5)], { recorded: [often] }), ['info status_1']],
    ['six', of(status, [field('status', 6)], { recorded: [often] }), []],
    [
      'five, before a field of many',
      of(compound, [field('status', 5), field('placed', 90)], { recorded: [often] }),
      [],
    ],
    [
      'five, before a field of few',
      of(compound, [field('status', 5), field('placed', 4)], { recorded: [often] }),
      ['info status_1_placed_1'],
    ],
    ['two, one of them rare', of(status, [field('status', 2, {}, 0.97)], { recorded: [often] }), ['info status_1']],
    [
      'three, one of which a query asks for',
      of(status, [field('status', 3)], { recorded: [often, used('IXSCAN { status: 1 }', 20)] }),
      [],
    ],
    ['three, of fewer executions', of(status, [field('status', 3)], { recorded: [elsewhere] }), []],
    ['three, in a small collection', of(status, [field('status', 3)], { documents: 9_000, recorded: [often] }), []],
  ])('%s, if all that runs was recorded', (_, given, expected) => {
    expect(foundIn(uselessIndex, given)).toEqual(expected);
  });

  const large = { indexSizes: { status_1: 40 * MB, gone_1: 40 * MB } };
  it.each<[string, GivenWorkload, string[]]>([
    [
      'true and false, and queries that do not use it',
      of(status, [boolean('status')], { ...large, recorded: [elsewhere] }),
      ['warning status_1'],
    ],
    ['true and false, and nothing recorded', of(status, [boolean('status')], large), ['info status_1']],
    [
      'two texts of a part of the documents',
      of(status, [field('status', 2)], { ...large, recorded: [elsewhere] }),
      ['info status_1'],
    ],
    [
      'two texts of all documents',
      of(status, [field('status', 2)], { ...large, complete: true, recorded: [elsewhere] }),
      ['warning status_1'],
    ],
    [
      'a field that none of all documents has',
      of(index({ gone: 1 }), [], { ...large, complete: true }),
      ['warning gone_1'],
    ],
    ['a field that none of a part has', of(index({ gone: 1 }), [], large), ['info gone_1']],
    [
      'a field that is null in all documents, and nothing recorded',
      of(status, [nothing('status')], { ...large, complete: true }),
      ['info status_1'],
    ],
  ])('of 40 MB: %s', (_, given, expected) => {
    expect(foundIn(uselessIndex, given)).toEqual(expected);
  });
});

describe('indexes on fields that no document has', () => {
  it.each<[string, IndexDescription, FieldType[], string[]]>([
    ['a field', index({ gone: 1 }), [], ['info gone_1']],
    ['a field, before others', index({ gone: 1, name: 1 }), [], ['info gone_1_name_1']],
    ['a field behind another', index({ name: 1, gone: 1 }), [], []],
    ['a field in an object', index({ 'address.gone': 1 }), [field('address.city', 50)], ['info address.gone_1']],
    ['an object that is there', index({ address: 1 }), [field('address.city', 50)], []],
    ['a field in documents of an array', index({ 'items.sku': 1 }), [field('items[].sku', 50)], []],
    ['a name that is data', index({ 'scores.ann': 1 }), [field('scores.*', 50)], []],
    ['below a name that is data', index({ 'scores.ann.wins': 1 }), [field('scores.*.wins', 50)], []],
    ['a place on the earth, which holds no entry', index({ gone: '2dsphere' }), [], []],
    ['a field before a place, which holds no entry', index({ gone: 1, place: '2dsphere' }), [], []],
    [
      'a field before a place that is there',
      index({ gone: 1, place: '2dsphere' }),
      [field('place.type', 1), field('place.coordinates', 50)],
      ['info gone_1_place_2dsphere'],
    ],
    ['two fields of a sparse one, which holds no entry', index({ gone: 1, lost: 1 }, { sparse: true }), [], []],
    ['a TTL', index({ gone: 1 }, { expireAfterSeconds: 60 }), [], ['info gone_1']],
    ['a text', index({ _fts: 'text', _ftsx: 1 }), [], []],
    ['a wildcard', index({ 'gone.$**': 1 }), [], []],
    ['a unique one', index({ gone: 1 }, { unique: true }), [], []],
    ['a sparse one, which holds no entry', index({ gone: 1 }, { sparse: true }), [], []],
    [
      'a sparse one, before a field that is there',
      index({ gone: 1, name: 1 }, { sparse: true }),
      [],
      ['info gone_1_name_1'],
    ],
    [
      'a partial one, which holds no entry',
      index({ gone: 1 }, { partialFilterExpression: { gone: { $exists: true } } }),
      [],
      [],
    ],
    [
      'a partial one of documents that are there',
      index({ gone: 1 }, { partialFilterExpression: { name: 'a' } }),
      [],
      ['info gone_1'],
    ],
  ])('%s', (_, indexed, fields, expected) => {
    expect(foundIn(uselessIndex, of(indexed, fields))).toEqual(expected);
  });

  it('give a command only if all documents were read, and say what a TTL does', () => {
    const [part] = problemsIn(uselessIndex, of(index({ gone: 1 }, { expireAfterSeconds: 60 }), []));
    const [all] = problemsIn(uselessIndex, of(index({ gone: 1 }), [], { complete: true }));
    expect(part?.message).toContain('its TTL deletes nothing');
    expect(part?.remedy.commands).toBeUndefined();
    expect(part?.remedy.steps[0]?.code).toContain('{ "gone": { $ne: null } }');
    expect(all?.remedy.commands).toEqual([
      { db: 'shop', command: { collMod: 'orders', index: { name: 'gone_1', hidden: true } } },
    ]);
  });
});

describe('indexes on a field that is null in all documents', () => {
  it('give no command, and say that a search for null finds all', () => {
    const [found] = problemsIn(uselessIndex, of(status, [nothing('status')], { complete: true }));
    expect(found?.message).toContain('null or missing in all 100 documents: a search by it finds all of them or none');
    expect(found?.remedy.commands).toBeUndefined();
  });

  it('look for a document with something else if a part was read', () => {
    const [found] = problemsIn(uselessIndex, of(status, [nothing('status')]));
    expect(found?.remedy.steps[0]?.code).toContain('{ "status": { $ne: null } }');
    expect(found?.remedy.steps[0]?.text).toContain('No result means that it is null or missing in all documents.');
  });
});

describe('indexes on `_id` and more', () => {
  const byId = index({ _id: 1, active: 1 });
  const one = (plan: string, documentsExamined: number): Recorded => ({
    ...used(plan, documentsExamined),
    command: { filter: { _id: 7 } },
  });
  it.each<[string, GivenWorkload, string[]]>([
    ['that nothing uses', of(byId, []), ['info _id_1_active_1']],
    ['that is unique', of({ ...byId, unique: true }, []), ['info _id_1_active_1']],
    [
      'by which single documents are found',
      of(byId, [], { recorded: [one('IXSCAN { _id: 1, active: 1 }', 1)] }),
      ['info _id_1_active_1'],
    ],
    ['by which pages are read', of(byId, [], { recorded: [used('IXSCAN { _id: 1, active: 1 }', 20)] }), []],
    ['that answers without documents', of(byId, [], { recorded: [one('IXSCAN { _id: 1, active: 1 }', 0)] }), []],
    ['in a small collection', of(byId, [], { documents: 90 }), ['info _id_1_active_1']],
    ['hidden', of({ ...byId, hidden: true }, []), []],
    ['alone, descending', of(index({ _id: -1 }), []), []],
  ])('%s', (_, given, expected) => {
    expect(foundIn(uselessIndex, given)).toEqual(expected);
  });

  it('say that `_id` finds one document, and give the command that hides them', () => {
    const [found] = problemsIn(uselessIndex, of(byId, []));
    expect(found?.message).toContain('begins with `_id`, which alone identifies a document');
    expect(found?.remedy.commands).toEqual([
      { db: 'shop', command: { collMod: 'orders', index: { name: '_id_1_active_1', hidden: true } } },
    ]);
  });
});
