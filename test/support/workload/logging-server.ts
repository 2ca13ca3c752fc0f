import { fork, spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient, type MongoClientOptions } from 'mongodb';
import { createTemporaryFolder } from '../../../src/demo/embedded-mongod/embedded-mongod.js';
import type { Mongod } from '../mongod/mongod.js';
import { ownPort } from '../mongod/own-port.js';

/** A server that writes its log to a file. */
export interface LoggingServer {
  readonly uri: string;
  readonly client: MongoClient;
  readonly logPath: string;
  stop(): Promise<void>;
}

/** Starts a standalone with `--logpath`, which mongodb-memory-server cannot: it reads what the server prints. */
export async function startLoggingServer(
  mongod: Mongod,
  args: readonly string[] = [],
  options: MongoClientOptions = {},
): Promise<LoggingServer> {
  const folder = await createTemporaryFolder(tmpdir());
  const data = join(folder.path, 'data');
  await mkdir(data);
  const logPath = join(folder.path, 'mongod.log');
  const port = await freePort();
  const child = spawn(
    mongod.path,
    [
      '--dbpath',
      data,
      '--port',
      String(port),
      '--bind_ip',
      '127.0.0.1',
      '--logpath',
      logPath,
      '--nounixsocket',
      '--wiredTigerCacheSizeGB',
      '0.25',
      ...args,
    ],
    { stdio: 'ignore' },
  );
  endWithThisProcess(child.pid as number);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const uri = `mongodb://127.0.0.1:${port}/`;
  const client = new MongoClient(uri, { appName: 'shop', ...options });
  await client.connect();
  return {
    uri,
    client,
    logPath,
    async stop() {
      await client.close();
      // A member of a replica set that is asked to end waits 15 s for the others.
      child.kill('SIGKILL');
      await ended;
      await folder.remove();
    },
  };
}

/** As mongodb-memory-server does for the servers that it starts. */
function endWithThisProcess(pid: number): void {
  const killer = createRequire(import.meta.url).resolve('mongodb-memory-server-core/scripts/mongo_killer.js');
  fork(killer, [String(process.pid), String(pid)], { detached: true, stdio: 'ignore', execArgv: [] }).unref();
}

async function freePort(): Promise<number> {
  for (;;) {
    const port = ownPort();
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
}
