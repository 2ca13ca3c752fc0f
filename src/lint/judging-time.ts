import { absent, type Absent } from '../presence.js';

export interface JudgingBounds {
  /** In ms, from now on. */
  readonly maxTime: number;
  /** In ms after the time is up or the signal: what was read in time is worth judging. */
  readonly grace: number;
  readonly interruption?: AbortSignal | undefined;
}

/** For how long a run may judge. Asked between two collections and between two checks of the cluster. */
export class JudgingTime {
  readonly #begun = performance.now();
  #interruptedAt = Infinity;

  constructor(private readonly bounds: JudgingBounds) {}

  /** Why nothing more is judged; null as long as it may be. */
  over(): Absent | null {
    const { maxTime, grace, interruption } = this.bounds;
    const now = performance.now();
    if (interruption?.aborted === true) this.#interruptedAt = Math.min(this.#interruptedAt, now);
    if (now >= this.#interruptedAt + grace)
      return absent('interrupted', 'the run was interrupted before this; run again.');
    if (now < this.#begun + maxTime + grace) return null;
    return absent('max-time', `the run's time (--max-time ${maxTime}) was used up before this; allow more.`);
  }
}
