import { describe, expect, it } from 'vitest';
import { unusedIndex } from '../../checks/unused-index.js';
import type { CollectionSharding, IndexDescription, NotJudged } from '../../src/check.js';
import { judge, problem, problems, type Given } from '../support/checks/evidence-builders.js';
import { ID_INDEX, index, usage } from '../support/checks/index-builders.js';

const MB = 1024 * 1024;
const given = (
  options: Partial<IndexDescription>,
  nodes: Parameters<typeof usage>[0],
  notAsked: number | null = 0,
  rest: Given = {},
): Given => ({
  ...rest,
  indexes: [ID_INDEX, index({ a: 1 }, options)],
  indexUsage: usage(nodes, notAsked),
});
const notJudged = (all: Given) =>
  judge(unusedIndex, all).filter((verdict): verdict is NotJudged => 'notJudged' in verdict);

describe('unused indexes', () => {
  it.each<[string, Given, { severity: string; confidence: string; says: string }]>([
    [
      'on a single server',
      given({}, [{ a_1: [0, 45] }]),
      { severity: 'info', confidence: 'high', says: 'in 45 days, on the primary.' },
    ],
    [
      'on all three nodes, for as long as the youngest counts',
      given({}, [{ a_1: [0, 45] }, { a_1: [0, 32] }, { a_1: [0, 60] }]),
      { severity: 'info', confidence: 'high', says: 'in 32 days, on any of 3 nodes.' },
    ],
    [
      'not yet for a month',
      given({}, [{ a_1: [0, 8] }]),
      { severity: 'info', confidence: 'medium', says: 'in 8 days' },
    ],
    [
      'with members that mongos does not ask',
      given({}, [{ a_1: [0, 45] }], 2),
      { severity: 'info', confidence: 'low', says: '2 others could not be asked' },
    ],
    [
      'with nobody knows how many members',
      given({}, [{ a_1: [0, 45] }], null),
      { severity: 'info', confidence: 'low', says: 'others, of unknown number, could not be asked' },
    ],
    [
      'counted for some hours, where that is asked for',
      given({}, [{ a_1: [0, 0.2] }], 0, { thresholds: { minimumAge: 0 } }),
      { severity: 'info', confidence: 'medium', says: 'in less than a day' },
    ],
    [
      'of 30 MB',
      given({}, [{ a_1: [0, 45] }], 0, { storage: { indexSizes: { a_1: 30 * MB } } }),
      { severity: 'warning', confidence: 'high', says: 'It takes 30 MB' },
    ],
    [
      'of 4 KB, in a collection of which five million documents are expected',
      given({}, [{ a_1: [0, 45] }], 0, {
        storage: { count: 60, indexSizes: { a_1: 4_096 } },
        collection: { expected: { documents: 5_000_000, from: 'expect' } },
      }),
      { severity: 'warning', confidence: 'high', says: ' 60 documents here, 5,000,000 expected.' },
    ],
    [
      'that is sparse, partial or hashed',
      given({ sparse: true, partialFilterExpression: { b: 1 }, key: { a: 'hashed' } }, [{ a_1: [0, 45] }]),
      { severity: 'info', confidence: 'high', says: '{ a: "hashed" }' },
    ],
  ])('%s', (_, all, { severity, confidence, says }) => {
    const found = problem(unusedIndex, all);
    expect(found).toMatchObject({ severity, confidence, path: 'a_1' });
    expect(found.message).toContain(says);
    expect(found.remedy.commands).toEqual([
      { db: 'shop', command: { collMod: 'products', index: { name: 'a_1', hidden: true } } },
    ]);
    expect(notJudged(all)).toEqual([]);
  });
});

describe('indexes that are used, or do something else', () => {
  it.each<[string, Given]>([
    ['used on the primary', given({}, [{ a_1: [3, 45] }, { a_1: [0, 45] }])],
    ['used on one secondary alone', given({}, [{ a_1: [0, 45] }, { a_1: [0, 45] }, { a_1: [1, 45] }])],
    ['unique', given({ unique: true }, [{ a_1: [0, 45] }])],
    ['TTL', given({ expireAfterSeconds: 60 }, [{ a_1: [0, 45] }])],
    ['hidden', given({ hidden: true }, [{ a_1: [0, 45] }])],
    ['the order of a clustered collection', given({ clustered: true }, [{ a_1: [0, 45] }])],
    [
      'of the shard key',
      given({}, [{ a_1: [0, 45] }], 0, {
        collection: { sharding: { key: [{ path: 'a', hashed: false }] } as unknown as CollectionSharding },
      }),
    ],
    [
      'beginning with the shard key',
      given({ key: { a: 1, b: 1 } }, [{ a_1: [0, 45] }], 0, {
        collection: { sharding: { key: [{ path: 'a', hashed: false }] } as unknown as CollectionSharding },
      }),
    ],
    [
      'made by the driver for GridFS',
      given({ key: { filename: 1, uploadDate: 1 } }, [{ a_1: [0, 45] }], 0, { collection: { name: 'fs.files' } }),
    ],
    ['made by the driver for encrypted fields', given({ key: { __safeContent__: 1 } }, [{ a_1: [0, 45] }])],
    ['of an empty collection', given({}, [{ a_1: [0, 45] }], 0, { storage: { count: 0 } })],
    ['on _id', { indexes: [ID_INDEX], indexUsage: usage([{ _id_: [0, 45] }]) }],
  ])('%s', (_, all) => {
    expect(judge(unusedIndex, all)).toEqual([]);
  });
});

describe('statistics that are too young', () => {
  it('says since when they count, and when to run again', () => {
    const [verdict, ...others] = notJudged(given({}, [{ a_1: [0, 45] }, { a_1: [0, 0.5] }]));
    expect(others).toEqual([]);
    expect(verdict?.notJudged).toBe('insufficient');
    expect(verdict?.detail).toContain('`a_1`');
    expect(verdict?.detail).toContain('since 2026-11-21');
    expect(verdict?.detail).toContain('Run again after 2026-11-28');
    expect(problems(unusedIndex, given({}, [{ a_1: [0, 45] }, { a_1: [0, 0.5] }]))).toEqual([]);
  });

  it.each<[string, Parameters<typeof usage>[0]]>([
    ['a day short of a week', [{ a_1: [0, 6.9] }]],
    ['a node that does not know the index yet', [{ a_1: [0, 45] }, {}]],
    ['no node at all', []],
  ])('is not judged: %s', (_, nodes) => {
    expect(notJudged(given({}, nodes))).toHaveLength(1);
    expect(problems(unusedIndex, given({}, nodes))).toEqual([]);
  });

  it('does not keep a used index, or an older one, from being judged', () => {
    const all: Given = {
      indexes: [ID_INDEX, index({ a: 1 }), index({ b: 1 }), index({ c: 1 })],
      indexUsage: usage([{ a_1: [0, 1], b_1: [9, 1], c_1: [0, 45] }]),
    };
    expect(problems(unusedIndex, all).map(({ path }) => path)).toEqual(['c_1']);
    expect(notJudged(all)).toHaveLength(1);
  });

  it('names a few of many', () => {
    const fields = Array.from({ length: 9 }, (_, position) => `f${position}`);
    const all: Given = {
      indexes: [ID_INDEX, ...fields.map((field) => index({ [field]: 1 }))],
      indexUsage: usage([Object.fromEntries(fields.map((field) => [`${field}_1`, [0, 1] as const]))]),
    };
    expect(notJudged(all)[0]?.detail).toContain('`f4_1`, 4 others can go');
  });
});
