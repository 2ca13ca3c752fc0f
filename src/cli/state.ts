import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { MongoClient, MongoServerError, type Collection } from 'mongodb';
import { closeClient } from '../connect/closing.js';
import { APP_NAME, connect, type ConnectOptions } from '../connect/connect.js';
import { errorName } from '../connect/server-error.js';
import { connectionReason } from '../connect/shown-error.js';
import { whereOf } from '../connect/shown-uri.js';
import { nullIfMissing } from '../file-fault.js';
import { LintError } from '../lint-error.js';
import { identityOf, isSameServer } from '../rehearsal/server-identity.js';
import type { Report } from '../report/report.js';
import type { TargetReport } from '../report/target-reports.js';
import { MS_PER_DAY } from '../time-units.js';
import type { RunTarget } from './run-settings.js';
import { type StateFile, writeCopies } from './state-copies.js';
import { DAYS_KEPT, hashOf, idOf, SCHEMA, type Kind, type StoredLine } from './stored-line.js';

const COLLECTION = 'state';
const NAMESPACE_EXISTS = 48;
/** Of one document. Source: MongoDB manual, "MongoDB Limits and Thresholds", less what is beside the report. */
const MOST_REPORT_BYTES = 15 * 1024 * 1024;
const DUPLICATE_KEY = 11000;
/** Of a message, in hexadecimal digits. */
const ID_LENGTH = 32;

type Bounds = Pick<ConnectOptions, 'timeout' | 'maxTime' | 'concurrency'>;

/**
 * The baseline, the histories, what is declared, the last reports and the messages that wait, kept in a collection in place of
 * files. A run works on copies, and writes back what it changed, line by line: of two runs at once neither undoes what the other
 * one wrote, and a killed one leaves all as it was.
 */
export class RunState {
  private constructor(
    private readonly client: MongoClient,
    private readonly collection: Collection<StoredLine>,
    private readonly folder: string,
    private readonly files: readonly StateFile[],
    private readonly where: string,
    /** Which targets the run is about. */
    private readonly of: string,
    /** What the last run about them left: the same for runs that begin at once, and for the one after a run that was killed. */
    private readonly since: string,
    private readonly isRun: boolean,
  ) {}

