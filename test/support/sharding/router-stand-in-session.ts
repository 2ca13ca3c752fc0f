import { BSON, Long, type Document } from 'mongodb';
import { ADMINISTRATION } from './router-stand-in-administration.js';
import {
  collectionRoute,
  databaseRoute,
  databaseRouteForWriting,
  drain,
  isZero,
  succeed,
  type CollectionRoute,
  type Servers,
} from './router-stand-in-routes.js';
import { ServerConnection } from './router-stand-in-server.js';

/** Ports, on 127.0.0.1, of the servers of a cluster. */
export interface ClusterPorts {
  readonly config: number;
  /** By the name of the shard. */
  readonly shards: ReadonlyMap<string, number>;
}

/** Where the rest of a cursor's documents is: on a shard, or here. */
export type OpenCursor =
  | { readonly shard: string; readonly internal: boolean }
  | { readonly namespace: string; readonly documents: Document[] };

/** Documents of a first batch unless the client says otherwise, as the server has it. */
const FIRST_BATCH_DOCUMENTS = 101;
/** Bytes of a batch; below what a reply may have. */
const BATCH_BYTES = 12 * 1024 * 1024;
const CONFIG_DATABASES = new Set(['admin', 'config']);
/** Commands on a sharded collection that every shard with a part of it carries out. */
const ON_EVERY_OWNER = new Set(['createIndexes', 'dropIndexes', 'collMod']);

/** One connection of a client, and those to the servers on its behalf. */
export class ClientSession implements Servers {
  readonly #connections = new Map<string, Promise<ServerConnection>>();
  #client: Document | undefined;

  constructor(
    private readonly ports: ClusterPorts,
    private readonly cursors: Map<string, OpenCursor>,
  ) {}

  get shardNames(): readonly string[] {
    return [...this.ports.shards.keys()];
  }

  /** Takes note of how the client introduces itself in its first `hello`. */
  introduce({ client }: Document): void {
    this.#client ??= client;
  }

  config = () => this.#connect('config', this.ports.config, false);
  shard = (name: string) => this.#connect(name, this.#portOf(name), false);
  internalShard = (name: string) => this.#connect(`${name}, internal`, this.#portOf(name), true);

  close(): void {
    for (const connection of this.#connections.values()) connection.then((open) => open.close()).catch(() => undefined);
  }

  async answer(command: Document): Promise<Document> {
    const name = Object.keys(command)[0] as string;
    const database = String(command['$db'] ?? 'admin');
    if (name === 'getMore' || name === 'killCursors') return this.#continueCursor(name, command);
    if (name === 'listDatabases') return this.#listDatabases(command);
    const administration = ADMINISTRATION[name];
    if (administration !== undefined) return administration(this, command);
    if (CONFIG_DATABASES.has(database))
      return (await this.#connect('config, for the client', this.ports.config, false, this.#client)).send(command);
    if (name === 'aggregate' && typeof command['aggregate'] === 'string') return this.#aggregate(command, database);
    const route = await collectionRoute(this, `${database}.${command[name]}`);
    if (route !== null) return this.#onSharded(name, command, route);
    const writes = name === 'insert' || name === 'create' || name === 'createIndexes';
    const home = writes ? await databaseRouteForWriting(this, database) : await databaseRoute(this, database);
    const shard = home?.primary ?? (this.shardNames[0] as string);
    return this.#keepCursor(await (await this.shard(shard)).send(command), { shard, internal: false });
  }

  #keepCursor(answer: Document, cursor: OpenCursor): Document {
    const id: unknown = answer['cursor']?.id;
    if (id !== undefined && !isZero(id)) this.cursors.set(String(id), cursor);
    return answer;
  }

  async #onSharded(name: string, command: Document, route: CollectionRoute): Promise<Document> {
    // Natural order is each shard's own, as it is through mongos.
    const inOrder = command['sort'] !== undefined && command['sort'].$natural === undefined;
    if (name === 'find' && !inOrder) return this.#findOnOwners(command, route);
    if (name === 'find') return this.#aggregate(asAggregation(command), String(command['$db']));
    if (name === 'listIndexes') return (await this.shard([...route.shardVersions.keys()][0] as string)).send(command);
    if (name !== 'count' && !ON_EVERY_OWNER.has(name)) {
      throw new Error(`${name} on a collection that is sharded is not stood in for`);
    }
    const answers: Document[] = [];
    for (const [shard, shardVersion] of route.shardVersions) {
      const versioned = name === 'count' ? { ...command, shardVersion } : command;
      answers.push(await succeed(await this.shard(shard), versioned));
    }
    return name === 'count'
      ? { n: answers.reduce((sum, { n }) => sum + Number(n), 0), ok: 1 }
      : (answers[0] as Document);
  }

