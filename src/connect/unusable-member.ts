import type { ServerDescription } from 'mongodb';

const READABLE = new Set(['RSPrimary', 'RSSecondary', 'Standalone', 'Mongos', 'LoadBalancer']);

/** What to do if only members of a replica set answer that can't be read; null if something else is wrong, or nothing. */
export function unusableMember(servers: readonly ServerDescription[]): string | null {
  if (servers.some(({ type }) => READABLE.has(type))) return null;
  const [member] = ['RSArbiter', 'RSOther', 'RSGhost'].flatMap((type) =>
    servers.filter((server) => server.type === type),
  );
  if (member === undefined) return null;
  const { address, type, setName } = member;
  if (type === 'RSGhost') {
    return `${address} is a member of a replica set that is not initiated, or that does not know it: run rs.initiate() there, or rs.add() on the primary.`;
  }
  const hosts = [...member.hosts, ...member.passives];
  if (type === 'RSArbiter') {
    return `${address} is an arbiter of the replica set ${setName} and holds no data. Connect to a member that does: ${hosts.join(', ')}.`;
  }
  return (
    `${address} is a member of the replica set ${setName} that can't be read now: it is starting, recovering or rolling back. ` +
    `Wait until rs.status() shows it as SECONDARY, or connect to the whole set: ${hosts.join(', ')}.`
  );
}
