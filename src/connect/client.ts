import * as os from 'node:os';
import { MongoClient, type ReadPreferenceMode } from 'mongodb';
import { ConnectionString } from 'mongodb-connection-string-url';
import { LintError } from '../lint-error.js';
import { shownCause } from './shown-error.js';
import { PREFERENCE_OPTIONS } from './shown-uri.js';
import { driverRefusal } from './uri-refusal.js';

export const APP_NAME = 'mongolint';

/** The share of `--timeout`. */
const HEARTBEAT_SHARE = 0.2;

/** In ms: the least that the driver takes, and its default. */
const LEAST_HEARTBEAT = 500;

const MOST_HEARTBEAT = 10_000;

/** Times in ms. */
export interface ConnectOptions {
  readonly uri: string;
  /** Longest wait for a connection and for any one command. */
  readonly timeout: number;
  readonly maxTime: number;
  readonly concurrency: number;
  /** By default the URI's; if it names none, `secondaryPreferred`. */
  readonly readPreference?: ReadPreferenceMode;
  readonly interruption?: AbortSignal;
}

export interface ClientOptions extends ConnectOptions {
  /** Whether what it is asked to write may be sent again after a connection was lost. */
  readonly writes?: boolean;
  /** Whether a command may be silent for as long as it takes, as the build of an index. */
  readonly isPatient?: boolean;
}

export type ClientObserver = (client: MongoClient) => void;

/**
 * Makes a client of the driver, with a limit to each of its waits: the only place that makes one.
 * @throws LintError if the driver refuses the connection string
 */
export function openClient(options: ClientOptions, observe?: ClientObserver): MongoClient {
  try {
    const { uri, ...reading } = readPreferenceOptions(options);
    const client = new MongoClient(uri, {
      ...reading,
      appName: APP_NAME,
      // One more than the operations under way, so that a probe never waits for a sample.
      maxPoolSize: options.concurrency + 1,
      // All at once: on a long way, each takes up to five round trips to open.
      maxConnecting: options.concurrency + 1,
      serverSelectionTimeoutMS: options.timeout,
      // A member that stops answering is known to be lost after both together, before a read on it is given up.
      connectTimeoutMS: Math.ceil(options.timeout * (1 - HEARTBEAT_SHARE)),
      heartbeatFrequencyMS: Math.max(
        LEAST_HEARTBEAT,
        Math.min(MOST_HEARTBEAT, Math.ceil(options.timeout * HEARTBEAT_SHARE)),
      ),
      // A socket that is silent for so long is dead. What bounds an answer that trickles is the deadline.
      socketTimeoutMS: options.isPatient === true ? 0 : Math.min(options.timeout * 2, options.maxTime),
      retryWrites: options.writes === true,
      // JavaScript throws on some of the server's regular expressions, such as /(?i)x/.
      bsonRegExp: true,
      monitorCommands: observe !== undefined,
      // Else the driver imports it on demand, which code that a shell compiles can't.
      runtimeAdapters: { os },
    });
    observe?.(client);
    return client;
  } catch (error) {
    throw new LintError(
      `The connection string can't be used: ${driverRefusal(error, new ConnectionString(options.uri))}.`,
      { cause: shownCause(error, options.uri) },
    );
  }
}

/**
 * The connection string, and the read preference where it is not the connection string's. The driver connects by it: a set
 * without a primary is connected to if reads may go to secondaries.
 */
function readPreferenceOptions({ uri, readPreference }: ConnectOptions): {
  uri: string;
  readPreference?: ReadPreferenceMode;
} {
  const parsed = new ConnectionString(uri);
  const { searchParams } = parsed;
  if (readPreference === undefined) {
    return searchParams.has('readPreference') ? { uri } : { uri, readPreference: 'secondaryPreferred' };
  }
  // Tags and staleness of the URI still apply, except for the primary, which takes neither.
  if (readPreference === 'primary') PREFERENCE_OPTIONS.forEach((name) => searchParams.delete(name));
  return { uri: parsed.href, readPreference };
}

const LONGEST_CLOSING = 1_000;

interface Topology {
  close?(): void;
  closeCheckedOutConnections?(): void;
}

/** Closes a client within 1 s: what is still open then is cut off. Never throws. */
export async function closeClient(client: MongoClient): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeIsUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LONGEST_CLOSING);
  });
  // Only this part of the driver can cut off what is open.
  const { topology } = client as { topology?: Topology };
  await Promise.race([client.close().catch(() => {}), timeIsUp]);
  clearTimeout(timer);
  topology?.closeCheckedOutConnections?.();
  topology?.close?.();
}
