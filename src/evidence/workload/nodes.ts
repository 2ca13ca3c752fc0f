import type { Document } from 'mongodb';
import { skipReason } from '../../connect/server-error.js';
import type { ClusterReader } from '../../connect/cluster-reader.js';

/** A node that profiler, log and counters are read from: each node has its own. */
export interface Node {
  /** For people: "the primary", "a secondary", "the server", "mongos". */
  readonly name: string;
  readonly reader: ClusterReader;
}

/**
 * The nodes to ask: the primary, and of a replica set with more members the secondary that is nearest. What runs on other
 * secondaries is not seen.
 */
export async function nodesToAsk(reader: ClusterReader): Promise<Node[]> {
  const primary = reader.withReadPreference('primaryPreferred');
  const hello = await primary.command('admin', { hello: 1 });
  if (hello['msg'] === 'isdbgrid') return [{ name: 'mongos', reader: primary }];
  if (typeof hello['setName'] !== 'string') return [{ name: 'the server', reader: primary }];
  const first = { name: hello['isWritablePrimary'] === true ? 'the primary' : 'a secondary', reader: primary };
  // Members that can't become primary are not among the hosts.
  const members = [hello['hosts'], hello['passives']].flat().filter((host) => typeof host === 'string');
  if (members.length < 2 || hello['isWritablePrimary'] !== true) return [first];
  // `secondaryPreferred` would take the primary while the driver has not found the others yet.
  const secondary = { name: 'a secondary', reader: reader.withReadPreference('secondary') };
  const other = await helloOf(secondary);
  // With a direct connection every read goes to the one node.
  return other === null || other['me'] === hello['me'] ? [first] : [first, secondary];
}

/** Null where no secondary is up, which the driver finds out by waiting for as long as it may. */
async function helloOf({ reader }: Node): Promise<Document | null> {
  try {
    return await reader.command('admin', { hello: 1 });
  } catch (error) {
    if (skipReason(error) === 'connection') return null;
    throw error;
  }
}
