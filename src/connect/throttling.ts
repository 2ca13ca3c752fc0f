import { setTimeout as delay } from 'node:timers/promises';
import { MongoNetworkError, MongoServerError } from 'mongodb';
import { figureIn } from './answer.js';
import type { Deadline } from './deadline.js';

/** Azure Cosmos DB's, if the request units of a second are used up. MongoDB has no such code. */
const TOO_MANY_REQUESTS = 16500;
const UNTOLD_WAIT = 1_000;
/** Asked again so often if a command was not sent, after so many ms at first, and as many more each time. */
const MOST_UNSENT = 5;
const UNSENT_WAIT = 50;

export function isThrottled(error: unknown): boolean {
  return error instanceof MongoServerError && Number(error.code) === TOO_MANY_REQUESTS;
}

/** True if the driver did not send a command, since another had lost its connection just then: asking again is harmless. */
export function isUnsent(error: unknown): boolean {
  return error instanceof MongoNetworkError && error.name === 'MongoPoolClearedError';
}

export function retryAfter(error: MongoServerError): number {
  const told = figureIn(error, 'RetryAfterMs') ?? Number(/RetryAfterMs=(\d+)/.exec(error.message)?.[1] ?? UNTOLD_WAIT);
  return Math.max(1, told);
}

/** Asks again after the server's own wait; or a little later if the command was not sent, while the driver reconnects. */
export async function unthrottled<Answer>(deadline: Deadline, ask: () => Promise<Answer>): Promise<Answer> {
  const endsAt = performance.now() + deadline.forCommand();
  let unsent = 0;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (isUnsent(error)) unsent += 1;
      else if (!isThrottled(error)) throw error;
      if (unsent > MOST_UNSENT) throw error;
      const wait = isUnsent(error) ? unsent * UNSENT_WAIT : retryAfter(error as MongoServerError);
      if (performance.now() + wait >= endsAt) throw error;
      await deadline.within({}, new AbortController(), () => delay(wait));
    }
  }
}
