import { describe, expect, it } from 'vitest';
import { tooManyIndexes } from '../../checks/too-many-indexes/check.js';
import type { IndexDescription, IndexUsage } from '../../src/check.js';
import { pathProfile, problem, problems, type Given } from '../support/checks/evidence-builders.js';
import { ID_INDEX, index } from '../support/checks/index-builders.js';

const MB = 1024 * 1024;
/** So many indexes, the one on `_id` included. */
const indexes = (count: number): IndexDescription[] => [
  ID_INDEX,
  ...Array.from({ length: count - 1 }, (_, position) => index({ [`f${position}`]: 1 })),
];
const weighing = (count: number, totalIndexSize: number, size: number): Given => ({
  indexes: indexes(count),
  storage: { totalIndexSize, size },
});

describe('too many indexes', () => {
  it.each<[string, Given, string]>([
    ['20', { indexes: indexes(20) }, 'info'],
    ['50', { indexes: indexes(50) }, 'warning'],
    ['60, hidden ones included', { indexes: indexes(60).map((each) => ({ ...each, hidden: true })) }, 'error'],
    ['12 that outweigh the documents', weighing(12, 400 * MB, 300 * MB), 'info'],
  ])('%s', (_, given, severity) => {
    expect(problem(tooManyIndexes, given)).toMatchObject({ severity, path: null, confidence: 'high' });
  });

  it.each<[string, Partial<IndexDescription>, string | null]>([
    ['plain', {}, 'info'],
    ['sparse, on a field of a tenth of the documents', { sparse: true }, null],
    ['partial, by that field', { partialFilterExpression: { rare: { $exists: true } } }, null],
    ['partial, by a value of it', { partialFilterExpression: { rare: 'x', common: 'y' } }, null],
    ['partial, by a field of all', { partialFilterExpression: { common: { $gt: 5 } } }, 'info'],
    ['partial, by null', { partialFilterExpression: { rare: null } }, 'info'],
    ['partial, by its absence', { partialFilterExpression: { rare: { $exists: false } } }, 'info'],
    ['sparse, on a field that was not seen', { sparse: true, key: { gone: 1 } }, null],
  ])('counts what an insert writes: 12 of 25 are %s', (_, options, severity) => {
    const paths = [pathProfile({ path: 'rare' }), pathProfile({ path: 'common', documents: 1_000 })];
    const some = Array.from({ length: 12 }, (__, at) => index({ rare: 1 }, { name: `some${at}`, ...options }));
    const found = problems(tooManyIndexes, { paths, indexes: [...indexes(13), ...some] });
    expect(found.map((one) => one.severity)).toEqual(severity === null ? [] : [severity]);
  });

  it('says how many an insert writes, and gives an error by their number alone', () => {
    const some = Array.from({ length: 50 }, (_, at) => index({ rare: 1 }, { name: `some${at}`, sparse: true }));
    const found = problem(tooManyIndexes, {
      paths: [
        pathProfile({ path: 'rare' }),
        ...indexes(13)
          .slice(1)
          .map(({ key }) => pathProfile({ path: Object.keys(key)[0] ?? '' })),
      ],
      indexes: [...indexes(13), ...some],
    });
    expect(found).toMatchObject({ severity: 'error', evidence: { indexes: 63, writtenPerInsert: 18 } });
    expect(found.message).toContain('writes 18 of them on average (the others are sparse or partial)');
  });

  it('says where they can be merged', () => {
    const alike = [index({ status: 1 }), index({ status: 1, placed: 1 }), index({ status: 1, total: 1 })];
    expect(problem(tooManyIndexes, { indexes: [...indexes(20), ...alike] }).remedy.text).toContain(
      '3 of them begin with `status`, such as { status: 1 }',
    );
  });

  it('says so only of those that compare alike', () => {
    const collation = { locale: 'en', strength: 2 };
    const alike = [index({ status: 1 }), index({ status: 1 }, { name: 'insensitive', collation })];
    expect(problem(tooManyIndexes, { indexes: [...indexes(20), ...alike] }).remedy.text).toContain(
      'No two indexes of one collation should begin with the same field',
    );
  });

  it('names the heaviest', () => {
    const found = problem(tooManyIndexes, {
      indexes: indexes(30),
      storage: { indexSizes: { f3_1: 9 * MB, f7_1: 5 * MB } },
    });
    expect(Object.keys(found.evidence['largestIndexBytes'] as object).slice(0, 2)).toEqual(['f3_1', 'f7_1']);
  });
});

