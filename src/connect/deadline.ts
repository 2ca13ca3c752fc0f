import pLimit from 'p-limit';
import { formatDuration } from '../format.js';
import { LONGEST_TIMER } from '../time-units.js';

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

export class ServerLoadError extends Error {
  override readonly name = 'ServerLoadError';
  constructor(now: number, atStart: number) {
    super(`the server took ${formatDuration(now)} for what took ${formatDuration(atStart)} at the start`);
  }
}

export class LateAnswerError extends Error {
  override readonly name = 'LateAnswerError';
  constructor(milliseconds: number) {
    super(`no complete answer within ${milliseconds} ms`);
  }
}

export interface CommandBounds {
  /** In ms; it can only shorten `--timeout`. */
  readonly maxTimeMS?: number;
  readonly timeoutShare?: number;
  /** False for what a run that spares the server sends all the same, and at once. */
  readonly paced?: boolean;
}

/** For reads that are known to be short: 5 s by default. */
export const SHORT_READ = { timeoutShare: 1 / 3 } as const satisfies CommandBounds;

/** In ms: the server ends a command by its own clock, and says so, before the answer is given up here. */
const NETWORK_MARGIN = 2_000;

/** The time of a run and of each command, by this machine's clock, in ms. A signal ends it too. */
export class Deadline {
  readonly #endsAt: number;
  readonly #underWay = new Set<(error: Error) => void>();
  readonly #interrupt = () => this.#stopAll(new InterruptedError());
  #timer: NodeJS.Timeout | undefined;
  #stopped: Error | null = null;
  #pause: (() => Promise<void>) | null = null;
  readonly #oneByOne = pLimit(1);

  constructor(
    private readonly maximum: number,
    private readonly perCommand: number,
    private readonly interruption?: AbortSignal,
  ) {
    this.#endsAt = performance.now() + maximum;
    this.#waitForEnd();
    interruption?.addEventListener('abort', this.#interrupt);
  }

  get isOver(): boolean {
    return this.interruption?.aborted === true || this.#stopped !== null || this.hasPassed;
  }

  get isStopped(): boolean {
    return this.#stopped !== null;
  }

  /** True if the run's own time is used up, whether or not it was interrupted. */
  get hasPassed(): boolean {
    return performance.now() >= this.#endsAt;
  }

  /** Why nothing more may be asked; null as long as there is time. */
  get end(): Error | null {
    if (this.interruption?.aborted === true) return new InterruptedError();
    return this.#stopped ?? (this.#left < 1 ? new DeadlineError(this.maximum) : null);
  }

  /** @throws DeadlineError if no time is left, InterruptedError if the run was interrupted */
  forCommand({ maxTimeMS = Infinity, timeoutShare = 1 }: CommandBounds = {}): number {
    const { end } = this;
    if (end !== null) throw end;
    return Math.min(maxTimeMS, Math.ceil(this.perCommand * timeoutShare), this.#left);
  }

  get #left(): number {
    return Math.floor(this.#endsAt - performance.now());
  }

  /**
   * Waits for an answer. Once its time is up or the run ends, `abandoned` is aborted, and the answer ignored.
   *
   * @throws LateAnswerError, DeadlineError, ServerLoadError or InterruptedError
   */
  within<Answer>(bounds: CommandBounds, abandoned: AbortController, ask: () => Promise<Answer>): Promise<Answer> {
    if (this.#pause === null || bounds.paced === false) return this.#within(bounds, abandoned, ask);
    return this.#oneByOne(async () => {
      if (!this.isOver) await this.#pause?.();
      return this.#within(bounds, abandoned, ask);
    });
  }

  #within<Answer>(bounds: CommandBounds, abandoned: AbortController, ask: () => Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const limit = this.forCommand(bounds) + NETWORK_MARGIN;
      const stop = (error: Error): void => {
        reject(error);
        abandoned.abort(error);
      };
      const timer = setTimeout(() => stop(new LateAnswerError(limit)), Math.min(limit, LONGEST_TIMER));
      this.#underWay.add(stop);
      const forget = (): void => {
        clearTimeout(timer);
        this.#underWay.delete(stop);
      };
      ask().then(resolve, reject).finally(forget);
    });
  }

  /** Asks one thing at a time from now on, after a pause each; or, with null, as fast as the run would. */
  setPause(pause: (() => Promise<void>) | null): void {
    this.#pause = pause;
  }

  stop(error: Error): void {
    this.#stopped ??= error;
    this.#stopAll(error);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.interruption?.removeEventListener('abort', this.#interrupt);
  }

  #waitForEnd(): void {
    const left = this.#endsAt - performance.now();
    if (left <= 0) return this.#stopAll(new DeadlineError(this.maximum));
    this.#timer = setTimeout(() => this.#waitForEnd(), Math.min(Math.ceil(left), LONGEST_TIMER));
    this.#timer.unref();
  }

  #stopAll(error: Error): void {
    for (const stop of this.#underWay) stop(error);
  }
}
