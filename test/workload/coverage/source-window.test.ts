import { describe, expect, it } from 'vitest';
import { present } from '../../../src/presence.js';
import type { Coverage, SourcePart, SourcePlace, Workload } from '../../../src/workload/workload.js';
import { shareOfTime, sourceCoverage, windowText } from '../../../src/workload/coverage/source-window.js';

const HOUR = 3_600_000;

function part(place: SourcePlace, operations: Coverage['operations'], from: number, to: number): SourcePart {
  return {
    ...place,
    coverage: { operations, slowMilliseconds: 100, sampleRate: 1 },
    window: { from, to },
    entries: 1,
    ignored: 0,
    unreadable: 0,
    bounded: false,
  };
}

function workload(...parts: readonly SourcePart[]): Workload {
  const source = present({ parts, gaps: [] });
  return {
    sources: { profiler: source, queryStats: source, logFile: source, recentLog: source },
  } as unknown as Workload;
}

describe('what a source can have seen', () => {
  it('is that of the profiler of the database, on every node', () => {
    const parts = [
      part({ database: 'shop', member: 'the primary' }, 'all', 0, HOUR),
      part({ database: 'shop', member: 'a secondary' }, 'all', HOUR, 3 * HOUR),
      part({ database: 'blog', member: 'the primary' }, 'slow', 0, 9 * HOUR),
    ];
    expect(sourceCoverage(workload(...parts), 'profiler', 'shop')).toEqual({
      operations: 'all',
      slowMilliseconds: 100,
      window: { from: 0, to: 3 * HOUR },
    });
  });

  it('is the less where nodes differ', () => {
    const parts = [
      part({ database: 'shop', member: 'the primary' }, 'all', 0, 1),
      part({ database: 'shop', member: 'a secondary' }, 'none', 0, 1),
    ];
    expect(sourceCoverage(workload(...parts), 'profiler', 'shop').operations).toBe('slow');
  });

  it('is that of all logs, whatever the database', () => {
    expect(sourceCoverage(workload(part({ file: 'mongod.log' }, 'slow', 5, 9)), 'logFile', 'shop')).toMatchObject({
      operations: 'slow',
      window: { from: 5, to: 9 },
    });
  });

  it('is not known of a profiler that was not read', () => {
    expect(
      sourceCoverage(workload(part({ database: 'blog', member: 'the primary' }, 'all', 0, 1)), 'profiler', 'shop'),
    ).toEqual({
      operations: 'unknown',
      slowMilliseconds: null,
      window: null,
    });
  });
});

describe('the window in words', () => {
  it.each([
    [{ operations: 'all', slowMilliseconds: 100, window: { from: 0, to: 3 * HOUR } }, '1,200 executions in 3 h'],
    [
      { operations: 'slow', slowMilliseconds: 100, window: { from: 0, to: 3 * HOUR } },
      '1,200 executions of more than 100 ms in 3 h',
    ],
    [{ operations: 'slow', slowMilliseconds: null, window: null }, '1,200 executions that were slow'],
    [{ operations: 'unknown', slowMilliseconds: null, window: { from: 5, to: 5 } }, '1,200 executions'],
  ] as const)('%j', (coverage, text) => {
    expect(windowText(1_200, coverage)).toBe(text);
  });
});

it.each([
  [30, 300, 0.1],
  [1, 40, null],
  [null, 300, null],
  [30, null, null],
])('a share of %s of %s ms is %s', (part_, all, expected) => {
  expect(shareOfTime(part_, all)).toBe(expected);
});
