import { setTimeout as delay } from 'node:timers/promises';
import { MongoNetworkError, MongoServerError } from 'mongodb';
import { figureIn } from './answer.js';
import type { Deadline } from './deadline.js';

/** Azure Cosmos DB's, if the request units of a second are used up. MongoDB has no such code. */
const TOO_MANY_REQUESTS = 16500;
const UNTOLD_WAIT = 1_000;

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

/** Asks again after the server's own wait, and at once, but only once, if the command was not sent. */
export async function unthrottled<Answer>(deadline: Deadline, ask: () => Promise<Answer>): Promise<Answer> {
  const endsAt = performance.now() + deadline.forCommand();
  let wasUnsent = false;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (isUnsent(error) && !wasUnsent) {
        wasUnsent = true;
        continue;
      }
      if (!isThrottled(error)) throw error;
      const wait = retryAfter(error as MongoServerError);
      if (performance.now() + wait >= endsAt) throw error;
      await deadline.within({}, new AbortController(), () => delay(wait));
    }
  }
}
