import type { Document } from 'mongodb';
import { figureIn, isFigure, textIn } from '../../connect/answer.js';
import { type Client, clientOf } from './clients.js';
import { isInternal, readsNoDocuments } from './internal-operation.js';
import { readShape, type ReadShape } from './known-shapes.js';
import type { RecordedCommand } from '../shapes/operation-shape.js';
import { scalarText } from '../shapes/placeholder.js';
import type { Slices } from '../shapes/slices.js';
import { type ValueLists, valueListsInText, valueListsOf } from '../shapes/value-lists.js';
import { type Waiting, waitingIn } from './waiting.js';
import type { OperationKind, OperationShape } from '../workload.js';
import { isIsoTime } from '../../time-units.js';
import { fieldPath } from '../shapes/sort-shape.js';

const KEY_FIELD = /^([^,:{}]+): ([^\s,:{}]+)$/;

/** One entry of the profiler or the slow-query log: an operation, or a batch that `getMore` fetched for one. */
export interface Execution {
  readonly shape: OperationShape;
  readonly key: string;
  /** Whether it is a batch after the first: it adds to its operation, and is not one itself. */
  readonly isContinuation: boolean;
  /** Identifies the operation among its batches; null if there was one batch only. */
  readonly cursor: string | null;
  readonly at: number;
  readonly milliseconds: number | null;
  readonly documentsExamined: number | null;
  readonly keysExamined: number | null;
  readonly documentsReturned: number | null;
  readonly documentsWritten: number | null;
  readonly responseBytes: number | null;
  readonly planSummary: string | null;
  readonly sortedInMemory: boolean;
  readonly usedDisk: boolean;
  /** `queryFramework`: the engine that ran it, `classic` or `sbe`. */
  readonly engine: unknown;
  readonly longestLiteralArray: number;
  readonly slices: Slices;
  readonly lists: ValueLists;
  /** Documents passed over by `skip`. */
  readonly skipped: number;
  /** Shards that mongos sent it to; null if the entry does not say. */
  readonly shardsContacted: number | null;
  readonly client: Client;
  readonly waiting: Waiting | null;
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
  /** Of the connection; the profiler does not have it. */
  readonly driver?: string | null;
  /** Network address, if it is to be shown. */
  readonly address?: unknown;
  readonly truncated: boolean;
}

/** Not an application's operation on data, or an entry that makes no sense. */
export type NoExecution = 'ignored' | 'unreadable';

/** Reads an entry of the profiler or the log. Never throws, whatever is wrong with it. */
export function executionOf(
  entry: RecordedEntry,
  shapeOf: (command: RecordedCommand) => ReadShape = readShape,
): Execution | NoExecution {
  try {
    return readExecution(entry, shapeOf);
  } catch (error) {
    // Nested deeper than any server allows: the entry is forged or garbled.
    if (error instanceof RangeError) return 'unreadable';
    throw error;
  }
}

function readExecution(
  entry: RecordedEntry,
  shapeOf: (command: RecordedCommand) => ReadShape,
): Execution | NoExecution {
  const { fields } = entry;
  const namespace: unknown = fields['ns'];
  if (typeof namespace !== 'string' || !isIsoTime(entry.at)) return 'unreadable';
  const isContinuation = entry.operation === 'getmore' || asDocument(fields['command'])?.['getMore'] !== undefined;
  const command = asDocument(isContinuation ? fields['originatingCommand'] : fields['command']);
  if (command === null) return isContinuation ? 'ignored' : 'unreadable';
  const { appName } = fields;
  const { comment, pipeline, mirrored } = command;
  const { driver, user } = entry;
  if (isInternal({ namespace, appName, driver, mirrored, user, comment, pipeline })) return 'ignored';
  const recorded = recordedCommand(namespace, command, entry);
  if (recorded === null) return 'ignored';

  const { shape, key, longestLiteralArray, slices } = shapeOf(recorded);
  const cursor: unknown = fields['cursorid'];
  return {
    shape,
    key,
    isContinuation,
    cursor: cursor === undefined || cursor === null ? null : scalarText(textIn(cursor, '$numberLong') ?? cursor),
    at: entry.at,
    milliseconds: figure(entry.milliseconds),
    documentsExamined: figure(fields['docsExamined']),
    keysExamined: figure(fields['keysExamined']),
    documentsReturned: figure(fields['nreturned']),
    documentsWritten: writtenDocuments(fields),
    responseBytes: figure(entry.responseBytes),
    planSummary: typeof fields['planSummary'] === 'string' ? planSummaryShape(fields['planSummary']) : null,
    sortedInMemory: fields['hasSortStage'] === true,
    usedDisk: fields['usedDisk'] === true,
    engine: fields['queryFramework'],
    longestLiteralArray,
    slices,
    lists:
      command['$truncated'] === undefined ? valueListsOf(recorded.command) : valueListsInText(command['$truncated']),
    skipped: skippedBy(recorded.command),
    shardsContacted: figure(fields['nShards']),
    client: clientOf({ appName, user: entry.user, driver: entry.driver, address: entry.address }),
    waiting: waitingIn(fields, figure(entry.milliseconds)),
  };
}

