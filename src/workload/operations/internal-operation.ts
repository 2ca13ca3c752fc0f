import { textIn } from '../../connect/answer.js';
import { APP_NAME } from '../../connect/client.js';
import { COMMAND_COMMENT } from '../../connect/cluster-reader.js';
import { isSystemCollection, isSystemDatabase } from '../../inventory/namespace-glob.js';
import { databaseOf, nameOf } from '../../namespace.js';
import { arrayOf, bodyOf } from '../shapes/placeholder.js';
import { GIVEN_DOCUMENTS } from '../shapes/shape.js';

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

/** Prefix of the fields that pipelines of remedies join into. People run those in mongosh, once. */
export const REMEDY_FIELD_PREFIX = 'mongolint';

const INTERNAL_USER = '__system';

export interface Origin {
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
  if (comment === COMMAND_COMMENT || appName === APP_NAME || mirrored === true) return true;
  if ([appName, driver].some((name) => typeof name === 'string' && INTERNAL_CLIENT.test(name))) return true;
  if (typeof user === 'string' && user.startsWith(INTERNAL_USER)) return true;
  if (isRemedy(pipeline)) return true;
  return isInternalNamespace(namespace) && !joinsGivenDocuments(namespace, pipeline);
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

export function isInternalNamespace(namespace: string): boolean {
  if (namespace.indexOf('.') < 1) return true;
  const collection = nameOf(namespace);
  return isSystemDatabase(databaseOf(namespace)) || isSystemCollection(collection) || collection.startsWith('$cmd');
}
