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
  if (!Array.isArray(hello['hosts']) || hello['hosts'].length < 2) return [first];
  const secondary = reader.withReadPreference('secondaryPreferred');
  const other = await secondary.command('admin', { hello: 1 });
  return other['me'] === hello['me'] ? [first] : [first, { name: 'a secondary', reader: secondary }];
}