function skippedBy({ skip, pipeline }: Document): number {
  const stages = Array.isArray(pipeline) ? (pipeline as unknown[]).map((stage) => asDocument(stage)?.['$skip']) : [];
  return [skip, ...stages].reduce<number>((sum, value) => sum + (figure(value) ?? 0), 0);
}

const WRITTEN = ['ninserted', 'nModified', 'nUpserted', 'ndeleted'] as const;

function writtenDocuments(fields: Document): number | null {
  let written: number | null = null;
  for (const name of WRITTEN) {
    const count = fields[name] === undefined ? null : figure(fields[name]);
    if (count !== null) written = (written ?? 0) + count;
  }
  return written;
}

/** `update` and `delete` are missing: they contain statements, each with an entry of its own. */
const KIND_BY_COMMAND: ReadonlyMap<string, OperationKind> = new Map([
  ['aggregate', 'aggregate'],
  ['find', 'find'],
  ['count', 'count'],
  ['distinct', 'distinct'],
  ['insert', 'insert'],
  ['findAndModify', 'findAndModify'],
  ['findandmodify', 'findAndModify'],
]);

const KIND_BY_STATEMENT: ReadonlyMap<unknown, OperationKind> = new Map<unknown, OperationKind>([
  ['update', 'update'],
  ['remove', 'delete'],
]);

function recordedCommand(namespace: string, command: Document, entry: RecordedEntry): RecordedCommand | null {
  // The profiler turns a command of more than 50 KB into a text, cut at that length (measured on 6.0.5).
  const text: unknown = command['$truncated'];
  const isText = typeof text === 'string';
  const name = isText ? /^\{ (\w+):/.exec(text)?.[1] : Object.keys(command)[0];
  // A `$merge` is recorded as an update per document, which only this field shows (measured on 6.0.5 and 6.0.27).
  if (command['upsertSupplied'] !== undefined) return null;
  const isStatement = isText ? name === 'q' : command['q'] !== undefined;
  const kind = isStatement ? KIND_BY_STATEMENT.get(entry.operation) : KIND_BY_COMMAND.get(name ?? '');
  if (kind === undefined || (kind === 'aggregate' && readsNoDocuments(command['pipeline']))) return null;
  // Inserted documents have no shape, and no size limit.
  const kept = isText || kind === 'insert' ? {} : command;
  return { kind, namespace, command: kept, truncated: (isText || entry.truncated) && kind !== 'insert' };
}

function asDocument(value: unknown): Document | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Document) : null;
}

/** A number of any type of BSON or Extended JSON; null for anything else. */
function figure(value: unknown): number | null {
  const extended = textIn(value, '$numberLong');
  const number = extended === null ? figureIn({ value }, 'value') : Number(extended);
  return isFigure(number) ? number : null;
}

/**
 * A plan summary names stages and index keys: `IXSCAN { a: 1, b: -1 }`. Names that are data become `*`, and so does a
 * key whose names cannot be told apart.
 */
export function planSummaryShape(summary: string): string {
  if (!summary.includes('{')) return summary;
  return summary.replace(/\{ (.*?) \}(?=$|, [A-Z])/g, (_, key: string) => {
    const fields = key.split(', ').map((field) => KEY_FIELD.exec(field));
    if (fields.includes(null)) return '{ * }';
    return `{ ${fields.map((field) => `${fieldPath(field?.[1] ?? '')}: ${field?.[2]}`).join(', ')} }`;
  });
}

export function isCollectionScan(summary: string): boolean {
  return summary === 'COLLSCAN' || summary.startsWith('COLLSCAN,') || summary.includes(', COLLSCAN');
}
