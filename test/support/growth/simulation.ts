import { seededRandom } from '../../../src/demo/seeded-random.js';

/** Draws from distributions, repeatably. */
export class Simulation {
  readonly uniform: () => number;

  constructor(seed: number) {
    this.uniform = seededRandom(seed);
  }

  whole(below: number): number {
    return Math.floor(this.uniform() * below);
  }

  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }

  /** With mean 1. */
  exponential(): number {
    return -Math.log(1 - this.uniform());
  }

  lognormal(deviation: number): number {
    return Math.exp(deviation * this.normal());
  }

  /** How many random arrivals there are where so many are expected. */
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
}
