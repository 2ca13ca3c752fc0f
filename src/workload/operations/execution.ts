import type { Document } from 'mongodb';
import { documentIn, recordedFigure, textIn } from '../../connect/answer.js';
import { isIsoTime } from '../../time-units.js';
import { readShape } from '../shapes/operation-shape.js';
import { bodyOf, scalarText } from '../shapes/placeholder.js';
import { fieldPath } from '../shapes/sort-shape.js';
import type { OperationShape } from '../workload.js';
import type { Batch } from './accumulator.js';
import { clientOf } from './clients.js';
import { recordedFigures, type RecordedFigures } from './operation-figures.js';
import { WRITTEN } from './read-entry.js';
import { commandName, commandWord, isInternal, recordedCommand } from './recorded-command.js';
import { transactionOf } from './transaction-tally.js';

/**
 * The line of the source that an operation's comment names, as "src/orders.ts:42", or the file alone; `UNREAD_LINE` or
 * `FOREIGN_LINE` if that was not read; null if it names none.
 */
export type LineOf = (comment: unknown) => string | null;

const KEY_FIELD = /^([^,:{}]+): ([^\s,:{}]+)$/;

/** One entry of the profiler or the slow-query log: an operation, or a batch that `getMore` fetched for one. */
export interface Execution extends Batch {
  readonly shape: OperationShape;
  readonly key: string;
  /** Identifies the transaction that it belongs to; null if to none. */
  readonly transaction: string | null;
  /** What it adds to the figures of its shape, without values. */
  readonly recorded: RecordedFigures;
  /** As `LineOf` tells; absent without source. */
  readonly sentFrom?: string | null;
}

/** An entry under the names that profiler and log share; the caller gives the few that differ. */
export interface RecordedEntry {
  /** The profiler's document, or the log line's `attr`. */
  readonly fields: Document;
  /** `op` of the profiler, `type` of the log. */
  readonly operation: unknown;
  readonly at: number;
  readonly milliseconds: unknown;
  readonly responseBytes: unknown;
  readonly user: unknown;
  /** The driver of the connection; the profiler does not have it. */
  readonly driver?: string | null;
  /** Network address, if it is to be shown. */
  readonly address?: unknown;
  readonly truncated: boolean;
  readonly isUnfinished?: boolean;
  /** mongos of 9.0 writes 0 for what only shards know. */
  readonly isOfRouter?: boolean;
  /** A comment is a value: nothing of it is kept but what this returns. */
  readonly lineOf?: LineOf;
}

/** A kind of operation on data that mongolint does not know, named by the server's word for it. */
export interface NotUnderstood {
  readonly notUnderstood: string;
}

/** Not an application's operation on data, an entry that makes no sense, or one of an unknown kind. */
export type NoExecution = 'ignored' | 'unreadable' | NotUnderstood;

export function isExecution(read: Execution | NoExecution): read is Execution {
  return typeof read === 'object' && !('notUnderstood' in read);
}

/** Reads an entry of the profiler or the log. Never throws, whatever is wrong with it. */
export function executionOf(entry: RecordedEntry): Execution | NoExecution {
  try {
    return readExecution(entry);
  } catch (error) {
    // Nested deeper than any server allows: the entry is forged or garbled.
    if (error instanceof RangeError) return 'unreadable';
    throw error;
  }
}

function readExecution(entry: RecordedEntry): Execution | NoExecution {
  const { fields } = entry;
  const namespace: unknown = fields['ns'];
  if (typeof namespace !== 'string' || !isIsoTime(entry.at)) return 'unreadable';
  const isContinuation = entry.operation === 'getmore' || bodyOf(fields['command'])['getMore'] !== undefined;
  const command = documentIn(fields, isContinuation ? 'originatingCommand' : 'command');
  if (command === null) return isContinuation ? 'ignored' : 'unreadable';
  const { appName } = fields;
  const { comment, pipeline, mirrored } = command;
  const { driver, user } = entry;
  if (isInternal({ namespace, appName, driver, mirrored, user, comment, pipeline })) return 'ignored';
  const recorded = recordedCommand(namespace, command, entry);
  if (recorded === null) return otherEntry(entry, command);

  const { shape, key, longestLiteralArray, slices } = readShape(recorded);
  const cursor: unknown = fields['cursorid'];
  const isUnfinished = entry.isUnfinished === true;
  const { at, address } = entry;
  const planSummary: unknown = fields['planSummary'];
  const figures = recordedFigures({
    fields,
    command,
    asked: recorded.command,
    at,
    milliseconds: recordedFigure(entry.milliseconds),
    responseBytes: recordedFigure(entry.responseBytes),
    planSummary: typeof planSummary === 'string' ? planSummaryShape(planSummary) : null,
    client: clientOf({ appName, user, driver, address }),
    longestLiteralArray,
    slices,
    truncated: shape.truncated === true,
    isContinuation,
    isUnfinished,
    isOfRouter: entry.isOfRouter === true,
  });
  return {
    shape,
    key,
    transaction: transactionOf(command),
    cursor: cursor === undefined || cursor === null ? null : scalarText(textIn(cursor, '$numberLong') ?? cursor),
    at,
    isContinuation,
    isUnfinished,
    recorded: figures,
    ...(entry.lineOf !== undefined && { sentFrom: entry.lineOf(comment) }),
  };
}

/** What only an operation on data has. */
const WORK = ['docsExamined', 'keysExamined'] as const;
/** Commands whose statements, or whose reads, have entries of their own. */
const ENVELOPES = new Set(['update', 'delete', 'bulkWrite', 'explain', 'getMore']);
/** An entry with a plan, or that examined or wrote documents, is an operation on data, whether its command is known or not. */
function otherEntry({ fields }: RecordedEntry, command: Document): NoExecution {
  const name = commandName(command) ?? '';
  if (ENVELOPES.has(name) || command['upsertSupplied'] !== undefined || command['pipeline'] !== undefined)
    return 'ignored';
  const isOnData =
    typeof fields['planSummary'] === 'string' ||
    [...WORK, ...WRITTEN].some((figureName) => (recordedFigure(fields[figureName]) ?? 0) > 0);
  return isOnData ? { notUnderstood: commandWord(name) } : 'ignored';
}

/**
 * A plan summary names stages and index keys: `IXSCAN { a: 1, b: -1 }`, `EXPRESS_IXSCAN { _id: 1 },EXPRESS_UPDATE`. Names that are data become `*`, and so does a
 * key whose names cannot be told apart.
 */
export function planSummaryShape(summary: string): string {
  if (!summary.includes('{')) return summary;
  return summary.replace(/\{ (.*?) \}(?=$|, ?[A-Z])/g, (_, key: string) => {
    const fields = key.split(', ').map((field) => KEY_FIELD.exec(field));
    if (fields.includes(null)) return '{ * }';
    return `{ ${fields.map((field) => `${fieldPath(field?.[1] ?? '')}: ${field?.[2]}`).join(', ')} }`;
  });
}

export function isCollectionScan(summary: string): boolean {
  return summary === 'COLLSCAN' || summary.startsWith('COLLSCAN,') || summary.includes(', COLLSCAN');
}
