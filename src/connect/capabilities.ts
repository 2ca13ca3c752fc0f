import type { Document } from 'mongodb';
import type { ClusterReader } from './cluster-reader.js';
import { engineOf } from './engine.js';
import type { Capabilities } from './known-server.js';

/** @param hosts without ports */
export async function readCapabilities(
  reader: ClusterReader,
  hosts: readonly string[],
  hello: Document,
  buildInfo: Document,
): Promise<Capabilities> {
  const saysRouter = hello['msg'] === 'isdbgrid';
  const hasShards = saysRouter ? await readWhetherShards(reader) : null;
  const engine = engineOf({ hosts, hello, buildInfo, hasShards });
  return { engine, isRouter: saysRouter && hasShards !== false && engine.name === 'MongoDB' };
}

async function readWhetherShards(reader: ClusterReader): Promise<boolean | null> {
  try {
    const shards = reader.aggregate<Document>('config', 'shards', [{ $limit: 1 }, { $project: { _id: 1 } }]);
    return (await shards.toArray()).length > 0;
  } catch {
    return null;
  }
}
