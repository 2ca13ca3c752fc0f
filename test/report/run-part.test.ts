import { describe, expect, it } from 'vitest';
import { isInPart, namesOfPart } from '../../src/report/names-of-part.js';
import { runPart } from '../../src/report/run-part.js';
import { assert, integer, property, string, uniqueArray } from '../support/fast-check.js';

const names = (count: number) => Array.from({ length: count }, (_, index) => `cluster-${index}`);
const allParts = (all: readonly string[], of: number) =>
  Array.from({ length: of }, (_, index) => namesOfPart(all, { number: index + 1, of }));

describe('a part', () => {
  it.each([
    ['1/1', { number: 1, of: 1 }],
    ['2/8', { number: 2, of: 8 }],
    ['8/8', { number: 8, of: 8 }],
    ['0/8', null],
    ['9/8', null],
    ['8', null],
    ['1/0', null],
    ['-1/8', null],
    ['1/8/2', null],
    ['1 of 8', null],
    ['1/9999', null],
    ['', null],
  ])('is read from "%s"', (text, expected) => expect(runPart(text)).toEqual(expected));
});

describe('names that are shared out', () => {
  it('are each in one part, and parts differ by one name at most', () => {
    assert(
      property(uniqueArray(string()), integer({ min: 1, max: 20 }), (all, of) => {
        const parts = allParts(all, of);
        expect(parts.flatMap((part) => [...part]).sort()).toEqual([...all].sort());
        const sizes = parts.map(({ size }) => size);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('are shared out alike in whatever order they are listed', () => {
    const all = names(100);
    expect(allParts(all.toReversed(), 8)).toEqual(allParts(all, 8));
  });

  it('stay where they are, but for few, if one comes or goes', () => {
    const all = names(200);
    const before = allParts(all, 8);
    const after = allParts([...all, 'a new one'], 8);
    const moved = all.filter(
      (name) => before.findIndex((part) => part.has(name)) !== after.findIndex((part) => part.has(name)),
    );
    expect(moved.length).toBeLessThan(all.length / 10);
  });
});

describe('a name by itself', () => {
  it('is in one part of each number of parts', () => {
    for (const name of names(50)) {
      const parts = Array.from({ length: 7 }, (_, index) => isInPart(name, { number: index + 1, of: 7 }));
      expect(parts.filter(Boolean)).toHaveLength(1);
    }
  });

  it('falls into parts of about one size', () => {
    const sizes = Array.from(
      { length: 8 },
      (_, index) => names(8_000).filter((name) => isInPart(name, { number: index + 1, of: 8 })).length,
    );
    // Six standard deviations of a binomial distribution of 8,000 draws with a chance of 1 in 8.
    expect(Math.max(...sizes.map((size) => Math.abs(size - 1_000)))).toBeLessThan(6 * Math.sqrt((8_000 / 8) * (7 / 8)));
  });
});
