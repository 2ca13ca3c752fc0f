import { describe, expect, it } from 'vitest';
import { RandomDistributions } from '../../../support/random-distributions.js';
import { dailyVerdicts } from '../../../support/growth/virtual-evidence.js';
import { atRandom, atRate, DocumentPlan, type VirtualWorld } from '../../../support/growth/virtual-world.js';

function worldOf(times: (random: RandomDistributions, from: number) => number[]): VirtualWorld {
  const random = new RandomDistributions(11);
  return {
    documents: Array.from({ length: 150 }, () => {
      const createdAt = -60 - 20 * random.next();
      return new DocumentPlan(createdAt, 5).push(times(random, createdAt)).document();
    }),
  };
}

describe('30 daily runs', () => {
  it('find steady growth from the fourth on, and their forecasts hold', () => {
    const world = worldOf((random, from) => atRandom(random, 2, from));
    const arrays = dailyVerdicts(world, ({ arrays: [array] }) => array);
    expect(arrays.slice(4).map((array) => array?.growth?.source)).toEqual(Array.from({ length: 26 }, () => 'history'));
    const { earlierForecasts } = arrays.at(-1) ?? {};
    expect(earlierForecasts?.made).toBeGreaterThanOrEqual(2);
    expect(earlierForecasts?.held).toBe(earlierForecasts?.made);
  });

  it('say that forecasts did not hold if the rate doubled', () => {
    const world = worldOf((random, from) => atRate(random, (at) => (at > -14 ? 6 : 2), 6, from));
    const arrays = dailyVerdicts(world, ({ arrays: [array] }) => array);
    const { made = 0, held = 0 } = arrays.at(-1)?.earlierForecasts ?? {};
    expect(held).toBeLessThan(made);
  });
});
