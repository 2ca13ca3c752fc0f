import { describe, expect, it } from 'vitest';
import { isCollectionScan } from '../../../src/workload/operations/execution.js';
import { listed } from '../../../src/workload/sources/source.js';

describe('a plan is a collection scan', () => {
  it.each([
    ['COLLSCAN', true],
    ['IXSCAN { a: 1 }, COLLSCAN', true],
    ['IXSCAN { COLLSCAN: 1 }', false],
    ['IXSCAN { a: 1 }', false],
    ['IDHACK', false],
    ['other', false],
  ])('%s: %s', (summary, isScan) => {
    expect(isCollectionScan(summary)).toBe(isScan);
  });
});

describe('places are listed', () => {
  it.each([
    [['a'], 'a'],
    [['a', 'b'], 'a and b'],
    [['a', 'b', 'c'], 'a, b and c'],
    [['a', 'b', 'c', 'd', 'e'], 'a, b, c and 2 more'],
  ])('%j', (names, text) => {
    expect(listed(names)).toBe(text);
  });
});
