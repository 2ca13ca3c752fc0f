import { expect, it } from 'vitest';
import { weighed } from '../../../../src/evidence/growth/rates/weighed.js';

const STEADY = { low: 9, estimate: 10, high: 12 };
const changed = (rate: number, weight: number) => ({ log: Math.log(rate), weight, error: 0.01 });

it('holds what the estimate does if no other rate is possible', () => {
  const { low, estimate, high } = weighed(STEADY, 1, []);
  expect(low).toBeCloseTo(9, 2);
  expect(estimate).toBe(10);
  expect(high).toBeCloseTo(12, 2);
});

it('holds a rate that is likelier than 5 %, and hardly moves for one that is not', () => {
  expect(weighed(STEADY, 0.9, [changed(20, 0.1)]).high).toBeCloseTo(20, 0);
  const { high } = weighed(STEADY, 0.97, [changed(20, 0.03)]);
  expect(high).toBeGreaterThan(12);
  expect(high).toBeLessThan(13);
});

it('reaches from one rate to the other if either is as likely, and beyond each in one case of ten', () => {
  const { low, high } = weighed(STEADY, 0, [changed(5, 1), changed(20, 1)]);
  expect(Math.log(low / 5) / 0.01).toBeCloseTo(-1.28, 1);
  expect(Math.log(high / 20) / 0.01).toBeCloseTo(1.28, 1);
});
