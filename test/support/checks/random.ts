/** Random numbers that a seed repeats. Mulberry32: github.com/bryc/code, public domain. */
export class Random {
  constructor(private state: number) {}

  /** Uniform, from 0 up to but not including 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `from` to `to`, both included. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  /** Normally distributed (Box and Muller). */
  normal(mean: number, deviation: number): number {
    return mean + deviation * Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }

  /** A whole number whose logarithm is normally distributed around that of `median`. */
  lognormal(median: number, sigma: number): number {
    return Math.round(median * Math.exp(this.normal(0, sigma)));
  }

  /** So many values of one kind. */
  list(count: number, value: (random: this, index: number) => number): number[] {
    return Array.from({ length: count }, (_, index) => value(this, index));
  }
}
