import type { Document } from 'mongodb';
import { documentIn, textIn } from '../../connect/answer.js';
import { isIsoTime } from '../../time-units.js';
import { hintText } from '../shapes/hint-text.js';
import { readShape } from '../shapes/operation-shape.js';
import { arrayOf, bodyOf, scalarText } from '../shapes/placeholder.js';
import type { Slices } from '../shapes/slices.js';
import { fieldPath } from '../shapes/sort-shape.js';
import { type ValueLists, valueListsInText, valueListsOf } from '../shapes/value-lists.js';
import type { OperationShape } from '../workload.js';
import type { AgeBound } from './age-bound-tally.js';
import { ageBoundsOf } from './age-bounds.js';
import { type Client, clientOf } from './clients.js';
import { isInternal } from './internal-operation.js';
import { commandName, commandWord, figure, recordedCommand } from './recorded-command.js';
import { transactionOf } from './transaction-tally.js';
import { type Waiting, waitingIn } from './waiting.js';

/**
 * The line of the source that an operation's comment names, as "src/orders.ts:42", or the file alone; `UNREAD_LINE` or
 * `FOREIGN_LINE` if that was not read; null if it names none.
 */
export type LineOf = (comment: unknown) => string | null;

const KEY_FIELD = /^([^,:{}]+): ([^\s,:{}]+)$/;

/** One entry of the profiler or the slow-query log: an operation, or a batch that `getMore` fetched for one. */
export interface Execution {
  readonly shape: OperationShape;
  readonly key: string;
  /** Whether it is a batch after the first: it adds to its operation, and is not one itself. */
  readonly isContinuation: boolean;
  /** Identifies the transaction that it belongs to; null if to none. */
  readonly transaction: string | null;
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
  /** Whether several plans were tried for it. */
  readonly triedPlans: boolean;
  /** Whether its cached plan was given up for another choice. */
  readonly replanned: boolean;
  readonly sortedInMemory: boolean;
  readonly usedDisk: boolean;
  /** `queryFramework`: the engine that ran it, `classic` or `sbe`. */
  readonly engine: unknown;
  readonly longestLiteralArray: number;
  readonly slices: Slices;
  readonly lists: ValueLists;
  readonly ageBounds: Readonly<Record<string, AgeBound>>;
  /** Documents passed over by `skip`. */
  readonly skipped: number;
  /** Whether it has a limit, and its only batch returned fewer documents. */
  readonly isBelowLimit: boolean;
  /** The index that it names; null if it names none. */
  readonly hint: string | null;
  /** Most bytes that each stage spilled to disk, as 8.1 and later tell: `{ sort: 9382614 }`. */
  readonly spills: Readonly<Record<string, number>>;
  /** `peakTrackedMemBytes` of 8.3 and later; null before. */
  readonly peakMemoryBytes: number | null;
  /** Whether it was still running when the entry was written (8.3): its time is a lower bound. */
  readonly isUnfinished: boolean;
  /** Shards that mongos sent it to; null if the entry does not say. */
  readonly shardsContacted: number | null;
  readonly client: Client;
  readonly waiting: Waiting | null;
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
  /** Of the connection; the profiler does not have it. */
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
  return {
    shape,
    key,
    isContinuation,
    transaction: transactionOf(command),
    cursor: cursor === undefined || cursor === null ? null : scalarText(textIn(cursor, '$numberLong') ?? cursor),
    at: entry.at,
    milliseconds: figure(entry.milliseconds),
    documentsExamined: counted(entry, 'docsExamined'),
    keysExamined: counted(entry, 'keysExamined'),
    documentsReturned: figure(fields['nreturned']),
    documentsWritten: writtenDocuments(entry),
    responseBytes: figure(entry.responseBytes),
    planSummary: typeof fields['planSummary'] === 'string' ? planSummaryShape(fields['planSummary']) : null,
    triedPlans: fields['fromMultiPlanner'] === true,
    replanned: fields['replanned'] === true,
    sortedInMemory: fields['hasSortStage'] === true,
    usedDisk: fields['usedDisk'] === true,
    engine: fields['queryFramework'],
    longestLiteralArray,
    slices,
    lists:
      command['$truncated'] === undefined ? valueListsOf(recorded.command) : valueListsInText(command['$truncated']),
    ageBounds: ageBoundsOf(recorded.command, entry.at),
    skipped: skippedBy(recorded.command),
    isBelowLimit: isBelowLimit(recorded.command, fields),
    hint: hintText(command['hint']),
    spills: spillsIn(fields),
    peakMemoryBytes: figure(fields['peakTrackedMemBytes']),
    isUnfinished: entry.isUnfinished === true,
    shardsContacted: figure(fields['nShards']),
    client: clientOf({ appName, user: entry.user, driver: entry.driver, address: entry.address }),
    waiting: waitingIn(fields, figure(entry.milliseconds)),
    ...(entry.lineOf !== undefined && { sentFrom: entry.lineOf(comment) }),
  };
}

function skippedBy({ skip, pipeline }: Document): number {
  const skips = [skip, ...arrayOf(pipeline).map((stage) => bodyOf(stage)['$skip'])];
  return skips.reduce<number>((sum, value) => sum + (figure(value) ?? 0), 0);
}

/** Of an aggregate, the first limit counts. */
function isBelowLimit({ limit, pipeline }: Document, { nreturned, cursorid }: Document): boolean {
  const limits = [limit, ...arrayOf(pipeline).map((stage) => bodyOf(stage)['$limit'])];
  const [most = 0] = limits.flatMap((value) => figure(value) ?? []);
  const returned = figure(nreturned);
  return (cursorid ?? null) === null && returned !== null && returned < most;
}

const WRITTEN = ['ninserted', 'nModified', 'nUpserted', 'ndeleted'] as const;

function writtenDocuments(entry: RecordedEntry): number | null {
  const counts = WRITTEN.flatMap((name) => counted(entry, name) ?? []);
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count);
}

function counted({ fields, isOfRouter }: RecordedEntry, name: string): number | null {
  const count = figure(fields[name]);
  return count === 0 && isOfRouter === true ? null : count;
}

/** Stages that can spill. Source: `OpDebug` of the server's public sources, 8.1. */
export const SPILLING_STAGES = [
  'sort',
  'group',
  'setWindowFields',
  'bucketAuto',
  'textOr',
  'geoNear',
  'graphLookup',
  'hashLookup',
] as const;

function spillsIn(fields: Document): Record<string, number> {
  const spills = SPILLING_STAGES.map((stage) => [stage, figure(fields[`${stage}SpilledBytes`]) ?? 0] as const);
  return Object.fromEntries(spills.filter(([, bytes]) => bytes > 0));
}

/** What only an operation on data has. */
const WORK = ['docsExamined', 'keysExamined'] as const;
/** Commands whose statements, or whose reads, have entries of their own. */
const ENVELOPES = new Set(['update', 'delete', 'bulkWrite', 'explain', 'getMore']);
/** An entry with a plan, or that examined or wrote documents, is an operation on data, whether its command is known or not. */
function otherEntry(entry: RecordedEntry, command: Document): NoExecution {
  const name = commandName(command) ?? '';
  if (ENVELOPES.has(name) || command['upsertSupplied'] !== undefined || command['pipeline'] !== undefined)
    return 'ignored';
  const isOnData =
    typeof entry.fields['planSummary'] === 'string' ||
    [...WORK, ...WRITTEN].some((figureName) => (counted(entry, figureName) ?? 0) > 0);
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
