import { MongoClient, type Document } from 'mongodb';
import { ConnectionString } from 'mongodb-connection-string-url';
import { databaseOf, nameOf } from '../../../src/namespace.js';
import type { EmbeddedServer } from '../mongod/embedded-server.js';
import type { Mongod } from '../mongod/mongod.js';
import { startStandalone } from '../servers.js';
import { startRouterStandIn } from './router-stand-in.js';

/** A sharded cluster on 127.0.0.1. */
export interface ShardedCluster {
  /** Connection string of the router stand-in. */
  readonly uri: string;
  readonly version: string;
  /** Through the router stand-in, `config` included. */
  readonly client: MongoClient;
  /** Straight to each shard, by its name; for what the router stand-in does not do, such as inserts after sharding. */
  readonly shards: ReadonlyMap<string, MongoClient>;
  /** Straight to the config server. */
  readonly config: MongoClient;
  /** Shards a collection by a ranged or hashed key; an index on a ranged key is made first. */
  shardCollection(namespace: string, key: Document, options?: { readonly unique?: boolean }): Promise<void>;
  /** Cuts the chunk that holds `middle` there, by the server's own command. */
  split(namespace: string, middle: Document): Promise<void>;
  /** Moves the chunk that begins at `min`, with its documents, by a real migration. */
  moveRange(namespace: string, min: Document, toShard: string): Promise<void>;
  stop(): Promise<void>;
}

export const SHARD_NAMES = ['sh1', 'sh2'] as const;

const SETTINGS = [
  // For fail points, with which a real server gives the answer that a test is about.
  'enableTestCommands=1',
  // Resharding takes five minutes at least, so that clients can prepare for it.
  'reshardingMinimumOperationDurationMillis=0',
];

/**
 * Starts a real config server and two real shards, joined to a cluster, and a stand-in for the router, which says what of
 * it is real. The balancer is off until a test starts it. The recipe was measured on 6.0.5 and 6.0.27: without a mongos,
 * the config server's and shards' internal commands make the same metadata.
 */
export async function startShardedCluster(options: { readonly mongod?: Mongod } = {}): Promise<ShardedCluster> {
  const started: { stop(): Promise<void> }[] = [];
  try {
    const config = await startMember('cfg', '--configsvr', { configsvr: true }, options.mongod);
    started.push(config);
    const shards = await Promise.all(SHARD_NAMES.map((name) => startMember(name, '--shardsvr', {}, options.mongod)));
    started.push(...shards);
    for (const [index, name] of SHARD_NAMES.entries()) {
      await config.client.db('admin').command({
        _configsvrAddShard: `${name}/127.0.0.1:${(shards[index] as Member).port}`,
        writeConcern: { w: 'majority' },
      });
    }
    const ports = new Map(SHARD_NAMES.map((name, index) => [name as string, (shards[index] as Member).port]));
    const router = await startRouterStandIn({ config: config.port, shards: ports });
    const uri = `mongodb://127.0.0.1:${router.port}/`;
    const client = new MongoClient(uri);
    started.push({ stop: () => router.close() }, { stop: () => client.close() });
    const admin = client.db('admin');
    await admin.command({ balancerStop: 1 });
    return {
      uri,
      version: config.version,
      client,
      shards: new Map(SHARD_NAMES.map((name, index) => [name, (shards[index] as Member).client])),
      config: config.client,
      async shardCollection(namespace, key, { unique = false } = {}) {
        await client
          .db(databaseOf(namespace))
          .collection(nameOf(namespace))
          .createIndex(key, unique ? { unique } : {});
        await admin.command({ shardCollection: namespace, key, unique });
      },
      split: async (namespace, middle) => void (await admin.command({ split: namespace, middle })),
      moveRange: async (namespace, min, toShard) => void (await admin.command({ moveRange: namespace, min, toShard })),
      stop: () => stopAll(started),
    };
  } catch (error) {
    await stopAll(started);
    throw error;
  }
}

/** One mongod of the cluster: a replica set of one member. */
interface Member {
  readonly port: number;
  readonly version: string;
  readonly client: MongoClient;
  stop(): Promise<void>;
}

async function startMember(name: string, role: string, configuration: Document, mongod?: Mongod): Promise<Member> {
  const server: EmbeddedServer = await startStandalone({
    ...(mongod !== undefined && { mongod }),
    args: [role, '--replSet', name, ...SETTINGS.flatMap((setting) => ['--setParameter', setting])],
  });
  const host = new ConnectionString(server.uri).hosts[0] as string;
  const client = new MongoClient(`mongodb://${host}/?directConnection=true`);
  try {
    await client.db('admin').command({ replSetInitiate: { _id: name, ...configuration, members: [{ _id: 0, host }] } });
    await untilPrimary(client);
  } catch (error) {
    await client.close();
    await server.stop();
    throw error;
  }
  return {
    port: Number(host.slice(host.lastIndexOf(':') + 1)),
    version: server.version,
    client,
    async stop() {
      await client.close();
      await server.stop();
    },
  };
}

const ELECTION_LIMIT_MS = 240_000;
const ELECTION_POLL_MS = 50;

async function untilPrimary(client: MongoClient): Promise<void> {
  const givesUpAt = Date.now() + ELECTION_LIMIT_MS;
  while ((await client.db('admin').command({ hello: 1 }))['isWritablePrimary'] !== true) {
    if (Date.now() > givesUpAt) throw new Error('The replica set did not elect a primary.');
    await new Promise((resolve) => setTimeout(resolve, ELECTION_POLL_MS));
  }
}

/** Stops in the reverse of the order of starting: clients and router before servers. */
async function stopAll(started: readonly { stop(): Promise<void> }[]): Promise<void> {
  for (const each of started.toReversed()) await each.stop();
}
