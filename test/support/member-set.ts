import { MongoClient, type Document } from 'mongodb';
import { ConnectionString } from 'mongodb-connection-string-url';
import type { EmbeddedMongod } from '../../src/demo/embedded-mongod/embedded-mongod.js';
import { startStandalone } from './servers.js';

/** A replica set of several members on 127.0.0.1. */
export interface MemberSet {
  /** Connection string of the whole set. */
  readonly uri: string;
  /** Straight to each member, the first is the primary. */
  readonly members: readonly MongoClient[];
  /** Stops one member. */
  stopMember(index: number): Promise<void>;
  stop(): Promise<void>;
}

const NAME = 'members';
const FIRST_PRIORITY = 5;
/** A member that is told to stop otherwise waits 15 s for clients to go elsewhere. */
const NO_QUIESCING = ['--setParameter', 'shutdownTimeoutMillisForSignaledShutdown=0'];
const SETTLING_LIMIT_MS = 240_000;
const SETTLING_POLL_MS = 100;

/**
 * Starts a replica set of so many members, the last ones arbiters. The caller stops it.
 *
 * @param isElectable the others can become the primary if the first steps down; by default only the first can
 * @param args of each mongod
 */
export async function startMemberSet(
  count: number,
  arbiters = 0,
  { isElectable = false, args = [] }: { readonly isElectable?: boolean; readonly args?: readonly string[] } = {},
): Promise<MemberSet> {
  const servers: (EmbeddedMongod | null)[] = [];
  const members: MongoClient[] = [];
  const isArbiter = (index: number) => index >= count - arbiters;
  const stop = async () => {
    await Promise.all(members.map((client) => client.close()));
    await Promise.all(servers.map((server) => server?.stop()));
  };
  try {
    for (let index = 0; index < count; index += 1) {
      const server = await startStandalone({ args: ['--replSet', NAME, ...NO_QUIESCING, ...args] });
      servers.push(server);
      members.push(new MongoClient(`mongodb://${hostOf(server)}/?directConnection=true`));
    }
    const hosts = servers.map((server) => hostOf(server as EmbeddedMongod));
    const configuration = {
      _id: NAME,
      members: hosts.map((host, index) => ({
        _id: index,
        host,
        priority: index === 0 ? FIRST_PRIORITY : Number(isElectable && !isArbiter(index)),
        // Connection strings can ask for one of them.
        ...(!isArbiter(index) && { tags: { member: String(index) } }),
        ...(isArbiter(index) && { arbiterOnly: true }),
      })),
    };
    await members[0]?.db('admin').command({ replSetInitiate: configuration });
    await Promise.all(
      members.map((client, index) =>
        untilState(client, index === 0 ? 'isWritablePrimary' : isArbiter(index) ? 'arbiterOnly' : 'secondary'),
      ),
    );
    return {
      uri: `mongodb://${hosts.join(',')}/?replicaSet=${NAME}`,
      members,
      async stopMember(index) {
        await members[index]?.close();
        await servers[index]?.stop();
        servers[index] = null;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function hostOf(server: EmbeddedMongod): string {
  return new ConnectionString(server.uri).hosts[0] as string;
}

async function untilState(
  client: MongoClient,
  state: 'isWritablePrimary' | 'secondary' | 'arbiterOnly',
): Promise<void> {
  const givesUpAt = Date.now() + SETTLING_LIMIT_MS;
  const hello = (): Promise<Document> => client.db('admin').command({ hello: 1 });
  while ((await hello())[state] !== true) {
    if (Date.now() > givesUpAt) throw new Error(`A member did not become ${state}.`);
    await new Promise((resolve) => setTimeout(resolve, SETTLING_POLL_MS));
  }
}
