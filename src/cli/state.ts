import { randomUUID } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Collection, Filter, MongoClient, MongoServerError } from 'mongodb';
import { ConnectionString } from 'mongodb-connection-string-url';
import { closeClient, type ConnectOptions, openClient } from '../connect/client.js';
import { connect } from '../connect/connect.js';
import { connectionReason } from '../connect/shown-error.js';
import { whereOf } from '../connect/shown-uri.js';
import { FileFault } from '../files/file-fault.js';
import type { KeptText } from '../files/kept-text.js';
import { formatBytes, formatCount } from '../format.js';
import { LintError } from '../lint-error.js';
import { identityOf, isSameServer } from '../rehearsal/server-identity.js';
import type { Report } from '../report/report.js';
import type { TargetReport } from '../report/target-reports.js';
import { terminalText } from '../text/terminal-text.js';
import type { Keeping } from './keeping.js';
import type { RunTarget } from './run-settings.js';
import {
  hashOf,
  isStoredLine,
  KeptInState,
  SCHEMA,
  storedLine,
  type StoredLine,
  UnsentInState,
} from './state-document.js';
import type { UnsentMessages } from './unsent-messages.js';

const COLLECTION = 'state';
const NAMESPACE_EXISTS = 48;
/** The largest size of one document. Source: MongoDB manual, "MongoDB Limits and Thresholds", less what is beside the report. */
const MOST_REPORT_BYTES = 15 * 1024 * 1024;
/** The most that a run loads: far more than a baseline and a year of nights have. */
const MOST_LINES = 100_000;
const MOST_BYTES = 128 * 1024 * 1024;
/** In characters, of what an error names. */
const LONGEST_PART = 100;
/** How often saving is tried while others save as well. */
const MOST_TRIES = 5;

type Bounds = Pick<ConnectOptions, 'timeout' | 'maxTime' | 'concurrency'>;

/**
 * The baseline, the histories, what is declared, the last reports and the messages that wait, kept in a collection in place of
 * files. A run loads what is about its targets, and makes its changes on what is stored once it has reported: of two runs at
 * once neither undoes what the other one wrote, and one that fails, or is killed, leaves all as it was.
 */
export class RunState implements Keeping {
  readonly baseline: KeptInState;
  readonly unsent: UnsentMessages;
  readonly #histories = new Map<string, KeptInState>();
  readonly #declared = new Map<string, KeptInState>();
  /** Which targets the run is about. */
  readonly #of: string;