/** @param others uses of the other ones, each */
const usedBy = (
  accesses: number,
  names: readonly string[],
  { others = 0, ...rest }: Partial<IndexUsage> & { readonly others?: number } = {},
): IndexUsage => ({
  readAt: Date.UTC(2026, 10, 27),
  nodes: [
    {
      node: 'the primary',
      indexes: Object.fromEntries(
        named(0, 12).map((name) => [
          name,
          { accesses: names.includes(name) ? accesses : others, since: Date.UTC(2026, 10, 26) },
        ]),
      ),
    },
  ],
  nodesNotAsked: 0,
  ...rest,
});
const named = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `f${from + at}_1`);

describe('a dozen indexes', () => {
  it.each<[string, Given, string | null]>([
    ['of which queries use four', { indexes: indexes(12), indexUsage: usedBy(50, named(0, 4)) }, 'info'],
    ['of which queries use six', { indexes: indexes(12), indexUsage: usedBy(50, named(0, 6)) }, null],
    [
      'of which queries used the others once or twice',
      { indexes: indexes(12), indexUsage: usedBy(50, named(0, 4), { others: 2 }) },
      'info',
    ],
    [
      'of which queries used the others three times',
      { indexes: indexes(12), indexUsage: usedBy(50, named(0, 4), { others: 3 }) },
      null,
    ],
    ['of which few uses were counted', { indexes: indexes(12), indexUsage: usedBy(9, named(0, 4)) }, null],
    ['less one, of which queries use four', { indexes: indexes(11), indexUsage: usedBy(50, named(0, 4)) }, null],
    ['whose uses are unknown', { indexes: indexes(12) }, null],
    [
      'of which a node was not asked',
      { indexes: indexes(12), indexUsage: usedBy(50, named(0, 4), { nodesNotAsked: 1 }) },
      null,
    ],
    [
      'of which two more keep values unique',
      {
        indexes: indexes(12).map((each, at) => (at > 9 ? { ...each, unique: true } : each)),
        indexUsage: usedBy(50, named(0, 4)),
      },
      null,
    ],
    [
      'half of them sparse, on a field of a tenth of the documents',
      {
        paths: [pathProfile({ path: 'f0' })],
        indexes: indexes(12).map((each, at) => (at > 5 ? { ...each, sparse: true, key: { f0: 1 } } : each)),
        indexUsage: usedBy(50, named(0, 4)),
      },
      null,
    ],
  ])('%s', (_, given, severity) => {
    const found = problems(tooManyIndexes, given);
    expect(found.map((one) => one.severity)).toEqual(severity === null ? [] : [severity]);
  });

  it('says how many queries used, the one on _id among them', () => {
    const found = problem(tooManyIndexes, { indexes: indexes(12), indexUsage: usedBy(50, named(0, 4)) });
    expect(found.message).toContain('Queries used 5 of the 12 repeatedly since the server started');
    expect(found.evidence['usedIndexes']).toBe(5);
  });
});

describe('indexes that are no finding', () => {
  it.each<[string, Given]>([
    ['19', { indexes: indexes(19) }],
    ['12 that weigh less than the documents', weighing(12, 400 * MB, 500 * MB)],
    ['12 small ones that outweigh small documents', weighing(12, 100 * MB, 50 * MB)],
    ['3 that outweigh the links that they are for', weighing(3, 900 * MB, 300 * MB)],
  ])('%s', (_, given) => {
    expect(problems(tooManyIndexes, given)).toEqual([]);
  });
});
