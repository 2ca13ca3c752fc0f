import {
  BSON,
  MongoClientClosedError,
  MongoExpiredSessionError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoParseError,
  MongoServerClosedError,
  MongoServerError,
  MongoSystemError,
  MongoTopologyClosedError,
} from 'mongodb';
import { absent, type Absent, type SkipReason } from '../presence.js';
import { AnswerShapeError, numberIn } from './answer.js';
import { DeadlineError, InterruptedError, LateAnswerError, ServerLoadError } from './deadline.js';

/** Azure Cosmos DB's, if the request units of a second are used up. MongoDB has no such code. */
const TOO_MANY_REQUESTS = 16500;

const DEFAULT_WAIT = 1_000;

export const AUTHENTICATION_FAILED = 18;
export const ATLAS_ERROR = 8000;

/** Source: `src/mongo/base/error_codes.yml` of the server; 8000 is Atlas's own. */
const REASON_BY_CODE: ReadonlyMap<number, SkipReason> = new Map([
  [13, 'privilege'], // Unauthorized
  [26, 'vanished'], // NamespaceNotFound
  [43, 'vanished'], // CursorNotFound
  [136, 'vanished'], // CappedPositionLost: a busy capped collection overtook the cursor
  [175, 'vanished'], // QueryPlanKilled: the collection was dropped or renamed under the cursor
  [237, 'vanished'], // CursorKilled
  [50, 'timeout'], // MaxTimeMSExpired
  [16500, 'timeout'], // Azure Cosmos DB: throttled for longer than a command may take
  [202, 'timeout'], // NetworkInterfaceExceededTimeLimit
  [262, 'timeout'], // ExceededTimeLimit
  [59, 'unsupported'], // CommandNotFound
  [115, 'unsupported'], // CommandNotSupported
  [146, 'unsupported'], // ExceededMemoryLimit of MongoDB; Cosmos DB's and DocumentDB's for what they do not support
  [166, 'unsupported'], // CommandNotSupportedOnView
  [8000, 'unsupported'], // AtlasError
  [40324, 'unsupported'], // Unrecognized pipeline stage name
  [6047401, 'unsupported'], // A stage of search, of a server without it: measured on 6.0.27 and 7.0.28
  [31082, 'unsupported'], // SearchNotEnabled
  [238, 'unsupported'], // NotImplemented, as FerretDB says
  [303, 'unsupported'], // Amazon DocumentDB: feature not supported
  [304, 'unsupported'], // Amazon DocumentDB: aggregation stage or operator not supported
  [305, 'unsupported'], // Amazon DocumentDB: option not supported
  [6, 'connection'], // HostUnreachable, as mongos says of a shard
  [7, 'connection'], // HostNotFound
  [89, 'connection'], // NetworkTimeout
  [91, 'connection'], // ShutdownInProgress
  [133, 'connection'], // FailedToSatisfyReadPreference
  [189, 'connection'], // PrimarySteppedDown
  [10107, 'connection'], // NotWritablePrimary
  [11600, 'connection'], // InterruptedAtShutdown
  [11602, 'connection'], // InterruptedDueToReplStateChange
  [13435, 'connection'], // NotPrimaryNoSecondaryOk
  [13436, 'connection'], // NotPrimaryOrSecondary
]);

/** Interrupted: somebody ran killOp, or ended the session. */
const INTERRUPTED = 11_601;

export function isKilled(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === INTERRUPTED;
}

/** The member that a read was under way on was lost, or its connections were closed: another may answer. */
export class LostMemberError extends Error {
  override readonly name = 'LostMemberError';
  constructor() {
    super('the connection to the member was closed');
  }
}

/** The driver's errors for a lost server; its other errors are defects of mongolint. */
const LOST_CONNECTION = [
  MongoNetworkError,
  MongoSystemError,
  MongoServerClosedError,
  MongoTopologyClosedError,
  MongoNotConnectedError,
  MongoExpiredSessionError,
  MongoClientClosedError,
  LostMemberError,
];

/** BadValue, FailedToParse, InvalidOptions, NotImplemented, three of Amazon DocumentDB, IDLUnknownField. */
const UNKNOWN_OPTION = new Set([2, 9, 72, 238, 303, 304, 305, 40_415]);

export function skipReason(error: unknown): SkipReason {
  if (error instanceof DeadlineError) return 'max-time';
  if (error instanceof ServerLoadError) return 'server-load';
  if (error instanceof LateAnswerError) return 'timeout';
  if (error instanceof InterruptedError) return 'interrupted';
  if (error instanceof MongoServerError && isAuthenticationFailure(error)) return 'authentication';
  if (error instanceof AnswerShapeError) return 'unsupported';
  if (error instanceof MongoServerError) return REASON_BY_CODE.get(Number(error.code)) ?? 'fault';
  const isLost = LOST_CONNECTION.some((lost) => error instanceof lost) || isOfClosedPool(error);
  return isLost ? 'connection' : 'fault';
}

