import type { Document } from 'mongodb';
import { recordedFigure, textIn } from '../../connect/answer.js';
import { APP_NAME } from '../../connect/client.js';
import { COMMAND_COMMENT } from '../../connect/cluster-reader.js';
import { isSystemCollection, isSystemDatabase } from '../../inventory/namespace-glob.js';
import { databaseOf, nameOf } from '../../namespace.js';
import type { RecordedCommand } from '../shapes/operation-shape.js';
import { arrayOf, bodyOf } from '../shapes/placeholder.js';
import { GIVEN_DOCUMENTS } from '../shapes/shape.js';
import { OPERATION_KINDS, type OperationKind } from '../workload.js';

/** Prefix of the fields that pipelines of remedies join into. People run those in mongosh, once. */
export const REMEDY_FIELD_PREFIX = 'mongolint';

/** `update` and `delete` are missing: they contain statements, each with an entry of its own. */
const KIND_BY_COMMAND: ReadonlyMap<string, OperationKind> = new Map<string, OperationKind>([
  ...OPERATION_KINDS.filter((kind) => kind !== 'update' && kind !== 'delete').map((kind) => [kind, kind] as const),
  ['findandmodify', 'findAndModify'],
]);

const KIND_BY_STATEMENT: ReadonlyMap<unknown, OperationKind> = new Map<unknown, OperationKind>([
  ['update', 'update'],
  ['remove', 'delete'],
]);

/**
 * The operation on data that an entry is about; null if it is about none, or about one of an unknown kind.
 *
 * @param operation `op` of the profiler, `type` of the log
 */
export function recordedCommand(
  namespace: string,
  command: Document,
  { operation, truncated }: { readonly operation: unknown; readonly truncated: boolean },
): RecordedCommand | null {
  // The profiler turns a command of more than 50 KB into a text, cut at that length (measured on 6.0.5).
  const text: unknown = command['$truncated'];
  const isText = typeof text === 'string';
  const name = commandName(command);
  const ofBulk = bulkStatement(name, command);
  if (ofBulk !== null) return { ...ofBulk, namespace, truncated: isText || truncated };
  // A `$merge` is recorded as an update per document, which only this field shows (measured on 6.0.5 and 6.0.27).
  if (command['upsertSupplied'] !== undefined) return null;
  const isStatement = isText ? name === 'q' : command['q'] !== undefined;
  const kind = isStatement ? KIND_BY_STATEMENT.get(operation) : KIND_BY_COMMAND.get(name ?? '');
  if (kind === undefined || (kind === 'aggregate' && readsNoDocuments(command['pipeline']))) return null;
  // Inserted documents have no shape, and no size limit.
  const kept = isText || kind === 'insert' ? {} : command;
  return { kind, namespace, command: kept, truncated: (isText || truncated) && kind !== 'insert' };
}

/**
 * A statement of `bulkWrite` (8.0), whose entry names its namespace by a number: `{ update: 1, filter, updateMods, multi }`.
 * Its operation is `bulkWrite`, or `msg` in the log. Source: `bulk_write_profile.js` of the server's tests.
 */
