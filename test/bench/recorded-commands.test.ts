import { describe, expect, it } from 'vitest';
import { longestChain } from '../../bench/recorded-commands.js';

describe('rounds of a run', () => {
  it.each([
    ['none', [], 0],
    [
      'one for what is asked at once',
      [
        [0, 5],
        [1, 6],
        [2, 7],
      ],
      1,
    ],
    [
      'one each for what waits for an answer',
      [
        [0, 5],
        [5, 10],
        [10, 15],
      ],
      3,
    ],
    [
      'those of the longest chain',
      [
        [0, 100],
        [0, 5],
        [6, 9],
        [8, 20],
        [21, 30],
      ],
      3,
    ],
  ] as const)('are %s', (_, intervals, rounds) => {
    expect(longestChain(intervals.map(([start, end]) => ({ start, end })))).toBe(rounds);
  });
});
