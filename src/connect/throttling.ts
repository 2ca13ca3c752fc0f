import { MongoNetworkError, MongoServerError } from 'mongodb';
import { numberIn } from './answer.js';

/** Azure Cosmos DB's, if the request units of a second are used up. MongoDB has no such code. */
const TOO_MANY_REQUESTS = 16500;
const DEFAULT_WAIT = 1_000;
export function isThrottled(error: unknown): boolean {
  return error instanceof MongoServerError && Number(error.code) === TOO_MANY_REQUESTS;
}

/** True if the driver did not send a command, since another had lost its connection just then: asking again is harmless. */
export function isUnsent(error: unknown): boolean {
  return error instanceof MongoNetworkError && error.name === 'MongoPoolClearedError';
}

export function retryAfter(error: MongoServerError): number {
  const asked =
    numberIn(error, 'RetryAfterMs') ?? Number(/RetryAfterMs=(\d+)/.exec(error.message)?.[1] ?? DEFAULT_WAIT);
  return Math.max(1, asked);
}
