import { describe, expect, it } from 'vitest';
import { ttlWithoutEffect } from '../../checks/ttl-without-effect.js';
import type { PathProfile, TypeCounts } from '../../src/check.js';
import { judge, pathProfile, problem, type Given } from '../support/checks/evidence-builders.js';
import { ID_INDEX, index } from '../support/checks/index-builders.js';

const SAMPLED = 1_000;
/** The values at a path of so many sampled documents, by type. */
const valuesAt = (path: string, types: TypeCounts, documents = SAMPLED): PathProfile =>
  pathProfile({ path, documents, occurrences: documents, types });
const TTL = index({ updatedAt: 1 }, { expireAfterSeconds: 604_800 });
const carts = (paths: readonly PathProfile[], rest: Given = {}): Given => ({
  indexes: [ID_INDEX, TTL],
  storage: { count: 15_000 },
  ...rest,
  paths,
});
const text = valuesAt('updatedAt', { string: SAMPLED });

const collMod = (seconds: number) =>
  `db.getSiblingDB("shop").runCommand({ "collMod": "products", "index": { "name": "updatedAt_1", "expireAfterSeconds": ${seconds} } })`;

describe('a TTL index that deletes nothing', () => {
  it.each<[string, Given, [severity: string, confidence: string, says: string]]>([
    ['on text', carts([text]), ['warning', 'high', '1,000 documents of 1,000 read have strings there']],
    ['on numbers', carts([valuesAt('updatedAt', { double: 400, int: 600 })]), ['warning', 'high', 'have numbers']],
    [
      'on both, the more frequent first',
      carts([valuesAt('updatedAt', { string: 300, long: 700 })]),
      ['warning', 'high', 'have numbers and strings there'],
    ],
    [
      'on a timestamp, which is another type',
      carts([valuesAt('updatedAt', { timestamp: SAMPLED })]),
      ['warning', 'high', 'timestamps'],
    ],
    ['in a small collection', carts([text], { storage: { count: 9_000 } }), ['info', 'high', 'deletes nothing']],
    [
      'in one that is large elsewhere',
      carts([text], {
        storage: { count: SAMPLED },
        collection: { expected: { documents: 50_000, from: 'expect' } },
      }),
      ['warning', 'high', '50,000 expected.'],
    ],
    [
      'on a field of every second document, half of a warning',
      carts([valuesAt('updatedAt', { string: 500, null: 500 })]),
      ['info', 'high', '500 documents of 1,000 read'],
    ],
    [
      'on a field that few sampled documents have',
      carts([valuesAt('updatedAt', { string: 60 }, 60)], { storage: { count: 5_000_000 } }),
      ['info', 'low', '60 documents of 1,000 read'],
    ],
    [
      'on all of few documents',
      carts([valuesAt('updatedAt', { string: 40 }, 40)], { sizes: Array.from({ length: 40 }, () => 300), storage: {} }),
      ['info', 'medium', '40 documents of 40 read'],
    ],
    [
      'on the elements of an array',
      carts([valuesAt('updatedAt', { array: SAMPLED }), valuesAt('updatedAt[]', { string: 3_000 })]),
      ['warning', 'high', '1,000 documents of 1,000 read have strings'],
    ],
    [
      'beside the date of another field',
      carts([text, valuesAt('createdAt', { date: SAMPLED }), valuesAt('meta.updatedAt', { date: SAMPLED })]),
      ['warning', 'high', 'strings'],
    ],
    [
      'if it is hidden, too',
      carts([text], { indexes: [ID_INDEX, { ...TTL, hidden: true }] }),
      ['warning', 'high', 'deletes nothing'],
    ],
    [
      'in a capped collection, too',
      carts([text], { collection: { capped: { sizeBytes: 1 } } }),
      ['warning', 'high', ''],
    ],
  ])('%s', (_, given, [severity, confidence, says]) => {
    const found = problem(ttlWithoutEffect, given);
    expect(found).toMatchObject({ severity, confidence, path: 'updatedAt_1' });
    expect(found.message).toContain(says);
    expect(found.remedy.commands).toBeUndefined();
  });

  it('is warned of if the sample were the whole, where its margin does not reach that', () => {
    const paths = [valuesAt('updatedAt', { string: 670 }, 670)];
    expect(problem(ttlWithoutEffect, carts(paths))).toMatchObject({ severity: 'info', severityIfSure: 'warning' });
  });

  it('is put right by dates, which expire in steps', () => {
    const { steps } = problem(ttlWithoutEffect, carts([text])).remedy;
    const collection = 'db.getSiblingDB("shop").products';
    expect(steps.flatMap(({ code }) => (code === undefined ? [] : [code]))).toEqual([
      `${collection}.dropIndex("updatedAt_1")`,
      collMod(1_576_800_000),
      `${collection}.updateMany({ "updatedAt": { "$type": "string" } }, [{ "$set": { "updatedAt": { "$convert": { "input": "$updatedAt", "to": "date", "onError": "$updatedAt" } } } }])`,
      collMod(604_800),
    ]);
    const ofNumbers = problem(ttlWithoutEffect, carts([valuesAt('updatedAt', { int: SAMPLED })])).remedy.steps;
    expect(ofNumbers.filter(({ code }) => code?.includes('updateMany'))).toEqual([]);
    expect(ofNumbers.map(({ text: said }) => said).join()).toContain('Rewrite the numbers as dates');
  });
});

