/** When a result has the size that was recorded, and which executions come nearest to it. */
import { expect, it } from 'vitest';
import { isLikeRecorded, isLikeSize, nearest, sizeText } from '../../src/rehearsal/result-size.js';

it.each<[number, number, boolean]>([
  [100, 150, true],
  [100, 151, false],
  [0, 1, true],
  [0.2, 0, true],
  [1, 3, false],
  [0, 0, true],
])('%d and %d are of one size: %s', (one, other, expected) => {
  expect([isLikeSize(one, other), isLikeSize(other, one)]).toEqual([expected, expected]);
});

it('is that of the part that was built, or the whole, or one between', () => {
  const recorded = { average: 1_000, scaled: 100 };
  expect([60, 70, 100, 400, 1_000, 1_400, 1_600].map((returned) => isLikeRecorded(returned, recorded))).toEqual([
    false,
    true,
    true,
    true,
    true,
    true,
    false,
  ]);
});

it.each<[readonly number[], number, readonly number[]]>([
  [[37, 40, 8, 9, 200], 8.7, [9, 8]],
  [[0, 0, 0, 100], 50, [0, 100]],
  [[5], 20, [5]],
])('of %j, those nearest to %d are %j', (tried, average, expected) => {
  expect(nearest(tried, 2, (one) => one, { average, scaled: average })).toEqual(expected);
});

it('is written with a decimal if it is small', () => {
  expect([2.54, 3, 17.6].map(sizeText)).toEqual(['2.5', '3', '18']);
});
