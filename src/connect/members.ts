import { type Document, type MongoClient, ReadPreference } from 'mongodb';
import { ConnectionString } from 'mongodb-connection-string-url';
import { closeClient } from './client.js';
import { ClusterReader, type MemberDoors, type Members } from './cluster-reader.js';
import type { Deadline } from './deadline.js';
import type { KnownServer } from './engine.js';
import { Recovery } from './recovery.js';
import { errorName } from './server-error.js';
import { PREFERENCE_OPTIONS } from './shown-uri.js';

/** Options that say how to find a deployment, and make no sense for one of its members. */
const DISCOVERY_OPTIONS = ['replicaSet', 'loadBalanced', 'srvMaxHosts', 'srvServiceName', ...PREFERENCE_OPTIONS];

/** In ms. The other members answer meanwhile, and the driver reaches each of them in much less. */
const LONGEST_WAIT = 5_000;

export interface MemberAccess {
  readonly uri: string;
  readonly client: MongoClient;
  readonly deadline: Deadline;
  readonly server: KnownServer;
  open(uri: string, longestWait: number): MongoClient;
}

/** Reads from single members, for what each keeps to itself, such as `$indexStats`. Clients see no hidden members. */
export class MemberConnections implements MemberDoors {
  #members: Promise<Members> | null = null;
  readonly #clients: MongoClient[] = [];

  constructor(private readonly access: MemberAccess) {}

  through(reader: ClusterReader): Promise<Members> {
    this.#members ??= this.#find(reader).catch((error: unknown) => {
      this.#members = null;
      throw error;
    });
    return this.#members;
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map(closeClient));
  }

  async #find(reader: ClusterReader): Promise<Members> {
    if (this.access.server.capabilities.isRouter) return shardMembers(reader);
    const primary = reader.withReadPreference('primaryPreferred');
    const hello = await primary.command('admin', { hello: 1 });
    // A server that is no replica set has neither; a set has `passives` only if there are some.
    const hosts = [...((hello['hosts'] ?? []) as string[]), ...((hello['passives'] ?? []) as string[])].sort();
    if (hosts.length <= 1) return { answering: [{ name: 'the server', reader: primary }], silent: [], perShard: null };
    if (this.access.client.options.directConnection) {
      const others = hosts.filter((host) => host !== hello['me']);
      const silent = others.map((host) => `${host}: the connection goes directly to another member`);
      return { answering: [{ name: nameOf(hello), reader: primary }], silent, perShard: null };
    }
    const opened = await Promise.all(hosts.map((host) => this.#open(host)));
    const found = opened.filter((member) => typeof member !== 'string');
    let secondaries = 0;
    const answering = found.map(({ hello: own, reader: door }) => {
      const name = nameOf(own);
      return { name: name === 'a secondary' ? `secondary ${(secondaries += 1)}` : name, reader: door };
    });
    const silent = opened.filter((member) => typeof member === 'string');
    // Members name no primary while there is none.
    const hasPrimary = hello['primary'] !== undefined;
    return {
      answering,
      silent: hasPrimary ? silent : silent.map((why) => `${why}; the set has no primary`),
      perShard: null,
    };
  }

  /** The reason as a text if the member can't be asked. */
  async #open(host: string): Promise<{ hello: Document; reader: ClusterReader } | string> {
    const { uri, client: whole, deadline, server, open } = this.access;
    const client = open(memberUri(uri, host, whole.options), LONGEST_WAIT);
    this.#clients.push(client);
    const recovery = new Recovery(client, deadline, null, () => (this.#members = null));
    const reader = new ClusterReader(client, deadline, ReadPreference.secondaryPreferred, this, server, recovery);
    try {
      const hello = await reader.command('admin', { hello: 1 });
      return hello['isWritablePrimary'] === true || hello['secondary'] === true
        ? { hello, reader }
        : `${host}: currently neither primary nor secondary`;
    } catch (error) {
      return `${host}: ${errorName(error)}`;
    }
  }
}

function nameOf(hello: Document): string {
  return hello['isWritablePrimary'] === true ? 'the primary' : 'a secondary';
}

/** mongos asks one member of each shard, by the read preference. */
async function shardMembers(reader: ClusterReader): Promise<Members> {
  return {
    answering: [
      { name: 'the primaries', reader: reader.withReadPreference('primary') },
      { name: 'the secondaries', reader: reader.withReadPreference('secondaryPreferred') },
    ],
    silent: [],
    perShard: await membersPerShard(reader),
  };
}

async function membersPerShard(reader: ClusterReader): Promise<ReadonlyMap<string, number> | null> {
  try {
    const shards = await reader.aggregate<Document>('config', 'shards', [{ $project: { host: 1 } }]).toArray();
    // "name/host:port,host:port"
    return new Map(shards.map(({ _id, host }) => [String(_id), String(host).split(',').length]));
  } catch {
    return null;
  }
}

/** @param options of the set's client: a DNS seed list adds some that the URI does not hold */
export function memberUri(
  uri: string,
  host: string,
  { tls, credentials }: Pick<MongoClient['options'], 'tls' | 'credentials'>,
): string {
  const member = new ConnectionString(uri.replace(/^mongodb\+srv:/, 'mongodb:'));
  member.hosts = [host];
  for (const name of DISCOVERY_OPTIONS) member.searchParams.delete(name);
  member.searchParams.set('directConnection', 'true');
  if (tls === true && !member.searchParams.has('ssl')) member.searchParams.set('tls', 'true');
  if (credentials !== undefined) member.searchParams.set('authSource', credentials.source);
  return member.href;
}
