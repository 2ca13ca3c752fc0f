import { describe, expect, it } from 'vitest';
import { unboundedFind } from '../../checks/unbounded-find/check.js';
import {
  foundIn,
  judgeWorkload,
  problemsIn,
  type GivenWorkload,
  type Recorded,
} from '../support/checks/workload-builders.js';

const KB = 1024;

interface Read extends Pick<Recorded, 'kind' | 'truncated'> {
  readonly documents?: number;
  readonly bytes?: number | null;
  readonly executions?: number;
}

const read = (command: object, given: Read = {}): Recorded => {
  const { documents = 3_000, bytes = 4 * KB, executions = 10_000, ...rest } = given;
  return {
    command,
    ...rest,
    figures: {
      executions,
      documentsReturned: documents * executions,
      responseBytes: bytes === null ? null : bytes * documents * executions,
    },
  };
};

const of = (command: object, given?: Read): GivenWorkload => ({ recorded: [read(command, given)] });
const OPEN = { filter: { status: 'open' } };
const MATCH = { $match: { status: 'open' } };

const codesOf = (given: GivenWorkload) =>
  problemsIn(unboundedFind, given)[0]?.remedy.steps?.flatMap(({ code }) => code ?? []);

describe('unbounded-find', () => {
  it.each<[string, GivenWorkload, string[]]>([
    ['12 MB', of(OPEN), ['warning null']],
    ['12 MB once a day', of(OPEN, { executions: 30 }), ['info null']],
    ['12 MB, four times in half an hour', { ...of(OPEN, { executions: 4 }), days: 0.02 }, ['info null']],
    ['12 MB, twenty times in half an hour', { ...of(OPEN, { executions: 20 }), days: 0.02 }, ['warning null']],
    ['12 MB, 17,000 times a day', of(OPEN, { executions: 500_000 }), ['warning null']],
    ['24 MB', of(OPEN, { documents: 6_000 }), ['warning null']],
    ['24 MB once a day', of(OPEN, { documents: 6_000, executions: 30 }), ['info null']],
    ['24 MB, twice', { ...of(OPEN, { documents: 6_000, executions: 2 }), days: 0.02 }, ['info null']],
    ['everything', of({}), ['warning null']],
    ['sorted', of({ ...OPEN, sort: { at: 1 } }), ['warning null']],
    ['without a small field', of({ ...OPEN, projection: { password: 0 } }), ['warning null']],
    ['$match alone', of({ pipeline: [MATCH] }, { kind: 'aggregate' }), ['warning null']],
    [
      '200 documents, of which two million are expected',
      { ...of({}, { documents: 200, executions: 1 }), documents: 200, days: 0.02, expected: { documents: 2_000_000 } },
      ['warning null'],
    ],
    [
      'the open ones of 200 documents, of which two million are expected',
      { ...of(OPEN, { documents: 20, executions: 1 }), documents: 200, expected: { documents: 2_000_000 } },
      [],
    ],
    ['two reads of one collection', { recorded: [read(OPEN), read({ filter: { shop: 3 } })] }, ['warning null']],
    ['a limit', of({ ...OPEN, limit: 5_000 }), []],
    ['$limit', of({ pipeline: [MATCH, { $limit: 5_000 }] }, { kind: 'aggregate' }), []],
    ['some fields', of({ ...OPEN, projection: { number: 1 } }), []],
    ['$project', of({ pipeline: [MATCH, { $project: { number: 1 } }] }, { kind: 'aggregate' }), []],
    ['$group', of({ pipeline: [MATCH, { $group: { _id: '$shop' } }] }, { kind: 'aggregate' }), []],
    ['$sample', of({ pipeline: [{ $sample: { size: 3_000 } }] }, { kind: 'aggregate' }), []],
    ['3,000 small documents', of(OPEN, { bytes: 100 }), []],
    ['ten large documents', of(OPEN, { documents: 10, bytes: 1_000 * KB }), []],
    ['by ids', of({ filter: { _id: { $in: ['a', 'b'] } } }), []],
    [
      'by a unique field',
      {
        ...of({ filter: { number: { $in: [1, 2] } } }),
        indexes: [{ name: 'number_1', key: { number: 1 }, unique: true } as never],
      },
      [],
    ],
    ['an update of many', of({ q: {}, u: { $set: { a: 1 } }, multi: true }, { kind: 'update' }), []],
  ])('%s', (_, given, expected) => {
    expect(foundIn(unboundedFind, given)).toEqual(expected);
  });

  it.each<[string, GivenWorkload, string, string]>([
    ['a command that was cut', of(OPEN, { truncated: true }), 'insufficient', 'whether it has a limit is unknown'],
    ['no bytes', of(OPEN, { bytes: null }), 'insufficient', 'does not have the size of its replies'],
    ['all of 60 documents', { ...of({}, { documents: 60 }), documents: 60 }, 'too-small', 'Read as a whole: find.'],
  ])('does not judge %s', (_, given, notJudged, detail) => {
    expect(judgeWorkload(unboundedFind, given)).toEqual([
      { namespace: 'shop.orders', notJudged, detail: expect.stringContaining(detail) },
    ]);
  });

  it('prints pages in the order of _id behind an equality, with their index', () => {
    expect(codesOf(of(OPEN))).toEqual([
      'db.getSiblingDB("shop").orders.find({ "status": statusValue, "_id": { $gt: last["_id"] } }).sort({ "_id": 1 }).limit(100)',
      'db.getSiblingDB("shop").orders.createIndex({ "status": 1, "_id": 1 })',
    ]);
  });

  it('pages in the order of the range, or of the query itself, if there is one', () => {
    expect(codesOf(of({ filter: { total: { $gte: 5 } } }))?.[0]).toContain('.sort({ "total": 1, "_id": 1 })');
    expect(codesOf(of({ ...OPEN, sort: { at: -1 } }))?.[1]).toContain('{ "status": 1, "at": -1, "_id": -1 }');
  });

  it.each<[string, object]>([
    ['alternatives', { filter: { $or: [{ a: 1 }, { b: 2 }] } }],
    ['a list of values', { filter: { shop: { $in: [1, 2] } } }],
    ['a range beside another order', { filter: { total: { $gte: 5 } }, sort: { at: 1 } }],
    ['a collation', { ...OPEN, collation: { locale: 'en', strength: 2 } }],
  ])('prints no pages for %s, which they could slow down', (_, command) => {
    expect(codesOf(of(command))).toEqual([]);
  });

  it('says what is returned, and that the fields in use are unknown', () => {
    const [problem] = problemsIn(unboundedFind, of(OPEN));
    expect(problem?.message).toBe(
      'Without a limit or a projection: find by `status` returns 3,000 documents and 12 MB per execution on average (10,000 executions in 30 days). It grows with what matches.',
    );
    expect(problem?.remedy.steps?.[0]?.text).toContain('Which fields the application reads is not recorded.');
  });
});
