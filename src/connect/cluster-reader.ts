import {
  ReadPreference,
  type AbstractCursor,
  type Db,
  type Document,
  type MongoClient,
  type ReadPreferenceMode,
} from 'mongodb';
import { assertReadOnlyCommand, assertReadOnlyPipeline, type AllowedCommand } from './allowed-commands.js';
import type { CommandBounds, Deadline } from './deadline.js';

/** What every command carries, so that it can be told apart in logs, the profiler and `currentOp`. */
export const COMMAND_COMMENT = 'mongolint';

/** From 6.0 on the server would write what does not fit its memory to its disk, unless told not to. */
const IN_MEMORY = { allowDiskUse: false } as const;

/** Bounds of one read. */
export interface ReadBounds extends CommandBounds {
  /** Documents per batch; the server's default where absent. */
  readonly batchSize?: number;
}

/** Bounds of a find, and what it gives. */
export interface FindBounds extends ReadBounds {
  readonly limit?: number;
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  readonly projection?: Document;
  /** Adds each document's place in storage as `$recordId`. */
  readonly showRecordId?: boolean;
}

/**
 * The only door to the server. Everything that passes is a read on the allow-list, with `maxTimeMS` and `comment`.
 *
 * `getMore` carries the comment but no `maxTimeMS`: the server refuses it there, and counts a cursor's whole life
 * against the `maxTimeMS` it was opened with.
 */
export class ClusterReader {
  readonly #databases = new Map<string, Db>();

  constructor(
    private readonly client: MongoClient,
    private readonly deadline: Deadline,
    private readonly readPreference: ReadPreference,
    private readonly memberDoors: MemberDoors,
  ) {}

  /** True where the run has no time left. */
  get isOutOfTime(): boolean {
    return this.deadline.isOver;
  }

  /** The same door, for reads that must go to another kind of node. */
  withReadPreference(mode: ReadPreferenceMode): ClusterReader {
    return new ClusterReader(this.client, this.deadline, ReadPreference.fromString(mode), this.memberDoors);
  }

  /** Doors to the nodes one by one, for statistics that each keeps to itself. */
  members(): Promise<Members> {
    return this.memberDoors.through(this);
  }

  /** The driver resolves the options of a database anew with each object that it gives. */
  #database(name: string): Db {
    const known = this.#databases.get(name) ?? this.client.db(name);
    this.#databases.set(name, known);
    return known;
  }

  /** Runs a command of the allow-list; its name is the first key. */
  async command(database: string, command: Document & Partial<Record<AllowedCommand, unknown>>): Promise<Document> {
    assertReadOnlyCommand(command);
    return this.#database(database).command({ ...command, ...this.#common() }, { readPreference: this.readPreference });
  }

  /** Opens an aggregation. */
  aggregate<T extends Document>(
    database: string,
    collection: string,
    pipeline: readonly Document[],
    bounds: ReadBounds = {},
  ): AbstractCursor<T> {
    assertReadOnlyPipeline(pipeline);
    const options = { ...this.#options(bounds), ...IN_MEMORY };
    return this.#database(database)
      .collection(collection)
      .aggregate<T>([...pipeline], options);
  }

  /** Opens an aggregation that gives each document as raw BSON. */
  aggregateRaw(
    database: string,
    collection: string,
    pipeline: readonly Document[],
    bounds: ReadBounds = {},
  ): RawCursor {
    assertReadOnlyPipeline(pipeline);
    const options = { ...this.#options(bounds), ...IN_MEMORY, raw: true };
    return this.#database(database)
      .collection(collection)
      .aggregate([...pipeline], options) as unknown as RawCursor;
  }

  /** Opens an aggregation on a database as a whole, as `$queryStats` is, that gives each document as raw BSON. */
  aggregateDatabaseRaw(database: string, pipeline: readonly Document[], bounds: ReadBounds = {}): RawCursor {
    assertReadOnlyPipeline(pipeline);
    const options = { ...this.#options(bounds), ...IN_MEMORY, raw: true };
    return this.#database(database).aggregate([...pipeline], options) as unknown as RawCursor;
  }

  /** Opens a find that gives each document as raw BSON. */
  findRaw(database: string, collection: string, filter: Document, bounds: FindBounds = {}): RawCursor {
    const { limit, sort, projection, showRecordId } = bounds;
    const options = {
      ...this.#options(bounds),
      ...(limit === undefined ? {} : { limit }),
      ...(sort === undefined ? {} : { sort }),
      ...(projection === undefined ? {} : { projection }),
      ...(showRecordId === undefined ? {} : { showRecordId }),
      raw: true,
    };
    return this.#database(database).collection(collection).find(filter, options) as unknown as RawCursor;
  }

  /** Every `_id` of a collection, from the `_id` index alone; as BSON types, so that none loses precision. */
  async findIds(database: string, collection: string): Promise<unknown[]> {
    const cursor = this.#database(database)
      .collection(collection)
      .find({}, { ...this.#options({}), projection: { _id: 1 }, hint: { _id: 1 }, promoteValues: false });
    return (await cursor.toArray()).map(({ _id: id }) => id);
  }

  /** Names and options of a database's collections and views, as `listCollections` gives them. */
  async listCollections(database: string): Promise<Document[]> {
    return this.#database(database).listCollections({}, this.#options({})).toArray();
  }

  /** Names and types of those collections of a database that the user may read, for users who may not list them all. */
  async listAuthorizedCollections(database: string): Promise<Document[]> {
    const options = { ...this.#options({}), authorizedCollections: true, nameOnly: true };
    return this.#database(database).listCollections({}, options).toArray();
  }

  /** A collection's indexes, as `listIndexes` gives them. */
  async listIndexes(database: string, collection: string): Promise<Document[]> {
    return this.#database(database).collection(collection).listIndexes(this.#options({})).toArray();
  }

  #common(bounds: CommandBounds = {}): { maxTimeMS: number; comment: string } {
    return { maxTimeMS: this.deadline.forCommand(bounds), comment: COMMAND_COMMENT };
  }

  #options(bounds: ReadBounds) {
    const { batchSize } = bounds;
    return {
      ...this.#common(bounds),
      readPreference: this.readPreference,
      ...(batchSize === undefined ? {} : { batchSize }),
    };
  }
}

/** A cursor over raw BSON documents. */
export interface RawCursor {
  hasNext(): Promise<boolean>;
  /** The documents of the current batch; the buffers are views on it. */
  readBufferedDocuments(): Uint8Array[];
  close(): Promise<void>;
}

/** A node that keeps statistics of its own. */
export interface Member {
  /** For people, without the host: "the primary", "secondary 1", "the server"; of a sharded cluster "the primaries". */
  readonly name: string;
  readonly reader: ClusterReader;
}

/** The nodes that can be asked, and how many there are in all. */
export interface Members {
  readonly answering: readonly Member[];
  /** Why each other member that should hold data was not asked, as an error's name or half a sentence. */
  readonly silent: readonly string[];
  /** Through mongos, members by shard, of which one primary and one secondary answer; null where it is not told. */
  readonly perShard: ReadonlyMap<string, number> | null;
}

/** Opens the doors to the members of a deployment. */
export interface MemberDoors {
  /** The members, asked for once. `reader` is a door to the deployment as a whole. */
  through(reader: ClusterReader): Promise<Members>;
}
