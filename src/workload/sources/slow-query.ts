import { textIn } from '../../connect/answer.js';
import { isIsoTime } from '../../time-units.js';
import type { ClientConnections } from '../operations/connection-tally.js';
import {
  executionOf,
  isExecution,
  type Execution,
  type NoExecution,
  type RecordedEntry,
} from '../operations/execution.js';
import type { TakeOther } from '../operations/index-changes.js';
import { bulkStatement, isInternalThread } from '../operations/recorded-command.js';
import { ConnectionDrivers, LINE_START, parsedLine, type LogLine, writtenAt } from './connection-drivers.js';
import type { SourceReading } from './source.js';

const SLOW_QUERY_MESSAGE = 'Slow query';
/** The line of an operation that runs for 5 s, and may never end: 8.3 and later, id 1794200. */
const IN_PROGRESS_MESSAGE = 'Slow in-progress query';

/** Every line about an operation has exactly these bytes (4.4 and later); within a string the quotes would be escaped. */
export const SLOW_QUERY = '"msg":"Slow ';

/** The line of a whole transaction that was slow: id 51802. */
export const TRANSACTION = '"msg":"transaction"';

/** The end of the message of an operation that failed. */
const FAILED = 'command executor error';

/** A message of the server that may be printed. */
const MESSAGE = /^Slow [\w -]{1,60}$/;

export interface ReadLine {
  /** In ms since 1970; null if the line has no time. */
  readonly at: number | null;
  /** `later`: what still runs counts by its end, or when the log ends without it. */
  readonly execution: Execution | NoExecution | 'other' | 'later';
  /** Further statements of the same line: a `bulkWrite` of mongos. */
  readonly others?: readonly Execution[];
  /** Whether mongos wrote it. */
  readonly isOfRouter?: boolean;
}

const UNREADABLE: ReadLine = { at: null, execution: 'unreadable' };

/** Only a server with data reports these. */
const OF_DATA = ['planSummary', 'keysExamined', 'docsExamined', 'storage'] as const;

export class LogContext {
  readonly drivers: ConnectionDrivers;
  /** Takes what builds or drops indexes. */
  readonly takeOther: TakeOther | undefined;
  readonly #running = new Map<unknown, Running>();
  readonly #neverEnded: Running[] = [];

  /** @param place the log that it is */
  constructor(
    readonly reading: Partial<SourceReading> = {},
    readonly place: Pick<ClientConnections, 'source' | 'member'> = { source: 'logFile' },
  ) {
    this.drivers = new ConnectionDrivers(reading.connections?.of(place));
    this.takeOther = reading.indexChanges?.place(place.source);
  }

