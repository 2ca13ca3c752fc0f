import { describe, expect, it } from 'vitest';
import { planSample } from '../../../src/profile/sampling/sample-plan.js';

const MB = 1024 * 1024;
const bounds = { documents: 1_000, bytes: 64 * MB };
const storage = (count: number, averageDocumentSize: number) => ({
  count,
  averageDocumentSize,
  size: count * averageDocumentSize,
});

describe('planSample', () => {
  it.each([
    ['an empty collection', 0, 0, 'whole-collection', 1_001, false],
    ['a small one', 900, 500, 'whole-collection', 1_001, false],
    ['exactly the sample size', 1_000, 500, 'whole-collection', 1_001, false],
    ['one more, of little weight', 1_001, 500, 'id-hash', 1_000, false],
    ['just too few for the random cursor', 20_000, 500, 'id-hash', 1_000, false],
    ['enough for the random cursor', 20_020, 500, 'random-cursor', 1_000, false],
    ['a hundred million', 100_000_000, 800, 'random-cursor', 1_000, false],
    ['documents near 16 MB, few', 60, 15 * MB, 'id-index', 4, true],
    ['documents near 16 MB, many', 10_000, 15 * MB, 'random-cursor', 4, true],
    ['of middling size, too heavy to sort', 5_000, 40_000, 'id-index', 1_000, false],
  ])('%s', (_, count, averageBytes, method, documents, boundedByBytes) => {
    expect(planSample(storage(count, averageBytes), count, bounds, false)).toMatchObject({
      method,
      documents,
      boundedByBytes,
    });
  });

  it.each([
    ['a few of 10,000', 10_000, 500, 'id-hash'],
    ['a few of 20,000', 20_000, 500, 'id-hash'],
    ['a few of more', 20_001, 500, 'random-cursor'],
    ['a few of much weight', 10_000, 10_000, 'random-cursor'],
  ])('scans for %s', (_, count, averageBytes, method) => {
    expect(planSample(storage(count, averageBytes), count, { ...bounds, documents: 20 }, false).method).toBe(method);
  });

  it('keeps a batch near 4 MB', () => {
    expect(planSample(storage(60, 15 * MB), 60, bounds, false).batchSize).toBe(1);
    expect(planSample(storage(1_000_000, 40_960), 1_000_000, bounds, false).batchSize).toBe(102);
    expect(planSample(storage(1_000_000, 100), 1_000_000, bounds, false).batchSize).toBe(1_001);
  });

  it('does not list the _ids of a clustered collection, which has no index on them', () => {
    expect(planSample(storage(60, 15 * MB), 60, bounds, true).method).toBe('natural-order');
    expect(planSample(storage(5_000, 40_000), 5_000, bounds, true)).toMatchObject({
      method: 'random-cursor',
      documents: 249,
    });
  });

  it('does not list millions of _ids, however large the sample', () => {
    const plan = planSample(storage(1_000_000, 40_000), 1_000_000, { documents: 500_000, bytes: 30_000 * MB }, false);
    expect(plan).toMatchObject({ method: 'random-cursor', documents: 49_999 });
  });

  it('works without sizes, where the user may not read them', () => {
    expect(planSample(null, 500, bounds, false)).toMatchObject({ method: 'whole-collection', documents: 1_001 });
    expect(planSample(null, 50_000, bounds, false)).toMatchObject({ method: 'random-cursor', documents: 1_000 });
    expect(planSample(null, 5_000, bounds, false)).toMatchObject({ method: 'id-index', documents: 1_000 });
  });
});
