import { BSON, Long, Timestamp, type Document } from 'mongodb';
import { nameOf } from '../../../src/namespace.js';
import type { ServerConnection } from './router-stand-in-server.js';

/** An answer of a server that says no; it goes back to the client as it is. */
export class ServerRefusal extends Error {
  override readonly name = 'ServerRefusal';
  constructor(readonly answer: Document) {
    super(String(answer['errmsg']));
  }
}

/** The connections that a command of one client may need. Each is opened when it is first asked for. */
export interface Servers {
  readonly shardNames: readonly string[];
  config(): Promise<ServerConnection>;
  /** As any client would connect. */
  shard(name: string): Promise<ServerConnection>;
  /** As mongos connects; see `ServerConnection.open`. */
  internalShard(name: string): Promise<ServerConnection>;
}

/** Where a database lives. */
export interface DatabaseRoute {
  readonly primary: string;
  readonly version: Document;
}

/** How a sharded collection is spread. */
export interface CollectionRoute {
  readonly epoch: unknown;
  /** The version that each shard that owns chunks has to be asked with. */
  readonly shardVersions: ReadonlyMap<string, Document>;
}

/** Sends a command and throws what the server refuses. */
export async function succeed(connection: ServerConnection, command: Document): Promise<Document> {
  const answer = await connection.send(command);
  if (Number(answer['ok']) !== 1) throw new ServerRefusal(answer);
  return answer;
}

/** Every document that a `find` or `aggregate` comes to, over as many batches as it takes. */
export async function drain(connection: ServerConnection, command: Document): Promise<Document[]> {
  const { $db, lsid } = command;
  let { cursor } = await succeed(connection, command);
  const documents: Document[] = [...cursor.firstBatch];
  while (!isZero(cursor.id)) {
    const collection = nameOf(String(cursor.ns));
    ({ cursor } = await succeed(connection, { getMore: cursor.id, collection, ...(lsid && { lsid }), $db }));
    documents.push(...cursor.nextBatch);
  }
  return documents;
}

export function isZero(cursorId: unknown): boolean {
  return cursorId instanceof Long ? cursorId.isZero() : Number(cursorId) === 0;
}

/** What config.databases says of a database; null where it does not exist. */
export async function databaseRoute(servers: Servers, database: string): Promise<DatabaseRoute | null> {
  const command = { find: 'databases', filter: { _id: database }, $db: 'config' };
  const [found] = await drain(await servers.config(), command);
  return found === undefined ? null : { primary: String(found['primary']), version: found['version'] };
}

/** As `databaseRoute`; makes the database on the first shard where there is none, as mongos does. */
export async function databaseRouteForWriting(servers: Servers, database: string): Promise<DatabaseRoute> {
  const existing = await databaseRoute(servers, database);
  if (existing !== null) return existing;
  await succeed(await servers.config(), {
    _configsvrCreateDatabase: database,
    primaryShardId: servers.shardNames[0],
    writeConcern: { w: 'majority' },
    $db: 'admin',
  });
  return (await databaseRoute(servers, database)) as DatabaseRoute;
}

/** What config.collections and config.chunks say of a collection; null where it is not sharded. */
export async function collectionRoute(servers: Servers, namespace: string): Promise<CollectionRoute | null> {
  const config = await servers.config();
  const [found] = await drain(config, { find: 'collections', filter: { _id: namespace }, $db: 'config' });
  if (found === undefined) return null;
  const pipeline = [{ $match: { uuid: found['uuid'] } }, { $group: { _id: '$shard', version: { $max: '$lastmod' } } }];
  const owners = await drain(config, { aggregate: 'chunks', pipeline, cursor: {}, $db: 'config' });
  const base = { e: found['lastmodEpoch'], t: found['timestamp'] };
  const versions = new Map(owners.map(({ _id, version }) => [String(_id), { ...base, v: version as Timestamp }]));
  return { epoch: found['lastmodEpoch'], shardVersions: versions };
}

/** The chunk that a value of the shard key lies in. */
export async function chunkOf(servers: Servers, namespace: string, key: Document): Promise<Document> {
  const config = await servers.config();
  const [collection] = await drain(config, { find: 'collections', filter: { _id: namespace }, $db: 'config' });
  const filter = { uuid: collection?.['uuid'], min: { $lte: key }, max: { $gt: key } };
  const [chunk] = await drain(config, { find: 'chunks', filter, $db: 'config' });
  if (chunk === undefined) throw new Error(`${namespace} has no chunk for ${BSON.EJSON.stringify(key)}.`);
  return chunk;
}