  /** A connection runs one operation at a time: whatever it logs next says that the one before has ended. */
  begins(connection: unknown, running: Running): void {
    this.#forget(connection, null);
    if (this.#running.size < MOST_RUNNING) this.#running.set(connection, running);
  }

  /** @param key of the operation that ended; null if another one began */
  ends(connection: unknown, key: string | null): void {
    if (this.#running.size > 0) this.#forget(connection, key);
  }

  /** What was still running when the log ended, or whose end was not logged. */
  unfinished(): readonly Running[] {
    return [...this.#neverEnded, ...this.#running.values()];
  }

  #forget(connection: unknown, key: string | null): void {
    const running = this.#running.get(connection);
    if (running === undefined) return;
    if (running.execution.key !== key && this.#neverEnded.length < MOST_RUNNING) this.#neverEnded.push(running);
    this.#running.delete(connection);
  }
}

/** Kept of operations that were logged while they ran. */
const MOST_RUNNING = 10_000;

interface Running {
  readonly execution: Execution;
  readonly isOfRouter: boolean;
}

/** Reads one line of mongod's or mongos's structured log (4.4 and later). Never throws, whatever is wrong with it. */
export function slowQueryOf(line: string, context: LogContext): ReadLine {
  const { drivers, reading, place } = context;
  const { showValues = false, lineOf, transactions, changeStreams } = reading;
  const start = line.indexOf(LINE_START);
  if (start === -1 || !line.endsWith('}')) return UNREADABLE;
  const parsed = parsedLine(start === 0 ? line : line.slice(start));
  const at = Date.parse(parsed?.t?.$date ?? '');
  if (parsed === null || !isIsoTime(at))
    return line.includes(SLOW_QUERY) ? UNREADABLE : { at: writtenAt(line), execution: 'other' };
  // A command of an application may hold those bytes: `{insert: "logs", documents: [{msg: "Slow query"}]}`.
  const isUnfinished = parsed.msg === IN_PROGRESS_MESSAGE;
  const fields = parsed.attr;
  if (parsed.msg === 'transaction' && fields !== undefined) {
    transactions?.ended(place.source, at, fields);
    return { at, execution: 'other' };
  }
  if (typeof parsed.msg === 'string' && parsed.msg.endsWith(FAILED) && fields !== undefined) {
    changeStreams?.ended(place.source, at, fields, drivers.appNameOf(parsed.ctx));
    return { at, execution: 'other' };
  }
  if (parsed.msg !== SLOW_QUERY_MESSAGE && !isUnfinished)
    return { at, execution: isUnknownKind(parsed.msg, fields) ? { notUnderstood: parsed.msg } : 'other' };
  if (isInternalThread(parsed.ctx)) return { at, execution: 'ignored' };
  if (typeof fields !== 'object' || fields === null) return UNREADABLE;
  if (fields['originatingCommand'] === undefined)
    changeStreams?.opened(place.source, at, fields['command'], textIn(fields, 'appName'));
  const ofRouter = isOfRouter(parsed, fields);
  const entry: RecordedEntry = {
    fields,
    operation: isBatch(fields) ? 'getmore' : fields['type'],
    at,
    milliseconds: fields['durationMillis'],
    responseBytes: fields['reslen'],
    user: fields['user'],
    driver: drivers.of(parsed.ctx),
    ...(showValues && { address: fields['remote'] }),
    ...(lineOf !== undefined && { lineOf }),
    isUnfinished,
    isOfRouter: ofRouter,
    truncated: parsed.truncated?.command !== undefined || parsed.truncated?.originatingCommand !== undefined,
  };
  if (ofRouter && !isUnfinished) {
    const [first, ...others] = statementsOfBulk(entry);
    if (first !== undefined) {
      const executions = others.map((each) => executionOf(each)).filter((each) => isExecution(each));
      return { at, execution: executionOf(first), others: executions, isOfRouter: ofRouter };
    }
  }
  const execution = executionOf(entry);
  if (!isExecution(execution)) {
    context.takeOther?.(entry);
    return { at, execution, isOfRouter: ofRouter };
  }
  transactions?.statement(place.source, execution);
  if (!isUnfinished) {
    context.ends(parsed.ctx, execution.key);
    return { at, execution, isOfRouter: ofRouter };
  }
  context.begins(parsed.ctx, { execution, isOfRouter: ofRouter });
  return { at, execution: 'later', isOfRouter: ofRouter };
}

/** A line about an operation under a message that no known version writes. */
function isUnknownKind(message: unknown, fields: LogLine['attr']): message is string {
  return (
    typeof message === 'string' &&
    MESSAGE.test(message) &&
    typeof fields?.['ns'] === 'string' &&
    typeof fields['command'] === 'object'
  );
}

/**
 * mongos logs a `bulkWrite` (8.0) once, and its time is that of all statements. mongod logs each statement as well, so that
 * its line for the whole is not read. Empty if it is no such line, or if the log cut the namespaces off.
 */
function statementsOfBulk(entry: RecordedEntry): readonly RecordedEntry[] {
  const { bulkWrite, ops, nsInfo } = (entry.fields['command'] ?? {}) as Record<string, unknown>;
  if (bulkWrite === undefined || !Array.isArray(ops) || !Array.isArray(nsInfo)) return [];
  return (ops as unknown[]).flatMap((statement): RecordedEntry[] => {
    if (typeof statement !== 'object' || statement === null) return [];
    const [name = ''] = Object.keys(statement);
    const index = (statement as Record<string, unknown>)[name];
    const namespace = (nsInfo as unknown[])[Number(index)] as { readonly ns?: unknown } | undefined;
    const isKnown = name === 'insert' || bulkStatement(name, statement) !== null;
    if (typeof namespace?.ns !== 'string' || !isKnown) return [];
    const { appName } = entry.fields;
    return [
      { ...entry, fields: { ns: namespace.ns, command: statement, appName }, milliseconds: null, responseBytes: null },
    ];
  });
}

/** Before 8.0 no line says who wrote it. But reading data takes locks, and mongos takes none. */
function isOfRouter({ svc }: LogLine, fields: Record<string, unknown>): boolean {
  if (svc === 'R' || svc === 'S') return svc === 'R';
  const { locks } = fields;
  const isLocked = typeof locks === 'object' && locks !== null && Object.keys(locks).length > 0;
  return !isLocked && OF_DATA.every((name) => fields[name] === undefined);
}

export function beginsLine(text: string): boolean {
  return text.includes(LINE_START);
}

function isBatch({ command }: Record<string, unknown>): boolean {
  return typeof command === 'object' && command !== null && 'getMore' in command;
}
