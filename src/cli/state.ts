import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient, MongoServerError, type Collection } from 'mongodb';
import { closeClient } from '../connect/closing.js';
import { APP_NAME, connect, type ConnectOptions } from '../connect/connect.js';
import { errorName } from '../connect/server-error.js';
import { whereOf } from '../connect/shown-uri.js';
import { nullIfMissing } from '../file-fault.js';
import { HISTORY_HEADER } from '../growth/history-record.js';
import { LintError } from '../lint-error.js';
import { formatBaseline } from '../policy/baseline-file.js';
import { identityOf, isSameServer } from '../rehearsal/server-identity.js';
import { MS_PER_DAY } from '../time-units.js';
import type { RunTarget } from './run-settings.js';

const COLLECTION = 'state';
const NAMESPACE_EXISTS = 48;
/** What a document is about; `days` after which it is dropped, unless a run writes it again. A baseline stays. */
const KINDS = { baseline: { days: null }, history: { days: 400 }, unsent: { days: 30 } } as const;
type Kind = keyof typeof KINDS;

/** A line of a file that a run works with. */
interface StoredLine {
  /** Hash of what it is: of one entry of the baseline, or of the whole line. */
  readonly _id: string;
  readonly kind: Kind;
  /** Alias of the target whose history it is; empty for what all share. */
  readonly target: string;
  readonly line: string;
  readonly savedAt: Date;
  readonly expiresAt?: Date;
}

const SCHEMA = {
  bsonType: 'object',
  required: ['_id', 'kind', 'target', 'line', 'savedAt'],
  properties: {
    _id: { bsonType: 'string' },
    kind: { enum: Object.keys(KINDS) },
    target: { bsonType: 'string' },
    line: { bsonType: 'string' },
    savedAt: { bsonType: 'date' },
    expiresAt: { bsonType: 'date' },
  },
};

/** A file of the run, in a folder of its own, and its lines as they were loaded. */
interface StateFile {
  readonly kind: Kind;
  readonly target: string;
  readonly path: string;
  readonly header: string | null;
  readonly loaded: ReadonlyMap<string, string>;
}

type Bounds = Pick<ConnectOptions, 'timeout' | 'maxTime' | 'concurrency'>;

/**
 * The baseline, the histories and the messages that wait, kept in a collection in place of files. A run works on copies, and
 * writes back what it changed, line by line: of two runs at once neither undoes what the other one wrote, and a killed one leaves
 * all as it was.
 */
export class RunState {
  private constructor(
    private readonly client: MongoClient,
    private readonly collection: Collection<StoredLine>,
    private readonly folder: string,
    private readonly files: readonly StateFile[],
    private readonly where: string,
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
      const stored = await collection.find({}, { readPreference: 'primary' }).toArray();
      const folder = await mkdtemp(join(tmpdir(), 'mongolint-state-'));
      const names = [...new Set(targets.map(({ alias = '' }) => alias))];
      const files = [
        {
          kind: 'baseline' as const,
          target: '',
          path: join(folder, 'baseline.jsonl'),
          header: formatBaseline([]).trimEnd(),
        },
        { kind: 'unsent' as const, target: '', path: join(folder, 'baseline.jsonl.unsent.jsonl'), header: null },
        ...names.map((target, index) => ({
          kind: 'history' as const,
          target,
          path: join(folder, `history-${index}.jsonl`),
          header: HISTORY_HEADER,
        })),
      ].map((file) => ({ ...file, loaded: linesOf(stored, file) }));
      for (const { path, header, loaded } of files) {
        const lines = [...(header === null ? [] : [header]), ...loaded.values()];
        if (header !== null || loaded.size > 0) await writeFile(path, `${lines.join('\n')}\n`, { mode: 0o600 });
      }
      return new RunState(client, collection, folder, files, where);
    } catch (error) {
      await closeClient(client);
      throw new LintError(`The state at ${where} can't be used: ${errorName(error)}.`);
    }
  }

  get baseline(): string {
    return this.#path('baseline', '');
  }

  history({ alias = '' }: Pick<RunTarget, 'alias'>): string {
    return this.#path('history', alias);
  }

  /** Writes back what the run changed, and closes. Returns a line if it could not; the files are then left where it says. */
  async close(): Promise<string[]> {
    try {
      for (const file of this.files) await this.#save(file);
      await rm(this.folder, { recursive: true, force: true });
      return [];
    } catch (error) {
      return [
        `The state at ${this.where} could not be written: ${errorName(error)}. What this run kept is in ${this.folder}.`,
      ];
    } finally {
      await closeClient(this.client);
    }
  }

  async #save({ kind, target, path, header, loaded }: StateFile): Promise<void> {
    const text = (await readFile(path, 'utf8').catch(nullIfMissing)) ?? '';
    const lines = text.split('\n').filter((line) => line !== '' && line !== header);
    const now = new Map(lines.map((line) => [idOf(kind, target, line), line]));
    const { days } = KINDS[kind];
    const savedAt = new Date();
    const dates = { savedAt, ...(days !== null && { expiresAt: new Date(savedAt.getTime() + days * MS_PER_DAY) }) };
    const changed = [...now].filter(([_id, line]) => loaded.get(_id) !== line);
    const gone = [...loaded.keys()].filter((_id) => !now.has(_id));
    const writes = [
      ...changed.map(([_id, line]) => ({
        replaceOne: { filter: { _id }, replacement: { kind, target, line, ...dates }, upsert: true },
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

function linesOf(
  stored: readonly StoredLine[],
  { kind, target }: Pick<StateFile, 'kind' | 'target'>,
): Map<string, string> {
  const own = stored.filter((each) => each.kind === kind && each.target === target);
  return new Map(own.map(({ _id, line }) => [_id, line]));
}

/** An entry of the baseline is one, whatever its severity and sample are. */
function idOf(kind: Kind, target: string, line: string): string {
  const { target: of, fingerprint } = (kind === 'baseline' ? JSON.parse(line) : {}) as Record<
    string,
    string | undefined
  >;
  const what = kind === 'baseline' ? [of ?? null, fingerprint] : [target, line];
  return createHash('sha256')
    .update(JSON.stringify([kind, ...what]))
    .digest('hex');
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
      const isSame = isSameServer(own, await identityOf(target));
      await target.close();
      if (isSame)
        throw new LintError(
          `--state is on a deployment that is linted${alias === undefined ? '' : ` (${alias})`}: keep it elsewhere, or allow it with --state-on-linted.`,
        );
    }
  } finally {
    await state.close();
  }
}
