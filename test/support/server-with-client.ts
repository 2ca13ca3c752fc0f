import { MongoClient } from 'mongodb';
import { afterAll, beforeAll } from 'vitest';
import type { EmbeddedMongod } from '../../src/demo/embedded-mongod/embedded-mongod.js';

/** A server that runs, and a client that is connected to it. Neither is there before the hooks of the tests run. */
export interface ServerWithClient {
  readonly uri: string;
  readonly client: MongoClient;
}

/**
 * A server of their own for the tests of the file or `describe` in which this is called, started before them and stopped
 * after them: call it there, and before registering hooks that use it.
 */
export function useServer(start: () => Promise<EmbeddedMongod>): ServerWithClient {
  let server: EmbeddedMongod | undefined;
  let client: MongoClient | undefined;
  beforeAll(async () => {
    server = await start();
    client = await new MongoClient(server.uri).connect();
  });
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });
  return {
    get uri() {
      return started(server).uri;
    },
    get client() {
      return started(client);
    },
  };
}

function started<T>(what: T | undefined): T {
  if (what === undefined) throw new Error('Not started yet: call this in a hook or a test.');
  return what;
}
