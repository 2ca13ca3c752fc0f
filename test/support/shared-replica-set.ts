import type { TestProject } from 'vitest/node';
import { findMongod } from './mongod/find-mongod.js';
import { startReplicaSet } from './servers.js';

/** The replica set that most live tests share: its connection string, or why there is none. */
export type SharedReplicaSet = { readonly uri: string; readonly version: string } | { readonly failure: string };

/**
 * In ms, more than any operation takes. The log of slow operations is the whole server's and is never emptied: on a busy
 * machine it would tell of what one test ran before its remedy, or of another test's database.
 */
const LOG_NOTHING = 1_000_000;

declare module 'vitest' {
  interface ProvidedContext {
    sharedReplicaSet: SharedReplicaSet;
  }
}

/**
 * Vitest runs this once before all tests, and the function it returns after them. Without a server, the tests that need
 * none still run; the others fail with the reason.
 */
export default async function startSharedReplicaSet(project: TestProject): Promise<() => Promise<void>> {
  try {
    const mongod = await findMongod((message) => process.stderr.write(`${message}\n`));
    // The tests' processes, and the commands that they run, inherit it.
    process.env['MONGOMS_SYSTEM_BINARY'] = mongod.path;
    process.env['MONGOMS_SYSTEM_BINARY_VERSION_CHECK'] = 'false';
    const server = await startReplicaSet({ mongod, args: ['--slowms', String(LOG_NOTHING)] });
    project.provide('sharedReplicaSet', { uri: server.uri, version: server.version });
    return () => server.stop();
  } catch (error) {
    project.provide('sharedReplicaSet', { failure: (error as Error).message });
    return async () => undefined;
  }
}
