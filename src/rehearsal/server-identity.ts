import type { Document } from 'mongodb';
import type { Connection } from '../connect/connect.js';

/** What tells a server from others, whatever address it is reached by. */
export interface ServerIdentity {
  /** The id of the running process, in hexadecimal; null if the server does not say. */
  readonly process: string | null;
  readonly setName: string | null;
  /** Hosts with ports by which the members of its set know each other. */
  readonly members: readonly string[];
  /** Hosts with ports of the connection string, of `mongodb+srv` those that DNS names. */
  readonly addresses: readonly string[];
}

export async function identityOf({ reader, client }: Connection): Promise<ServerIdentity> {
  const hello = await reader.command('admin', { hello: 1 });
  return identityFrom(hello, client.options.hosts.map(String));
}

/** @param hello the server's answer to the command of that name */
export function identityFrom(hello: Document, addresses: readonly string[]): ServerIdentity {
  const { topologyVersion, setName, hosts = [], passives = [], arbiters = [], me } = hello;
  const members = [...hosts, ...passives, ...arbiters, ...(me === undefined ? [] : [me])];
  return {
    process: topologyVersion === undefined ? null : String(topologyVersion.processId),
    setName: setName ?? null,
    members: [...new Set(members.map((host) => String(host).toLowerCase()))],
    addresses: addresses.map((address) => address.toLowerCase()),
  };
}

/**
 * True if both are one server, or members of one replica set. Sets of one name that share a host count as one: a false
 * alarm costs a look, the opposite writes to production.
 */
export function isSameServer(one: ServerIdentity, other: ServerIdentity): boolean {
  if (one.process !== null && one.process === other.process) return true;
  if (one.setName !== null && one.setName === other.setName && shares(one.members, other.members)) return true;
  return shares(one.addresses, other.addresses);
}

function shares(some: readonly string[], others: readonly string[]): boolean {
  return some.some((each) => others.includes(each));
}
