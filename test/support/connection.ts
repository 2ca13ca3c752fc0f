import { afterAll, beforeAll } from 'vitest';
import type { ConnectOptions } from '../../src/connect/client.js';
import { connect, type Connection } from '../../src/connect/connect.js';

/** Connects as a lint run does, for the tests of the file or `describe` in which this is called. */
export function useConnection(uri: () => string, changes: Partial<ConnectOptions> = {}): () => Connection {
  let connection: Connection | undefined;
  beforeAll(async () => {
    connection = await connect({ uri: uri(), timeout: 120_000, maxTime: 600_000, concurrency: 4, ...changes });
  });
  afterAll(() => connection?.close());
  return () => {
    if (connection === undefined) throw new Error('Not connected yet: call this in a test.');
    return connection;
  };
}