describe('a TTL index whose partial filter never applies', () => {
  const dated = valuesAt('updatedAt', { date: SAMPLED });
  const partial = (filter: object, ...paths: PathProfile[]) =>
    carts([dated, ...paths], {
      indexes: [index({ updatedAt: 1 }, { expireAfterSeconds: 60, partialFilterExpression: filter })],
    });

  it.each<[string, Given, says: string]>([
    [
      'as booleans are numbers',
      partial({ done: true }, valuesAt('done', { int: SAMPLED })),
      'its filter asks for a boolean in `done`, but 1,000 documents of 1,000 read have numbers there, and none a boolean.',
    ],
    [
      'by a range of another type',
      partial({ $and: [{ a: { $exists: true } }, { size: { $gte: 5 } }] }, valuesAt('size', { string: SAMPLED })),
      'asks for a number in `size`',
    ],
  ])('%s', (_, given, says) => {
    const found = problem(ttlWithoutEffect, given);
    expect(found).toMatchObject({ severity: 'warning', confidence: 'high', path: 'updatedAt_1' });
    expect(found.message).toContain(says);
    expect(found.remedy.steps.flatMap(({ code }) => code ?? [])).toEqual([
      'db.getSiblingDB("shop").products.dropIndex("updatedAt_1")',
      collMod(60),
    ]);
  });

  it.each<[string, Given]>([
    ['if one value has the type', partial({ done: true }, valuesAt('done', { int: 999, bool: 1 }))],
    ['if an element has it', partial({ tag: 'x' }, valuesAt('tag', { array: 9 }), valuesAt('tag[]', { string: 9 }))],
    ['if no document has the field yet', partial({ done: true })],
    ['if it asks for null or existence', partial({ a: null, b: { $exists: true } }, valuesAt('a', { int: SAMPLED }))],
  ])('is none %s', (_, given) => expect(judge(ttlWithoutEffect, given)).toEqual([]));
});

describe('a TTL index that is no finding', () => {
  it.each<[string, Given]>([
    ['on dates', carts([valuesAt('updatedAt', { date: SAMPLED })])],
    [
      'that is hidden, on dates, which it deletes',
      carts([valuesAt('updatedAt', { date: SAMPLED })], { indexes: [ID_INDEX, { ...TTL, hidden: true }] }),
    ],
    ['on one date among text', carts([valuesAt('updatedAt', { string: 999, date: 1 })])],
    [
      'on arrays of dates',
      carts([valuesAt('updatedAt', { array: 5 }), valuesAt('updatedAt[]', { string: 9, date: 1 })]),
    ],
    ['on a field that no document has yet', carts([valuesAt('createdAt', { string: SAMPLED })])],
    ['on a field that is null until it is set', carts([valuesAt('updatedAt', { null: SAMPLED })])],
    ['on empty arrays', carts([valuesAt('updatedAt', { array: SAMPLED })])],
    [
      'on dates whose name may be data',
      carts([valuesAt('seen.last', { string: 9 }), valuesAt('seen.*', { date: SAMPLED })], {
        indexes: [index({ 'seen.last': 1 }, { expireAfterSeconds: 60 })],
      }),
    ],
    [
      'on dates of objects in an array',
      carts([valuesAt('a[].at', { date: SAMPLED }), valuesAt('a.at', { string: 9 })], {
        indexes: [index({ 'a.at': 1 }, { expireAfterSeconds: 60 })],
      }),
    ],
    ['which is an ordinary one on text', carts([text], { indexes: [ID_INDEX, index({ updatedAt: 1 })] })],
  ])('%s', (_, given) => {
    expect(judge(ttlWithoutEffect, given)).toEqual([]);
  });

  it('is not judged if the size is not known', () => {
    expect(judge(ttlWithoutEffect, carts([text], { storage: { count: null } }))).toMatchObject([
      { notJudged: expect.any(String) },
    ]);
  });
});
