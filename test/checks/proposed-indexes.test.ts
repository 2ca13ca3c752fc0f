/** Which index is proposed for recorded queries, and what they are estimated to examine with it. */
import { describe, expect, it } from 'vitest';
import { collectionScan } from '../../checks/collection-scan.js';
import { problemsIn, type Recorded } from '../support/checks/workload-builders.js';

const BY_CUSTOMER: Recorded = { command: { filter: { customer: 4_711 } } };
const GROUP = { $group: { _id: '$status', count: { $sum: 1 } } };
const pipeline = (...stages: readonly object[]): Recorded => ({ kind: 'aggregate', command: { pipeline: stages } });
const sorted = (filter: object, sort: object): Recorded => ({ command: { filter, sort } });
const keysFor = (...recorded: readonly Recorded[]) =>
  problemsIn(collectionScan, { recorded }).flatMap(({ remedy }) =>
    (remedy.commands ?? []).flatMap(({ command }) => command['indexes'] as { readonly name: string }[]),
  );

describe('the index that is proposed', () => {
  it('proposes one index for sorts in both directions', () => {
    const proposed = keysFor(
      sorted({ state: 1 }, { placed: 1 }),
      sorted({ state: 1 }, { placed: -1 }),
      sorted({ state: { $gt: 3 } }, { state: 1, placed: 1 }),
    );
    expect(proposed.map(({ name }) => name)).toEqual(['state_1_placed_1']);
  });

  it.each<[string, Recorded, string[]]>([
    ['alone', { command: { filter: { readers: { $in: [null, 'ada'] } } } }, ['readers_1']],
    [
      'beside an equality',
      { command: { filter: { author: 7, readers: { $in: [null, 'ada'] } } } },
      ['author_1_readers_1'],
    ],
    [
      'beside a sort',
      { command: { filter: { readers: { $in: [null, 'ada'] } }, sort: { placed: -1 }, limit: 20 } },
      ['placed_-1_readers_1'],
    ],
    [
      'of one type',
      { command: { filter: { readers: { $in: ['eve', 'ada'] } }, sort: { placed: -1 } } },
      ['readers_1_placed_-1'],
    ],
    ['beside a search without case', { command: { filter: { readers: { $in: [null, 'a'] }, name: /x/i } } }, []],
  ])('leads an index by a list of values of several types only if nothing else narrows: %s', (_, recorded, names) => {
    expect(keysFor(recorded).map(({ name }) => name)).toEqual(names);
  });

  it.each<[string, Recorded, number | undefined]>([
    ['what is returned', { command: { filter: { customer: 7 } } }, 10],
    ['a page in order', { command: { filter: { customer: 7 }, sort: { placed: -1 }, limit: 10 } }, 10],
    ['none of a covered query', { command: { filter: { customer: 7 }, projection: { customer: 1, _id: 0 } } }, 0],
    ['none of a count', { kind: 'count', command: { query: { customer: 7 } } }, 0],
    ['none of a count by an aggregate', pipeline({ $match: { customer: 7 } }, { $count: 'all' }), 0],
    ['unknown of a count of null', { kind: 'count', command: { query: { customer: null } } }, undefined],
    ['unknown of a group', pipeline({ $match: { customer: 7 } }, GROUP), undefined],
    ['unknown where documents are tested', { command: { filter: { customer: 7, items: { $size: 3 } } } }, undefined],
    [
      'unknown where all are sorted',
      { command: { filter: { total: { $gt: 7 } }, sort: { placed: -1 }, limit: 10 } },
      undefined,
    ],
    ['each branch of $or', { command: { filter: { $or: [{ customer: 7 }, { number: 8 }] } } }, 10],
    [
      'unknown of an $or beside another condition',
      { command: { filter: { customer: 7, $or: [{ number: 7 }, { total: 8 }] } } },
      undefined,
    ],
  ])('estimates what is examined with the index: %s', (_, recorded, expected) => {
    const [finding] = problemsIn(collectionScan, {
      recorded: [recorded],
      fields: ['customer', 'number', 'placed', 'total'],
    });
    expect(finding?.remedy.commands).toBeDefined();
    expect(finding?.evidence['documentsExaminedWithIndex']).toBe(expected);
  });

  it('gives the range of the estimate, and each query that one index serves', () => {
    const [one] = problemsIn(collectionScan, { recorded: [BY_CUSTOMER] });
    expect(one?.evidence['documentsExaminedWithIndexRange']).toEqual([
      expect.closeTo(9.804, 3),
      expect.closeTo(10.196, 3),
    ]);
    const [both] = problemsIn(collectionScan, {
      recorded: [BY_CUSTOMER, pipeline({ $match: { customer: 7 } }, GROUP)],
    });
    expect(both?.evidence).not.toHaveProperty('documentsExaminedWithIndex');
    expect(both?.evidence['documentsExaminedWithIndexByQuery']).toEqual([10, null]);
  });
});
