import {
  BSON,
  ReadPreference,
  type AbstractCursor,
  type Db,
  type Document,
  type MongoClient,
  type ReadPreferenceMode,
} from 'mongodb';
import { assertReadOnlyCommand, assertReadOnlyPipeline, type AllowedCommand } from './allowed-commands.js';
import type { CommandBounds, Deadline } from './deadline.js';
import type { Capabilities, KnownServer } from './engine.js';
import { type BatchBounds, BoundedCursor, LinkSpeed, type RawCursor } from './raw-cursor.js';
import type { Recovery } from './recovery.js';
import { isUnknownOption } from './server-error.js';

export const COMMAND_COMMENT = 'mongolint';

/** From 6.0 on, the server writes to its disk what does not fit in memory, unless configured not to. */
const IN_MEMORY = { allowDiskUse: false } as const;

export interface Results<T> {
  toArray(): Promise<T[]>;
}

const ID_BYTES = 22;

const MOST_TIMES = 3;

interface BatchOptions {
  readonly batchSize?: number;
  readonly signal: AbortSignal;
}

export interface FindBounds extends BatchBounds {
  readonly skip?: number;
  readonly limit?: number;
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  readonly projection?: Document;
  readonly showRecordId?: boolean;
  readonly hint?: Document;
}

interface CollectionListing {
  /** Names and types of those that the user may read alone, for who may not list all. */
  readonly authorizedCollections?: true;
  readonly nameOnly?: true;
}

// The only door to the server: reads on the allow-list, with `maxTimeMS` and a comment. `getMore` carries only the
// comment: the server refuses `maxTimeMS` there, and counts a cursor's whole life against the one that it was opened
// with. Here each answer is waited for only so long: see `Deadline.within`.
export class ClusterReader {
  readonly #databases = new Map<string, Db>();
  #primary: Promise<ClusterReader | null> | null = null;

  constructor(
    private readonly client: MongoClient,
    private readonly deadline: Deadline,
    private readonly readPreference: ReadPreference,
    private readonly memberDoors: MemberDoors,
    private readonly server: KnownServer,
    private readonly recovery: Recovery,
    private readonly link = new LinkSpeed(),
  ) {}

  get capabilities(): Capabilities {
    return this.server.capabilities;
  }

  get isOutOfTime(): boolean {
    return this.deadline.isOver;
  }

  /** Why nothing more may be asked: the run's time is up, or it was interrupted or stopped. Null as long as there is time. */
  get end(): Error | null {
    return this.deadline.end;
  }

  /** True if `--max-time` is used up; unlike {@link isOutOfTime}, not because of an interruption. */
  get hasReachedMaxTime(): boolean {
    return this.deadline.hasPassed;
  }

  /** True if the run was ended to spare the server. */
  get isStopped(): boolean {
    return this.deadline.isStopped;
  }

  withReadPreference(mode: ReadPreferenceMode): ClusterReader {
    return new ClusterReader(
      this.client,
      this.deadline,
      ReadPreference.fromString(mode),
      this.memberDoors,
      this.server,
      this.recovery,
      this.link,
    );
  }

  /**
   * What is read, from its beginning as often as a member is lost under it and another may answer: three times at most.
   *
   * @param errorOf what ended such a read; null or undefined if nothing did
   */
  async readAgainIfLost<Read>(read: () => Read | Promise<Read>, errorOf: (read: Read) => unknown): Promise<Read> {
    for (let times = 1; ; times += 1) {
      const begun = performance.now();
      const result = await read();
      const error = errorOf(result) ?? null;
      const isEnd = error === null || times === MOST_TIMES || !(await this.recovery.mayAskAgain(error, begun));
      if (isEnd) return result;
    }
  }

