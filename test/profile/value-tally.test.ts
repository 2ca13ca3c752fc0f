/** How values are spread, against plain counting; from a sample, the chance of equal values is that of all. */
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../src/demo/seeded-random.js';
import { fieldTypesOf } from '../../src/profile/field-types.js';
import { profileOf } from '../support/documents/profiles.js';

const SAMPLE = { method: 'whole-collection', complete: true, boundedBy: null, elapsed: 1 } as const;

function spreadOf(values: readonly unknown[]) {
  const profile = profileOf(values.map((value, _id) => ({ _id, value })));
  return fieldTypesOf({ profile, sample: SAMPLE }).fields.find(({ path }) => path === 'value')?.spread;
}

describe('the spread of a field', () => {
  it.each([
    ['texts', ['a', 'b', 'a', 'a'], { compared: 4, distinct: 2, commonest: 0.75, alike: 0.5 }],
    ['one value', [7, 7, 7], { compared: 3, distinct: 1, commonest: 1, alike: 1 }],
    ['a single document', [7], { compared: 1, distinct: 1, commonest: 1, alike: 0 }],
    ['booleans beside null', [true, false, null, null], { compared: 2, distinct: 2, commonest: 0.5, alike: 0 }],
    ['long texts with one beginning and end', ['x'.repeat(80) + 1, 'x'.repeat(80) + 2], { distinct: 2 }],
  ])('of %s', (_, values, expected) => {
    expect(spreadOf(values)).toMatchObject(expected);
  });

  it('of null alone is unknown', () => {
    expect(spreadOf([null, null])).toBeNull();
  });

  it('of 40,000 values comes from 2,048 of them at most', () => {
    const random = new SeededRandom(7);
    const spread = spreadOf(Array.from({ length: 40_000 }, () => random.below(50)));
    expect(spread?.compared).toBeLessThanOrEqual(2_048);
    expect(spread?.distinct).toBe(50);
    expect(spread?.alike).toBeGreaterThan(0.018);
    expect(spread?.alike).toBeLessThan(0.022);
  });

  it.each([2, 3, 4, 7, 8, 16])('of values that come round every %i documents is theirs', (period) => {
    const spread = spreadOf(Array.from({ length: 40_000 }, (_, number) => `state ${number % period}`));
    expect(spread?.distinct).toBe(period);
    expect(spread?.alike).toBeGreaterThan(0.9 / period);
    expect(spread?.alike).toBeLessThan(1.1 / period);
  });
});