  /**
   * @param isAllowed whether the user has allowed to write to a linted deployment
   * @throws LintError if it can't be reached, read or made, or is a linted deployment
   */
  static async open(uri: string, targets: readonly RunTarget[], bounds: Bounds, isAllowed: boolean): Promise<RunState> {
    const where = whereOf(uri);
    await assertNotLinted(uri, targets, bounds, isAllowed);
    const client = new MongoClient(uri, { appName: APP_NAME, serverSelectionTimeoutMS: bounds.timeout });
    try {
      const database = client.db();
      await database.createCollection(COLLECTION, { validator: { $jsonSchema: SCHEMA } }).catch((error: unknown) => {
        if ((error as MongoServerError).code !== NAMESPACE_EXISTS) throw error;
      });
      const collection = database.collection<StoredLine>(COLLECTION, { writeConcern: { w: 'majority' } });
      await collection.createIndexes([
        { key: { kind: 1, target: 1 } },
        { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
      ]);
      const stored = await collection
        .find({ kind: { $nin: ['report', 'sent'] } }, { readPreference: 'primary' })
        .toArray();
      const names = [...new Set(targets.map(({ alias = '' }) => alias))];
      const { folder, files } = await writeCopies(stored, names);
      const of = names.toSorted().join();
      const since = stored.find(({ kind, target }) => kind === 'run' && target === of)?.line ?? '';
      return new RunState(client, collection, folder, files, where, of, since, targets.length > 0);
    } catch (error) {
      await closeClient(client);
      if (error instanceof LintError) throw error;
      throw new LintError(`The state at ${where} can't be used: ${errorName(error)}.`);
    }
  }

  get baseline(): string {
    return this.#path('baseline', '');
  }

  history({ alias = '' }: Pick<RunTarget, 'alias'>): string {
    return this.#path('history', alias);
  }

  /** The last report of each target. @throws LintError if they can't be read */
  async reports(): Promise<Report[]> {
    const { readReports } = await import('../report/read-reports.js');
    try {
      const stored = await this.collection.find({ kind: 'report' }, { readPreference: 'primary' }).toArray();
      return stored.flatMap(({ line }) =>
        readReports(gunzipSync(Buffer.from(line, 'base64')).toString()).reports.flatMap(({ report }) => report ?? []),
      );
    } catch (error) {
      const why = error instanceof TypeError ? `a report is damaged: ${error.message}` : errorName(error);
      throw new LintError(`The state at ${this.where} can't be used: ${why}.`, { cause: error });
    }
  }

  /**
   * Keeps the last report of each target that has one; of a run that shows values, only that there is none.
   * @returns lines on what could not be kept
   */
  async keepReports(reports: readonly TargetReport[], showValues: boolean): Promise<string[]> {
    const lines: string[] = [];
    for (const { report } of reports) {
      if (report === null) continue;
      const { target = '' } = report;
      const _id = hashOf(['report', target]);
      const line = gzipSync(JSON.stringify(report)).toString('base64');
      const fault =
        line.length > MOST_REPORT_BYTES
          ? 'it is too large for a document'
          : await (
              showValues
                ? this.collection.deleteOne({ _id })
                : this.collection.replaceOne({ _id }, this.#document('report', target, line), { upsert: true })
            ).then(() => null, this.#reason);
      if (fault !== null) lines.push(`The report could not be kept in the state at ${this.where}: ${fault}.`);
    }
    return lines;
  }

  /** The same for the same news of runs that begin at once, and of the run after one that was killed. */
  idOf(owner: string | null, text: string): string {
    return hashOf(['news', this.of, this.since, owner, text]).slice(0, ID_LENGTH);
  }

  /**
   * Notes that a message is about to be sent.
   * @returns what other runs have done with it: nothing, begun to send it, sent it
   */
  async claim(id: string): Promise<'new' | 'begun' | 'sent'> {
    const _id = hashOf(['sent', id]);
    try {
      await this.collection.insertOne({ _id, ...this.#document('sent', this.of, 'begun') });
      return 'new';
    } catch (error) {
      if (!(error instanceof MongoServerError && error.code === DUPLICATE_KEY)) throw error;
      const other = await this.collection.findOne({ _id }, { readPreference: 'primary' });
      return other?.line === 'sent' ? 'sent' : 'begun';
    }
  }

  /** Notes what became of a message that was claimed. */
  async settle(id: string, isSent: boolean): Promise<void> {
    const _id = hashOf(['sent', id]);
    if (isSent) await this.collection.replaceOne({ _id }, this.#document('sent', this.of, 'sent'), { upsert: true });
    else await this.collection.deleteOne({ _id });
  }

  readonly #reason = (error: unknown): string => connectionReason(error, `mongodb://${this.where}`);

  #document(kind: Kind, target: string, line: string): Omit<StoredLine, '_id'> {
    const savedAt = new Date();
    const days = DAYS_KEPT[kind];
    const end = days === null ? {} : { expiresAt: new Date(savedAt.getTime() + days * MS_PER_DAY) };
    return { kind, target, line, savedAt, ...end };
  }

  /** Writes back what the run changed, and closes. Returns a line if it could not; the files are then left where it says. */
  async close(): Promise<string[]> {
    try {
      for (const file of this.files) await this.#save(file);
      const _id = hashOf(['run', this.of]);
      if (this.isRun)
        await this.collection.replaceOne({ _id }, this.#document('run', this.of, randomUUID()), { upsert: true });
      await rm(this.folder, { recursive: true, force: true });
      return [];
    } catch (error) {
      return [
        `The state at ${this.where} could not be written: ${this.#reason(error)}. What this run kept is in ${this.folder}.`,
      ];
    } finally {
      await closeClient(this.client);
    }
  }

  /** Closes without writing anything back. */
  async leave(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
    await closeClient(this.client);
  }

  async #save({ kind, target, path, header, loaded }: StateFile): Promise<void> {
    const text = (await readFile(path, 'utf8').catch(nullIfMissing)) ?? '';
    const lines = text.split('\n').filter((line) => line !== '' && line !== header);
    const now = new Map(lines.map((line) => [idOf(kind, target, line), line]));
    const changed = [...now].filter(([_id, line]) => loaded.get(_id) !== line);
    const gone = [...loaded.keys()].filter((_id) => !now.has(_id));
    const writes = [
      ...changed.map(([_id, line]) => ({
        replaceOne: { filter: { _id }, replacement: this.#document(kind, target, line), upsert: true },
      })),
      ...gone.map((_id) => ({ deleteOne: { filter: { _id } } })),
    ];
    if (writes.length > 0) await this.collection.bulkWrite(writes, { ordered: false });
  }

  #path(kind: Kind, target: string): string {
    const file = this.files.find((each) => each.kind === kind && each.target === target);
    if (file === undefined) throw new Error(`The state has no ${kind} of ${target}.`);
    return file.path;
  }
}

async function assertNotLinted(
  uri: string,
  targets: readonly RunTarget[],
  bounds: Bounds,
  isAllowed: boolean,
): Promise<void> {
  const state = await connect({ ...bounds, uri, readPreference: 'primary' });
  try {
    if (isAllowed) return;
    const own = await identityOf(state);
    for (const { uri: linted, alias } of targets) {
      // One that can't be reached is reported when it is linted.
      const target = await connect({ ...bounds, uri: linted }).catch(() => null);
      if (target === null) continue;
      const isSame = isSameServer(own, await identityOf(target).finally(() => target.close()));
      if (isSame)
        throw new LintError(
          `--state is on a deployment that is linted${alias === undefined ? '' : ` (${alias})`}: keep it elsewhere, or allow it with --state-on-linted.`,
        );
    }
  } finally {
    await state.close();
  }
}
