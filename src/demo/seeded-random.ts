/** Numbers that a seed repeats, so that planted data is the same each time. Mulberry32: github.com/bryc/code, public domain. */
export class SeededRandom {
  constructor(private state: number) {}

  /** From 0, included, to 1, excluded. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0, included, to `end`, excluded. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** A whole number, both bounds included. */
  between(minimum: number, maximum: number): number {
    return minimum + this.below(maximum - minimum + 1);
  }

  /** With mean 1: the time until the next of events that come at random. */
  exponential(): number {
    return -Math.log(1 - this.next());
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  choose<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }
}
