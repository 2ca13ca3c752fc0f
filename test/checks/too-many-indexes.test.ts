import { describe, expect, it } from 'vitest';
import { tooManyIndexes } from '../../checks/too-many-indexes/check.js';
import type { IndexDescription } from '../../src/check.js';
import { problem, problems, type Given } from '../support/checks/evidence-builders.js';
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

  it('says where they can be merged', () => {
    const alike = [index({ status: 1 }), index({ status: 1, placed: 1 }), index({ status: 1, total: 1 })];
    expect(problem(tooManyIndexes, { indexes: [...indexes(20), ...alike] }).remedy.text).toContain(
      '3 of them begin with `status`, such as { status: 1 }',
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
