import { describe, expect, it } from 'vitest';
import { present } from '../../../src/presence.js';
import {
  executionsPerDay,
  recordedCoverage,
  shareOfTime,
  sourceCoverage,
  windowText,
  type SourceCoverage,
} from '../../../src/workload/coverage/recording.js';
import type { Coverage, SourcePart, SourcePlace, Workload } from '../../../src/workload/workload.js';

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
    sources: { profiler: source, queryStats: source, logFile: source, recentLog: source, routerLog: source },
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

  it.each<[string, Partial<Coverage>, Partial<Coverage>, Partial<SourceCoverage>]>([
    ['levels', { operations: 'all' }, { operations: 'none' }, { operations: 'part', slowMilliseconds: null }],
    ['all and slow', { operations: 'all' }, { operations: 'slow' }, { operations: 'part', slowMilliseconds: null }],
    [
      'thresholds',
      { operations: 'slow', slowMilliseconds: 20 },
      { operations: 'slow', slowMilliseconds: 100 },
      { operations: 'slow', slowMilliseconds: null },
    ],
    [
      'sample rates',
      { operations: 'part', sampleRate: 0.5 },
      { operations: 'part', sampleRate: 0.1 },
      { operations: 'part', slowMilliseconds: 100 },
    ],
  ])('is only what holds of every node if %s differ', (_, one, other, expected) => {
    const whole = { operations: 'all', slowMilliseconds: 100, sampleRate: 1 } as const;
    const parts = [one, other].map((coverage, index) => ({
      ...part({ database: 'shop', member: String(index) }, 'all', 0, 1),
      coverage: { ...whole, ...coverage },
    }));
    expect(sourceCoverage(workload(...parts), 'profiler', 'shop')).toEqual({ window: { from: 0, to: 1 }, ...expected });
  });

  it('keeps a sample rate that all nodes have', () => {
    const sampled = { operations: 'part', slowMilliseconds: 100, sampleRate: 0.1 } as const;
    const parts = ['the primary', 'a secondary'].map((member) => ({
      ...part({ database: 'shop', member }, 'all', 0, 1),
      coverage: sampled,
    }));
    expect(sourceCoverage(workload(...parts), 'profiler', 'shop')).toMatchObject(sampled);
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
    [{ operations: 'part', slowMilliseconds: null, window: null }, '1,200 recorded executions'],
    [
      { operations: 'part', slowMilliseconds: 100, sampleRate: 0.1, window: { from: 0, to: 3 * HOUR } },
      '1,200 recorded executions of more than 100 ms in 3 h (a sample of 10 %)',
    ],
  ] as const)('%j', (coverage, text) => {
    expect(windowText(1_200, coverage)).toBe(text);
  });
});

it.each<[Coverage['operations'], number, number | null]>([
  ['all', 2 * HOUR, 14_400],
  ['slow', 2 * HOUR, 14_400],
  ['part', 2 * HOUR, null],
  ['all', HOUR / 2, null],
])('executions a day, of %s in %s ms, are %s', (operations, to, expected) => {
  expect(executionsPerDay(1_200, { operations, slowMilliseconds: null, window: { from: 0, to } })).toBe(expected);
});

describe('a profiler that is off now', () => {
  const was = { operations: 'none', slowMilliseconds: 100, window: null } as const;
  it.each<[string, SourceCoverage, number, Coverage['operations']]>([
    ['recorded all, if faster operations than its threshold', was, 1_000, 'all'],
    ['recorded a part of them, if it sampled', { ...was, sampleRate: 0.1 }, 1_000, 'part'],
    ['is off, if only slow ones', was, 1_000_000, 'none'],
  ])('%s', (_, coverage, milliseconds, expected) => {
    expect(recordedCoverage(coverage, milliseconds, 100).operations).toBe(expected);
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
