import type { Document } from 'mongodb';
import type { ClusterReader } from './cluster-reader.js';
import { engineOf } from './engine.js';
import type { Capabilities } from './known-server.js';

export async function readCapabilities(
  reader: ClusterReader,
  hosts: readonly string[],
  hello: Document,
  buildInfo: Document,
): Promise<Capabilities> {
  const engine = engineOf({ hosts, hello, buildInfo });
  if (hello['msg'] !== 'isdbgrid') return { engine, isRouter: false };
  // Others say so too, without a shard.
  const isRouter = engine.name === 'MongoDB' || (engine.name === 'unknown' && (await hasShards(reader)));
  return { engine, isRouter };
}

async function hasShards(reader: ClusterReader): Promise<boolean> {
  try {
    const shards = reader.aggregate<Document>('config', 'shards', [{ $limit: 1 }, { $project: { _id: 1 } }]);
    return (await shards.toArray()).length > 0;
  } catch {
    return false;
  }
}
