import { SeededRandom } from '../../src/demo/seeded-random.js';

/** Draws from distributions, repeatably. */
export class RandomDistributions extends SeededRandom {
  /** Box and Muller. */
  normal(mean = 0, deviation = 1): number {
    return mean + deviation * Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }

  /** @param deviation of the logarithm */
  lognormal(median: number, deviation: number): number {
    return median * Math.exp(this.normal(0, deviation));
  }

  wholeLognormal(median: number, deviation: number): number {
    return Math.round(this.lognormal(median, deviation));
  }

  /** How many random arrivals there are if so many are expected. */
  poisson(expected: number): number {
    if (expected > 100) return Math.max(0, Math.round(expected + Math.sqrt(expected) * this.normal()));
    let count = 0;
    for (let time = this.exponential(); time < expected; time += this.exponential()) count += 1;
    return count;
  }

  /** How long it takes until so many have arrived, one per unit of time on average. */
  waitFor(arrivals: number): number {
    if (arrivals > 100) return arrivals + Math.sqrt(arrivals) * this.normal();
    return Array.from({ length: arrivals }, () => this.exponential()).reduce((sum, time) => sum + time, 0);
  }

  list(count: number, value: (random: this, index: number) => number): number[] {
    return Array.from({ length: count }, (_, index) => value(this, index));
  }
}
