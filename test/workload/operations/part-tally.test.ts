import { expect, it } from 'vitest';
import { executionOf } from '../../../src/workload/operations/execution.js';
import { EntryCounts, OperationTally, PartTally } from '../../../src/workload/operations/operation-tally.js';
import type { Coverage } from '../../../src/workload/workload.js';

// The labels were written before the first run of the code.

const SLOW: Coverage = { operations: 'slow', slowMilliseconds: 100, sampleRate: 1 };
const MIXED: Coverage = { operations: 'part', slowMilliseconds: null, sampleRate: null };

it.each<[string, Coverage, number[], Coverage]>([
  ['slow ones, and none was faster', SLOW, [100, 240], SLOW],
  ['all once, as a fast one shows, and slow ones now', SLOW, [1, 240], MIXED],
  [
    'a sample of slow ones now, and others before',
    { operations: 'part', slowMilliseconds: 100, sampleRate: 0.1 },
    [3, 110],
    MIXED,
  ],
  ['slow ones, by an unknown threshold', { ...SLOW, slowMilliseconds: null }, [3], { ...SLOW, slowMilliseconds: null }],
  [
    'all',
    { operations: 'all', slowMilliseconds: null, sampleRate: 1 },
    [1],
    { operations: 'all', slowMilliseconds: null, sampleRate: 1 },
  ],
  ['nothing', SLOW, [], SLOW],
])('a profiler that records %s', (_, coverage, milliseconds, expected) => {
  const part = new PartTally(new OperationTally());
  for (const each of milliseconds) {
    part.add(
      executionOf({
        fields: { ns: 'shop.orders', command: { find: 'orders', filter: { total: 5 } } },
        operation: 'query',
        at: 0,
        milliseconds: each,
        responseBytes: 10,
        user: '',
        truncated: false,
      }),
    );
  }
  expect(part.part({ database: 'shop' }, coverage)).toMatchObject({ entries: milliseconds.length, coverage: expected });
});

it.each([
  ['an operation', { entries: 1 }, [], 1, false],
  ['what is no operation', { ignored: 1 }, [], 1, false],
  ['an operation of an unknown kind', {}, ['reindexAll', 'reindexAll'], 2, false],
  ['what cannot be read', { unreadable: 1 }, [], 1, true],
  ['nothing', {}, [], 0, true],
] as const)('a source that gave %s', (_, counts, kinds, read, isEmpty) => {
  const part = Object.assign(new EntryCounts(), counts);
  for (const kind of kinds) part.leaveOut({ notUnderstood: kind });
  expect({ read: part.read, isEmpty: part.isEmpty }).toEqual({ read, isEmpty });
});
