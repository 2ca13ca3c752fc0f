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

export const COMMAND_COMMENT = 'mongolint';

/** From 6.0 on, the server writes to its disk what does not fit in memory, unless told not to. */
const IN_MEMORY = { allowDiskUse: false } as const;

export interface ReadBounds extends CommandBounds {
  readonly batchSize?: number;
}

export interface FindBounds extends ReadBounds {
  readonly limit?: number;
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  readonly projection?: Document;
  readonly showRecordId?: boolean;
}

// The only door to the server: reads on the allow-list, with `maxTimeMS` and a comment. `getMore` carries only the
// comment: the server refuses `maxTimeMS` there, and counts a cursor's whole life against the one that it was opened
// with.
export class ClusterReader {
  readonly #databases = new Map<string, Db>();

  constructor(
    private readonly client: MongoClient,
    private readonly deadline: Deadline,
    private readonly readPreference: ReadPreference,
    private readonly memberDoors: MemberDoors,
  ) {}

  get isOutOfTime(): boolean {
    return this.deadline.isOver;
  }

  /** True if `--max-time` is used up; unlike {@link isOutOfTime}, not because of an interruption. */
  get hasReachedMaxTime(): boolean {
    return this.deadline.hasPassed;
  }

  withReadPreference(mode: ReadPreferenceMode): ClusterReader {
    return new ClusterReader(this.client, this.deadline, ReadPreference.fromString(mode), this.memberDoors);
  }

  members(): Promise<Members> {
    return this.memberDoors.through(this);
  }

  #database(name: string): Db {
    const known = this.#databases.get(name) ?? this.client.db(name);
    this.#databases.set(name, known);
    return known;
  }

  async command(database: string, command: Document & Partial<Record<AllowedCommand, unknown>>): Promise<Document> {
    assertReadOnlyCommand(command);
    return this.#database(database).command({ ...command, ...this.#common() }, { readPreference: this.readPreference });
  }

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

  aggregateDatabaseRaw(database: string, pipeline: readonly Document[], bounds: ReadBounds = {}): RawCursor {
    assertReadOnlyPipeline(pipeline);
    const options = { ...this.#options(bounds), ...IN_MEMORY, raw: true };
    return this.#database(database).aggregate([...pipeline], options) as unknown as RawCursor;
  }

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

  /** Reads from the `_id` index alone. */
  findIds(database: string, collection: string): RawCursor {
    const options = { ...this.#options({}), projection: { _id: 1 }, hint: { _id: 1 }, raw: true };
    return this.#database(database).collection(collection).find({}, options) as unknown as RawCursor;
  }

  async listCollections(database: string): Promise<Document[]> {
    return this.#database(database).listCollections({}, this.#options({})).toArray();
  }

  /** For users who may not list all collections: names and types of those that they may read. */
  async listAuthorizedCollections(database: string): Promise<Document[]> {
    const options = { ...this.#options({}), authorizedCollections: true, nameOnly: true };
    return this.#database(database).listCollections({}, options).toArray();
  }

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

export interface RawCursor {
  hasNext(): Promise<boolean>;
  /** The buffers are views on the batch. */
  readBufferedDocuments(): Uint8Array[];
  close(): Promise<void>;
}

export interface Member {
  /** For people, without the host: "the primary", "secondary 1", "the server"; of a sharded cluster "the primaries". */
  readonly name: string;
  readonly reader: ClusterReader;
}

export interface Members {
  readonly answering: readonly Member[];
  /** Why each other member that should hold data was not asked, as an error's name or half a sentence. */
  readonly silent: readonly string[];
  /** Through mongos, members by shard, of which one primary and one secondary answer; null if unknown. */
  readonly perShard: ReadonlyMap<string, number> | null;
}

export interface MemberDoors {
  through(reader: ClusterReader): Promise<Members>;
}
