import { describe, expect, it } from 'vitest';
import { lifetimeDays } from '../../../../src/evidence/growth/tracked/tracked-lifetime.js';

/** Shares of the documents of each daily run that are gone by now, from the oldest run on. */
function gone(shares: readonly number[], documents = 160) {
  return shares.map((share, run) => ({ days: shares.length - run, documents, share }));
}

describe('documents live for', () => {
  it('as long as it took until nine tenths of a run were gone', () => {
    expect(lifetimeDays(gone([1, 0.95, 0.7, 0.4, 0.2]))).toBe(4);
  });

  it('some days, by those that are gone before so many are: of documents that are deleted after seven days', () => {
    const days = lifetimeDays(gone([3 / 7, 2 / 7, 1 / 7]));
    expect(days).toBeGreaterThan(7);
    expect(days).toBeLessThan(20);
  });

  it.each([
    ['hundreds of days, if one in a hundred goes each day', [0.03, 0.02, 0.01], 200],
    ['as long as they like, if none goes', [0, 0, 0], Infinity],
    ['as long as they like, if many were deleted once', [0.5, 0.5, 0.5, 0], Infinity],
    ['an unknown time, if few were seen', [], Infinity],
  ])('%s', (_, shares, least) => {
    expect(lifetimeDays(gone(shares)) ?? Infinity).toBeGreaterThanOrEqual(least);
  });

  it('an unknown time, if few stand for others', () => {
    expect(lifetimeDays(gone([1, 1, 0.5], 19))).toBeNull();
  });
});
