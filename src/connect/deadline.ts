export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
  constructor(maximumMilliseconds: number) {
    super(`the run's time (--max-time ${maximumMilliseconds}) is used up`);
  }
}

export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
  constructor() {
    super('the run was interrupted');
  }
}

export interface CommandBounds {
  /** In ms; it can only shorten `--timeout`. */
  readonly maxTimeMS?: number;
  /** Of `--timeout`. */
  readonly timeoutShare?: number;
}

/** For reads that are known to be short, and should not delay a run for long: 5 s by default. */
export const SHORT_READ = { timeoutShare: 1 / 3 } as const satisfies CommandBounds;

/** All in ms. */
export class Deadline {
  readonly #endsAt: number;

  constructor(
    private readonly maximum: number,
    private readonly perCommand: number,
    private readonly interruption?: AbortSignal,
  ) {
    this.#endsAt = performance.now() + maximum;
  }

  get isOver(): boolean {
    return this.interruption?.aborted === true || this.hasPassed;
  }

  /** True if the run's own time is used up, whether or not it was interrupted. */
  get hasPassed(): boolean {
    return performance.now() >= this.#endsAt;
  }

  /** @throws DeadlineError if no time is left, InterruptedError if the run was interrupted */
  forCommand({ maxTimeMS = Infinity, timeoutShare = 1 }: CommandBounds = {}): number {
    if (this.interruption?.aborted === true) throw new InterruptedError();
    const left = Math.floor(this.#endsAt - performance.now());
    if (left < 1) throw new DeadlineError(this.maximum);
    return Math.min(maxTimeMS, Math.ceil(this.perCommand * timeoutShare), left);
  }
}