export function bulkStatement(
  name: string | undefined,
  command: Document,
): Omit<RecordedCommand, 'namespace' | 'truncated'> | null {
  if (name !== 'update' && name !== 'delete') return null;
  const text: unknown = command['$truncated'];
  if (typeof text === 'string') return /^\{ \w+: \d/.test(text) ? { kind: name, command: {} } : null;
  if (recordedFigure(command[name]) === null) return null;
  const { filter = {}, updateMods, multi = false, upsert = false, collation, sort } = command;
  const shared = { q: filter as unknown, ...(collation !== undefined && { collation: collation as unknown }) };
  return name === 'update'
    ? {
        kind: name,
        command: { ...shared, u: updateMods as unknown, multi, upsert, ...(sort !== undefined && { sort }) },
      }
    : { kind: name, command: { ...shared, limit: multi === true ? 0 : 1 } };
}

export function commandName(command: Document): string | undefined {
  const text: unknown = command['$truncated'];
  return typeof text === 'string' ? /^\{ (\w+):/.exec(text)?.[1] : Object.keys(command)[0];
}

const COMMAND_NAME = /^[A-Za-z_]\w{0,40}$/;

/** The name of an unknown command as it may be printed. */
export function commandWord(name: unknown): string {
  return typeof name === 'string' && COMMAND_NAME.test(name) ? name : 'unnamed';
}

/** How the server's own connections, MongoDB's agents and tools, and monitoring name themselves. */
const INTERNAL_CLIENT = new RegExp(
  `^(?:${[
    'NetworkInterfaceTL',
    'OplogFetcher',
    'MongoDB (?:Automation|Monitoring|Backup|CPS|Agent)',
    'mongo(?:dump|restore|export|import|stat|top|files|sync|mirror)\\b',
    'mongodb[_-](?:exporter|ftdc)',
    'pmm-|pbm|datadog|telegraf|zabbix|nagios|prometheus',
  ].join('|')})`,
  'i',
);

const INTERNAL_USER = '__system';

interface Origin {
  readonly namespace: string;
  readonly appName: unknown;
  /** By the log: the server's own connections name no application. */
  readonly driver?: string | null | undefined;
  /** Set by a primary that repeats a read on its secondaries to warm their caches (4.4). */
  readonly mirrored?: unknown;
  readonly user: unknown;
  readonly comment: unknown;
  readonly pipeline?: unknown;
}

/** Whether it is of mongolint or its remedies, of the server, or of agents, tools and monitors: never counted. */
export function isInternal({ namespace, appName, driver, mirrored, user, comment, pipeline }: Origin): boolean {
  if (comment === COMMAND_COMMENT || mirrored === true) return true;
  if (isInternalClient(appName, driver)) return true;
  if (typeof user === 'string' && user.startsWith(INTERNAL_USER)) return true;
  if (isRemedy(pipeline)) return true;
  return isInternalNamespace(namespace) && !joinsGivenDocuments(namespace, pipeline);
}

/** Whether a client is mongolint, the server, an agent, a tool or a monitor. */
export function isInternalClient(appName: unknown, driver: unknown): boolean {
  return (
    appName === APP_NAME || [appName, driver].some((name) => typeof name === 'string' && INTERNAL_CLIENT.test(name))
  );
}

function isRemedy(pipeline: unknown): boolean {
  return arrayOf(pipeline).some((stage) => textIn(stage, '$lookup.as')?.startsWith(REMEDY_FIELD_PREFIX) === true);
}

/**
 * `db.aggregate([{$documents: …}, {$lookup: …}])` runs on a database, and joins its collections. Query stats of 6.0.27
 * write `$queue` for it.
 */
function joinsGivenDocuments(namespace: string, pipeline: unknown): boolean {
  return (
    nameOf(namespace) === GIVEN_DOCUMENTS &&
    !isSystemDatabase(databaseOf(namespace)) &&
    /^\$(?:documents|queue)$/.test(firstStage(pipeline) ?? '')
  );
}

/** First stages of pipelines that read no documents, but changes or what the server knows about the collection. */
const NO_DOCUMENTS =
  /^\$(?:changeStream|_internalChangeStream\w*|collStats|indexStats|planCacheStats|listSearchIndexes|currentOp|listSessions|listLocalSessions|queryStats|listSampledQueries|operationMetrics|shardedDataDistribution)$/;

export function readsNoDocuments(pipeline: unknown): boolean {
  const stage = firstStage(pipeline);
  return stage !== undefined && NO_DOCUMENTS.test(stage);
}

function firstStage(pipeline: unknown): string | undefined {
  return Object.keys(bodyOf(arrayOf(pipeline)[0]))[0];
}

/** Threads of the server that work on documents by themselves; those that serve clients are called `conn` and a number. */
const INTERNAL_THREAD =
  /^(?:TTLMonitor|Repl(?:WriterWorker|Batcher)|OplogApplier|IndexBuilds|range-?deleter|migrateThread|Resharding|LogicalSessionCache|ChangeStreamExpired)/i;

export function isInternalThread(context: unknown): boolean {
  return typeof context === 'string' && !context.startsWith('conn') && INTERNAL_THREAD.test(context);
}

function isInternalNamespace(namespace: string): boolean {
  if (namespace.indexOf('.') < 1) return true;
  const collection = nameOf(namespace);
  return isSystemDatabase(databaseOf(namespace)) || isSystemCollection(collection) || collection.startsWith('$cmd');
}
