/** Sorts for a page, and sorts that nothing needs; all others are in workload-queries.test.ts. */
import { describe, expect, it } from 'vitest';
import { inMemorySort } from '../../checks/in-memory-sort/check.js';
import { poorTargeting } from '../../checks/poor-targeting.js';
import { index } from '../support/checks/index-builders.js';
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
      'db.getSiblingDB("shop").orders.aggregate([\n  { $group: { _id: "$status", n: { $sum: "$n" } } }\n])',
    );
  });
});

/** Messages of a room, the newest first, in a collection of 20,000; an index finds those of the room. */
const page = (found: number, returned: number, executions = 5_000, further: object = {}): Recorded => ({
  plan: 'IXSCAN { room: 1 }',
  command: { filter: { room: 1 }, sort: { at: -1 }, limit: 20, ...further },
  figures: {
    executions,
    inMemorySorts: executions,
    documentsExamined: executions * found,
    keysExamined: executions * found,
    documentsReturned: executions * returned,
  },
});
const BY_ROOM = index({ room: 1 });
/** The same, of whose executions some returned fewer than their limit: all that they sorted. */
const belowLimit = (executions: number, { figures, ...recorded }: Recorded): Recorded => ({
  ...recorded,
  figures: { ...figures, belowLimit: executions },
});

describe('in-memory-sort of what belongs to a value, for a page', () => {
  it.each<[string, Recorded, string[]]>([
    ['of some hundred for ten', page(700, 10), ['warning room_1_at_-1']],
    ['of two hundred for ten', page(200, 10), ['info room_1_at_-1']],
    ['of a hundred for twenty', page(100, 20), []],
    ['of ninety for one', page(90, 1), []],
    ['of some hundred, of which most are shown', page(700, 600), []],
    ['without a limit', page(700, 10, 5_000, { limit: undefined }), []],
    ['that is never full, so that few are sorted', belowLimit(5_000, page(7_000, 10)), []],
    ['that is full one time in two', belowLimit(2_500, page(700, 10)), ['warning room_1_at_-1']],
    ['that was tried twice', page(700, 10, 2), []],
    ['some times a month', page(700, 10, 50), ['info room_1_at_-1']],
  ])('%s', (_, recorded, expected) => {
    expect(foundIn(inMemorySort, { recorded: [recorded], indexes: [BY_ROOM] })).toEqual(expected);
  });

  it('sorts no more than there are', () => {
    const [problem] = problemsIn(inMemorySort, { recorded: [page(90_000, 10)], indexes: [BY_ROOM] });
    expect(problem?.message).toContain('sorts up to 20,000 documents');
  });

  it('is what narrows the search by another field, if it is never full', () => {
    const recorded = [belowLimit(5_000, page(7_000, 10, 5_000, { filter: { room: 1, kind: 2 } }))];
    expect(foundIn(poorTargeting, { recorded, indexes: [BY_ROOM] })).toEqual(['error room_1_kind_1_at_-1']);
  });

  it('is gone with the index, and unknown in a small collection', () => {
    const recorded = [page(700, 10)];
    expect(foundIn(inMemorySort, { recorded, indexes: [BY_ROOM, index({ room: 1, at: -1 })] })).toEqual([]);
    expect(foundIn(inMemorySort, { recorded, indexes: [BY_ROOM], documents: 900 })).toEqual([]);
  });
});

const facet = (before: readonly object[], rows: readonly object[], found = 700, executions = 5_000): Recorded => ({
  kind: 'aggregate',
  plan: 'IXSCAN { room: 1 }',
  command: { pipeline: [...before, { $facet: { total: [{ $count: 'n' }], rows } }] },
  figures: {
    executions,
    inMemorySorts: executions,
    documentsExamined: executions * found,
    keysExamined: executions * found,
    documentsReturned: executions,
  },
});

describe('in-memory-sort of a page within $facet', () => {
  const SORT = { $sort: { at: -1 } };
  const MATCH = { $match: { room: 1 } };
  const PAGE = [
    SORT,
    { $skip: 20 },
    { $limit: 10 },
    { $lookup: { from: 'a', localField: 'b', foreignField: '_id', as: 'c' } },
  ];

  it.each<[string, Recorded, string[]]>([
    ['that it sorts itself', facet([MATCH], PAGE), ['warning at']],
    ['that is sorted before it', facet([MATCH, SORT], [{ $limit: 10 }]), ['warning at']],
    ['of two hundred', facet([MATCH], PAGE, 200), ['info at']],
    ['of ninety', facet([MATCH], PAGE, 90), []],
    ['that was tried twice', facet([MATCH], PAGE, 700, 2), []],
    ['without a limit', facet([MATCH], [SORT]), []],
    ['of groups', facet([MATCH], [{ $group: { _id: '$a' } }, SORT, { $limit: 10 }]), []],
    ['of groups made before', facet([MATCH, { $group: { _id: '$a' } }], PAGE), []],
  ])('%s', (_, recorded, expected) => {
    expect(foundIn(inMemorySort, { recorded: [recorded], indexes: [BY_ROOM] })).toEqual(expected);
  });

  it('is told with the page as a pipeline of its own, and the index that gives its order', () => {
    const [problem] = problemsIn(inMemorySort, { recorded: [facet([MATCH], PAGE.slice(0, 3))], indexes: [BY_ROOM] });
    expect(problem?.message).toContain('The page within the `$facet` of aggregate by `room`');
    expect(problem?.remedy.steps.map(({ code }) => code)).toEqual([
      'db.getSiblingDB("shop").orders.aggregate([\n  { $match: { room: <number> } },\n  { $sort: { at: -1 } },\n  { $skip: <number> },\n  { $limit: <number> }\n])',
      'db.getSiblingDB("shop").orders.createIndex({ "room": 1, "at": -1 })',
      undefined,
    ]);
  });
});
