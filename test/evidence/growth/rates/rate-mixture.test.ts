import { describe, expect, it } from 'vitest';
import { RateMixture, type CountedGain } from '../../../../src/evidence/growth/rates/rate-mixture.js';
import { RandomDistributions } from '../../../support/random-distributions.js';

const DAYS = 7;

function medianOf(gains: readonly CountedGain[]): number {
  return new RateMixture(gains, DAYS, 1, () => 1).fit().median;
}

describe('rates of arrays', () => {
  it('are found wherever they lie among those that are possible', () => {
    for (const perDay of [0.5, 3, 40, 900, 20_000]) {
      const random = new RandomDistributions(perDay * 10);
      const gains = Array.from({ length: 200 }, () => ({ gained: random.poisson(perDay * DAYS), days: DAYS }));
      const ratio = medianOf(gains.filter(({ gained }) => gained > 0)) / perDay;
      expect(ratio, `${perDay} a day`).toBeGreaterThan(0.85);
      expect(ratio, `${perDay} a day`).toBeLessThan(1.15);
    }
  });

  it.each([1, 100_000])('are those of most of them if one gained %i', (gained) => {
    const random = new RandomDistributions(5);
    const gains = Array.from({ length: 100 }, () => ({ gained: random.poisson(50 * DAYS), days: DAYS }));
    const ratio = medianOf([...gains, { gained, days: DAYS }]) / 50;
    expect(ratio).toBeGreaterThan(0.9);
    expect(ratio).toBeLessThan(1.1);
  });

  it('are those of the median array if half of them are a thousand times as fast', () => {
    const gains = Array.from({ length: 101 }, (_, index) => ({ gained: index < 51 ? 20 : 20_000, days: DAYS }));
    expect(medianOf(gains) * DAYS).toBeLessThan(40);
    expect(medianOf(gains.map(({ gained, days }) => ({ gained: 20_020 - gained, days }))) * DAYS).toBeGreaterThan(
      10_000,
    );
  });
});
