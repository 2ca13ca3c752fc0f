import { expect, it } from 'vitest';
import { rateOfLargest } from '../../../../src/evidence/growth/rates/growth-rates.js';
import { RandomDistributions } from '../../../support/random-distributions.js';

it('the rate of the largest is not taken for its own because others were seen for a day, and gained by chance', () => {
  for (let seed = 1; seed <= 50; seed += 1) {
    const random = new RandomDistributions(seed);
    const others = Array.from({ length: 150 }, (_, index) => {
      const days = index < 120 ? 14 : 1;
      return { value: 10, gained: random.poisson(days), days };
    }).filter(({ gained }) => gained > 0);
    const largest = { value: 50, gained: 21, days: 14 };
    const rate = rateOfLargest(largest, others, { low: 0.95, estimate: 1, high: 1.05 });
    expect(rate.estimate).toBeLessThan(1.2);
  }
});

it('the rate of the largest is its own if rates are far apart', () => {
  const others = Array.from({ length: 100 }, (_, index) => ({ value: 10, gained: 14 * (1 + (index % 5)), days: 14 }));
  const rate = rateOfLargest({ value: 500, gained: 140, days: 14 }, others, { low: 2.9, estimate: 3, high: 3.1 });
  expect(rate.estimate).toBeGreaterThan(9);
});
