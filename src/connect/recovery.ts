import { setTimeout as delay } from 'node:timers/promises';
import { MongoServerSelectionError, type MongoClient, type MongoServerError } from 'mongodb';
import { LateAnswerError, type Deadline } from './deadline.js';
import type { ReadMembers } from './read-members.js';
import {
  isKilled,
  isUnreadable,
  LostMemberError,
  skipReason,
  isThrottled,
  isUnsent,
  retryAfter,
} from './server-error.js';

/** Asked again so often if a command was not sent, after so many ms at first, and as many more each time. */
const MOST_UNSENT = 5;
const UNSENT_WAIT = 50;
/** So many members may be lost under one read. */
const MOST_LOST = 2;

interface Tried {
  unsent: number;
  lost: number;
  wasKilled: boolean;
  readonly endsAt: number;
}

/** What is done about a client's lost connections and damaged replies. All reads are idempotent. */
export class Recovery {
  #generation = 0;
  #renewing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly client: MongoClient,
    private readonly deadline: Deadline,
    /** Null of a client that keeps to one member, and of what only probes. */
    private readonly members: ReadMembers | null,
    /** Called when the one member is lost. */
    private readonly onMemberLost: (() => void) | null = null,
  ) {}

  /** How often all connections were closed. What was under way then has not come to its end. */
  get generation(): number {
    return this.#generation;
  }

  /**
   * Answers, if all that it came over is sound.
   *
   * @throws LostMemberError if the connections were closed meanwhile, or the one member is lost
   */
  async checked<Answer>(generation: number, ask: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await ask();
      if (generation === this.#generation) return answer;
    } catch (error) {
      if (isUnreadable(error) && generation === this.#generation) this.#renew();
      // With the connections that were closed meanwhile, their cursors went.
      const isClosed = generation !== this.#generation && skipReason(error) === 'vanished';
      if (isClosed) throw new LostMemberError();
      const isLost = isLostConnection(error) || error instanceof MongoServerSelectionError;
      if (this.onMemberLost === null || !isLost || isUnsent(error)) throw error;
      this.onMemberLost();
    }
    throw new LostMemberError();
  }

  /**
   * Asks again after the server's own wait; a little later if the command was not sent, while the driver reconnects; once if
   * somebody killed it; and of another member if one was lost.
   */
  async asked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    const endsAt = performance.now() + this.deadline.forCommand();
    const tried = { unsent: 0, lost: 0, wasKilled: false, endsAt };
    for (;;) {
      const begun = performance.now();
      try {
        return await this.checked(this.generation, ask);
      } catch (error) {
        const wait = await this.#waitAfter(error, begun, tried);
        if (wait === null) throw error;
        await this.deadline.within({}, new AbortController(), () => delay(wait));
      }
    }
  }

  /** In ms; null if asking again is no use. */
  async #waitAfter(error: unknown, begun: number, tried: Tried): Promise<number | null> {
    if (isThrottled(error) || (isUnsent(error) && tried.unsent < MOST_UNSENT)) {
      if (isUnsent(error)) tried.unsent += 1;
      const wait = isUnsent(error) ? tried.unsent * UNSENT_WAIT : retryAfter(error as MongoServerError);
      return performance.now() + wait < tried.endsAt ? wait : null;
    }
    if (isKilled(error) && !tried.wasKilled) {
      tried.wasKilled = true;
      return UNSENT_WAIT;
    }
    if (tried.lost === MOST_LOST || !(await this.mayAskAgain(error, begun))) return null;
    tried.lost += 1;
    return tried.lost * UNSENT_WAIT;
  }

  /**
   * Whether what failed may be asked again, of another member if one was lost.
   *
   * @param asked when, by `performance.now()`
   */
  async mayAskAgain(error: unknown, asked: number): Promise<boolean> {
    await this.#renewing;
    if (this.deadline.isOver || this.onMemberLost !== null) return false;
    if (isLostConnection(error)) return true;
    if (!(error instanceof LateAnswerError) || this.members === null) return false;
    return this.members.wasLost(asked, () => this.deadline.isOver);
  }

  /** After a reply of wrong length its connection is out of step, and the driver would read on it. */
  #renew(): void {
    this.#generation += 1;
    // Whoever asks next hears of a failure.
    this.#renewing = this.#renewing.then(() => this.#reconnect()).catch(() => undefined);
  }

  async #reconnect(): Promise<void> {
    await this.client.close();
    if (!this.deadline.isOver) await this.client.connect();
  }
}

function isLostConnection(error: unknown): boolean {
  return skipReason(error) === 'connection' && !(error instanceof MongoServerSelectionError);
}