  /**
   * Hands a pipeline to a shard, which spreads it over the cluster and merges. One that begins on a collection that is not
   * sharded and unites others is handed on as it is, as mongos does: within a further `$unionWith`, 6.0.5 crashes (SIGSEGV)
   * at a `getMore` after `$documents`.
   */
  async #aggregate(command: Document, database: string): Promise<Document> {
    const { aggregate, pipeline, hint: _, ...rest } = command;
    const home = await databaseRoute(this, database);
    const shard = home?.primary ?? (this.shardNames[0] as string);
    const isUnion = (pipeline as readonly Document[]).some((stage) => '$unionWith' in stage);
    const isWhole = isUnion && (await collectionRoute(this, `${database}.${aggregate}`)) === null;
    const wrapped = {
      aggregate: 1,
      pipeline: [{ $documents: [] }, { $unionWith: { coll: aggregate, pipeline } }],
      ...rest,
    };
    const answer = await succeed(await this.internalShard(shard), isWhole ? command : wrapped);
    return this.#keepCursor(answer, { shard, internal: true });
  }

  async #findOnOwners(command: Document, { shardVersions }: CollectionRoute): Promise<Document> {
    const { skip, batchSize, singleBatch, ...find } = command;
    const limit = Number(command['limit'] ?? 0);
    const wanted = limit === 0 ? Infinity : limit + Number(skip ?? 0);
    const documents: Document[] = [];
    for (const [shard, shardVersion] of shardVersions) {
      if (documents.length >= wanted) break;
      documents.push(...(await drain(await this.shard(shard), { ...find, shardVersion })));
    }
    const found = documents.slice(Number(skip ?? 0), wanted);
    const namespace = `${command['$db']}.${command['find']}`;
    const firstBatch = takeBatch(found, Number(batchSize ?? FIRST_BATCH_DOCUMENTS));
    if (found.length === 0 || singleBatch === true)
      return { cursor: { id: Long.ZERO, ns: namespace, firstBatch }, ok: 1 };
    const id = Long.fromBits(Math.floor(Math.random() * 2 ** 31), Math.floor(Math.random() * 2 ** 31));
    this.cursors.set(String(id), { namespace, documents: found });
    return { cursor: { id, ns: namespace, firstBatch }, ok: 1 };
  }

  async #continueCursor(name: string, command: Document): Promise<Document> {
    const ids: unknown[] = name === 'getMore' ? [command['getMore']] : command['cursors'];
    const cursor = this.cursors.get(String(ids[0]));
    if (cursor === undefined) return (await this.config()).send(command);
    if (name === 'killCursors') this.cursors.delete(String(ids[0]));
    if ('shard' in cursor)
      return (await (cursor.internal ? this.internalShard : this.shard)(cursor.shard)).send(command);
    if (name === 'killCursors') return { cursorsKilled: ids, ok: 1 };
    const nextBatch = takeBatch(cursor.documents, Number(command['batchSize'] ?? Infinity));
    const id = cursor.documents.length === 0 ? Long.ZERO : (ids[0] as Long);
    return { cursor: { id, ns: cursor.namespace, nextBatch }, ok: 1 };
  }

  async #listDatabases(command: Document): Promise<Document> {
    const sizes = new Map<string, number>();
    for (const connection of [await this.config(), ...(await Promise.all(this.shardNames.map(this.shard)))]) {
      const { databases } = await succeed(connection, { ...command, nameOnly: false });
      for (const { name, sizeOnDisk } of databases) {
        if (String(name) !== 'local') sizes.set(String(name), (sizes.get(String(name)) ?? 0) + Number(sizeOnDisk));
      }
    }
    return { databases: [...sizes].map(([name, sizeOnDisk]) => ({ name, sizeOnDisk, empty: false })), ok: 1 };
  }

  #portOf(shard: string): number {
    const port = this.ports.shards.get(shard);
    if (port === undefined) throw new Error(`there is no shard ${shard}`);
    return port;
  }

  #connect(name: string, port: number, internal: boolean, client?: Document): Promise<ServerConnection> {
    const open = this.#connections.get(name) ?? ServerConnection.open(port, internal, client);
    this.#connections.set(name, open);
    return open;
  }
}

/** A `find` with a sort as the aggregation that does the same. */
function asAggregation(command: Document): Document {
  const { find, filter = {}, sort, skip, limit, projection, batchSize, singleBatch: _, ...rest } = command;
  const stages = [
    { $match: filter },
    { $sort: sort },
    ...(Number(skip ?? 0) > 0 ? [{ $skip: skip }] : []),
    ...(Number(limit ?? 0) > 0 ? [{ $limit: limit }] : []),
    ...(projection === undefined ? [] : [{ $project: projection }]),
  ];
  return { aggregate: find, pipeline: stages, cursor: batchSize === undefined ? {} : { batchSize }, ...rest };
}

/** Takes the documents of one batch off the front. */
function takeBatch(documents: Document[], most: number): Document[] {
  let bytes = 0;
  let taken = 0;
  while (taken < Math.min(most, documents.length) && bytes < BATCH_BYTES) {
    bytes += BSON.calculateObjectSize(documents[taken] as Document);
    taken += 1;
  }
  return documents.splice(0, taken);
}
