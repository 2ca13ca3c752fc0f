import { randomBytes } from 'node:crypto';
import { BSON, MongoServerError, type Db, type Document, type MongoClient } from 'mongodb';
import { neededDocuments } from '../connect/answer.js';
import { closeClient, type ConnectOptions, openClient } from '../connect/client.js';
import { connect, type Connection } from '../connect/connect.js';
import { errorName, skipReason } from '../connect/server-error.js';
import { whereOf } from '../connect/shown-uri.js';
import { plural } from '../format.js';
import { isSystemDatabase } from '../inventory/namespace-glob.js';
import { LintError } from '../lint-error.js';
import { identityOf, isSameServer, type ServerIdentity } from './server-identity.js';

/** The name of the database of a rehearsal begins so. */
const PREFIX = 'mongolint_rehearsal_';
/** Bytes of a random name: of a million, two are alike with a chance of one in 10^17. */
const NAME_BYTES = 12;
const INSERT_BATCH = 1_000;
/** Bytes of documents in one command: a message may hold 48 MB, a document 16 MB. */
const INSERT_BYTES = 16 * 1024 * 1024;
/** What a remedy does to indexes. */
const INDEX_COMMANDS = new Set(['createIndexes', 'dropIndexes', 'collMod']);
const DUPLICATE_KEY = 11_000;
const ROLES = 'grant the roles readWriteAnyDatabase and dbAdminAnyDatabase';

/**
 * The door to the scratch server, and the only one through which mongolint writes: into a database of its own, which is
 * empty before, and gone afterwards. Values are sent nowhere else.
 */
export class Scratch {
  readonly #created = new Set<string>();
  readonly #database: Db;

  private constructor(
    private readonly client: MongoClient,
    readonly version: string,
    private readonly signal: AbortSignal,
  ) {
    this.#database = client.db(`${PREFIX}${randomBytes(NAME_BYTES).toString('hex')}`);
  }

  get databaseName(): string {
    return this.#database.databaseName;
  }

  /**
   * @param linted the server that is judged, which must not be written to
   * @throws LintError if the server can't be reached or written to, holds data, or is the linted one
   */
  static async open(options: ConnectOptions, linted: ServerIdentity, signal: AbortSignal): Promise<Scratch> {
    const where = whereOf(options.uri);
    const connection = await connect(options).catch((error: unknown) => {
      throw error instanceof LintError ? refused(error.message) : error;
    });
    try {
      await assertScratch(connection, linted, where);
    } finally {
      await connection.close();
    }
    // A client of its own, without the time limit on sockets that reads have: building an index takes what it takes.
    const client = openClient({ ...options, isPatient: true });
    const scratch = new Scratch(client, connection.cluster.version, signal);
    try {
      await scratch.create('probe', {});
      await scratch.drop();
      return scratch;
    } catch (error) {
      await scratch.close();
      if (skipReason(error) === 'privilege') throw refused(`the user may not write to ${where}: ${ROLES}.`);
      throw refused(`${where} takes no writes (${errorName(error)}).`);
    }
  }

  async create(collection: string, options: { readonly collation?: Document }): Promise<void> {
    this.signal.throwIfAborted();
    this.#created.add(collection);
    await this.#database.command({ create: collection, ...options });
  }

  /** Returns how many were inserted: those with an `_id` that is there already are left out. */
  async insert(collection: string, count: number, document: (index: number) => Document): Promise<number> {
    let inserted = 0;
    let batch: Document[] = [];
    let bytes = 0;
    const send = async () => {
      this.signal.throwIfAborted();
      const command = { insert: collection, documents: batch, ordered: false };
      const { n, writeErrors = [] } = await this.#database.command(command);
      const other = (writeErrors as Document[]).find(({ code }) => code !== DUPLICATE_KEY);
      if (other !== undefined)
        throw refused(
          `it refused documents of ${collection} (${String(other['codeName'] ?? 'code')} ${other['code']}).`,
        );
      inserted += n;
      batch = [];
      bytes = 0;
    };
    for (let index = 0; index < count; index += 1) {
      const next = document(index);
      const size = BSON.calculateObjectSize(next);
      if (batch.length === INSERT_BATCH || (batch.length > 0 && bytes + size > INSERT_BYTES)) await send();
      batch.push(next);
      bytes += size;
    }
    if (batch.length > 0) await send();
    return inserted;
  }

  /** Creates, drops or hides indexes. Null, or the server's reason to refuse it. */
  async change(command: Document): Promise<string | null> {
    if (!INDEX_COMMANDS.has(Object.keys(command)[0] ?? ''))
      throw new Error('Only indexes are changed on a scratch server.');
    return this.#attempt(() => this.#database.command(command, { signal: this.signal }));
  }

  /** What an execution costs; or the server's reason to refuse it, without values. */
  async explain(command: Document, maxTimeMS: number): Promise<Document | string> {
    let explained: Document = {};
    const fault = await this.#attempt(async () => {
      const explain = { explain: command, verbosity: 'executionStats', maxTimeMS };
      explained = await this.#database.command(explain, { signal: this.signal });
    });
    return fault ?? explained;
  }

  async #attempt(run: () => Promise<unknown>): Promise<string | null> {
    this.signal.throwIfAborted();
    try {
      await run();
      return null;
    } catch (error) {
      if (this.signal.aborted || !(error instanceof MongoServerError)) throw error;
      return errorName(error);
    }
  }

  /** Drops every collection that was created, and so the database. */
  async drop(): Promise<void> {
    for (const name of this.#created) {
      await this.#database.command({ drop: name });
      this.#created.delete(name);
    }
  }

  close(): Promise<void> {
    return closeClient(this.client);
  }
}

async function assertScratch(connection: Connection, linted: ServerIdentity, where: string): Promise<void> {
  const { reader, cluster } = connection;
  if (isSameServer(await identityOf(connection), linted))
    throw refused(`${where} is the linted server. Name another one, whose data may be lost.`);
  if (cluster.topology === 'sharded')
    throw refused(`${where} is a sharded cluster. Name a standalone server or a replica set.`);
  const hello = await reader.command('admin', { hello: 1 });
  if (hello['isWritablePrimary'] !== true) throw refused(`${where} is no primary, so it takes no writes.`);
  const list = { listDatabases: 1, nameOnly: true, authorizedDatabases: false };
  const listed = await reader.command('admin', list).catch((error: unknown) => {
    throw refused(
      skipReason(error) === 'privilege'
        ? `whether ${where} holds data is unknown, because the user may not list its databases: ${ROLES}.`
        : `the databases of ${where} can't be listed (${errorName(error)}).`,
    );
  });
  const names = neededDocuments('listDatabases', listed, 'databases').map(({ name }) => String(name));
  const [first, ...others] = names.filter((name) => !isSystemDatabase(name));
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` and ${plural(others.length, 'more', 'more')}`;
  throw refused(
    first.startsWith(PREFIX)
      ? `${where} holds the database ${first}${more}: another rehearsal runs, or one was killed. Drop it, and run again.`
      : `${where} holds data (the database ${first}${more}). Name an empty server.`,
  );
}

function refused(why: string): LintError {
  return new LintError(`The scratch server of --on can't be used: ${why}`);
}
