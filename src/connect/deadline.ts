/** Thrown in place of a command for which no time is left. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
  constructor(maximumMilliseconds: number) {
    super(`the run's time (--max-time ${maximumMilliseconds}) is used up`);
  }
}

/** Thrown in place of a command after the run was told to end. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
  constructor() {
    super('the run was interrupted');
  }
}

/** What one command may take. */
export interface CommandBounds {
  /** At most this many ms, where less than `--timeout`. */
  readonly maxTimeMS?: number;
  /** At most this share of `--timeout`. */
  readonly timeoutShare?: number;
}

/** For reads that are known to be short, and should not hold up a run for long: 5 s unless `--timeout` is set. */
export const SHORT_READ = { timeoutShare: 1 / 3 } as const satisfies CommandBounds;

/** The time that a run may take, and how much of it one command may take. All in ms. */
export class Deadline {
  readonly #endsAt: number;

  constructor(
    private readonly maximum: number,
    private readonly perCommand: number,
    private readonly interruption?: AbortSignal,
  ) {
    this.#endsAt = performance.now() + maximum;
  }

  /** True where no time is left, or the run was told to end. */
  get isOver(): boolean {
    return this.interruption?.aborted === true || performance.now() >= this.#endsAt;
  }

  /**
   * Whole ms that the next command may take: `perCommand` or the share of it, `maxTimeMS` where that is less, cut at the
   * run's end.
   *
   * @throws DeadlineError where no time is left, InterruptedError where the run was told to end.
   */
  forCommand({ maxTimeMS = Infinity, timeoutShare = 1 }: CommandBounds = {}): number {
    if (this.interruption?.aborted === true) throw new InterruptedError();
    const left = Math.floor(this.#endsAt - performance.now());
    if (left < 1) throw new DeadlineError(this.maximum);
    return Math.min(maxTimeMS, Math.ceil(this.perCommand * timeoutShare), left);
  }
}