  /**
   * A reader that only a primary answers: there, natural order and RecordIds are the order of insertion, which secondaries
   * do not keep. Null if there is no primary, or the connection goes directly to another member. Asked for once.
   *
   * @throws the server's or driver's error
   */
  ofPrimary(): Promise<ClusterReader | null> {
    this.#primary ??= this.#findPrimary().catch((error: unknown) => {
      this.#primary = null;
      throw error;
    });
    return this.#primary;
  }

  async #findPrimary(): Promise<ClusterReader | null> {
    // Not `primary`: the driver would wait for one, and sends it to whatever member it is connected with directly.
    const hello = await this.withReadPreference('primaryPreferred').command('admin', { hello: 1 });
    const isPrimary = hello['isWritablePrimary'] === true || hello['msg'] === 'isdbgrid';
    return isPrimary ? this.withReadPreference('primary') : null;
  }

  /** Batches of so many bytes that may be asked for before they are needed. */
  batchesAhead(bytes: number): number {
    return this.link.batchesAhead(bytes);
  }

  members(): Promise<Members> {
    return this.memberDoors.through(this);
  }

  #database(name: string): Db {
    const known = this.#databases.get(name) ?? this.client.db(name);
    this.#databases.set(name, known);
    return known;
  }

  async command(
    database: string,
    command: Document & Partial<Record<AllowedCommand, unknown>>,
    bounds: CommandBounds = {},
  ): Promise<Document> {
    assertReadOnlyCommand(command);
    let asked = 0;
    const answer = await this.recovery.asked(() => {
      const abandoned = new AbortController();
      const options = { readPreference: this.readPreference, signal: abandoned.signal };
      const bounded = { ...command, ...this.#common(bounds) };
      asked = performance.now();
      return this.deadline.within(bounds, abandoned, () => this.#database(database).command(bounded, options));
    });
    this.link.observe(BSON.calculateObjectSize(answer), performance.now() - asked);
    return answer;
  }

  aggregate<T extends Document>(
    database: string,
    collection: string,
    pipeline: readonly Document[],
    bounds: BatchBounds = {},
  ): Results<T> {
    assertReadOnlyPipeline(pipeline);
    const { batchSize } = bounds;
    const options = { ...this.#options(bounds), ...IN_MEMORY, ...(batchSize !== undefined && { batchSize }) };
    return this.#results(bounds, (signal) =>
      this.#database(database)
        .collection(collection)
        .aggregate<T>([...pipeline], { ...options, signal }),
    );
  }

  aggregateRaw(
    database: string,
    collection: string,
    pipeline: readonly Document[],
    bounds: BatchBounds = {},
  ): RawCursor {
    assertReadOnlyPipeline(pipeline);
    const options = { ...this.#options(bounds), ...IN_MEMORY, raw: true };
    return this.#raw(bounds, (batch) =>
      this.#database(database)
        .collection(collection)
        .aggregate([...pipeline], { ...options, ...batch }),
    );
  }

  aggregateDatabaseRaw(database: string, pipeline: readonly Document[], bounds: BatchBounds = {}): RawCursor {
    assertReadOnlyPipeline(pipeline);
    const options = { ...this.#options(bounds), ...IN_MEMORY, raw: true };
    // The driver's types leave out the signal here; the cursor takes it.
    return this.#raw(bounds, (batch: object) =>
      this.#database(database).aggregate([...pipeline], { ...options, ...batch }),
    );
  }

  findRaw(database: string, collection: string, filter: Document, bounds: FindBounds = {}): RawCursor {
    const { timeoutShare: _share, paced: _paced, documentBytes: _bytes, ...asked } = bounds;
    const options = { ...asked, ...this.#options(bounds), raw: true };
    return this.#raw(bounds, (batch) =>
      this.#database(database)
        .collection(collection)
        .find(filter, { ...options, ...batch }),
    );
  }

  findIds(database: string, collection: string): RawCursor {
    const bounds = { projection: { _id: 1 }, hint: { _id: 1 }, documentBytes: ID_BYTES };
    return this.findRaw(database, collection, {}, bounds);
  }

  async listCollections(database: string, listing: CollectionListing = {}): Promise<Document[]> {
    const options = { ...this.#options({}), ...listing };
    return this.#results<Document>({}, (signal) =>
      this.#database(database).listCollections({}, { ...options, signal }),
    ).toArray();
  }

  async listIndexes(database: string, collection: string): Promise<Document[]> {
    // The server's own tools ask so. Without it, an index that is being built looks as if it were there.
    const command = { listIndexes: collection, cursor: {}, includeBuildUUIDs: true, ...this.#common() };
    const { readPreference } = this;
    const inDatabase = this.#database(database);
    try {
      return await this.#results<Document>({}, () =>
        inDatabase.runCursorCommand(command, { readPreference }),
      ).toArray();
    } catch (error) {
      if (!isUnknownOption(error)) throw error;
      const options = this.#options({});
      return this.#results<Document>({}, () => inDatabase.collection(collection).listIndexes(options)).toArray();
    }
  }

  #raw(bounds: BatchBounds, open: (batch: BatchOptions) => unknown): RawCursor {
    return new BoundedCursor(
      this.deadline,
      this.link,
      this.recovery,
      bounds,
      (batchSize, signal) => open({ ...batchSize, signal }) as RawCursor,
    );
  }

  #results<T>(bounds: CommandBounds, open: (abandoned: AbortSignal) => AbstractCursor<T>): Results<T> {
    const read = () => {
      const abandoned = new AbortController();
      return this.deadline.within(bounds, abandoned, () => open(abandoned.signal).toArray());
    };
    return { toArray: () => this.recovery.asked(read) };
  }

  #common(bounds: CommandBounds = {}): { maxTimeMS: number; comment: string } {
    return { maxTimeMS: this.deadline.forCommand(bounds), comment: COMMAND_COMMENT };
  }

  #options(bounds: BatchBounds) {
    return { ...this.#common(bounds), readPreference: this.readPreference };
  }
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
