import { describe, expect, it } from 'vitest';
import { sinceTime } from '../../src/lint/quantity.js';
import type { Execution } from '../../src/workload/operations/execution.js';
import { OperationTally, PartTally } from '../../src/workload/operations/operation-tally.js';

const NOW = Date.UTC(2026, 10, 27, 12);

describe('--since', () => {
  it.each([
    ['2h', Date.UTC(2026, 10, 27, 10)],
    ['90min', Date.UTC(2026, 10, 27, 10, 30)],
    ['7d', Date.UTC(2026, 10, 20, 12)],
    ['2026-11-27', Date.UTC(2026, 10, 27)],
    ['2026-11-27T08:00Z', Date.UTC(2026, 10, 27, 8)],
    ['2026-11-27T08:00:30+01:00', Date.UTC(2026, 10, 27, 7, 0, 30)],
    ['2027-01-01', null],
    ['2', null],
    ['yesterday', null],
    ['2 weeks', null],
    ['', null],
  ])('%s', (text, expected) => {
    expect(sinceTime(text, NOW)).toBe(expected);
  });

  it('leaves out entries from before, and the time that they cover', () => {
    const part = new PartTally(new OperationTally(), NOW);
    const shape = { namespace: 'shop.orders', kind: 'find' } as const;
    const at = (time: number) =>
      ({
        shape,
        key: 'a',
        at: time,
        recorded: {},
      }) as unknown as Execution;
    for (const time of [NOW - 1, NOW, NOW + 5]) {
      part.covers(time);
      part.add(at(time));
    }
    const coverage = { operations: 'all', slowMilliseconds: null, sampleRate: null } as const;
    expect(part.part({}, coverage)).toMatchObject({ entries: 2, ignored: 1, window: { from: NOW, to: NOW + 5 } });
  });
});
