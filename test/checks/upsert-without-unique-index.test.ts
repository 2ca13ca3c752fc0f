import { describe, expect, it } from 'vitest';
import { upsertWithoutUniqueIndex } from '../../checks/upsert-without-unique-index.js';
import type { FieldType } from '../../src/profile/field-types.js';
import { index } from '../support/checks/index-builders.js';
import { foundIn, problemsIn, type GivenWorkload, type Recorded } from '../support/checks/workload-builders.js';

const upsert = (q: object, rest: Partial<Recorded> = {}, executions = 1_000): Recorded => ({
  kind: 'update',
  command: { q, u: { $inc: { views: 1 } }, upsert: true },
  figures: { executions },
  ...rest,
});
const of = (recorded: Recorded, rest: Partial<GivenWorkload> = {}): GivenWorkload => ({
  recorded: [recorded],
  ...rest,
});
const BY_PAGE = upsert({ page: 1 });

const page = (distinct: number, rest: Partial<FieldType> = {}): FieldType => ({
  path: 'page',
  types: { string: 1_000 },
  documents: 1_000,
  elementsPerArray: null,
  longestString: 9,
  spread: { compared: 1_000, distinct, commonest: 0.01, alike: 0.01 },
  ...rest,
});

describe('upsert-without-unique-index', () => {
  it.each<[string, GivenWorkload, string[]]>([
    ['without any index', of(BY_PAGE), ['warning page_1']],
    ['with an index that is not unique', of(BY_PAGE, { indexes: [index({ page: 1 })] }), ['warning page_1']],
    ['with a unique index', of(BY_PAGE, { indexes: [index({ page: 1 }, { unique: true })] }), []],
    [
      'with a unique index on one of its fields',
      of(upsert({ page: 1, day: 2 }), { indexes: [index({ day: 1 }, { unique: true })] }),
      [],
    ],
    [
      'with a unique index on a field more, which it writes',
      of(upsert({ page: 1 }, { command: { q: { page: 1 }, u: { $set: { 'day.of': 2 } }, upsert: true } }), {
        indexes: [index({ page: 1, day: 1 }, { unique: true })],
      }),
      ['warning page_1'],
    ],
    [
      'with a unique index on a field more, which a replacement may write',
      of(upsert({ page: 1 }, { command: { q: { page: 1 }, u: { page: 1, day: 2 }, upsert: true } }), {
        indexes: [index({ page: 1, day: 1 }, { unique: true })],
      }),
      ['warning page_1'],
    ],
    [
      'with a unique index on a field more, which is null in all that it inserts',
      of(BY_PAGE, { indexes: [index({ page: 1, day: 1 }, { unique: true })] }),
      [],
    ],
    [
      'with a unique index on other fields, which are null in all that it inserts',
      of(BY_PAGE, { indexes: [index({ day: 1 }, { unique: true })] }),
      ['warning page_1'],
    ],
    ['by a value and a range, which is no key', of(upsert({ page: 1, day: { $gt: 2 } })), []],
    ['by a value, without another field', of(upsert({ page: 1, day: { $exists: false } })), ['warning day_1_page_1']],
    [
      'by a value, without another field, and both are in a unique index',
      of(upsert({ page: 1, day: { $exists: false } }), { indexes: [index({ page: 1, day: 1 }, { unique: true })] }),
      [],
    ],
    [
      'by a value, without a field that it then writes',
      of(upsert({}, { command: { q: { page: 1, day: { $exists: false } }, u: { $set: { day: 2 } }, upsert: true } })),
      [],
    ],
    ['by two fields', of(upsert({ page: 1, day: 2 })), ['warning day_1_page_1']],
    ['by _id', of(upsert({ _id: 1 })), []],
    ['by _id and more', of(upsert({ _id: 1, page: 2 })), []],
    ['by parts of _id, of which it is then made', of(upsert({ '_id.day': 1, '_id.page': 2 })), []],
    [
      'with a unique index that is partial on another field, and found by',
      of(
        upsert(
          { page: 1, kind: 'a' },
          { figures: { executions: 1_000, planSummaries: { 'IXSCAN { page: 1 }': 1_000 } } },
        ),
        {
          indexes: [index({ page: 1 }, { unique: true, partialFilterExpression: { kind: 'a' } })],
        },
      ),
      [],
    ],
    [
      'with a unique index that is partial on another field, and never found by',
      of(
        upsert(
          { page: 1, kind: 'a' },
          { figures: { executions: 1_000, planSummaries: { 'IXSCAN { day: 1 }': 1_000 } } },
        ),
        {
          indexes: [index({ page: 1 }, { unique: true, partialFilterExpression: { kind: 'b' } })],
        },
      ),
      ['warning kind_1_page_1'],
    ],
    ['by a range alone', of(upsert({ page: { $gt: 1 } })), []],
    ['by alternatives', of(upsert({ $or: [{ page: 1 }, { day: 2 }] })), []],
    ['that inserts nothing', of({ kind: 'update', command: { q: { page: 1 }, u: { $set: { a: 1 } } } }), []],
    ['tried twice', of(upsert({ page: 1 }, {}, 2)), ['info page_1']],
    ['recorded in part', of(upsert({ page: 1 }, { truncated: true })), []],
    [
      'by findAndModify',
      of({ kind: 'findAndModify', command: { query: { page: 1 }, update: { $inc: { n: 1 } }, upsert: true } }),
      ['warning page_1'],
    ],
  ])('%s', (_, given, expected) => {
    expect(foundIn(upsertWithoutUniqueIndex, given)).toEqual(expected);
  });

  it.each<[string, Recorded, FieldType[], string, number | undefined]>([
    ['none', BY_PAGE, [page(1_000)], 'warning medium', undefined],
    ['one, which may be chance', BY_PAGE, [page(999)], 'warning medium', undefined],
    ['twelve', BY_PAGE, [page(988)], 'warning high', 12],
    ['twelve, and the upsert is rare', upsert({ page: 1 }, {}, 1), [page(988)], 'info high', 12],
    ['most, so that it is no key', BY_PAGE, [page(90)], 'info high', 910],
    ['in arrays', BY_PAGE, [page(900, { types: { array: 1_000 } })], 'warning medium', undefined],
  ])('values that the sample has twice: %s', (_, recorded, fields, expected, repeated) => {
    const [found] = problemsIn(upsertWithoutUniqueIndex, of(recorded, { fields }));
    expect(`${found?.severity} ${found?.confidence}`).toBe(expected);
    expect(found?.evidence['repeatedInSample']).toBe(repeated);
    expect(found?.message.includes('are there once more.')).toBe(repeated !== undefined);
  });

  it('builds nothing by itself: documents that are there twice are for a person to decide on', () => {
    const [found] = problemsIn(upsertWithoutUniqueIndex, of(BY_PAGE));
    expect(found?.remedy.commands).toBeUndefined();
    expect(found?.remedy.steps.map(({ code }) => code)).toEqual([
      expect.stringContaining('$group'),
      'db.getSiblingDB("shop").orders.createIndex({ page: 1 }, { unique: true, name: "page_1_unique" })',
    ]);
  });
});