/** The driver does not export it. */
function isOfClosedPool(error: unknown): boolean {
  return error instanceof Error && error.name === 'MongoPoolClosedError';
}

/** True if the server refused the credentials; Atlas says so by a code of its own. */
export function isAuthenticationFailure({ code, message }: MongoServerError): boolean {
  return code === AUTHENTICATION_FAILED || (code === ATLAS_ERROR && /auth/i.test(message));
}

/**
 * The server's message quotes the command, and so values: mongolint uses words of its own.
 * @param operation a noun phrase: "reading documents of shop.orders"
 * @param privilege "find on shop.orders"
 */
export function absentBecause(error: unknown, operation: string, privilege: string): Absent {
  const reason = skipReason(error);
  const code = error instanceof MongoServerError ? Number(error.code) : Number.NaN;
  return {
    ...absent(reason, `${operation}: ${explanation(error, reason, privilege)}`, error),
    ...(Number.isSafeInteger(code) && { code }),
  };
}

function explanation(error: unknown, reason: SkipReason, privilege: string): string {
  switch (reason) {
    case 'privilege':
      if (isDirectConnectionToShard(error))
        return 'not authorized over a direct connection to a shard. Connect through mongos, or grant the role directShardOperations.';
      return `not authorized; grant the privilege ${privilege}.`;
    case 'timeout':
      if (isThrottled(error))
        return 'the server throttled it beyond --timeout (code 16500); run again when it is quieter, or raise its request units.';
      return error instanceof LateAnswerError
        ? `${error.message}: the link or the server is slow; raise the limit with --timeout.`
        : 'the command reached its time limit; raise it with --timeout.';
    case 'max-time':
      return `${error instanceof DeadlineError ? error.message : ''}; give the run more time, or narrow it with --include.`;
    case 'server-load':
      return `${error instanceof Error ? error.message : ''}, and the run stopped to spare it; run again at a quieter time.`;
    case 'authentication':
      return `the server no longer accepts the user (${errorName(error)}); check it and its password, and run again.`;
    case 'interrupted':
      return 'the run was interrupted before this; run again.';
    case 'vanished':
      return 'the collection was dropped, renamed or emptied during the run.';
    case 'unsupported':
      if (error instanceof AnswerShapeError) return `${error.message}.`;
      return `this server or tier does not support it (${errorName(error)}).`;
    case 'connection':
      return `the connection to the server was lost (${errorName(error)}); run again when it is back.`;
    default:
      if (isKilled(error))
        return 'somebody ended it on the server, and again when it was repeated, as killOp does; run again.';
      if (isUnreadable(error))
        return `the reply could not be read (${errorName(error)}); something between mongolint and the server may damage it, such as a proxy.`;
      return `failed unexpectedly (${errorName(error)}); run with --verbose and report it.`;
  }
}

/** True for a reply that breaks the protocol or is no BSON. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof MongoParseError || error instanceof BSON.BSONError;
}

/** 8.0 and later refuse those without the role directShardOperations. Its words: `direct_connection_util.cpp` of the server. */
function isDirectConnectionToShard(error: unknown): boolean {
  return error instanceof MongoServerError && /\bdirect(?:ShardOperations| shard connection)\b/.test(error.message);
}

/** True if a server of another make, or of another version, does not know an option of a command. */
export function isUnknownOption(error: unknown): boolean {
  return error instanceof MongoServerError && UNKNOWN_OPTION.has(Number(error.code));
}

/** True if a server answered, and that something is wrong. */
export function isServerError(error: unknown): boolean {
  return error instanceof MongoServerError;
}

/** Name and code hold no values: "QueryExceededMemoryLimitNoDiskUseAllowed, code 292". */
export function errorName(error: unknown): string {
  if (error instanceof MongoServerError) {
    const codeName = typeof error['codeName'] === 'string' && error['codeName'] !== '' ? error['codeName'] : error.name;
    return Number.isSafeInteger(error.code) ? `${codeName}, code ${error.code}` : codeName;
  }
  return error instanceof Error ? error.name : typeof error;
}

export function isThrottled(error: unknown): boolean {
  return error instanceof MongoServerError && Number(error.code) === TOO_MANY_REQUESTS;
}

/** True if the driver did not send a command, since another had lost its connection just then: asking again is harmless. */
export function isUnsent(error: unknown): boolean {
  return error instanceof MongoNetworkError && error.name === 'MongoPoolClearedError';
}

export function retryAfter(error: MongoServerError): number {
  const asked =
    numberIn(error, 'RetryAfterMs') ?? Number(/RetryAfterMs=(\d+)/.exec(error.message)?.[1] ?? DEFAULT_WAIT);
  return Math.max(1, asked);
}
