/** Sorts that nothing needs; all others are in workload-queries.test.ts. */
import { describe, expect, it } from 'vitest';
import { inMemorySort } from '../../checks/in-memory-sort.js';
import { foundIn, problemsIn, type Recorded } from '../support/checks/workload-builders.js';

const BY_TOTAL = { $group: { _id: '$status', total: { $sum: '$total' }, most: { $max: '$total' }, n: { $sum: 1 } } };

const sorted = (...behind: readonly object[]): Recorded => ({
  kind: 'aggregate',
  command: { pipeline: [{ $sort: { placed: 1 } }, ...behind] },
  figures: { inMemorySorts: 1_000 },
});

describe('in-memory-sort ahead of a $group', () => {
  it.each<[string, Recorded, string[]]>([
    ['whose result hangs on no order', sorted(BY_TOTAL), ['warning placed']],
    [
      'behind filters and computed fields',
      sorted({ $match: { a: 1 } }, { $unwind: '$b' }, BY_TOTAL),
      ['warning placed'],
    ],
    ['that picks the last', sorted({ $group: { _id: '$status', last: { $last: '$total' } } }), ['warning placed_1']],
    ['that collects them', sorted({ $group: { _id: '$status', all: { $push: '$total' } } }), ['warning placed_1']],
    ['of the first 20,000', sorted({ $limit: 20_000 }, BY_TOTAL), ['warning placed_1']],
    ['behind a window', sorted({ $setWindowFields: { output: {} } }, BY_TOTAL), ['warning placed_1']],
    ['that merges documents', sorted({ $group: { _id: '$a', b: { $mergeObjects: '$b' } } }), ['warning placed_1']],
  ])('%s', (_, recorded, expected) => {
    expect(foundIn(inMemorySort, { recorded: [recorded] })).toEqual(expected);
  });

  it('is told with the pipeline without it', () => {
    const [problem] = problemsIn(inMemorySort, {
      recorded: [sorted({ $group: { _id: '$status', n: { $sum: '$n' } } })],
    });
    expect(problem?.message).toContain('Nothing needs the sort order of aggregate, sorted by `placed`');
    expect(problem?.remedy.steps[0]?.code).toBe(
      'db.getSiblingDB("shop").getCollection("orders").aggregate([\n  { $group: { _id: "$status", n: { $sum: "$n" } } }\n])',
    );
  });
});
