import { describe, expect, it } from 'vitest';
import { areBeingFilled, type EarlierVerdict } from '../../../../src/evidence/growth/rates/filled-arrays.js';

const evenly = (count: number, from: number, to: number) =>
  Array.from({ length: count }, (_, index) => from + ((to - from) * (index + 0.5)) / count);

const inOrder = (one: readonly boolean[]) => one.map(Number);

/** Some of a hundred arrays grow. The others are longer than them, and than each other, by a share of pairs. */
function isFilling(growing: number, longerBy: number, verdict: EarlierVerdict): boolean {
  const lengths = evenly(growing, 20, 60);
  const others = evenly(400, 20, 60).map((length) => length + 40 * longerBy);
  const all = [...lengths, ...others];
  return areBeingFilled({ arrays: growing, lengths }, { arrays: all.length, lengths: all }, growing, verdict);
}

describe('arrays that grow beside many as long ones', () => {
  it('are not told to grow at first if they are so few that these may be the full ones', () => {
    expect(isFilling(80, 0.08, 'nothing')).toBe(false);
    expect(isFilling(8, 0.08, 'nothing')).toBe(true);
  });

  it('are told to grow at first, though they are few, if they are the longer ones', () => {
    expect(isFilling(8, -0.3, 'nothing')).toBe(false);
  });

  it.each([8, 20, 80])('of %i, keep the verdict of before while the data fits both', (growing) => {
    const verdicts = evenly(20, -0.4, 0.4).map((longerBy) => [
      isFilling(growing, longerBy, 'growing'),
      isFilling(growing, longerBy, 'nothing'),
      isFilling(growing, longerBy, 'filling'),
    ]);
    for (const verdict of verdicts) expect(inOrder(verdict)).toEqual(inOrder(verdict).toSorted());
    expect(verdicts.some(([first, , last]) => first !== last)).toBe(true);
  });
});
