import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { MongoMemoryReplSet, MongoMemoryServer } from 'mongodb-memory-server-core';
import pLimit from 'p-limit';
import type { Mongod } from './mongod.js';
import { ownPort } from './own-port.js';

/** How the server is to run. */
export interface MemoryServerOptions {
  /** True for a replica set of one member, which is the default; false for a standalone. */
  readonly replicaSet?: boolean;
  /** Turns authentication on and creates this user with the role `root`. */
  readonly rootUser?: { readonly name: string; readonly password: string };
  /** Further arguments for mongod, as in `['--setParameter', 'ttlMonitorEnabled=false']`. */
  readonly args?: readonly string[];
}

/** A server that mongodb-memory-server started. */
export interface MemoryServer {
  /** Connection string without credentials. */
  readonly uri: string;
  readonly processes: readonly ChildProcess[];
  /** Folders that the library made beside the data folder. */
  readonly folders: readonly string[];
  /** Ends the processes and removes the folders, the data folder among them. */
  stop(): Promise<void>;
}

const BIND_ADDRESS = '127.0.0.1';
const STORAGE_ENGINE = 'wiredTiger' as const;
const MONGOD_ARGUMENTS = [
  // In GB; the default is half of the machine's memory, and with the least of 0.25 writes of 15 MB fail under load.
  '--wiredTigerCacheSizeGB=1',
  // In MB; the default is 5 % of the disk.
  '--oplogSize=64',
  '--setParameter=diagnosticDataCollectionEnabled=false',
  // A server that is killed leaves its socket behind in /tmp.
  ...(process.platform === 'win32' ? [] : ['--nounixsocket']),
];
/** A machine that is busy with other servers takes longer than the library's 10 s. */
const LAUNCH_LIMIT_MS = 60_000;
/** As MongoDB's tutorial makes key files; at most 1,024 characters of base64. */
const KEY_FILE_BYTES = 700;

/** Settings of this process that the library reads must differ from start to start, so starts do not overlap. */
const startsOneByOne = pLimit(1);

/**
 * Starts a server with mongodb-memory-server.
 *
 * @param dataFolder an empty folder.
 * @throws Error of the library where it does not start.
 */
export async function startMemoryServer(
  mongod: Mongod,
  dataFolder: string,
  options: MemoryServerOptions,
): Promise<MemoryServer> {
  const server = await createMemoryServer(mongod, dataFolder, options);
  try {
    await startsOneByOne(() => withSettingsFor(mongod, () => server.start()));
  } catch (error) {
    await server.stop({ doCleanup: true, force: true });
    throw error;
  }
  const members = 'servers' in server ? server.servers : [server];
  const keyFileFolder = 'servers' in server ? server['_keyfiletmp'] : undefined;
  return {
    uri: server.getUri(),
    processes: members
      .map((member) => member.instanceInfo?.instance.mongodProcess)
      .filter((child) => child !== undefined),
    folders: keyFileFolder === undefined ? [] : [keyFileFolder],
    async stop() {
      if (!(await server.stop({ doCleanup: true, force: true }))) throw new Error('The embedded mongod did not stop.');
    },
  };
}

async function createMemoryServer(
  mongod: Mongod,
  dbPath: string,
  { replicaSet = true, rootUser, args = [] }: MemoryServerOptions,
): Promise<MongoMemoryReplSet | MongoMemoryServer> {
  // Loaded only now: it takes 150 ms, and reads the package.json of the working folder.
  const { MongoMemoryReplSet, MongoMemoryServer } = await import('mongodb-memory-server-core');
  const binary = { systemBinary: mongod.path, version: mongod.version };
  const spawn = { env: { ...process.env, ...mongod.environment } };
  const auth = rootUser && {
    auth: {
      enable: true,
      customRootName: rootUser.name,
      customRootPwd: rootUser.password,
      keyfileContent: randomBytes(KEY_FILE_BYTES).toString('base64'),
    },
  };
  const common = { storageEngine: STORAGE_ENGINE, ip: BIND_ADDRESS, args: [...MONGOD_ARGUMENTS, ...args] };
  // The library takes another one where it is not free.
  const instance = { dbPath, launchTimeout: LAUNCH_LIMIT_MS, port: ownPort() };
  return replicaSet
    ? new MongoMemoryReplSet({ binary, instanceOpts: [instance], replSet: { ...common, ...auth, spawn } })
    : new MongoMemoryServer({ binary, instance: { ...instance, ...common }, spawn, ...auth });
}

/**
 * Runs `start` with what the library takes from this process alone: `MONGOMS_SYSTEM_BINARY`, which would win over the
 * binary it is told to use; its check of the binary's version, which runs without the environment that the binary needs;
 * and console.warn, to which it writes the error that it also throws.
 */
async function withSettingsFor(mongod: Mongod, start: () => Promise<void>): Promise<void> {
  const settings = { MONGOMS_SYSTEM_BINARY: mongod.path, MONGOMS_SYSTEM_BINARY_VERSION_CHECK: 'false' };
  const before = Object.keys(settings).map((name) => [name, process.env[name]] as const);
  const { warn } = console;
  const warnings: unknown[][] = [];
  Object.assign(process.env, settings);
  // oxlint-disable-next-line no-console -- nothing is printed
  console.warn = (...texts: unknown[]) => void warnings.push(texts);
  try {
    await start();
    for (const texts of warnings) warn(...texts);
  } finally {
    // oxlint-disable-next-line no-console -- nothing is printed
    console.warn = warn;
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}
