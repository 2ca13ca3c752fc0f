import { randomBytes } from 'node:crypto';
import { ConnectionString } from 'mongodb-connection-string-url';
import pLimit from 'p-limit';
import {
  type EmbeddedMongod,
  LAUNCH_LIMIT_MS,
  type MemoryServer,
  type MemoryServerLibrary,
  MONGOD_ARGUMENTS,
  startMemoryServer,
} from '../../../src/demo/embedded-mongod/embedded-mongod.js';
import { findMongod } from './find-mongod.js';
import type { Mongod } from './mongod.js';
import { ownPort } from './own-port.js';

/** How the server is to run. */
export interface EmbeddedServerOptions {
  /** The binary; the one that `findMongod` finds unless given. */
  readonly mongod?: Mongod;
  /** True for a replica set of one member, which is the default; false for a standalone. */
  readonly replicaSet?: boolean;
  /** Turns authentication on and creates this user with the role `root`. */
  readonly rootUser?: { readonly name: string; readonly password: string };
  /** Further arguments for mongod, as in `['--setParameter', 'ttlMonitorEnabled=false']`. */
  readonly args?: readonly string[];
}

/** An embedded server; with a root user, its `uri` carries the credentials. */
export interface EmbeddedServer extends EmbeddedMongod {
  /** The server's version, as in "6.0.5". */
  readonly version: string;
}

/** As MongoDB's tutorial makes key files; at most 1,024 characters of base64. */
const KEY_FILE_BYTES = 700;

const MOST_OF_LINE = 1_000;
const MOST_LINES = 40;

/** mongodb-memory-server takes the binary from a setting of this process, so starts of different ones do not overlap. */
const startsOneByOne = pLimit(1);

/** Starts the demo's server as a test needs it. The caller stops it. */
export async function startEmbeddedServer(options: EmbeddedServerOptions = {}): Promise<EmbeddedServer> {
  const { rootUser } = options;
  const mongod = options.mongod ?? (await findMongod());
  const created: MemoryServer[] = [];
  const create = (library: MemoryServerLibrary, dataFolder: string) => {
    const memory = memoryServer(library, dataFolder, options);
    created.push(memory);
    return memory;
  };
  const server = await startsOneByOne(() => withBinary(mongod, () => startMemoryServer(create)));
  let isStopping = false;
  for (const memory of created) reportUnexpectedEnd(memory, () => isStopping);
  const uri = rootUser === undefined ? server.uri : withCredentials(server.uri, rootUser);
  const stop = () => {
    isStopping = true;
    return server.stop();
  };
  return { uri, version: mongod.version, stop };
}

/** What a server says last that ends before it is stopped: its test only sees that nobody answers. */
function reportUnexpectedEnd(memory: MemoryServer, isStopping: () => boolean): void {
  for (const { instanceInfo } of 'servers' in memory ? memory.servers : [memory]) {
    const mongod = instanceInfo?.instance.mongodProcess;
    const last: string[] = [];
    mongod?.stdout?.on('data', (chunk: Buffer) => {
      last.push(...chunk.toString().split('\n'));
      last.splice(0, last.length - MOST_LINES);
    });
    mongod?.once('exit', (code, signal) => {
      if (isStopping()) return;
      const how = `code ${code}, signal ${signal}`;
      const said = last.map((line) => line.slice(0, MOST_OF_LINE)).join('\n');
      process.stderr.write(`The mongod on port ${instanceInfo?.port} ended before it was stopped (${how}):\n${said}\n`);
    });
  }
}

function memoryServer(
  { MongoMemoryReplSet, MongoMemoryServer }: MemoryServerLibrary,
  dbPath: string,
  { replicaSet = true, rootUser, args = [] }: EmbeddedServerOptions,
): MemoryServer {
  const auth = rootUser && {
    auth: {
      enable: true,
      customRootName: rootUser.name,
      customRootPwd: rootUser.password,
      keyfileContent: randomBytes(KEY_FILE_BYTES).toString('base64'),
    },
  };
  const common = { storageEngine: 'wiredTiger' as const, ip: '127.0.0.1', args: [...MONGOD_ARGUMENTS, ...args] };
  // The library takes another port if that one is not free.
  const instance = { dbPath, launchTimeout: LAUNCH_LIMIT_MS, port: ownPort() };
  return replicaSet
    ? new MongoMemoryReplSet({ instanceOpts: [instance], replSet: { ...common, ...auth } })
    : new MongoMemoryServer({ instance: { ...instance, ...common }, ...auth });
}

async function withBinary<T>(mongod: Mongod, start: () => Promise<T>): Promise<T> {
  const settings = { MONGOMS_SYSTEM_BINARY: mongod.path, MONGOMS_SYSTEM_BINARY_VERSION_CHECK: 'false' };
  const before = Object.keys(settings).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, settings);
  try {
    return await start();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

function withCredentials(uri: string, user: { readonly name: string; readonly password: string }): string {
  const connectionString = new ConnectionString(uri);
  connectionString.username = encodeURIComponent(user.name);
  connectionString.password = encodeURIComponent(user.password);
  connectionString.searchParams.set('authSource', 'admin');
  return connectionString.toString();
}