  private constructor(
    private readonly client: MongoClient,
    private readonly collection: Collection<StoredLine>,
    private readonly where: string,
    /** Null for no run. */
    private readonly aliases: readonly string[] | null,
    stored: readonly StoredLine[],
  ) {
    const name = `of the state at ${where}`;
    this.baseline = new KeptInState(name, 'baseline', null, stored);
    for (const alias of aliases ?? []) {
      this.#histories.set(alias, new KeptInState(name, 'history', alias, stored));
      this.#declared.set(alias, new KeptInState(name, 'declared', alias, stored));
    }
    this.#of = ofTargets(aliases);
    this.unsent = new UnsentInState(collection, this.#of, stored, this.#reason);
  }

  /**
   * @param targets of a run, or null to read and accept what is known of any
   * @param isAllowed whether the user has allowed to write to a linted deployment
   * @throws LintError if it can't be reached, read or made, is damaged, or is a linted deployment
   */
  static async open(
    uri: string,
    targets: readonly RunTarget[] | null,
    bounds: Bounds,
    isAllowed = true,
  ): Promise<RunState> {
    const where = whereOf(uri);
    await assertNotLinted(uri, targets ?? [], bounds, isAllowed);
    if (/^\/?$/.test(new ConnectionString(uri).pathname))
      throw new LintError('--state names no database: add it after the hosts, as in mongodb://host/mongolint.');
    const client = openClient({ ...bounds, uri, readPreference: 'primary', writes: true });
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
      const aliases = targets?.map(({ alias = '' }) => alias) ?? null;
      return new RunState(client, collection, where, aliases, await loaded(collection, where, aliases));
    } catch (error) {
      await closeClient(client);
      if (error instanceof LintError) throw error;
      throw new LintError(`The state at ${where} can't be used: ${connectionReason(error, `mongodb://${where}`)}.`);
    }
  }

  history({ alias = '' }: Pick<RunTarget, 'alias'>): KeptText | null {
    return this.#histories.get(alias) ?? null;
  }

  declared({ alias = '' }: Pick<RunTarget, 'alias'>): KeptText | null {
    return this.#declared.get(alias) ?? null;
  }

  /** The last report of each target. @throws LintError if they can't be read */
  async reports(): Promise<Report[]> {
    const { readReports } = await import('../report/read-reports.js');
    const stored = await this.#attempt(() => this.collection.find({ kind: 'report' }).toArray());
    return stored.flatMap((document) => {
      try {
        const text = gunzipSync(Buffer.from(document.line, 'base64')).toString();
        return readReports(text).reports.flatMap(({ report }) => report ?? []);
      } catch (error) {
        throw damaged(this.where, document, error);
      }
    });
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
      const stored = storedLine(_id, 'report', target, line);
      const fault =
        line.length > MOST_REPORT_BYTES
          ? 'it is too large for a document'
          : await (
              showValues
                ? this.collection.deleteOne({ _id })
                : this.collection.replaceOne({ _id }, stored, { upsert: true })
            ).then(() => null, this.#reason);
      if (fault !== null) lines.push(`The report could not be kept in the state at ${this.where}: ${fault}.`);
    }
    return lines;
  }

  /** Makes the run's changes. @throws LintError if they could not be made */
  async save(): Promise<void> {
    const texts = [this.baseline, ...this.#histories.values(), ...this.#declared.values()];
    for (let tries = 1; ; tries += 1) {
      const stored = await loaded(this.collection, this.where, this.aliases).catch(this.#unwritten);
      const writes = texts.flatMap((text) => text.writes(stored));
      if (writes.length === 0) break;
      const done = await this.collection.bulkWrite(writes, { ordered: false }).catch(this.#unwritten);
      // What another run has changed meanwhile is changed as that one left it.
      if (done.matchedCount + done.upsertedCount + done.deletedCount === writes.length) break;
      if (tries === MOST_TRIES) this.#unwritten(new FileFault('other runs changed it at the same time; run again'));
    }
    if (this.aliases === null) return;
    const _id = hashOf(['run', this.#of]);
    const run = storedLine(_id, 'run', this.#of, randomUUID());
    await this.collection.replaceOne({ _id }, run, { upsert: true }).catch(this.#unwritten);
  }

  close(): Promise<void> {
    return closeClient(this.client);
  }

  async #attempt<Result>(action: () => Promise<Result>): Promise<Result> {
    return action().catch((error: unknown) => {
      throw new LintError(`The state at ${this.where} can't be used: ${this.#reason(error)}.`, { cause: error });
    });
  }

  readonly #unwritten = (error: unknown): never => {
    if (error instanceof LintError) throw error;
    throw new LintError(`The state at ${this.where} could not be written: ${this.#reason(error)}.`, { cause: error });
  };

  readonly #reason = (error: unknown): string =>
    error instanceof FileFault ? error.message : connectionReason(error, `mongodb://${this.where}`);
}

function ofTargets(aliases: readonly string[] | null): string {
  return [...new Set(aliases)].sort().join();
}

/** What is about the targets, or the whole baseline. @throws LintError if that is damaged, or too much */
async function loaded(
  collection: Collection<StoredLine>,
  where: string,
  aliases: readonly string[] | null,
): Promise<StoredLine[]> {
  const of = ofTargets(aliases);
  const wanted: Filter<StoredLine> =
    aliases === null
      ? { kind: 'baseline' }
      : {
          $or: [
            { kind: { $in: ['history', 'declared'] }, target: { $in: [...aliases] } },
            // Those of older versions are all under the empty name.
            { kind: 'baseline', target: { $in: [...aliases, ''] } },
            { kind: { $in: ['run', 'unsent'] }, target: of },
          ],
        };
  const lines: StoredLine[] = [];
  let bytes = 0;
  for await (const document of collection.find(wanted, { sort: { _id: 1 }, limit: MOST_LINES + 1 })) {
    if (!isStoredLine(document)) throw damaged(where, document);
    lines.push(document);
    bytes += Buffer.byteLength(document.line);
    const most = bytes > MOST_BYTES ? formatBytes(MOST_BYTES) : `${formatCount(MOST_LINES)} lines`;
    if (bytes > MOST_BYTES || lines.length > MOST_LINES)
      throw new LintError(`The state at ${where} holds more than ${most} on these targets: remove old entries.`);
  }
  return lines;
}

function damaged(where: string, { _id, kind, target }: Omit<StoredLine, 'line'>, cause?: unknown): LintError {
  const [what, id, of] = [kind, _id, target].map((part) => terminalText(String(part).slice(0, LONGEST_PART)));
  return new LintError(
    `The state at ${where} is damaged, or of a newer mongolint: ${what} ${id}${of === '' ? '' : ` of ${of}`}. Remove it: db.${COLLECTION}.deleteOne({ _id: '${id}' })`,
    { cause },
  );
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
