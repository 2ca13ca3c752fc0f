import { describe, expect, it } from 'vitest';
import { hiddenIndex } from '../../checks/hidden-index.js';
import type { IndexDescription } from '../../src/check.js';
import { judge, problem, type Given } from '../support/checks/evidence-builders.js';
import { ID_INDEX, index, usage } from '../support/checks/index-builders.js';

const MB = 1024 * 1024;
const given = (
  nodes: Parameters<typeof usage>[0],
  options: Partial<IndexDescription> = {},
  rest: Given = {},
): Given => ({
  ...rest,
  indexes: [ID_INDEX, index({ a: 1 }, { hidden: true, ...options })],
  indexUsage: usage(nodes),
});

describe('indexes that were hidden long ago', () => {
  it.each<[string, Given, [severity: string, says: string]]>([
    ['by a single server', given([{ a_1: [0, 40] }]), ['info', 'for 40 days or more.']],
    [
      'by the node that was not restarted since',
      given([{ a_1: [0, 3] }, { a_1: [0, 90] }, { a_1: [0, 12] }]),
      ['info', 'for 90 days or more.'],
    ],
    ['by a node that knows it, beside one that does not', given([{}, { a_1: [0, 90] }]), ['info', '90 days']],
    [
      'of 30 MB',
      given([{ a_1: [0, 40] }], {}, { storage: { indexSizes: { a_1: 30 * MB } } }),
      ['warning', 'It takes 30 MB, and each insert still writes it.'],
    ],
    [
      'of 4 KB, in a collection of which five million documents are expected',
      given(
        [{ a_1: [0, 40] }],
        {},
        {
          storage: { count: 60, indexSizes: { a_1: 4_096 } },
          collection: { expected: { documents: 5_000_000, from: 'expect' } },
        },
      ),
      ['warning', '60 documents here, 5,000,000 expected.'],
    ],
    [
      'sparse, partial or hashed',
      given([{ a_1: [0, 40] }], { sparse: true, partialFilterExpression: { b: 1 }, key: { a: 'hashed' } }),
      ['info', '{ a: "hashed" }'],
    ],
    [
      'just now, where that is asked for',
      given([{ a_1: [0, 0.2] }], {}, { thresholds: { hiddenFor: 0 } }),
      ['info', 'has been hidden just now.'],
    ],
  ])('%s', (_, all, [severity, says]) => {
    const found = problem(hiddenIndex, all);
    expect(found).toMatchObject({ severity, confidence: 'medium', path: 'a_1' });
    expect(found.message).toContain(says);
    expect(found.remedy.commands).toBeUndefined();
    expect(found.remedy.steps.map(({ code }) => code)).toEqual([
      'db.getSiblingDB("shop").products.unhideIndex("a_1")',
      'db.getSiblingDB("shop").products.dropIndex("a_1")',
    ]);
    expect(judge(hiddenIndex, all)).toHaveLength(1);
  });
});

describe('hidden indexes that may be a test that goes on', () => {
  it.each<[string, Given, string]>([
    ['hidden ten days ago', given([{ a_1: [0, 10] }]), 'on 2026-11-11 or later. Run again after 2026-12-12.'],
    ['which no node knows', given([{}]), 'no node says since when it is hidden.'],
    // Its counter began before it was hidden.
    ['which was used since the server counts', given([{ a_1: [4, 90] }]), 'no node says'],
  ])('%s', (_, all, says) => {
    expect(judge(hiddenIndex, all)).toEqual([{ notJudged: 'insufficient', detail: expect.stringContaining(says) }]);
  });
});

describe('indexes that are no finding', () => {
  const long = [{ a_1: [0, 90] as const, _id_: [0, 90] as const }];
  it.each<[string, Given]>([
    ['visible', given(long, { hidden: false })],
    ['unique, which prevents duplicates all the same', given(long, { unique: true })],
    ['about to be unique', given(long, { furtherOptions: { prepareUnique: true } })],
    ['TTL, which goes on deleting', given(long, { expireAfterSeconds: 60 })],
    ['of an empty collection', given(long, {}, { storage: { count: 0 } })],
  ])('%s', (_, all) => {
    expect(judge(hiddenIndex, all)).toEqual([]);
  });
});
