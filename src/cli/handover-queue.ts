import type { Handover } from './handover.js';

/** In ms: how long a collection without findings waits for others. Each message wakes the other thread. */
const LONGEST_WAIT = 250;
const MOST_WAITING = 100;

/**
 * Sends what a run tells its supervisor, in order. Collections without findings wait for each other; findings never wait, as
 * a run that is blocked or killed can't send what waits.
 */
export class HandoverQueue {
  #waiting: Handover[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly send: (messages: readonly Handover[]) => void) {}

  add(message: Handover): void {
    this.#waiting.push(message);
    const mayWait = message.kind === 'judged' && message.part.findings.length === 0;
    if (!mayWait || this.#waiting.length >= MOST_WAITING) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), LONGEST_WAIT).unref();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const messages = this.#waiting;
    this.#waiting = [];
    this.send(messages);
  }
}
