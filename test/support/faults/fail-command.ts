import type { Document, MongoClient } from 'mongodb';
import { APP_NAME } from '../../../src/connect/client.js';

/** Codes that each stand for a kind of refusal, by their names in the server's `error_codes.yml`. */
export const ERROR_CODES = {
  InternalError: 1,
  HostUnreachable: 6,
  Unauthorized: 13,
  AuthenticationFailed: 18,
  NamespaceNotFound: 26,
  CursorNotFound: 43,
  MaxTimeMSExpired: 50,
  CommandNotFound: 59,
  CommandNotSupported: 115,
  QueryPlanKilled: 175,
  PrimarySteppedDown: 189,
  NotImplemented: 238,
  ExceededMemoryLimit: 146,
  InterruptedAtShutdown: 11_600,
} as const;

export type ErrorName = keyof typeof ERROR_CODES;

/** What came of something that ran while a command was refused, and how often it was. */
export interface WhileRefused<T> {
  readonly result: T;
  readonly times: number;
}

/** Has the server refuse a command of mongolint while something runs. One at a time on a server. */
export async function whileRefusing<T>(
  client: MongoClient,
  command: string,
  error: ErrorName,
  run: () => Promise<T>,
): Promise<WhileRefused<T>> {
  const admin = client.db('admin');
  // It answers how often it was met until then, since the server started.
  const set = async (mode: 'alwaysOn' | 'off', data: Document = {}) =>
    Number((await admin.command({ configureFailPoint: 'failCommand', mode, data }))['count']);
  const before = await set('alwaysOn', { failCommands: [command], errorCode: ERROR_CODES[error], appName: APP_NAME });
  const result = await run().catch(async (thrown: unknown) => {
    await set('off');
    throw thrown;
  });
  return { result, times: (await set('off')) - before };
}
