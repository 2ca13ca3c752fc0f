import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConnectionString } from 'mongodb-connection-string-url';
import { LintError } from '../../lint-error.js';
import { findMongod } from './find-mongod.js';
import { type MemoryServerOptions, startMemoryServer } from './memory-server.js';
import { asReason, type ProgressListener } from './mongod-source.js';
import type { Mongod } from './mongod.js';
import { createTemporaryFolder } from './temporary-folder.js';

export interface EmbeddedMongodOptions extends MemoryServerOptions {
  /** The binary to start; the one that `findMongod` finds unless given. */
  readonly mongod?: Mongod;
  readonly onProgress?: ProgressListener;
}

/** A server of one's own, on a free port of 127.0.0.1, with a data folder that goes when it stops. */
export interface EmbeddedMongod {
  /** Connection string; with a root user it carries the credentials. */
  readonly uri: string;
  /** The server's version, as in "6.0.5". */
  readonly version: string;
  /** Ends the process and removes its data. May be called more than once. */
  stop(): Promise<void>;
}

/**
 * Starts a mongod. Whatever becomes of this process, the server ends with it and its data is removed.
 *
 * @throws MongodNotFoundError where there is no binary; LintError where it does not start.
 */
export async function startEmbeddedMongod(options: EmbeddedMongodOptions = {}): Promise<EmbeddedMongod> {
  const { onProgress = () => undefined, rootUser } = options;
  const mongod = options.mongod ?? (await findMongod({ onProgress }));
  onProgress(`starting MongoDB ${mongod.version}`);
  const folder = await createTemporaryFolder(tmpdir());
  try {
    const dataFolder = join(folder.path, 'data');
    await mkdir(dataFolder);
    const server = await startMemoryServer(mongod, dataFolder, options);
    server.processes.forEach(folder.includeProcess);
    server.folders.forEach(folder.includeFolder);
    let stopped: Promise<void> | undefined;
    return {
      uri: rootUser === undefined ? server.uri : withCredentials(server.uri, rootUser),
      version: mongod.version,
      stop: () => (stopped ??= server.stop().finally(() => folder.remove())),
    };
  } catch (error) {
    await folder.remove();
    const reason = asReason((error as Error).message);
    throw new LintError(`MongoDB ${mongod.version} (${mongod.path}) did not start: ${reason}`, { cause: error });
  }
}

function withCredentials(uri: string, user: { readonly name: string; readonly password: string }): string {
  const connectionString = new ConnectionString(uri);
  connectionString.username = encodeURIComponent(user.name);
  connectionString.password = encodeURIComponent(user.password);
  connectionString.searchParams.set('authSource', 'admin');
  return connectionString.toString();
}
