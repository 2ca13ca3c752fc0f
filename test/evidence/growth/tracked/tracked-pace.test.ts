import { describe, expect, it } from 'vitest';
import type { Interval } from '../../../../src/evidence/growth/tracked/tracked-intervals.js';
import { lineOfPace, type LineOfPace } from '../../../../src/evidence/growth/tracked/tracked-pace.js';

/** Of 100 documents that gain so much a day, over intervals of so many days each, the last of which ends now. */
function lineOf(intervals: readonly (readonly [days: number, perDay: number])[]): LineOfPace {
  const all = intervals.map(([days, perDay]): Interval => ({
    days,
    documents: 100,
    changed: perDay === 0 ? 0 : 100,
    perDay,
    isCut: false,
  }));
  const daysAgo = [...intervals.keys(), intervals.length].map((from) =>
    intervals.slice(from).reduce((sum, [days]) => sum + days, 0),
  );
  return lineOfPace(all, daysAgo);
}

describe('the line of what a collection gains a day', () => {
  it.each<[string, (readonly [number, number])[], number]>([
    [
      'is level if all intervals gain as much a day',
      [
        [7, 2],
        [3, 2],
        [1, 2],
        [1, 2],
      ],
      0,
    ],
    [
      'is level if a job runs each week, though the older intervals are longer',
      [
        [7, 2],
        [7, 2],
        [3, 0],
        [4, 3.5],
        [6, 0],
        [1, 14],
        [1, 0],
        [5, 0],
        [1, 14],
      ],
      0,
    ],
    [
      'rises if later intervals gain more a day',
      [
        [1, 1],
        [1, 2],
        [1, 3],
      ],
      0.5,
    ],
  ])('%s', (_, intervals, change) => {
    expect(lineOf(intervals).change).toBeCloseTo(change, 6);
  });

  it('counts the days without gains to the next gain', () => {
    expect(
      lineOf([
        [6, 0],
        [1, 14],
        [6, 0],
        [1, 14],
      ]),
    ).toMatchObject({ intervals: 2, days: 14, daysAgo: 7, gained: 2_800 });
  });
});
